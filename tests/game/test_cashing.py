"""What a final count changes."""

from __future__ import annotations

import pytest

from scoring.game.cashing import counted_more


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
