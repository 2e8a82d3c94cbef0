"""What one player pays another, and what kept them from paying more."""

from __future__ import annotations

import pytest

from scoring.rules.houserules import resolve
from scoring.rules.settle import Debt, PaidDebt, settle

LOST_FIVE = Debt(first=0, second=1, points=-5, stake=1)


@pytest.mark.parametrize(
    ("stacks", "paid", "cap"),
    [
        (None, 5, ""),
        ([6, 6], 5, ""),
        ([5, 6], 5, ""),
        ([6, 5], 5, ""),
        ([4, 6], 4, "loss"),
        ([6, 4], 4, "win"),
        ([5, 0], 0, "win"),
    ],
)
def test_a_cap_is_named_only_where_it_left_something_unpaid(stacks: list[int] | None, paid: int, cap: str) -> None:
    payments, left = settle([LOST_FIVE], stacks, resolve("regular"))
    assert payments == [PaidDebt(LOST_FIVE, 5, paid, cap)]
    assert left == (None if stacks is None else [stacks[0] - paid, stacks[1] + paid])
