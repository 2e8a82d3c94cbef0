"""The club's document says who has paid whom, what was agreed when they began, and what is left, also on the tab."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring import club, ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.side_bet import SideBet
from scoring.exports.club_document import of_club
from scoring.game.limits import HOUSE
from scoring.models import Club, Event, Player, Session, TabPayment
from tests.actions.everything import everything
from tests.ledger.conftest import act, key, start

Row = dict[str, Any]


def exported(session: Session) -> Row:
    """The only session of its club, as the club's document has it."""
    (found,) = json.loads(b"".join(of_club(session.club)))["sessions"]
    document: Row = found
    return document


def pays(payer: int, payee: int, amount: int) -> Row:
    return {"payer": payer, "payee": payee, "amount": amount}


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
    assert document["plans"] == [{"event": event.n, "payments": AGREED, "rest": [], "left": left}]
    assert document["to_pay"] == left


def test_a_payment_that_was_undone_names_the_event_that_undid_it(owing: Session) -> None:
    first = act(ledger.pay, owing, payer=2, payee=1, amount=400)
    kept = act(ledger.pay, owing, payer=3, payee=4, amount=400)
    undoing = act(ledger.undo_payment, owing, n=first.n)
    document = exported(owing)
    assert [(each["event"], each["undone"]) for each in document["payments"]] == [(first.n, undoing.n), (kept.n, None)]
    assert document["plans"][0]["left"] == [AGREED[0], AGREED[2]]


def test_a_plan_says_what_rounding_left_on_the_tab(owing: Session) -> None:
    act(ledger.choose_tab, owing, on=True, coin=500)
    first = reads.open_payments(owing).open[0]
    paid = act(ledger.pay, owing, payer=first.payer, payee=first.payee, amount=100)
    document = exported(owing)
    assert document["coin"] == 500
    assert paid.action["rest"] == [[1, -100], [3, 100]]
    assert document["plans"][0]["rest"] == [{"seat": 1, "amount": -100}, {"seat": 3, "amount": 100}]


def test_a_plan_that_a_result_has_overtaken_has_nothing_left_to_say(owing: Session) -> None:
    first = act(ledger.pay, owing, payer=2, payee=1, amount=900)
    act(ledger.reopen_session, owing)
    act(SideBet, owing, payer=1, payee=2, amount=200, note="a mistake")
    act(ledger.close_session, owing)
    document = exported(owing)
    assert document["plans"] == [{"event": first.n, "payments": AGREED, "rest": [], "left": None}]
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


# --- The tab ------------------------------------------------------------------------------------


def whole(of: Club) -> Row:
    document: Row = json.loads(b"".join(of_club(of)))
    return document


def evening(of: Club | None, *bets: tuple[int, int, int], names: str = "Ann Bob Cat", **given: Any) -> Session:
    """A closed session with these side bets, each (payer, payee, amount)."""
    tab = given.pop("tab", True)
    session = start(names, club=of, **given)
    for payer, payee, amount in bets:
        act(SideBet, session, payer=payer, payee=payee, amount=amount, note="bet")
    act(ledger.close_session, session, tab=tab)
    return session


def pay(of: Club, payer: str, payee: str, amount: int, note: str = "") -> TabPayment:
    accounts = {HOUSE_: HOUSE, **dict(Player.objects.filter(club=of).values_list("name", "pk"))}
    return club.pay_tab(
        of, payer=accounts[payer], payee=accounts[payee], amount=amount, currency="EUR", minor_digits=2,
        note=note, key=key(), by="host",
    )  # fmt: skip


HOUSE_ = "the house"


def owes(payer: str | None, payee: str | None, amount: int) -> Row:
    return {"payer": payer, "payee": payee, "amount": amount}


@pytest.fixture
def carried(db: None) -> Club:
    """Two evenings on the tab, and one that was kept out: Bob owes Ann 20.00, and Cat owes Dan 5.00."""
    of = evening(None, (2, 1, 2000)).club
    evening(of, (1, 2, 9999), tab=False)
    evening(of, (1, 2, 500), names="Cat Dan")
    return of


def test_a_session_says_whether_it_is_on_the_tab(carried: Club) -> None:
    assert [session["on_tab"] for session in whole(carried)["sessions"]] == [True, False, True]


def test_the_tab_says_who_is_owed_and_what_is_to_be_paid(carried: Club) -> None:
    document = whole(carried)
    assert document["tab_payments"] == []
    assert document["tab"] == [
        {
            "currency": "EUR",
            "minor_digits": 2,
            "balances": [
                {"player": "Ann", "amount": 2000},
                {"player": "Bob", "amount": -2000},
                {"player": "Cat", "amount": -500},
                {"player": "Dan", "amount": 500},
            ],
            "open": [owes("Bob", "Ann", 2000), owes("Cat", "Dan", 500)],
        }
    ]


def test_a_payment_of_the_tab_has_its_plan_and_names_the_one_that_undid_it(carried: Club) -> None:
    first = pay(carried, "Bob", "Ann", 700, note="bank")
    second = pay(carried, "Cat", "Dan", 500)
    back = club.undo_tab_payment(carried, n=second.n, key=key(), by="Ann")
    document = whole(carried)
    plain = {
        "by": "host",
        "currency": "EUR",
        "minor_digits": 2,
        "how": "",
        "plan": None,
        "undoes": None,
        "undone": None,
    }
    assert document["tab_payments"] == [
        plain
        | {"n": 1, "at": first.at.isoformat(), **owes("Bob", "Ann", 700), "how": "bank"}
        | {"plan": [owes("Bob", "Ann", 2000), owes("Cat", "Dan", 500)]},
        plain | {"n": 2, "at": second.at.isoformat(), **owes("Cat", "Dan", 500), "undone": 3},
        plain | {"n": 3, "at": back.at.isoformat(), **owes("Dan", "Cat", 500), "undoes": 2, "by": "Ann"},
    ]
    assert document["tab"][0]["open"] == [owes("Bob", "Ann", 1300), owes("Cat", "Dan", 500)]


def test_the_tab_names_players_who_were_put_together_by_who_they_are_now(carried: Club) -> None:
    pay(carried, "Cat", "Dan", 200)
    people = {player.name: player for player in Player.objects.filter(club=carried)}
    club.merge(people["Dan"], people["Bob"])
    document = whole(carried)
    (paid,) = document["tab_payments"]
    assert (paid["payer"], paid["payee"]) == ("Cat", "Bob")
    assert paid["plan"] == [owes("Bob", "Ann", 2000), owes("Cat", "Bob", 500)]
    (tab,) = document["tab"]
    assert {each["player"]: each["amount"] for each in tab["balances"]} == {"Ann": 2000, "Bob": -1700, "Cat": -300}


def test_the_house_has_no_name_on_the_tab_and_each_currency_is_apart(carried: Club) -> None:
    session = start("Ann Bob", club=carried, currency="JPY", minor_digits=0)
    act(SideBet, session, payer=1, payee=2, amount=300, note="bet")
    act(ledger.close_session, session, tab=True)
    session = start("Eve Ann", club=carried)
    act(Fee, session, seats=[1], amount=150, note="room")
    act(ledger.close_session, session, tab=True)
    pay(carried, "Eve", HOUSE_, 50)
    document = whole(carried)
    euro, yen = document["tab"]
    assert euro["balances"][-2:] == [{"player": "Eve", "amount": -100}, {"player": None, "amount": 100}]
    assert owes("Eve", None, 100) in euro["open"]
    assert (document["tab_payments"][0]["payer"], document["tab_payments"][0]["payee"]) == ("Eve", None)
    assert (yen["currency"], yen["minor_digits"], yen["open"]) == ("JPY", 0, [owes("Ann", "Bob", 300)])


def test_what_is_paid_adds_up_to_what_is_open(carried: Club) -> None:
    """Somebody who has only the document can follow every balance of the tab."""
    paid = pay(carried, "Bob", "Ann", 700)
    pay(carried, "Cat", "Dan", 100)
    club.undo_tab_payment(carried, n=paid.n, key=key(), by="host")
    document = whole(carried)
    balances: dict[str, int] = dict.fromkeys(["Ann", "Bob", "Cat", "Dan"], 0)
    for session in document["sessions"]:
        for total in session["totals"] if session["on_tab"] and session["closed"] else ():
            balances[total["player"]] += total["money"] - total["fees"]
    for each in document["tab_payments"]:
        balances[each["payer"]] += each["amount"]
        balances[each["payee"]] -= each["amount"]
    assert balances == {each["player"]: each["amount"] for each in document["tab"][0]["balances"]}


def test_the_number_of_statements_does_not_grow_with_the_tab(carried: Club) -> None:
    pay(carried, "Bob", "Ann", 100)
    with CaptureQueriesContext(connection) as first:
        next(of_club(carried))
    for _ in range(5):
        paid = pay(carried, "Bob", "Ann", 10)
    club.undo_tab_payment(carried, n=paid.n, key=key(), by="host")
    club.merge(Player.objects.get(name="Dan"), Player.objects.get(name="Bob"))
    with CaptureQueriesContext(connection) as second:
        next(of_club(carried))
    assert len(second) == len(first)
