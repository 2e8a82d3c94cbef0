"""What lines add up to, for each seat and for each pair."""

from scoring.game.balances import Balance, balances, matrix
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import WON_IN_PLAY, Category, Line, LineKind, kinds_of

LINES = [
    Line(1, 2, 3, 300, LineKind.DEAL, True),
    Line(2, 1, 1, 100, LineKind.PENALTY, False),
    Line(3, 1, 0, 50, LineKind.SIDE_BET, True),
    Line(1, HOUSE, 0, 20, LineKind.FEE, True),
    Line(BANK, 1, 0, 1000, LineKind.BUY_IN, True),
    Line(2, BANK, 0, 400, LineKind.CASH_OUT, True),
]


def test_each_kind_of_line_counts_where_it_counts() -> None:
    assert balances(LINES, [1, 2, 3, BANK, HOUSE]) == {
        1: Balance(points=-2, money=-150, fees=20, bought=1000, chips=-300 + 50 - 20 + 1000),
        2: Balance(points=2, money=200, bought=-400, chips=300 - 400),
        3: Balance(money=-50, chips=-50),
        BANK: Balance(bought=-600, chips=-600),
        HOUSE: Balance(fees=-20, chips=20),
    }


def test_who_has_no_line_has_nothing() -> None:
    assert balances([], [1]) == {1: Balance()}


def test_balances_are_added_and_taken_away_part_by_part() -> None:
    one, other = Balance(1, 2, 3, 4, 5, 6, 7), Balance(10, 20, 30, 40, 50, 60, 70)
    assert one + other == Balance(11, 22, 33, 44, 55, 66, 77)
    assert other - one == Balance(9, 18, 27, 36, 45, 54, 63)


def test_pairs_have_what_was_won_in_play_from_both_sides() -> None:
    assert matrix(LINES) == {
        (2, 1): Balance(points=2, money=200),
        (1, 2): Balance(points=-2, money=-200),
        (1, 3): Balance(money=50),
        (3, 1): Balance(money=-50),
    }


def test_deals_penalties_side_bets_and_counts_are_won_and_lost() -> None:
    assert set(WON_IN_PLAY) == {LineKind.DEAL, LineKind.PENALTY, LineKind.SIDE_BET, LineKind.COUNT}
    assert set(kinds_of(Category.FEE, Category.BANK)) == {LineKind.FEE, LineKind.BUY_IN, LineKind.CASH_OUT}
