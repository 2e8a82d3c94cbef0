"""The payments that square everybody; tests/reads/test_reads.py has the property that they are the fewest."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.game.balances import Balance, balances
from scoring.game.cashing import still_to_get
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Category, Line, LineKind
from scoring.game.payments import (
    PairPayment,
    Payment,
    coins,
    fewer_at_most,
    left,
    left_over,
    pair_by_pair,
    payments,
    rounded,
    squares_accounts,
    squaring,
)


def squared(*money: int, fees: int = 0) -> list[tuple[int, int, int]]:
    """Who pays whom how much, of seats 1, 2, 3 ... with these balances; seat 1 also owes the house these fees."""
    of = {seat: Balance(money=one, fees=fees if seat == 1 else 0) for seat, one in enumerate(money, 1)}
    return [(one.payer, one.payee, one.amount) for one in payments(of)]


@pytest.mark.parametrize(
    ("money", "expected"),
    [
        ((), []),
        ((0, 0), []),
        ((-5, 5), [(1, 2, 5)]),
        ((5, -5), [(2, 1, 5)]),
        ((-3, 1, 2), [(1, 3, 2), (1, 2, 1)]),
        ((3, -1, -2), [(3, 1, 2), (2, 1, 1)]),
        ((-1, -1, 1, 1), [(1, 3, 1), (2, 4, 1)]),
        ((-2, -2, 3, 1), [(1, 3, 2), (2, 3, 1), (2, 4, 1)]),
        ((-2, 1, 1), [(1, 2, 1), (1, 3, 1)]),
        ((2, -1, -1), [(2, 1, 1), (3, 1, 1)]),
        ((0, -7, 0, 7), [(2, 4, 7)]),
    ],
)
def test_who_owes_most_pays_who_is_owed_most(money: tuple[int, ...], expected: list[tuple[int, int, int]]) -> None:
    assert squared(*money) == expected


def test_those_who_square_each_other_are_squared_apart() -> None:
    """Two groups of three take four payments, one of six would take five; the seat that owes most may not pay most."""
    assert squared(-8, 7, 6, 2, -7) == [(1, 3, 6), (1, 4, 2), (5, 2, 7)]
    assert len(squared(-8, 7, 6, 2, -7, -800, 700, 600, 200, -700, -50_000, 50_000)) == 7
    assert len(squared(-7, 3, 4, -20, 9, 11)) == 4
    assert len(squared(-1, 1, -10, 10, -100, 100)) == 3


def test_fees_are_owed_to_the_house() -> None:
    assert squared(0, fees=4) == [(1, HOUSE, 4)]
    assert sorted(squared(-5, 5, fees=4)) == sorted([(1, 2, 5), (1, HOUSE, 4)])


def line(payer: int, payee: int, amount: int, kind: LineKind = LineKind.DEAL) -> Line:
    return Line(payer, payee, 0, amount, kind, in_play=False)


def test_each_pair_pays_what_passed_between_them() -> None:
    lines = [
        line(1, 2, 500)._replace(in_play=True),
        line(2, 1, 200),
        line(2, 1, 900, LineKind.SIDE_BET),
        line(3, 2, 100, LineKind.PENALTY),
        line(1, 3, 70),
        line(3, 1, 70),
        line(3, HOUSE, 40, LineKind.FEE),
        line(BANK, 1, 4000, LineKind.BUY_IN),
    ]
    assert pair_by_pair(lines) == [
        PairPayment(Payment(2, 1, 600), {LineKind.DEAL: -300, LineKind.SIDE_BET: 900}),
        PairPayment(Payment(3, 2, 100), {LineKind.PENALTY: 100}),
        PairPayment(Payment(3, HOUSE, 40), {LineKind.FEE: 40}),
    ]


def test_chips_that_were_paid_for_move_through_the_bank() -> None:
    """Ann and Cat paid 40.00 each on the spot, Bob has 40.00 on credit. What each pair settles goes by the bank."""
    lines = [
        *(line(BANK, seat, 4000, LineKind.BUY_IN)._replace(in_play=True) for seat in (1, 2, 3)),
        *(line(seat, BANK, 4000, LineKind.CASH) for seat in (1, 3)),
        line(2, 1, 300)._replace(in_play=True),
        line(3, 2, 100)._replace(in_play=True),
        line(3, 1, 50, LineKind.SIDE_BET),
    ]
    assert pair_by_pair(lines, through_bank=True) == [
        PairPayment(Payment(3, 1, 50), {LineKind.SIDE_BET: 50}),
        PairPayment(Payment(BANK, 1, 4300), {LineKind.DEAL: 300, LineKind.CASH: 4000}),
        PairPayment(Payment(2, BANK, 200), {LineKind.DEAL: 200}),
        PairPayment(Payment(BANK, 3, 3900), {LineKind.DEAL: -100, LineKind.CASH: 4000}),
    ]
    seats = {1, 2, 3, BANK, HOUSE}
    assert payments(balances(lines, seats)) == [
        Payment(BANK, 1, 4350),
        Payment(BANK, 3, 3650),
        Payment(2, 3, 200),
    ]
    assert payments(balances([*lines, *still_to_get(balances(lines, seats))], seats)) == [
        Payment(2, 1, 200),
        Payment(3, 1, 50),
    ]


def test_those_who_got_back_what_they_had_paid_have_settled_by_the_bank() -> None:
    """Each won as much as they lost, so nobody is owed anything, though something passed between each two."""
    lines = [
        *(line(BANK, seat, 4000, LineKind.BUY_IN)._replace(in_play=True) for seat in (1, 2, 3)),
        *(line(seat, BANK, 4000, LineKind.CASH) for seat in (1, 2, 3)),
        *(line(one, other, 300)._replace(in_play=True) for one, other in ((1, 2), (2, 3), (3, 1))),
    ]
    settled = [*lines, *still_to_get(balances(lines, {1, 2, 3, BANK, HOUSE}))]
    assert pair_by_pair(settled, through_bank=True) == []


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A line between players, or one with the house or the bank, in either direction."""
    kind = draw(st.sampled_from(LineKind))
    other = {
        Category.PLAY: st.integers(1, 6),
        Category.FEE: st.just(HOUSE),
        Category.BANK: st.just(BANK),
        Category.PAYMENT: st.integers(1, 6) | st.just(HOUSE) | st.just(BANK),
        Category.CASH: st.just(BANK),
    }
    player = draw(st.integers(7, 12))
    pair = draw(st.permutations([player, draw(other[kind.category])]))
    return line(pair[0], pair[1], draw(st.integers(0, 1000)), kind)


@given(st.lists(lines(), max_size=30), st.booleans())
def test_both_ways_pay_everybody_the_same(all_lines: list[Line], through_bank: bool) -> None:
    def paid(found: Iterable[Payment]) -> Counter[int]:
        gets: Counter[int] = Counter()
        for each in found:
            assert each.amount > 0
            gets[each.payee] += each.amount
            gets[each.payer] -= each.amount
        return Counter({seat: amount for seat, amount in gets.items() if amount})

    pairs = pair_by_pair(all_lines, through_bank=through_bank)
    assert all(sum(each.parts.values()) == each.payment.amount for each in pairs)
    seats = {seat for each in all_lines for seat in (each.payer, each.payee)}
    assert paid(each.payment for each in pairs) == paid(payments(balances(all_lines, seats)))


def test_who_squares_another_exactly_does_so_however_many_there_are() -> None:
    """Ten pairs take ten payments; nobody could do with fewer, since each account takes part in one at least."""
    owed = {account: (account + 1) // 2 * (1 if account % 2 else -1) for account in range(1, 21)}
    found = squaring(owed)
    assert (len(found), fewer_at_most(owed, found)) == (10, 0)


def test_with_twelve_accounts_the_payments_are_the_fewest() -> None:
    """No fewer than all of them square each other, so eleven payments are needed."""
    amounts = (1, 10, 100, 1000, 10_000, 100_000, -2, -20, -200, -2000, -20_000, -88_889)
    owed = dict(enumerate(amounts, start=1))
    found = squaring(owed)
    assert squares_accounts(found, owed)
    assert (len(found), fewer_at_most(owed, found)) == (11, 0)


def test_the_payments_of_sixty_accounts_are_found_at_once() -> None:
    """Each of 59 is owed another amount, by one: to look at all groups of them would take years."""
    owed = {account: account for account in range(1, 60)} | {60: -1770}
    found = squaring(owed)
    assert squares_accounts(found, owed)
    assert (len(found), fewer_at_most(owed, found)) == (59, 0)


def test_with_many_accounts_it_is_said_how_far_the_payments_can_be_from_the_fewest() -> None:
    owed = {account: -10 * account for account in range(1, 13)} | {13: 700, 14: 53, 15: 27}
    found = squaring(owed)
    assert squares_accounts(found, owed)
    assert (len(found), fewer_at_most(owed, found)) == (13, 1)  # each of the twelve who owe has to pay


@given(st.lists(st.integers(-9, 9), min_size=13, max_size=40))
def test_many_accounts_are_squared_within_the_bound(amounts: list[int]) -> None:
    owed = dict(enumerate([*amounts, -sum(amounts)], start=1))
    found = squaring(owed)
    assert squares_accounts(found, owed)
    assert all(payment.amount > 0 and payment.payer != payment.payee for payment in found)
    paying, paid = (sum(sign * amount > 0 for amount in owed.values()) for sign in (-1, 1))
    assert max(paying, paid) <= len(found) - fewer_at_most(owed, found) <= len(found)


@pytest.mark.parametrize(
    ("owed", "coin", "expected"),
    [
        ((1060, -1060), 100, (1100, -1100)),
        ((1040, -1040), 100, (1000, -1000)),
        ((30, 30, -60), 100, (0, 0, 0)),
        ((40, 40, 40, -120), 100, (100, 0, 0, -100)),
        ((33, -33), 100, (0, 0)),
        ((1, -1), 2, (0, 0)),
        ((250, -250), 50, (250, -250)),
        ((123, -120, -3), 0, (123, -120, -3)),
        ((), 100, ()),
    ],
)
def test_rounded_to_a_coin_the_sum_stays_zero(owed: tuple[int, ...], coin: int, expected: tuple[int, ...]) -> None:
    assert rounded(dict(enumerate(owed)), coin) == dict(enumerate(expected))


@given(st.lists(st.integers(-100_000, 100_000), max_size=14), st.integers(1, 700))
def test_everyone_is_less_than_a_coin_away(amounts: list[int], coin: int) -> None:
    owed = dict(enumerate([*amounts, -sum(amounts)]))
    found = rounded(owed, coin)
    assert sum(found.values()) == 0
    for account, amount in found.items():
        assert amount % coin == 0
        assert abs(amount - owed[account]) < coin


@given(st.lists(st.integers(-100_000, 100_000), min_size=1, max_size=9), st.sampled_from([0, 50, 100, 500]))
def test_what_rounding_leaves_adds_up_by_name(amounts: list[int], coin: int) -> None:
    of = {seat: Balance(money=amount) for seat, amount in enumerate([*amounts, -sum(amounts)], 1)} | {HOUSE: Balance()}
    plan = payments(of, coin)
    rest = left_over(plan, of)
    assert sum(rest.values()) == 0
    gets: Counter[int] = Counter()
    for payment in plan:
        assert payment.amount > 0
        assert not coin or payment.amount % coin == 0
        gets[payment.payee] += payment.amount
        gets[payment.payer] -= payment.amount
    for seat, balance in of.items():
        assert gets[seat] + rest.get(seat, 0) == balance.money


@given(st.integers(-100_000, 100_000), st.sampled_from([50, 100, 500]))
def test_between_two_nobody_is_asked_back_what_rounding_left(amount: int, coin: int) -> None:
    owed = {1: amount, 2: -amount}
    paid = rounded(owed, coin)
    rest = {seat: owed[seat] - paid[seat] for seat in owed}
    assert rounded(rest, coin) == {1: 0, 2: 0}
    assert abs(rest[1]) * 2 <= coin


def test_each_pair_is_rounded_by_itself() -> None:
    """More than half a coin counts as one, half of it and less as nothing; the sums say by how much."""
    lines = [
        Line(1, 2, 0, 1050, LineKind.SIDE_BET, in_play=False),
        Line(1, 3, 0, 49, LineKind.SIDE_BET, in_play=False),
        Line(3, 2, 0, 120, LineKind.SIDE_BET, in_play=False),
    ]
    assert pair_by_pair(lines, 100) == [
        PairPayment(Payment(1, 2, 1000), {LineKind.SIDE_BET: 1050}, -50),
        PairPayment(Payment(3, 2, 100), {LineKind.SIDE_BET: 120}, -20),
    ]


def test_coins_of_a_currency() -> None:
    found = [coins(digits) for digits in (0, 1, 2, 3)]
    assert found == [
        (10, 100, 500),
        (5, 10, 50),
        (50, 100, 500),
        (500, 1000, 5000),
    ]
    assert {type(coin) for each in found for coin in each} == {int}


def side_bet(payer: int, payee: int, amount: int) -> Line:
    return Line(payer, payee, 0, amount, LineKind.SIDE_BET, in_play=False)


@pytest.mark.parametrize(("amount", "nearest"), [(1, 0), (2, 0), (3, 5), (7, 5), (8, 10)])
def test_with_an_odd_coin_a_pair_pays_the_nearest_number_of_them(amount: int, nearest: int) -> None:
    found = pair_by_pair([side_bet(1, 2, amount)], 5)
    assert [each.payment.amount for each in found] == ([nearest] if nearest else [])


@pytest.mark.parametrize(("payer", "payee"), [(1, 2), (2, 1)])
def test_a_pair_owes_one_unit_in_its_direction(payer: int, payee: int) -> None:
    (found,) = pair_by_pair([side_bet(payer, payee, 1)])
    assert found.payment == Payment(payer, payee, 1)


def test_what_is_left_of_a_plan_may_be_one_unit_either_way() -> None:
    plan = [Payment(3, 3, 7), Payment(1, 2, 5), Payment(4, 2, 5)]
    paid = [Payment(1, 2, 4), Payment(4, 2, 6)]
    assert left(plan, paid) == [Payment(1, 2, 1), Payment(2, 4, 1)]
