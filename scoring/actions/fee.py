"""What players pay to the house."""

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


@dataclass(frozen=True, slots=True)
class Fee(TableAction):
    """``amount`` from each of ``seats`` (None: every active one) to the house, apart from points and winnings."""

    verb: ClassVar[str] = "fee"
    note_needed: ClassVar[bool] = True

    amount: int
    seats: Sequence[int] | None = None

    def as_document(self) -> dict[str, Any]:
        """The seats as a list, as JSON has them."""
        return {"seats": None if self.seats is None else list(self.seats), "amount": self.amount}

    def completed(self, table: Table) -> Self:
        """From everybody who takes part, where nobody was named."""
        return self if self.seats is not None else replace(self, seats=list(table.active()))

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """Some money, from one or more players."""
        paying = self.seats or ()
        found = amount_problems(self.amount, "amount", least=1)
        if unknown := unknown_seats(paying, seats):
            return found + unknown
        if not paying or len(set(paying)) < len(paying):
            found.append(Problem("bad-value", "seats", "A fee is paid by one or more players, once each."))
        return found

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """A line for each who pays."""
        in_play = table.stacks is not None
        lines = [Line(seat, HOUSE, 0, self.amount, LineKind.FEE, in_play) for seat in self.seats or ()]
        return table.with_transfers(lines), lines
