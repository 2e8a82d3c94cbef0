"""A form whose answer was lost may be sent again much later. It gets the first answer again, and nothing is done twice.

Meanwhile the table has changed so much that the form would be refused if it were new.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import Join, Leave
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry
from scoring.ledger import audit
from scoring.models import Event, Revision, Session
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, act, settle, start
from tests.pages import Form, form
from tests.views.hand.test_enter import fields, previewed

CARDS = fields(s1=WEAK, s2=PLAIN, s3=STRONG)
WHY = {"note": "because"}

Opener = Callable[[Client, Session], Form]


def at(path: str, label: str, typed: dict[str, str], **hidden: str) -> Opener:
    """Opens this page and fills in the form that has a button with this label, up to the tap on it."""
    return lambda client, session: form(client.get(address(session, path)), label, **hidden).fill(typed)


def address(session: Session, path: str) -> str:
    return f"/s/{session.public_id}/{path}"


def correction(client: Client, session: Session) -> Form:
    opened = at("hands/1/correct/", "Preview changes", CARDS)(client, session)
    return form(opened.press(), "Correct hand 1").fill(WHY)


def forgotten_chips(client: Client, session: Session) -> Form:
    typed = {"seat": "2", "amount": "50", "before": "2"}
    return form(at("chips/forgotten/", "Preview changes", typed)(client, session).press()).fill(WHY)


FORMS: dict[str, tuple[str, Opener]] = {
    "a hand": ("Settle hand 3", lambda client, session: previewed(client, session, CARDS)),
    "a counted hand": (
        "Settle hand 3",
        lambda client, session: previewed(client, session, {"points-1-2": "4", "points-1-2-to": "2"}),
    ),
    "the button": ("Save button and Fantasyland", at("next/", "Save button and Fantasyland", {**WHY, "button": "1"})),
    "a Fantasyland": (
        "Save button and Fantasyland",
        at("next/", "Save button and Fantasyland", {**WHY, "p2-cards": "14"}),
    ),
    "a penalty": ("Record penalty", at("penalty/", "Record penalty", {**WHY, "seat": "2", "points": "3"})),
    "a side bet": (
        "Record side bet",
        at("side-bet/", "Record side bet", {**WHY, "payer": "2", "payee": "1", "amount": "5"}),
    ),
    "a fee": ("Record fee", at("fee/", "Record fee", {**WHY, "amount": "5"})),
    "chips": ("Buy in", at("chips/", "Buy in", {"seat": "2", "amount": "50"})),
    "chips forgotten": ("Add 50.00 EUR before hand 2", forgotten_chips),
    "stakes": (
        "Save stakes",
        at("stakes/", "Save stakes", {"stake": "2", "pair-1-2": "3", "pair-2-3": "5"}),
    ),
    "rules": ("Save rules", at("rules/edit/", "Save rules", {"scoring": "1-4"})),
    "a guest": ("Add player", at("people/", "Add player", {"name": "Gus"})),
    "a guest beside Bob": ("Add player", at("people/", "Add player", {"name": "Gus", "after": "2"})),
    "a rest": ("Sit out", at("people/", "Sit out", {}, seat="2")),
    "a farewell": ("Leave & cash out", at("people/", "Leave & cash out", {}, seat="2")),
    "other places": ("Swap seats", at("people/", "Swap seats", {"other": "3"}, seat="2")),
    "a correction": ("Correct hand 1", correction),
    "a void": ("Void hand 1", at("hands/1/void/", "Void hand 1", WHY)),
    "a dispute": ("Dispute hand 1", at("hands/1/", "Dispute hand 1", {"note": "Hm."})),
    "an undo": ("Undo hand 2", at("", "Undo hand 2", {})),
    "the end": ("Close session", at("close/", "Close session", {})),
}
"""Each form filled in, and the button that sends it."""


@pytest.fixture
def session(db: None) -> Iterator[Session]:
    started = played(start())
    yield started
    assert list(map(str, audit.of_everything())) == []


def played(started: Session) -> Session:
    """Ann, Bob and Cat after one hand on credit and one with chips."""
    settle(started, LEVEL)
    for seat in (1, 2, 3):
        act(BuyIn, started, seat=seat, amount=1000_00)
    settle(started, Entry(points=((1, 2, 1),)))
    return started


@pytest.mark.parametrize("what", FORMS)
def test_a_form_sent_again_much_later_gets_its_first_answer(client: Client, session: Session, what: str) -> None:
    label, opened = FORMS[what]
    sending = opened(client, session)
    first = sending.press(label)
    assert first.status_code == 302, error_messages(first)
    assert Event.objects.filter(key=sending.fields()["key"][0]).count() == 1
    move_on(session)
    for _ in range(2):
        before = Event.objects.count()
        again = sending.press(label)
        # The cards that an undo opened again are no longer those of the hand that is entered by now.
        answer = f"/s/{session.public_id}/" if what == "an undo" else first["Location"]
        assert (again.status_code, again.get("Location")) == (302, answer), error_messages(again)
        assert Event.objects.count() == before
        session.refresh_from_db()
        if not session.closed_at:
            act(ledger.close_session, session)


def test_an_undo_sent_again_at_once_gets_its_first_answer(client: Client, session: Session) -> None:
    sending = form(client.get(f"/s/{session.public_id}/"), "Undo hand 2")
    assert sending.press()["Location"] == sending.press()["Location"] != f"/s/{session.public_id}/"
    assert Event.objects.filter(verb="undo").count() == 1


def test_a_correction_may_be_corrected_from_its_own_form(client: Client, session: Session) -> None:
    opened = at("hands/1/correct/", "Preview changes", {**CARDS, **WHY})(client, session)
    first = form(opened.press(), "Correct hand 1")
    # The host has changed a ruling in a second window meanwhile.
    second = form(opened.fill({"p1-front": "", "p1-ruling": "dead"}).press(), "Correct hand 1")
    assert first.fields()["key"] == second.fields()["key"]
    assert first.press("Correct hand 1").status_code == 302
    stale = second.press("Correct hand 1")
    assert stale.status_code == 409
    late = opened.press()
    assert late.status_code == 409
    for again in (stale, form(late, "Preview changes").press()):
        assert form(again, "Correct hand 1").fields()["key"] != first.fields()["key"]
    assert form(stale, "Correct hand 1").press("Correct hand 1").status_code == 302
    assert Revision.objects.filter(deal__number=1).latest("n").entry["boards"]["1"]["ruling"] == "dead"


def move_on(session: Session) -> None:
    """Change the table: players come, Bob leaves if still seated, the button moves, and hand 1 becomes void."""
    session.refresh_from_db()
    if session.closed_at:
        act(ledger.reopen_session, session)
    firm: dict[str, Any] = {"insist": True, "note": "so"}
    if session.seats.filter(number=2, position__isnull=False).exists():
        act(Leave, session, seat=2, **firm)
    act(Join, session, name="Dan", after=1, **firm)
    dan = session.seats.get(name="Dan")
    act(BuyIn, session, seat=dan.number, amount=500_00)
    if gus := session.seats.filter(name="Gus").first():
        act(BuyIn, session, seat=gus.number, amount=500_00)
    act(ChangeTerms, session, rules={"loss_cap": False, "win_cap": "none"})
    settle(session, Entry(points=((1, 3, 1),)))
    if not Revision.objects.filter(deal__session=session, deal__number=1).latest("n").voided:
        act(ledger.void_deal, session, number=1, note="misdealt")


def error_messages(response: Any) -> list[str]:
    """The page's error messages, to show if the test fails."""
    return re.findall(r'class="error">([^<]*)', response.content.decode())
