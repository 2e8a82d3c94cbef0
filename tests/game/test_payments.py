"""The fewest payments that square everybody, by examples; tests/reads/test_reads.py has the property."""

import pytest

from scoring.game.balances import Balance
from scoring.game.limits import HOUSE
from scoring.game.payments import payments


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


def test_whoever_can_be_squared_apart_is() -> None:
    """Two groups of three take four payments, one of six would take five; whoever owes most may not pay most."""
    assert squared(-8, 7, 6, 2, -7) == [(1, 3, 6), (1, 4, 2), (5, 2, 7)]
    assert len(squared(-8, 7, 6, 2, -7, -800, 700, 600, 200, -700, -50_000, 50_000)) == 7
    assert len(squared(-7, 3, 4, -20, 9, 11)) == 4
    assert len(squared(-1, 1, -10, 10, -100, 100)) == 3


def test_fees_are_owed_to_the_house() -> None:
    assert squared(0, fees=4) == [(1, HOUSE, 4)]
    assert sorted(squared(-5, 5, fees=4)) == sorted([(1, 2, 5), (1, HOUSE, 4)])
