"""The club's document says who has paid whom, what was agreed when they began, and what is left."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring import ledger, reads
from scoring.actions.people import Join
from scoring.actions.side_bet import SideBet
from scoring.exports.club_document import of_club
from scoring.models import Event, Session
from tests.actions.everything import everything
from tests.ledger.conftest import act

Row = dict[str, Any]


def exported(session: Session) -> Row:
    """The only session of its club, as the club's document has it."""
    (found,) = json.loads(b"".join(of_club(session.club)))["sessions"]
    document: Row = found
    return document


def pays(payer: int, payee: int, amount: int) -> Row:
    return {"payer": payer, "payee": payee, "amount": amount}


@pytest.fixture
def owing(session: Session) -> Session:
    """A closed session: Bob owes 10.00 and Cat 4.00, Ann is owed 9.00 and Dan, who came late, 5.00."""
    act(Join, session, name="Dan")
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(SideBet, session, payer=2, payee=4, amount=100, note="black")
    act(SideBet, session, payer=3, payee=4, amount=400, note="blue")
    act(ledger.close_session, session)
    return session


AGREED = [pays(2, 1, 900), pays(3, 4, 400), pays(2, 4, 100)]


def test_before_anybody_pays_it_says_what_is_to_be_paid(owing: Session) -> None:
    document = exported(owing)
    assert (document["payments"], document["plans"], document["to_pay"]) == ([], [], AGREED)


def test_a_payment_says_who_whom_how_much_how_when_and_by_whom(owing: Session) -> None:
    event = act(ledger.pay, owing, payer=2, payee=1, amount=400, note="cash")
    document = exported(owing)
    assert document["payments"] == [
        {
            "event": event.n,
            "at": event.at.isoformat(),
            **pays(2, 1, 400),
            "how": "cash",
            "by": "host",
            "undone": None,
        }
    ]
    left = [pays(2, 1, 500), *AGREED[1:]]
    assert document["plans"] == [{"event": event.n, "payments": AGREED, "left": left}]
    assert document["to_pay"] == left


def test_a_payment_that_was_undone_names_the_event_that_undid_it(owing: Session) -> None:
    first = act(ledger.pay, owing, payer=2, payee=1, amount=400)
    kept = act(ledger.pay, owing, payer=3, payee=4, amount=400)
    undoing = act(ledger.undo_payment, owing, n=first.n)
    document = exported(owing)
    assert [(each["event"], each["undone"]) for each in document["payments"]] == [(first.n, undoing.n), (kept.n, None)]
    assert document["plans"][0]["left"] == [AGREED[0], AGREED[2]]


def test_a_plan_that_a_result_has_overtaken_has_nothing_left_to_say(owing: Session) -> None:
    first = act(ledger.pay, owing, payer=2, payee=1, amount=900)
    act(ledger.reopen_session, owing)
    act(SideBet, owing, payer=1, payee=2, amount=200, note="a mistake")
    act(ledger.close_session, owing)
    document = exported(owing)
    assert document["plans"] == [{"event": first.n, "payments": AGREED, "left": None}]
    open_ = [pays(each.payer, each.payee, each.amount) for each in reads.open_payments(owing).open]
    assert document["to_pay"] == open_
    second = act(ledger.pay, owing, payer=3, payee=4, amount=400)
    plans = exported(owing)["plans"]
    assert [(plan["event"], plan["left"] is None) for plan in plans] == [(first.n, True), (second.n, False)]
    assert plans[1]["payments"] == open_


def test_a_plan_of_which_every_payment_was_undone_is_none_any_more(owing: Session) -> None:
    first = act(ledger.pay, owing, payer=2, payee=1, amount=900)
    act(ledger.undo_payment, owing, n=first.n)
    document = exported(owing)
    assert [plan["left"] for plan in document["plans"]] == [None]
    assert document["to_pay"] == AGREED


def test_payments_are_those_of_the_lines_and_of_the_events(db: None) -> None:
    session = everything()
    document = exported(session)
    lines = [line for line in document["transfers"] if line["kind"] == "payment" and line["reverses"] is None]
    assert [(line["event"], line["payer"], line["payee"], line["amount"]) for line in lines] == [
        (each["event"], each["payer"], each["payee"], each["amount"]) for each in document["payments"]
    ]
    undone = {line["reverses"]: line["event"] for line in document["transfers"] if line["kind"] == "payment"}
    assert [undone.get(line["n"]) for line in lines] == [each["undone"] for each in document["payments"]]
    assert any(each["undone"] for each in document["payments"])
    plans = {event.n: event.action["plan"] for event in Event.objects.filter(verb="pay") if "plan" in event.action}
    assert {plan["event"]: [list(each.values()) for each in plan["payments"]] for plan in document["plans"]} == plans


def test_what_the_first_version_had_is_there_still(db: None) -> None:
    """A program that reads version 1 finds every key where it was. A key of these that goes needs another version."""
    session = everything()
    document = json.loads(b"".join(of_club(session.club)))
    assert document["version"] == 1
    assert {"version", "club", "players", "usual_stakes", "saved_rules", "links", "sessions"} <= document.keys()
    (exported,) = document["sessions"]
    first = (
        "name head shown opened closed currency minor_digits stake pair_stakes rules button seats disputes totals "
        "links deals transfers events"
    )
    assert set(first.split()) <= exported.keys()
    assert {"n", "event", "deal", "payer", "payee", "points", "amount", "kind", "in_play", "reverses"} <= set(
        exported["transfers"][0]
    )
