"""The actions on a deal: settle, correct, void, restore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from scoring.actions.base import Action


class Remark(NamedTuple):
    """Players whose cards changed while the deal was being entered. The history says so beside the deal."""

    changed: Sequence[tuple[int, str]] = ()
    """The seats whose cards were changed after Fantasyland was shown, with their rows from before.

    The rows are one text, with a slash between two, and nothing for a row that was not there: `AhAdKc/2h2d2s3h3d/`.
    """
    other_cards: Sequence[tuple[int, int]] = ()
    """The seats with other cards than in a deal that was undone, with the number of that deal."""


NO_REMARK: Final = Remark()


@dataclass(frozen=True, slots=True)
class Settle(Action):
    """The next deal is settled."""

    verb: ClassVar[str] = "settle"
    undoable: ClassVar[bool] = True

    entry: dict[str, Any]
    """The entry, as `Entry.as_document` writes it."""
    changed: Sequence[tuple[int, str]] = ()
    """As in `Remark`."""
    other_cards: Sequence[tuple[int, int]] = ()
    """As in `Remark`."""

    @property
    def remark(self) -> Remark:
        """What the history says beside the deal itself."""
        return Remark(self.changed, self.other_cards)

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the parts of the remark only if it has them, as in earlier releases."""
        parts = self.remark._asdict()
        return {"entry": self.entry} | {name: [list(each) for each in part] for name, part in parts.items() if part}


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
