"""Chips that move between a player and the bank."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import TableAction
from scoring.actions.checks import amount_problems, unknown_seats
from scoring.game.cashing import cash_line, cashed_out
from scoring.game.limits import BANK
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class BuyIn(TableAction):
    """A player buys chips from the bank. From the first buy-in on, stacks are limited and only players with chips are
    dealt in.

    ``before`` is the number of the deal before which a forgotten buy-in happened; it requires a note. Stacks must have
    been limited by then, because a deal that was played on credit cannot get stacks afterwards.

    With ``cash`` they are paid for on the spot, without it on credit. What was chosen last is what the page offers for
    the next; a forgotten buy-in leaves that as it is.
    """

    verb: ClassVar[str] = "buy-in"

    seat: int
    amount: int
    before: int | None = None
    cash: bool = False

    @property
    def booked_before(self) -> int | None:
        """The number of the deal before which a forgotten buy-in happened, else None."""
        return self.before

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON. Events contain ``before`` only for a forgotten buy-in, ``cash`` only if so."""
        document: dict[str, Any] = {"seat": self.seat, "amount": self.amount}
        document |= {} if self.before is None else {"before": self.before}
        return document | _if_cash(self.cash)

    def request(self) -> dict[str, Any]:
        """Returns what was requested. Requests always contain ``before``."""
        return {"seat": self.seat, "amount": self.amount, "before": self.before} | _if_cash(self.cash)

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks the amount and the seat."""
        yield from amount_problems(self.amount, "amount", least=1)
        yield from unknown_seats([self.seat], seats)

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Adds the chips; the first buy-in turns limited stacks on."""
        lines = [Line(BANK, table.here(self.seat).number, 0, self.amount, LineKind.BUY_IN, True)]
        if self.cash:
            lines.append(cash_line(self.seat, self.amount))
        if table.stacks is None:
            table = replace(table, stacks={})
        if self.before is None:
            table = replace(table, cash=self.cash)
        return table.with_transfers(lines), lines


def _if_cash(cash: bool) -> dict[str, Any]:
    """What events and requests say of cash: nothing of credit, which was all that earlier releases knew."""
    return {"cash": True} if cash else {}


@dataclass(frozen=True, slots=True)
class BuyInAll(TableAction):
    """Each of ``seats`` buys chips for the same ``amount``; None means everybody at the table."""

    verb: ClassVar[str] = "buy-in-all"

    amount: int
    seats: Sequence[int] | None = None
    cash: bool = False

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON. Events contain ``cash`` only if the chips were paid for on the spot."""
        return {"amount": self.amount, "seats": self.seats} | _if_cash(self.cash)

    def completed(self, table: Table) -> Self:
        """Returns the action with everybody at the table if no seats were named."""
        return self if self.seats is not None else replace(self, seats=[chair.number for chair in table.chairs])

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks the amount, and that one or more players buy, each once."""
        buying = self.seats or ()
        yield from amount_problems(self.amount, "amount", least=1)
        yield from unknown_seats(buying, seats)
        if not buying or len(set(buying)) < len(buying):
            yield Problem("bad-value", "seats", Phrase("Chips are bought by one or more players, once each."))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Lets each of them buy in."""
        lines: list[Line] = []
        for seat in self.seats or ():
            table, bought = BuyIn(seat, self.amount, cash=self.cash).apply(table, note)
            lines += bought
        return table, lines


@dataclass(frozen=True, slots=True)
class CashOut(TableAction):
    """A player returns chips to the bank, at most their whole stack. With ``cash`` the bank pays for them at once."""

    verb: ClassVar[str] = "cash-out"

    seat: int
    amount: int
    cash: bool = False

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON. Events contain ``cash`` only if the bank paid on the spot."""
        return {"seat": self.seat, "amount": self.amount} | _if_cash(self.cash)

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks the amount, and that stacks are limited."""
        yield from amount_problems(self.amount, "amount", least=1)
        if table.stacks is None:
            yield Problem("not-enough-chips", "amount", Phrase("Nobody has bought any chips."))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Removes the chips from the stack."""
        lines = cashed_out(self.seat, self.amount, self.amount if self.cash else 0)
        return table.with_transfers(lines), lines
