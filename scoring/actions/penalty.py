"""Penalties: points from one player to others, outside the score of any deal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem

MOST_POINTS = 999_999


@dataclass(frozen=True, slots=True)
class Penalty(TableAction):
    """A seat pays ``points`` to each of ``to``, at the stake of each pair. None means every other active seat."""

    verb: ClassVar[str] = "penalty"
    note_needed: ClassVar[bool] = True

    seat: int
    points: int
    to: Sequence[int] | None = None

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the seats as a list."""
        return {"seat": self.seat, "points": self.points, "to": None if self.to is None else list(self.to)}

    def completed(self, table: Table) -> Self:
        """Returns the action with every other active seat if no seats were named."""
        if self.to is not None:
            return self
        return replace(self, to=[other for other in table.active() if other != self.seat])

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """Checks the points and the seats, and that each amount of money is within bounds."""
        to = self.to or ()
        if type(self.points) is not int or not 1 <= self.points <= MOST_POINTS:
            message = f"A penalty is a whole number of points from 1 to {MOST_POINTS}."
            return [Problem("bad-value", "points", message)]
        if unknown := unknown_seats([self.seat, *to], seats):
            return unknown
        found = []
        if not to or self.seat in to or len(set(to)) < len(to):
            found.append(Problem("bad-value", "to", "A penalty goes to one or more of the other players."))
        for other in to:
            found += amount_problems(self.points * table.pair_stake(self.seat, other), "points")
        return found

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Books one line for each seat that receives points."""
        in_play, points = table.stacks is not None, self.points
        lines = [
            Line(self.seat, other, points, points * table.pair_stake(self.seat, other), LineKind.PENALTY, in_play)
            for other in self.to or ()
        ]
        return table.with_transfers(lines), lines
