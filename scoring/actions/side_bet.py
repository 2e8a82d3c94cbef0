"""Side bets: money from one player to another, outside the score of any deal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class SideBet(TableAction):
    """One seat pays another, without points (R64). A table also books agreed differences in this way.

    ``away`` is which of the two had left the table. If either had, it is a debt and no chips move.
    """

    verb: ClassVar[str] = "side-bet"
    note_needed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"away"})

    payer: int
    payee: int
    amount: int
    away: Sequence[int] = ()

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON. Events contain ``away`` only if somebody had left."""
        document: dict[str, Any] = {"payer": self.payer, "payee": self.payee, "amount": self.amount}
        return {**document, "away": list(self.away)} if self.away else document

    def completed(self, table: Table) -> Self:
        """Returns the action with who has left the table."""
        return replace(self, away=table.away([self.payer, self.payee]))

    def problems(self, table: Table, seats: Collection[int]) -> list[Problem]:
        """Checks the amount, and that the two seats exist and differ."""
        found = amount_problems(self.amount, "amount", least=1)
        if unknown := unknown_seats([self.payer, self.payee], seats):
            return found + unknown
        if self.payer == self.payee:
            found.append(Problem("bad-value", "payee", Phrase("Choose two different players.")))
        return found

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Books one line."""
        in_play = table.stacks is not None and not self.away
        lines = [Line(self.payer, self.payee, 0, self.amount, LineKind.SIDE_BET, in_play)]
        return table.with_transfers(lines), lines
