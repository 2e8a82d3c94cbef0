"""Side bets: money from one player to another, outside the score of any deal."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem


@dataclass(frozen=True, slots=True)
class SideBet(TableAction):
    """One seat pays another, without points (R64). A table also books agreed differences in this way."""

    verb: ClassVar[str] = "side-bet"
    note_needed: ClassVar[bool] = True

    payer: int
    payee: int
    amount: int

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """Checks the amount, and that the two seats exist and differ."""
        found = amount_problems(self.amount, "amount", least=1)
        if unknown := unknown_seats([self.payer, self.payee], seats):
            return found + unknown
        if self.payer == self.payee:
            found.append(Problem("bad-value", "payee", "It takes two to bet."))
        return found

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Books one line."""
        lines = [Line(self.payer, self.payee, 0, self.amount, LineKind.SIDE_BET, table.stacks is not None)]
        return table.with_transfers(lines), lines
