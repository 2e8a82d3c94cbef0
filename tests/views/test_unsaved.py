"""What was typed into a form that came too late is still on the page, also where its field is gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.side_bet import SideBet
from scoring.models import Session
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle
from tests.pages import Form, follow, form


def at(session: Session, path: str = "") -> str:
    return f"/s/{session.public_id}/{path}"


def fantasyland(session: Session) -> None:
    """A hand after which Fantasyland is pending."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))


def owing(session: Session) -> None:
    """Bob owes Ann, and the session is closed."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session)


@dataclass(frozen=True)
class Late:
    """A form that comes too late: what was before it, how it is opened, what is typed, and what happens elsewhere."""

    before: Callable[[Session], object]
    opened: Callable[[Client, Session], Form]
    typed: dict[str, str]
    elsewhere: Callable[[Session], object]


def close(session: Session) -> None:
    act(ledger.close_session, session)


def disputed(session: Session) -> None:
    settle(session)
    act(ledger.dispute, session, number=1, note="Hm")


def resolved(session: Session) -> None:
    raised = session.events.get(verb="dispute").n
    act(ledger.resolve_dispute, session, raised=raised, note="It stands")


def hand_form(label: str, path: str = "hands/1/") -> Callable[[Client, Session], Form]:
    return lambda client, session: form(client.get(at(session, path)), label)


def insisting(client: Client, session: Session) -> Form:
    leaving = form(client.get(at(session, "people/")), "Leave table", seat="2")
    return form(leaving.press("Leave table"), "Do it anyway")


def paying(client: Client, session: Session) -> Form:
    return form(client.get(at(session, "pay/?payer=2&payee=1&way=fewest")), "Record payment")


def paid(session: Session) -> None:
    act(ledger.pay, session, payer=2, payee=1, amount=900)


def on_the_tab(session: Session) -> None:
    """Bob owes Ann, on the club's tab."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session, tab=True)


def paying_the_tab(client: Client, session: Session) -> Form:
    client.get(at(session))
    club = client.get(f"/c/{session.club.public_id}/")
    return form(follow(club, "Mark as paid: Bob to Ann"), "Record payment")


def with_chips(session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=5_000)


FORMS = {
    "a decision": Late(disputed, hand_form("Resolve"), {"note": "A full house"}, close),
    "a decision on a hand that was voided": Late(
        disputed, hand_form("Resolve"), {"note": "A full house"}, lambda s: act(ledger.void_deal, s, number=1)
    ),
    "a second decision": Late(disputed, hand_form("Resolve"), {"note": "A full house"}, resolved),
    "a dispute": Late(settle, hand_form("Dispute hand 1"), {"note": "Two jacks"}, close),
    "a new player": Late(settle, hand_form("Add player", "people/"), {"name": "Zoe"}, close),
    "a reason to insist": Late(fantasyland, insisting, {"note": "Bob has to go"}, close),
    "a reason after the hand": Late(
        fantasyland, insisting, {"note": "Bob has to go"}, lambda s: act(ledger.void_deal, s, number=1)
    ),
    "a second void": Late(
        settle,
        hand_form("Void hand 1", "hands/1/void/"),
        {"note": "It was misdealt"},
        lambda s: act(ledger.void_deal, s, number=1),
    ),
    "a payment": Late(owing, paying, {"amount": "7.35", "note": "By bank"}, paid),
    "a payment of the tab": Late(
        on_the_tab,
        paying_the_tab,
        {"amount": "7.35", "note": "By bank"},
        lambda s: act(ledger.reopen_session, s),
    ),
    "a count": Late(
        with_chips,
        hand_form("Close session", "close/"),
        {"stack-1": "41.11", "stack-2": "58.89", "note": "Counted twice"},
        close,
    ),
}


@pytest.mark.parametrize("late", FORMS.values(), ids=FORMS)
def test_what_was_typed_too_late_is_on_the_page(client: Client, session: Session, late: Late) -> None:
    late.before(session)
    sent = late.opened(client, session).fill(dict(late.typed))
    late.elsewhere(session)
    answer: Any = sent.press()
    page = answer.content.decode()
    assert answer.status_code == 409
    assert {text: text in page for text in late.typed.values()} == dict.fromkeys(late.typed.values(), True)


def test_a_page_that_is_opened_says_of_nothing_that_it_was_not_saved(client: Client, session: Session) -> None:
    with_chips(session)
    settle(session)
    close(session)
    for path in ("", "close/", "hands/1/", "people/"):
        assert "Not saved:" not in client.get(at(session, path)).content.decode()
