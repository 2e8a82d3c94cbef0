"""A form whose answer was lost may be sent again much later. It gets the first answer again, and nothing is done twice.

Meanwhile the table has changed so much that the form would be refused if it were new.
"""

import re
from collections.abc import Iterator
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
from tests.views.hand.test_enter import sends
from tests.views.table.test_house_rules import form as rules_form

CARDS = {
    f"p{seat}-{row}": getattr(rows, row)
    for seat, rows in {1: WEAK, 2: PLAIN, 3: STRONG}.items()
    for row in ("front", "middle", "back")
}
BOB = {"seat": "2"}
WHY = {"note": "because"}

FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "a hand": ("hand/", {**CARDS, "number": "3", "seats": "2,3,1"}),
    "a counted hand": (
        "hand/",
        {"mode": "points", "points-1-2": "4", "points-1-2-to": "2", "number": "3", "seats": "2,3,1"},
    ),
    "the button": ("next/", {**WHY, "had-button": "3", "button": "1", **{f"p{seat}-had": "0" for seat in (1, 2, 3)}}),
    "a Fantasyland": (
        "next/",
        {**WHY, "had-button": "3", "button": "2", "p2-cards": "14", **{f"p{seat}-had": "0" for seat in (1, 2, 3)}},
    ),
    "a penalty": ("penalty/", {**WHY, **BOB, "points": "3"}),
    "a side bet": ("side-bet/", {**WHY, "payer": "2", "payee": "1", "amount": "5"}),
    "a fee": ("fee/", {**WHY, "seats": "2", "amount": "5"}),
    "chips": ("chips/", {"do": "buy-in", **BOB, "amount": "50"}),
    "chips forgotten": ("chips/forgotten/", {**WHY, **BOB, "amount": "50", "before": "2"}),
    "stakes": ("stakes/", {"stake": "2", "pair-1-2": "3", "pair-1-3": "", "pair-2-3": "5"}),
    "rules": ("rules/edit/", rules_form(scoring="1-4")),
    "a guest": ("people/", {"do": "join", "name": "Gus"}),
    "a guest beside Bob": ("people/", {"do": "join", "name": "Gus", "after": "2"}),
    "a rest": ("people/", {"do": "sit-out", **BOB}),
    "a farewell": ("people/", {"do": "leave", **BOB}),
    "other places": ("people/", {"do": "swap", **BOB, "other": "3"}),
    "a correction": ("hands/1/correct/", {**WHY, **CARDS}),
    "a void": ("hands/1/void/", {**WHY}),
    "a flag": ("hands/1/flag/", {"note": "Hm."}),
    "an undo": ("undo/", {}),
    "the end": ("close/", {}),
}


@pytest.fixture
def session(db: None) -> Iterator[Session]:
    """Ann, Bob and Cat after one hand on credit and one with chips."""
    started = start()
    settle(started, LEVEL)
    for seat in (1, 2, 3):
        act(BuyIn, started, seat=seat, amount=1000_00)
    settle(started, Entry(points=((1, 2, 1),)))
    yield started
    assert list(map(str, audit.of_everything())) == []


@pytest.mark.parametrize("what", FORMS)
def test_sent_again_when_everything_is_otherwise(client: Client, session: Session, what: str) -> None:
    path, fields = FORMS[what]
    sent = {**fields, "key": "sent again", "version": str(session.version)}
    first = client.post(f"/s/{session.public_id}/{path}", sent)
    assert first.status_code == 302, said(first)
    assert Event.objects.filter(key="sent again").count() == 1
    move_on(session)
    for _ in range(2):
        before = Event.objects.count()
        again = client.post(f"/s/{session.public_id}/{path}", sent)
        assert (again.status_code, again.get("Location")) == (302, first["Location"]), said(again)
        assert Event.objects.count() == before
        session.refresh_from_db()
        if not session.closed_at:
            act(ledger.close_session, session)


def test_a_correction_may_be_corrected_from_its_own_form(client: Client, session: Session) -> None:
    path = f"/s/{session.public_id}/hands/1/correct/"
    shown = client.get(path, {**CARDS, **WHY, "checked": "1", "key": "once"}).content.decode()
    first = sends(shown) | WHY
    assert client.post(path, first).status_code == 302
    # Go back and change a card, from the page of the preview or from a stale page.
    other = {**CARDS, **WHY, "p1-front": "", "p1-ruling": "dead"}
    stale = client.post(path, {**first, **other})
    assert stale.status_code == 409
    for again in (stale.content.decode(), client.get(path, {**other, "checked": "1", "key": "once"}).content.decode()):
        assert sends(again)["key"] != "once"
    assert client.post(path, sends(stale.content.decode()) | WHY).status_code == 302


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
        act(ledger.void_deal, session, number=1, note="misdealt", later="as-played")


def said(response: Any) -> list[str]:
    """The page's error messages, to show if the test fails."""
    return re.findall(r'class="error">([^<]*)', response.content.decode())
