"""Points from one player to others, outside the score of any deal."""

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
    """``points`` from one seat to each of ``to``, at the stake of each pair; to every other active seat if None."""

    verb: ClassVar[str] = "penalty"
    note_needed: ClassVar[bool] = True

    seat: int
    points: int
    to: Sequence[int] | None = None

    def as_document(self) -> dict[str, Any]:
        """The seats as a list, as JSON has them."""
        return {"seat": self.seat, "points": self.points, "to": None if self.to is None else list(self.to)}

    def completed(self, table: Table) -> Self:
        """To everybody else who takes part, where nobody was named."""
        if self.to is not None:
            return self
        return replace(self, to=[other for other in table.active() if other != self.seat])

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """A countable number of points, to one or more other players, at stakes that can be booked."""
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
        """A line for each who gets points."""
        in_play, points = table.stacks is not None, self.points
        lines = [
            Line(self.seat, other, points, points * table.pair_stake(self.seat, other), LineKind.PENALTY, in_play)
            for other in self.to or ()
        ]
        return table.with_transfers(lines), lines
