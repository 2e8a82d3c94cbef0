"""The base classes of all actions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.rules.errors import Problem


@dataclass(frozen=True)
class Action:
    """Something that a person does in a session.

    A subclass is a frozen dataclass that sets the class variables in which it differs from the defaults here. The event
    stores its fields under their names, so a name must not change once a release has stored it.
    """

    verb: ClassVar[str] = ""
    """The word under which events store the action, at most twelve characters. It is empty on a base class."""
    undoable: ClassVar[bool] = False
    """`ledger.undo` can take the action back."""
    idle: ClassVar[bool] = False
    """The action does not affect the next deal, so open forms stay valid."""
    on_closed: ClassVar[bool] = False
    """The action is possible in a closed session."""
    beside_record: ClassVar[bool] = False
    """Agreements to the record stand whatever the action does: it is an agreement itself, or pays what is owed."""
    takes_back: ClassVar[bool] = False
    """The lines that the action books are earlier ones, the other way round."""
    moves_people: ClassVar[bool] = False
    """The action moves players, so the host has to insist, with a note, while Fantasyland is pending."""
    note_needed: ClassVar[bool] = False
    """The action requires a note."""
    decided: ClassVar[frozenset[str]] = frozenset()
    """The fields that the ledger fills in, because the requester does not know them."""

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, as its event stores it; `read` reverses this."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def request(self) -> dict[str, Any]:
        """Returns what was requested, without the fields in `decided`. Equal results mean the same request."""
        return {name: value for name, value in self.as_document().items() if name not in self.decided}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Returns the action that `as_document` wrote, in this release or an earlier one."""
        return cls(**stored)


@dataclass(frozen=True)
class TableAction(Action):
    """An action that changes the table between two deals, and may add lines to the ledger."""

    undoable: ClassVar[bool] = True

    @property
    def booked_before(self) -> int | None:
        """The number of the deal before which the action happened if it is recorded late, None if it happens now."""
        return None

    def completed(self, table: Table) -> Self:
        """Returns the action with the defaults that depend on the table."""
        return self

    def problems(self, table: Table, seats: Collection[int]) -> Iterable[Problem]:
        """Returns everything that is wrong with a completed action.

        ``seats`` are the numbers of all seats that players have had in this session.
        """
        return ()

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Returns the table after the action, and its lines. Raises `LedgerError` if the action is impossible."""
        raise NotImplementedError
