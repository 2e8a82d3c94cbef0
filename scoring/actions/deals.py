"""The actions on a deal: settle, correct, void, restore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Settle(Action):
    """The next deal is settled."""

    verb: ClassVar[str] = "settle"
    undoable: ClassVar[bool] = True

    entry: dict[str, Any]
    """The entry, as `Entry.as_document` writes it."""


@dataclass(frozen=True, slots=True)
class Rewriting(Action):
    """A settled deal gets another entry. Later deals stand as they were dealt, but those that the host lets follow."""

    undoable: ClassVar[bool] = True

    number: int
    later: str
    """Always "as-played". In events of earlier releases it may be "follow": then all later deals followed."""
    entry: dict[str, Any] | None
    """The entry that counts from now on, None if the deal becomes void."""
    follow: Sequence[int] = ()
    """The deals whose lineup, button and Fantasyland the host let follow from the change (R73)."""


@dataclass(frozen=True, slots=True)
class Correct(Rewriting):
    """A settled deal is settled again with another entry."""

    verb: ClassVar[str] = "correct"


@dataclass(frozen=True, slots=True)
class Void(Rewriting):
    """A settled deal counts for nothing."""

    verb: ClassVar[str] = "void"


@dataclass(frozen=True, slots=True)
class Restore(Rewriting):
    """A void deal counts again."""

    verb: ClassVar[str] = "restore"
