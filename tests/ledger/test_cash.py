"""Chips that are paid for on the spot: who owes what, the final count, and what the bank hands out at the close."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.fee import Fee
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.game.errors import LedgerError
from scoring.game.limits import BANK, HOUSE, MAX_AMOUNT
from scoring.game.payments import Payment
from scoring.ledger import Conflict, audit
from scoring.models import Event, Session, Total, Transfer
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, key, money, settle, start, table, totals


@pytest.fixture
def bought(session: Session) -> Session:
    """Ann, Bob and Cat have bought chips for 40.00 each, and paid for them."""
    act(BuyInAll, session, amount=4000, cash=True)
    return session


@pytest.fixture
def mixed(session: Session) -> Session:
    """Ann and Cat have paid for their 40.00, Bob has 40.00 on credit; after a hand they have 52.00, 28.00 and 40.00."""
    act(BuyIn, session, seat=2, amount=4000)
    act(BuyIn, session, seat=1, amount=4000, cash=True)
    act(BuyIn, session, seat=3, amount=4000, cash=True)
    settle(session)
    return session


def owed(session: Session) -> dict[int, int]:
    """What each seat is owed, below 0 what it owes; those who are even are missing."""
    return {seat: balance.owed for seat, balance in totals(session).items() if balance.owed}


def open_(session: Session) -> list[tuple[int, int, int]]:
    """The payments that are still to be made, as (payer, payee, amount)."""
    session.refresh_from_db()
    return [(each.payer, each.payee, each.amount) for each in reads.open_payments(session).open]


def lines(event: Event) -> list[tuple[int, int, str, int]]:
    """The lines of an event as (payer, payee, kind, amount)."""
    found = Transfer.objects.filter(event=event).order_by("pk")
    return [(each.payer.number, each.payee.number, each.kind, each.amount) for each in found]


def refused(session: Session, do: Any, **given: Any) -> list[tuple[str, str, str]]:
    """The code, the place and the sentence of each problem with what is asked, which writes nothing."""
    before = Event.objects.count()
    with pytest.raises(LedgerError) as error:
        act(do, session, **given)
    assert Event.objects.count() == before
    return [(problem.code, problem.where, problem.message) for problem in error.value.problems]


def test_who_paid_for_chips_and_lost_them_owes_nothing(bought: Session) -> None:
    act(SideBet, bought, payer=2, payee=1, amount=4000, note="all in")
    assert money(bought) == {1: 4000, 2: -4000, 3: 0}
    assert owed(bought) == {1: 8000, 3: 4000, BANK: -12000}  # Bob is even, the bank has what it pays the others


def test_an_event_says_so_only_of_cash(session: Session) -> None:
    given: list[tuple[Any, dict[str, Any]]] = [
        (BuyIn, {"seat": 1, "amount": 4000}),
        (BuyInAll, {"amount": 1000}),
        (CashOut, {"seat": 1, "amount": 100}),
    ]
    for action, fields in given:
        assert "cash" not in act(action, session, **fields).action
        paid = act(action, session, **fields, cash=True)
        assert paid.action["cash"] is True
        assert "cash" in {kind for _, _, kind, _ in lines(paid)}
    assert "in_cash" not in act(Leave, start(), seat=1).action


def test_the_last_choice_is_the_default_for_what_follows_and_undo_takes_it_back(session: Session) -> None:
    assert not table(session).cash
    act(BuyIn, session, seat=1, amount=4000, cash=True)
    assert table(session).cash
    act(BuyIn, session, seat=1, amount=4000)
    assert not table(session).cash
    act(ledger.undo, session)
    assert table(session).cash
    act(ledger.undo, session)
    assert not table(session).cash
    assert owed(session) == {}


def test_a_forgotten_buy_in_is_no_choice_for_what_follows(bought: Session) -> None:
    settle(bought)
    act(BuyIn, bought, seat=3, amount=1000, before=1, note="forgotten")
    assert table(bought).cash
    act(BuyIn, bought, seat=3, amount=500, before=1, cash=True, note="forgotten, too")
    assert totals(bought)[3].on_credit == 1000


def test_everyone_begins_with_chips_that_they_paid_for(db: None) -> None:
    session = start(buy_in=4000, cash=True)
    assert table(session).cash
    assert owed(session) == {1: 4000, 2: 4000, 3: 4000, BANK: -12000}
    assert not table(start(cash=True)).cash  # nobody bought any


def test_who_leaves_gets_the_stack_from_the_bank(bought: Session) -> None:
    settle(bought)
    left = act(Leave, bought, seat=3)
    assert lines(left) == [(3, BANK, "cash-out", 2800), (BANK, 3, "cash", 2800)]
    assert left.action == {"seat": 3, "cash_out": 2800, "in_cash": 2800}
    assert 3 not in owed(bought)
    assert open_(bought) == []


def test_who_leaves_gets_nothing_for_chips_that_were_never_paid_for(mixed: Session) -> None:
    assert act(Leave, mixed, seat=2).action == {"seat": 2, "cash_out": 4000}
    other = start(club=mixed.club)
    act(BuyIn, other, seat=1, amount=4000)
    act(BuyInAll, other, amount=4000, cash=True)
    settle(other)
    assert act(Leave, other, seat=1).action == {"seat": 1, "cash_out": 9200, "in_cash": 5200}
    assert 1 not in {seat for seat in owed(other) if owed(other)[seat] < 0}


def test_who_comes_back_is_paid_what_the_bank_still_owed(bought: Session) -> None:
    settle(bought)
    act(Leave, bought, seat=1)
    act(ledger.correct_deal, bought, number=1, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK), note="rows")
    stacks = table(bought).stacks
    assert stacks is not None
    still = stacks[1]
    act(Join, bought, name="Ann")
    joined = Event.objects.get(session=bought, verb="join")
    assert (joined.action["cash_out"], joined.action["in_cash"]) == (still, still)
    assert 1 not in owed(bought)


def test_chips_on_the_table_are_not_settled_up_while_the_session_is_open(mixed: Session) -> None:
    """Bob lost 0.00 and owes the bank nothing: chips that are handed in settle it. Cat lost 12.00 of what Cat paid."""
    assert owed(mixed) == {1: 5200, 3: 2800, BANK: -8000}
    assert open_(mixed) == []
    act(SideBet, mixed, payer=2, payee=1, amount=500, note="red")
    assert open_(mixed) == [(2, 1, 500)]
    assert reads.open_payments(mixed).handing_in


@pytest.mark.parametrize(("payee", "way"), [(1, ledger.Way.FEWEST), (BANK, ledger.Way.PAIRS)])
def test_a_player_who_has_left_pays_while_the_others_play_on(mixed: Session, payee: int, way: ledger.Way) -> None:
    act(SideBet, mixed, payer=2, payee=1, amount=500, note="red")
    act(Leave, mixed, seat=2)
    assert open_(mixed) == [(2, 1, 500)]
    act(ledger.pay, mixed, payer=2, payee=payee, amount=500, way=way, note="cash")
    assert open_(mixed) == []
    settle(mixed, entry(s1=STRONG, s3=WEAK))
    act(ledger.close_session, mixed)
    assert open_(mixed) == []


def test_after_a_rebuy_on_credit_the_bank_pays_what_it_took_and_the_rest_nets(mixed: Session) -> None:
    act(SideBet, mixed, payer=2, payee=1, amount=500, note="red")
    act(BuyIn, mixed, seat=2, amount=100)
    act(ledger.close_session, mixed)
    assert table(mixed).stacks == {}
    assert open_(mixed) == [(2, 1, 500)]


def test_closing_hands_all_chips_in_and_the_bank_comes_out_at_zero(bought: Session) -> None:
    settle(bought)
    act(Fee, bought, amount=100, note="room")
    closed = act(ledger.close_session, bought)
    assert closed.action == {"handed_in": [[1, 5100, 5100], [2, 3900, 3900], [3, 2700, 2700], [HOUSE, 300, 300]]}
    assert table(bought).stacks == {}
    assert owed(bought) == {}
    assert totals(bought)[BANK].cash == 0
    assert open_(bought) == []
    assert reads.open_payments(bought).pairs == []
    assert {total.player.name: total.money for total in Total.objects.all()} == {"Ann": 1200, "Bob": 0, "Cat": -1200}


def test_what_remains_at_the_close_is_what_was_on_credit(mixed: Session) -> None:
    act(SideBet, mixed, payer=2, payee=1, amount=500, note="red")
    act(ledger.close_session, mixed)
    assert owed(mixed) == {1: 500, 2: -500}
    assert open_(mixed) == [(2, 1, 500)]
    act(ledger.pay, mixed, payer=2, payee=1, amount=500)
    assert open_(mixed) == []


def test_one_late_rebuy_on_credit_leaves_the_others_with_what_they_paid_for(bought: Session) -> None:
    """Ann wins 12.00, Bob is even, Cat loses 12.00 and buys 20.00 more on credit: those are set off at the close."""
    settle(bought)
    act(BuyIn, bought, seat=3, amount=2000)
    assert not table(bought).cash
    assert open_(bought) == []
    closed = act(ledger.close_session, bought)
    assert closed.action == {"handed_in": [[1, 5200, 5200], [2, 4000, 4000], [3, 4800, 2800]]}
    assert (table(bought).stacks, totals(bought)[BANK].cash) == ({}, 0)
    assert (owed(bought), open_(bought)) == ({}, [])


def test_what_the_bank_lacks_is_paid_by_who_lost_on_credit(bought: Session) -> None:
    """Ann has 82.00, Bob 40.00 and Cat 18.00 of the 20.00 on credit. The bank holds 120.00; Ann and Bob have 122.00."""
    settle(bought)
    act(BuyIn, bought, seat=3, amount=2000)
    act(SideBet, bought, payer=3, payee=1, amount=3000, note="red")
    assert open_(bought) == [(3, 1, 200)]
    closed = act(ledger.close_session, bought)
    assert closed.action == {"handed_in": [[1, 8200, 8000], [2, 4000, 4000], [3, 1800, 0]]}
    assert totals(bought)[BANK].cash == 0
    assert owed(bought) == {1: 200, 3: -200}
    assert open_(bought) == [(3, 1, 200)]
    assert [each.payment for each in reads.open_payments(bought).pairs] == [
        Payment(BANK, 1, 200),
        Payment(3, BANK, 200),
    ]


def test_who_paid_gets_that_back_before_the_bank_pays_for_what_others_won(session: Session) -> None:
    """Ann won Bob's 40.00 that were on credit: Bob owes them to Ann, and Cat goes home with what Cat paid."""
    act(BuyIn, session, seat=1, amount=4000, cash=True)
    act(BuyIn, session, seat=3, amount=4000, cash=True)
    act(BuyIn, session, seat=2, amount=4000)
    act(SideBet, session, payer=2, payee=1, amount=4000, note="all in")
    closed = act(ledger.close_session, session)
    assert closed.action == {"handed_in": [[1, 8000, 4000], [3, 4000, 4000]]}
    assert open_(session) == [(2, 1, 4000)]


def test_who_leaves_after_a_rebuy_on_credit_is_paid_as_far_as_the_bank_can(bought: Session) -> None:
    settle(bought)
    act(BuyIn, bought, seat=2, amount=8000)
    act(SideBet, bought, payer=2, payee=1, amount=10000, note="all in")  # Ann 152.00, Bob 20.00, Cat 28.00
    left = act(Leave, bought, seat=1)
    assert left.action == {"seat": 1, "cash_out": 15200, "in_cash": 12000}
    assert open_(bought) == [(2, 1, 3200), (2, 3, 2800)]
    act(ledger.pay, bought, payer=2, payee=1, amount=3200)
    assert "handed_in" not in act(ledger.close_session, bought).action  # the bank has nothing left
    assert open_(bought) == [(2, 3, 2800)]


def test_what_is_paid_to_the_bank_is_there_for_those_who_play_on(session: Session) -> None:
    """Bob lost 10.00 that were on credit, leaves, and pays them to the bank, pair by pair."""
    act(BuyIn, session, seat=2, amount=4000)
    act(BuyIn, session, seat=1, amount=4000, cash=True)
    act(BuyIn, session, seat=3, amount=4000, cash=True)
    act(SideBet, session, payer=2, payee=1, amount=1000, note="red")
    act(Leave, session, seat=2)
    act(ledger.pay, session, payer=2, payee=BANK, amount=1000, way=ledger.Way.PAIRS)
    closed = act(ledger.close_session, session)
    assert closed.action == {"handed_in": [[1, 5000, 5000], [3, 4000, 4000]]}
    assert open_(session) == []


def test_chips_stay_on_the_table_if_the_bank_has_given_all_its_money_back(bought: Session) -> None:
    act(ledger.undo, bought)
    act(BuyInAll, bought, amount=4000)
    assert "handed_in" not in act(ledger.close_session, bought).action
    assert table(bought).stacks == {1: 4000, 2: 4000, 3: 4000}


def test_a_count_like_the_ledger_needs_no_reason_and_is_kept(bought: Session) -> None:
    closed = act(ledger.close_session, bought, counts={1: 4000, 2: 4000, 3: 4000})
    assert closed.action["counts"] == [[1, 4000], [2, 4000], [3, 4000]]
    assert {kind for _, _, kind, _ in lines(closed)} == {"cash-out", "cash"}


def test_a_count_that_differs_is_booked_with_a_reason(bought: Session) -> None:
    counts = {1: 4300, 2: 3900, 3: 3800}
    why = "Please give a reason (shown in the history)."
    assert refused(bought, ledger.close_session, counts=counts) == [("missing", "note", why)]
    closed = act(ledger.close_session, bought, counts=counts, note="a pot was paid wrong")
    assert lines(closed)[:2] == [(2, 1, "count", 100), (3, 1, "count", 200)]
    assert money(bought) == {1: 300, 2: -100, 3: -200}
    assert {seat: balance.points for seat, balance in totals(bought).items() if balance.points} == {}
    assert owed(bought) == {}


def test_money_stands_where_somebody_has_paid_and_it_was_not_taken_back(bought: Session) -> None:
    credit = start("Dan Eve")
    act(BuyIn, credit, seat=1, amount=4000)
    undone = start("Fay Gus")
    act(BuyIn, undone, seat=1, amount=4000, cash=True)
    act(ledger.undo, undone)
    assert [reads.state(each).for_cash for each in (bought, credit, undone)] == [True, False, False]


def test_a_reopening_says_which_stacks_it_puts_back(bought: Session) -> None:
    closed = act(ledger.close_session, bought, counts={1: 4300, 2: 3900, 3: 3800}, note="a pot was paid wrong")
    assert closed.after["stacks"] == {}
    assert act(ledger.reopen_session, bought).after["stacks"] == {"1": 4000, "2": 4000, "3": 4000}


@pytest.mark.parametrize(("third", "kept"), [(3700, 300), (4400, -400)])
def test_what_the_stacks_lack_is_the_banks(bought: Session, third: int, kept: int) -> None:
    act(ledger.close_session, bought, counts={1: 4000, 2: 4000, 3: third}, note="a chip is gone")
    assert (money(bought)[3], totals(bought)[BANK].money) == (-kept, kept)
    assert totals(bought)[BANK].cash == -max(0, kept)  # the money that it has left
    assert owed(bought) == ({} if kept > 0 else {3: -kept, BANK: kept})  # nobody can pay out what nobody paid in


def pairs(session: Session) -> list[tuple[int, int, int]]:
    """Who owes whom pair by pair, as (payer, payee, amount)."""
    session.refresh_from_db()
    found = [each.payment for each in reads.open_payments(session).pairs]
    return [(each.payer, each.payee, each.amount) for each in found]


def test_cash_that_was_taken_back_leaves_the_bank_out(session: Session) -> None:
    """Ann's buy-in was recorded in cash by mistake, undone, and recorded on credit; so was a cash-out."""
    act(BuyIn, session, seat=1, amount=4000, cash=True)
    act(ledger.undo, session)
    act(BuyInAll, session, amount=4000)
    act(CashOut, session, seat=1, amount=500, cash=True)
    act(ledger.undo, session)
    act(SideBet, session, payer=2, payee=1, amount=300, note="red")
    assert (pairs(session), reads.state(session).for_cash) == ([(2, 1, 300)], False)
    act(BuyIn, session, seat=3, amount=4000, cash=True)
    assert pairs(session) == [(BANK, 1, 300), (2, BANK, 300)]
    assert reads.state(session).for_cash


@pytest.mark.parametrize("undone", [[], [BuyIn], [BuyIn, CashOut]], ids=["nothing", "a buy-in", "both"])
def test_what_was_on_credit_and_taken_back_hides_no_cash(session: Session, undone: list[Any]) -> None:
    """Each won as much as they lost and got back what they had paid, so chips and cash have settled everything."""
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=10_000, cash=True)
        for each in undone:
            act(each, session, seat=seat, amount=10_000)
            act(ledger.undo, session)
    for payer, payee in ((1, 2), (2, 3), (3, 1)):
        act(SideBet, session, payer=payer, payee=payee, amount=5000, note="red")
    for seat in (1, 2, 3):
        act(CashOut, session, seat=seat, amount=10_000, cash=True)
    assert (pairs(session), reads.state(session).for_cash) == ([], True)


def test_on_credit_only_what_differs_is_booked(session: Session) -> None:
    act(BuyInAll, session, amount=4000)
    closed = act(ledger.close_session, session, counts={1: 4300, 2: 4000, 3: 3600}, note="so they lay")
    assert lines(closed) == [(3, 1, "count", 300), (3, BANK, "count", 100)]
    assert table(session).stacks == {1: 4300, 2: 4000, 3: 3600}
    assert open_(session) == [(3, 1, 300), (3, BANK, 100)]


@pytest.mark.parametrize("cash", [True, False])
def test_reopening_puts_the_chips_back(session: Session, cash: bool) -> None:
    act(BuyInAll, session, amount=4000, cash=cash)
    settle(session)
    before, figures = table(session), totals(session)
    closed = act(ledger.close_session, session, counts={1: 5300, 2: 4000, 3: 2700}, note="counted")
    opened = act(ledger.reopen_session, session)
    assert opened.undoes == closed.n
    assert (table(session), totals(session)) == (before, figures)
    assert Total.objects.count() == 0
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=STRONG))
    act(ledger.correct_deal, session, number=2, entry=entry(s1=PLAIN, s2=WEAK, s3=FOUL), note="rows")
    act(ledger.undo, session)
    act(ledger.close_session, session)
    assert bool(open_(session)) != cash


def test_reopening_takes_back_what_its_own_close_booked(bought: Session) -> None:
    """Another session was closed after a longer evening, and its close booked nothing."""
    other = start(club=bought.club)
    for _ in range(3):
        settle(other)
    closed = act(ledger.close_session, bought)
    act(ledger.close_session, other)
    assert act(ledger.reopen_session, bought).undoes == closed.n
    assert table(bought).stacks == {1: 4000, 2: 4000, 3: 4000}


def test_a_close_that_booked_nothing_is_reopened_as_it_ever_was(session: Session) -> None:
    act(BuyInAll, session, amount=4000)
    closed = act(ledger.close_session, session, counts={1: 4000})
    assert (lines(closed), act(ledger.reopen_session, session).undoes) == ([], None)


def test_payments_after_the_close_count_when_it_is_opened_again(mixed: Session) -> None:
    act(SideBet, mixed, payer=2, payee=1, amount=500, note="red")
    act(ledger.close_session, mixed)
    act(ledger.pay, mixed, payer=2, payee=1, amount=500)
    act(ledger.reopen_session, mixed)
    assert open_(mixed) == []
    assert reads.open_payments(mixed).promised


def test_the_same_form_closes_once(bought: Session) -> None:
    again = key()
    for _ in range(2):
        ledger.close_session(session=bought, counts={1: 4000}, key=again, by="host")
    assert Event.objects.filter(verb="close").count() == 1
    with pytest.raises(Conflict, match="already been sent"):
        ledger.close_session(session=bought, counts={1: 4100}, key=again, by="host")


def test_nobody_closes_on_a_count_that_came_too_late(bought: Session) -> None:
    before = bought.version
    act(BuyIn, bought, seat=1, amount=100, cash=True)
    with pytest.raises(Conflict, match="The table was changed"):
        act(ledger.close_session, bought, counts={1: 4000}, version=before)


@pytest.mark.parametrize(
    ("counts", "problem"),
    [
        ({1: -1}, ("bad-value", "stack-1", "Enter an amount of 0 or more, with at most 16 digits.")),
        ({1: MAX_AMOUNT + 1}, ("bad-value", "stack-1", "Enter an amount of 0 or more, with at most 16 digits.")),
        ({9: 100}, ("unknown-player", "", "Seat 9 is not at the table.")),
        ({BANK: 100}, ("unknown-player", "", "Seat -1 is not at the table.")),
    ],
)
def test_a_count_is_of_stacks_at_the_table(bought: Session, counts: dict[int, int], problem: Any) -> None:
    assert refused(bought, ledger.close_session, counts=counts, note="so") == [problem]


def test_without_chips_there_is_nothing_to_count(session: Session) -> None:
    assert refused(session, ledger.close_session, counts={1: 100}, note="so") == [
        ("bad-value", "", "There are no chips to count.")
    ]


@pytest.mark.parametrize(
    ("kind", "wrong", "name"),
    [
        ("cash", {"points": 3}, "transfer_payment_is_no_play"),
        ("cash", {"in_play": True}, "transfer_payment_is_no_play"),
        ("count", {"points": 3}, "transfer_count_moves_chips"),
        ("count", {"in_play": False}, "transfer_count_moves_chips"),
    ],
)
def test_the_database_holds_what_cash_and_counts_are(
    bought: Session, kind: str, wrong: dict[str, Any], name: str
) -> None:
    closed = act(ledger.close_session, bought, counts={1: 4100, 2: 3900}, note="so they lay")
    line = Transfer.objects.filter(event=closed, kind=kind)[0]
    line.pk = None
    for field, value in wrong.items():
        setattr(line, field, value)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        line.save(force_insert=True)


@pytest.mark.parametrize("loan", [0, 100])
def test_a_count_stays_what_it_was_if_a_hand_is_corrected_later(session: Session, loan: int) -> None:
    """The stacks were counted as they lay; a correction moves others than those."""
    act(BuyInAll, session, amount=4000)
    settle(session)
    stacks = dict(table(session).stacks or {})
    counts = {**stacks, 1: stacks[1] + loan, 2: stacks[2] - loan}
    act(ledger.close_session, session, counts=counts, note="a loan")
    act(ledger.reopen_session, session)
    act(ledger.void_deal, session, number=1)
    act(ledger.close_session, session, counts=dict(table(session).stacks or {}))
    assert [str(finding) for finding in audit.of_everything()] == []
