"""Reads give correct answers, in pages, with as many queries for a long evening as for a short one."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import SitOut
from scoring.actions.side_bet import SideBet
from scoring.game.balances import Balance, balances
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Category, Line, LineKind
from scoring.game.payments import Payment, payments
from scoring.reads.state import banked
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, act, entry, money, settle, start, totals

# --- Pages of the ledger ----------------------------------------------------------------------------


def test_the_ledger_turns_its_pages_by_number(session):
    for _ in range(7):
        settle(session)
    newest = reads.ledger_page(session, limit=3)
    assert ([hand.number for hand in newest.deals], newest.older, newest.newer) == ([7, 6, 5], 5, None)
    middle = reads.ledger_page(session, before=newest.older, limit=3)
    assert ([hand.number for hand in middle.deals], middle.older, middle.newer) == ([4, 3, 2], 2, 8)
    oldest = reads.ledger_page(session, before=middle.older, limit=3)
    assert ([hand.number for hand in oldest.deals], oldest.older, oldest.newer) == ([1], None, 5)
    assert reads.ledger_page(session, before=middle.newer, limit=3) == newest
    assert reads.ledger_page(session, before=oldest.newer, limit=3).deals == middle.deals


def test_an_evening_without_a_hand_has_an_empty_page(session):
    page = reads.ledger_page(session)
    assert (page.deals, page.older, page.newer, page.opening) == ([], None, None, ())
    act(SideBet, session, payer=1, payee=2, amount=5, note="Red")
    assert len(reads.ledger_page(session).opening) == 1


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_running_totals_are_the_same_whatever_the_page(session, limit):
    act(SideBet, session, payer=1, payee=2, amount=7, note="Red")
    settle(session)
    act(Penalty, session, seat=3, points=1, note="Clock")
    act(Fee, session, amount=10, note="Room")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=PLAIN, s3=LEVEL.boards[3]), note="Swapped")
    act(ledger.void_deal, session, number=3)
    act(ledger.undo, session)
    running: dict[int, dict[int, int]] = {}
    before = None
    while True:
        page = reads.ledger_page(session, before=before, limit=limit)
        assert reads.ledger_page(session, before=before, limit=limit, now=totals(session)) == page
        running |= {hand.number: {seat: one.money for seat, one in hand.running.items()} for hand in page.deals}
        if page.older is None:
            break
        before = page.older
    assert running[1] == {1: -7, 2: 7 + 1200, 3: -1200, -1: 0, -2: 0}
    assert running[2] == {1: -7 + 100 + 7400, 2: 1207 + 100 - 3100, 3: -1200 - 200 - 4300, -1: 0, -2: 0}
    assert {seat: sum_ for seat, sum_ in running[3].items() if seat > 0} == money(session)


def test_an_undone_line_is_shown_both_ways(session):
    settle(session)
    act(SideBet, session, payer=1, payee=2, amount=7, note="Red")
    act(ledger.undo, session)
    shown = reads.ledger_page(session).deals[0].adjustments
    assert [(one.event.verb, [(line.payer, line.payee, line.amount) for line in one.lines]) for one in shown] == [
        ("side-bet", [(1, 2, 7)]),
        ("undo", [(2, 1, 7)]),
    ]


def test_the_history_of_one_hand_has_what_settled_it_again(session):
    settle(session)
    settle(session)
    act(SitOut, session, seat=1)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK), note="Aces")
    found, more = reads.history(session, deal=2)
    assert ([each.event.verb for each in found], more) == (["correct", "settle"], None)
    found, more = reads.history(session, limit=2)
    assert ([each.event.n for each in found], more) == ([5, 4], 4)
    assert [each.event.n for each in reads.history(session, before=more, limit=9)[0]] == [3, 2, 1]


READING = {
    "state": reads.state,
    "hands": lambda session: reads.ledger_page(session, limit=5),
    "history": lambda session: reads.history(session, limit=5),
    "disputes": reads.disputes,
    "standings": lambda session: reads.standings(session.club),
    "stored_deal": lambda session: reads.stored_deal(session.deal_set.get(number=1)),
}


@pytest.mark.parametrize("name", READING)
def test_a_long_evening_takes_no_more_queries(session, statements, name):
    counts = []
    for hands in (6, 30):
        for _ in range(hands):
            settle(session)
        act(ledger.dispute, session, number=session.deals, note="Hm")
        del statements[:]
        READING[name](session)
        counts.append(len(statements))
    assert counts[0] == counts[1]
    assert counts[0] <= 9


@pytest.mark.parametrize(("buy_in", "queries"), [({}, 3), ({"buy_in": 500}, 3), ({"buy_in": 500, "cash": True}, 4)])
def test_whether_cash_stands_is_looked_up_only_where_there_was_any(db, statements, buy_in, queries):
    session = start(**buy_in)
    del statements[:]
    assert reads.state(session).for_cash == ("cash" in buy_in)
    assert len(statements) == queries


# --- Squaring up ------------------------------------------------------------------------------------


def balance(*money: int) -> dict[int, Balance]:
    return {seat: Balance(money=amount) for seat, amount in enumerate(money, 1)}


def test_two_players_settle_with_one_payment():
    assert payments(balance(500, -500)) == [Payment(2, 1, 500)]


def test_nobody_pays_if_all_balances_are_zero():
    assert payments(balance(0, 0, 0)) == []


def test_pairs_that_cancel_are_found():
    # Three groups sum to zero and take four payments: 9 with 7 and 2, 4 with 4, 3 with 3.
    assert len(payments(balance(-9, 7, 2, -4, 4, -3, 3))) == 4


def test_the_house_is_paid_its_fees():
    found = payments({1: Balance(money=100, fees=30), 2: Balance(money=-100, fees=30), HOUSE: Balance(fees=-60)})
    assert found == [Payment(2, 1, 70), Payment(2, HOUSE, 60)]


def fewest(money: list[int]) -> int:
    """The fewest payments, found by trying every way to split the amounts into groups that sum to zero."""
    if not money:
        return 0
    first, rest = money[0], money[1:]
    best = len(money) - 1
    for size in range(len(rest) + 1):
        for chosen in itertools.combinations(range(len(rest)), size):
            if first + sum(rest[at] for at in chosen) == 0:
                others = [amount for at, amount in enumerate(rest) if at not in chosen]
                best = min(best, size + fewest(others))
    return best


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=6))
def test_no_smaller_number_of_payments_settles_the_balances(money):
    money = [*money, -sum(money)]
    found = payments(balance(*money))
    left = dict(enumerate(money, 1))
    for payment in found:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert not any(left.values())
    assert len(found) == fewest([amount for amount in money if amount])


@given(st.lists(st.integers(-(10**12), 10**12), min_size=12, max_size=20))
def test_many_players_need_fewer_payments_than_players(money):
    money = [*money, -sum(money)]
    found = payments(balance(*money))
    left = dict(enumerate(money, 1))
    for payment in found:
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert not any(left.values())
    assert len(found) < len(money)


def test_a_session_of_a_club_that_plays_on_is_in_the_standings(db):
    session = start()
    settle(session)
    assert {(each.player, each.money) for each in reads.standings(session.club)} == {
        ("Ann", 1200),
        ("Bob", 0),
        ("Cat", -1200),
    }


# --- The bank ---------------------------------------------------------------------------------------

BANKED = st.tuples(
    st.sampled_from([kind for kind in LineKind if kind.category is Category.BANK]),
    st.booleans(),
    st.integers(min_value=1, max_value=10**6),
)


@given(st.lists(BANKED))
def test_what_the_bank_gave_out_less_what_it_has_back_is_the_balance_whatever_kinds_there_are(given_lines):
    lines = [Line(*((BANK, 1) if out else (1, BANK)), 0, amount, kind, True) for kind, out, amount in given_lines]
    balance = balances(lines, (BANK, 1))[1]
    bank = banked(lines, 1, balance)
    assert bank.bought - bank.cashed == balance.bought == bank.front
    assert min(bank.bought, bank.cashed) >= 0
