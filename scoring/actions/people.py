"""The actions that add, remove or move players, or let them sit out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import TableAction
from scoring.game.cashing import cashed_out
from scoring.game.errors import refuse
from scoring.game.lines import Line
from scoring.game.table import Chair, Table
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Join(TableAction):
    """A player sits down to the left of the seat ``after``, or in the last place if it is None.

    A player who returns gets their old seat number, which `ledger.record` looks up. ``player`` is the player's primary
    key; 0 in an event of an earlier release.

    ``cash_out`` is what the bank still owed a player who returns, because a deal was corrected after they had cashed
    out. It is paid now, so that they play with what they buy: ``in_cash`` of it on the spot.
    """

    verb: ClassVar[str] = "join"
    moves_people: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"seat", "player", "cash_out", "in_cash"})

    name: str
    after: int | None = None
    seat: int = 0
    player: int = 0
    cash_out: int = 0
    in_cash: int = 0

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with ``in_cash`` only if the bank paid anything on the spot."""
        parts = {"name": self.name, "after": self.after, "seat": self.seat, "player": self.player}
        return parts | _cashing_out(self)

    def completed(self, table: Table) -> Self:
        """Returns the action with what the bank still owes the player."""
        return replace(self, cash_out=_stack(table, self.seat), in_cash=table.cash_for.get(self.seat, 0))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Pays what the bank still owed, and adds a chair."""
        place = len(table.chairs)
        if self.after is not None:
            place = table.chairs.index(table.here(self.after)) + 1
        chair = Chair(self.seat, self.name)
        lines = cashed_out(self.seat, self.cash_out, self.in_cash)
        table = replace(table.with_transfers(lines), names={**table.names, self.seat: self.name})
        return table.with_seat_in((*table.chairs[:place], chair, *table.chairs[place:])), lines


@dataclass(frozen=True, slots=True)
class Leave(TableAction):
    """A player leaves (R72). Their chips are cashed out, the button passes on, and owed Fantasyland is lost.

    ``in_cash`` is what the bank pays on the spot for the chips that are cashed out.
    """

    verb: ClassVar[str] = "leave"
    moves_people: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"cash_out", "in_cash"})

    seat: int
    cash_out: int = 0
    in_cash: int = 0

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with ``in_cash`` only if the bank paid anything on the spot."""
        return {"seat": self.seat} | _cashing_out(self)

    def completed(self, table: Table) -> Self:
        """Returns the action with the whole stack as the amount to cash out."""
        return replace(self, cash_out=_stack(table, self.seat), in_cash=table.cash_for.get(self.seat, 0))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Cashes the stack out and removes the chair. The last player cannot leave."""
        chair = table.here(self.seat)
        if len(table.chairs) == 1:
            message = Phrase("Only one player left – close the session instead.")
            raise refuse("too-few-players", f"seats[{self.seat}]", message)
        lines = cashed_out(self.seat, self.cash_out, self.in_cash)
        table = table.with_transfers(lines)
        return table.with_seat_out(self.seat, tuple(other for other in table.chairs if other is not chair)), lines


def _stack(table: Table, seat: int) -> int:
    """The chips that a seat can cash out: none on credit, nor below nothing."""
    return max(0, (table.stacks or {}).get(seat, 0))


def _cashing_out(action: Join | Leave) -> dict[str, Any]:
    paid = {"in_cash": action.in_cash} if action.in_cash else {}
    return {"cash_out": action.cash_out} | paid


@dataclass(frozen=True, slots=True)
class SitOut(TableAction):
    """A player is not dealt in until they sit in again. The button skips them; Fantasyland they are owed is lost."""

    verb: ClassVar[str] = "sit-out"
    moves_people: ClassVar[bool] = True

    seat: int

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks that the player is not sitting out already."""
        chair = table.here(self.seat)
        if chair.out:
            message = Phrase("{name} is sitting out already.", name=chair.name)
            yield Problem("bad-value", f"seats[{self.seat}]", message)

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Marks the chair as sitting out."""
        gone = table.here(self.seat)
        return table.with_seat_out(gone.number, table.chairs_with(replace(gone, out=True))), []


@dataclass(frozen=True, slots=True)
class SitIn(TableAction):
    """A player who sat out is dealt in again."""

    verb: ClassVar[str] = "sit-in"
    moves_people: ClassVar[bool] = True

    seat: int

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks that the player is sitting out."""
        chair = table.here(self.seat)
        if not chair.out:
            message = Phrase("{name} is not sitting out.", name=chair.name)
            yield Problem("bad-value", f"seats[{self.seat}]", message)

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Marks the chair as dealt in."""
        return table.with_seat_in(table.chairs_with(replace(table.here(self.seat), out=False))), []


@dataclass(frozen=True, slots=True)
class Swap(TableAction):
    """Two players change places. The button goes with the player who has it, so that nobody deals twice in an orbit."""

    verb: ClassVar[str] = "swap"
    moves_people: ClassVar[bool] = True

    first: int
    second: int

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks that the two seats differ."""
        if self.first == self.second:
            yield Problem("bad-value", "second", Phrase("Choose two different players."))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Exchanges the two chairs."""
        one, other = table.here(self.first), table.here(self.second)
        places = {one.number: other, other.number: one}
        return replace(table, chairs=tuple(places.get(chair.number, chair) for chair in table.chairs)), []
