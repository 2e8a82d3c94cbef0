"""What all actions have in common."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Self

from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.rules.errors import Problem


class Action:
    """Something that somebody does to a session.

    A subclass is a frozen dataclass with the class variables that differ from the defaults here. Its fields are what
    the event stores, under these names: they never change once a release has stored them.
    """

    verb: ClassVar[str] = ""
    """The word for it in stored events, at most twelve characters; empty on a base class."""
    undoable: ClassVar[bool] = False
    """`ledger.undo` can take it back."""
    idle: ClassVar[bool] = False
    """After it the next deal is what it was before, so it makes no open form stale."""
    on_closed: ClassVar[bool] = False
    """It can be done to a session that is closed."""
    moves_people: ClassVar[bool] = False
    """Seats come, go or move: while Fantasyland is pending the host has to insist, with a note."""
    note_needed: ClassVar[bool] = False
    """It takes a reason."""
    decided: ClassVar[frozenset[str]] = frozenset()
    """Fields that the ledger fills in; the asker does not know them."""

    def as_document(self) -> dict[str, Any]:
        """The action in JSON, as its event stores it; `read` is the way back."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # subclasses are dataclasses

    def request(self) -> dict[str, Any]:
        """What was asked for, without what the ledger decides: two forms with the same request ask for the same."""
        return {name: value for name, value in self.as_document().items() if name not in self.decided}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """An action from what `as_document` wrote, in this release or any before it."""
        return cls(**stored)


class TableAction(Action):
    """An action that changes the table between two deals, and may make ledger lines."""

    undoable: ClassVar[bool] = True

    @property
    def booked_before(self) -> int | None:
        """The number of the deal before which this happened, where it is recorded late; None where it happens now."""
        return None

    def completed(self, table: Table) -> Self:
        """The action with whatever the table decides filled in."""
        return self

    def problems(self, table: Table, seats: Collection[int]) -> Iterable[Problem]:
        """Everything that is wrong with a completed action; ``seats`` are the numbers of all who ever sat here."""
        return ()

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """The table after it, and its lines. Raises `LedgerError` for what cannot be."""
        raise NotImplementedError
