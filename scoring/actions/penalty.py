"""Penalties: points from one player to others, outside the score of any deal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.houserules import MOST_ENTERED_POINTS
from scoring.rules.phrase import Phrase

BAD_POINTS: Final = Phrase("A penalty is a whole number of points from 1 to {most}.", most=MOST_ENTERED_POINTS)


@dataclass(frozen=True, slots=True)
class Penalty(TableAction):
    """A seat pays ``points`` to each of ``to``, at the stake of each pair. None means every other active seat.

    ``away`` is which of these seats had left the table. What they pay or are paid is a debt, and no chips move.
    """

    verb: ClassVar[str] = "penalty"
    note_needed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"away"})

    seat: int
    points: int
    to: Sequence[int] | None = None
    away: Sequence[int] = ()

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the seats as lists. Events contain ``away`` only if somebody had left."""
        to = None if self.to is None else list(self.to)
        document: dict[str, Any] = {"seat": self.seat, "points": self.points, "to": to}
        return {**document, "away": list(self.away)} if self.away else document

    def completed(self, table: Table) -> Self:
        """Returns the action with every other active seat if no seats were named, and with who has left the table."""
        to = self.to if self.to is not None else [other for other in table.active() if other != self.seat]
        return replace(self, to=to, away=table.away([self.seat, *to]))

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """Checks the points and the seats, and that each amount of money is within bounds."""
        to = self.to or ()
        if type(self.points) is not int or not 1 <= self.points <= MOST_ENTERED_POINTS:
            return [Problem("bad-value", "points", BAD_POINTS)]
        if unknown := unknown_seats([self.seat, *to], seats):
            return unknown
        found = []
        if not to or self.seat in to or len(set(to)) < len(to):
            found.append(Problem("bad-value", "to", Phrase("A penalty goes to one or more of the other players.")))
        for other in to:
            found += amount_problems(self.points * table.pair_stake(self.seat, other), "points")
        return found

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Books one line for each seat that receives points."""
        lines = [self._line(table, other) for other in self.to or ()]
        return table.with_transfers(lines), lines

    def _line(self, table: Table, other: int) -> Line:
        amount = self.points * table.pair_stake(self.seat, other)
        in_play = table.stacks is not None and not {self.seat, other} & set(self.away)
        return Line(self.seat, other, self.points, amount, LineKind.PENALTY, in_play)
