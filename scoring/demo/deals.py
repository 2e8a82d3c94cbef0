"""The deals of the demo, which `scripts/demo-hands` has dealt and played, each from one deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scoring.game.entry import Rows


@dataclass(frozen=True, slots=True)
class Dealing:
    """How the deals of one evening are dealt. ``seats`` maps the number of a deal to the seats dealt in from it on."""

    rules: str
    deals: int
    seats: Mapping[int, tuple[int, ...]]
    seed: int

    def dealt_in(self, number: int) -> tuple[int, ...]:
        """The seats dealt in in this deal."""
        return self.seats[max(first for first in self.seats if first <= number)]


EVENINGS: Final = {
    "points": Dealing("pineapple", 16, {1: (1, 2, 3)}, seed=3),
    "money": Dealing("regular", 14, {1: (1, 2, 3, 4)}, seed=1),
    "cash": Dealing("regular", 14, {1: (1, 2, 3), 5: (1, 2, 3, 4), 11: (1, 3, 4)}, seed=1),
    "tonight": Dealing("pineapple", 24, {1: (1, 2, 3)}, seed=12),
}


@cache
def deals_of(evening: str) -> list[dict[int, Rows]]:
    """The boards of each deal of this evening, by seat."""
    text = (Path(__file__).parent / "deals.txt").read_text(encoding="ascii")
    lines = text.partition(f"[{evening}]\n")[2].partition("[")[0].splitlines()
    return [dict(_board(board) for board in line.split()) for line in lines]


def _board(text: str) -> tuple[int, Rows]:
    seat, rows = text.split(":")
    return int(seat), Rows(*rows.split("/"))
