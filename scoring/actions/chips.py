"""Chips between a player and the bank."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.limits import BANK
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem


@dataclass(frozen=True, slots=True)
class BuyIn(TableAction):
    """Chips from the bank. From the first buy-in on stacks are limited, and a player without chips is not dealt in.

    ``before`` books a forgotten one where it happened, before that deal; it takes a note. Stacks cannot be introduced
    under a deal that was played on credit.
    """

    verb: ClassVar[str] = "buy-in"

    seat: int
    amount: int
    before: int | None = None

    @property
    def booked_before(self) -> int | None:
        """The deal before which it was forgotten."""
        return self.before

    def as_document(self) -> dict[str, Any]:
        """Events have ``before`` only where the buy-in was forgotten."""
        document: dict[str, Any] = {"seat": self.seat, "amount": self.amount}
        return document if self.before is None else {**document, "before": self.before}

    def request(self) -> dict[str, Any]:
        """Forms say that it was not forgotten."""
        return {"seat": self.seat, "amount": self.amount, "before": self.before}

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Some chips, for somebody."""
        yield from amount_problems(self.amount, "amount", least=1)
        yield from unknown_seats([self.seat], seats)

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """The stack grows; there are stacks from now on."""
        lines = [Line(BANK, table.here(self.seat).number, 0, self.amount, LineKind.BUY_IN, True)]
        if table.stacks is None:
            table = replace(table, stacks={})
        return table.with_transfers(lines), lines


@dataclass(frozen=True, slots=True)
class CashOut(TableAction):
    """Chips back to the bank, at most the seat's stack."""

    verb: ClassVar[str] = "cash-out"

    seat: int
    amount: int

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """There have to be chips."""
        yield from amount_problems(self.amount, "amount", least=1)
        if table.stacks is None:
            yield Problem("not-enough-chips", "amount", "Nobody has bought any chips.")

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """The stack shrinks."""
        lines = [Line(self.seat, BANK, 0, self.amount, LineKind.CASH_OUT, True)]
        return table.with_transfers(lines), lines
