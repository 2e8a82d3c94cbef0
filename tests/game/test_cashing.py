"""What a final count changes, and what the bank pays for chips."""

from __future__ import annotations

import pytest

from scoring.game.balances import Balance
from scoring.game.cashing import HandedIn, cash_for, cash_line, count_lines, counted_more, for_chips, handed_in
from scoring.game.limits import BANK
from scoring.game.lines import Line, LineKind


@pytest.mark.parametrize(
    ("counts", "stacks", "more"),
    [
        ({1: 500, 2: 300}, {1: 400, 2: 400}, {1: 100, 2: -100}),
        ({2: 400, 1: 400}, {1: 400, 2: 300}, {2: 100}),
        ({1: 0, 2: 50}, {1: 70}, {1: -70, 2: 50}),
        ({1: 5}, None, {1: 5}),
        ({}, {1: 400}, {}),
    ],
)
def test_a_count_differs_by_what_each_stack_has_more_or_less(
    counts: dict[int, int], stacks: dict[int, int] | None, more: dict[int, int]
) -> None:
    assert list(counted_more(counts, stacks).items()) == list(more.items())


def test_several_stacks_that_lack_chips_give_them_to_several_that_have_more() -> None:
    moved = count_lines({1: -3, 2: -2, 3: 4, 4: 2})
    assert [(line.payer, line.payee, line.amount) for line in moved] == [
        (1, 3, 3),
        (2, 3, 1),
        (2, 4, 1),
        (BANK, 4, 1),
    ]
    assert {(line.kind, line.points, line.in_play) for line in moved} == {(LineKind.COUNT, 0, True)}


def test_one_chip_is_moved_too() -> None:
    moved = count_lines({1: 1, 2: -1})
    assert [(line.payer, line.payee, line.amount) for line in moved] == [(2, 1, 1)]


@pytest.mark.parametrize("chips", [0, -1, -500])
def test_who_has_no_chips_gets_nothing_from_the_bank(chips: int) -> None:
    assert cash_for({1: Balance(chips=chips), BANK: Balance(cash=-500)}, 1) == 0


def test_one_unit_of_money_goes_to_the_bank_or_comes_from_it() -> None:
    assert cash_line(1, 1) == Line(1, BANK, 0, 1, LineKind.CASH, in_play=False)
    assert cash_line(1, -1) == Line(BANK, 1, 0, 1, LineKind.CASH, in_play=False)


def test_a_single_chip_is_handed_in_and_paid_for() -> None:
    of = {1: Balance(chips=1, bought=1, cash=1), 2: Balance(), BANK: Balance(chips=-1, bought=-1, cash=-1)}
    assert handed_in(of) == [HandedIn(1, 1, 1)]


@pytest.mark.parametrize(
    ("bank", "pays"),
    [
        (Balance(cash=-1), 1),
        (Balance(cash=-500, paid=200), 300),
        (Balance(cash=-500, paid=500), 0),
        (Balance(cash=-500, paid=600), 0),
        # What players have paid of their debts is nobody's chips.
        (Balance(paid=-500), 0),
        (Balance(cash=100, paid=-500), 0),
    ],
)
def test_the_bank_pays_for_chips_what_it_holds_if_it_took_money_for_them(bank: Balance, pays: int) -> None:
    assert for_chips({BANK: bank}) == pays
