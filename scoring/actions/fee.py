"""Fees that players pay to the house."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.limits import HOUSE
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Fee(TableAction):
    """Each of ``seats`` pays ``amount`` to the house; None means every active seat. Fees do not count as winnings.

    ``away`` is which of them had left the table. Their fee is a debt, and no chips move.
    """

    verb: ClassVar[str] = "fee"
    note_needed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"away"})

    amount: int
    seats: Sequence[int] | None = None
    away: Sequence[int] = ()

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the seats as lists. Events contain ``away`` only if somebody had left."""
        seats = None if self.seats is None else list(self.seats)
        document: dict[str, Any] = {"seats": seats, "amount": self.amount}
        return {**document, "away": list(self.away)} if self.away else document

    def completed(self, table: Table) -> Self:
        """Returns the action with every active seat if no seats were named, and with who has left the table."""
        seats = self.seats if self.seats is not None else list(table.active())
        return replace(self, seats=seats, away=table.away(seats))

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """Checks the amount, and that one or more players pay, each once."""
        paying = self.seats or ()
        found = amount_problems(self.amount, "amount", least=1)
        if unknown := unknown_seats(paying, seats):
            return found + unknown
        if not paying or len(set(paying)) < len(paying):
            found.append(Problem("bad-value", "seats", Phrase("A fee is paid by one or more players, once each.")))
        return found

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Books one line for each seat that pays."""
        in_chips = table.stacks is not None
        lines = [
            Line(seat, HOUSE, 0, self.amount, LineKind.FEE, in_chips and seat not in self.away)
            for seat in self.seats or ()
        ]
        return table.with_transfers(lines), lines
