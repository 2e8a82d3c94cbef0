"""The host sets the button or Fantasyland of the next deal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import TableAction
from scoring.game.entry import as_mapping, as_object
from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.houserules import FANTASYLAND_CARDS
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class SetNext(TableAction):
    """The host sets who has the button, and which seats are in Fantasyland with how many cards (13 to 17).

    None leaves either as it followed from the previous deal. The next deal carries the note.
    """

    verb: ClassVar[str] = "set-next"
    note_needed: ClassVar[bool] = True

    button: int | None = None
    fantasyland: Mapping[int, int] | None = None

    def as_document(self) -> dict[str, Any]:
        """Turns seat numbers into strings, since JSON keys are strings."""
        due = None if self.fantasyland is None else as_object(self.fantasyland)
        return {"button": self.button, "fantasyland": due}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Turns the keys back into seat numbers."""
        due = stored["fantasyland"]
        return cls(stored["button"], None if due is None else as_mapping(due))

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks that something is set, that only active seats are named, and that the numbers of cards are valid."""
        active = table.active()
        if self.button is None and self.fantasyland is None:
            yield Problem("missing", "button", Phrase("This is how it is already. Change something first."))
        if self.button is not None and self.button not in active:
            yield Problem("bad-value", "button", Phrase("The button must be a player who is dealt in."))
        for seat, cards in (self.fantasyland or {}).items():
            if seat not in active:
                message = Phrase("{name} is not dealt in.", name=table.name(seat))
                yield Problem("unknown-player", f"seats[{seat}]", message)
            elif cards not in FANTASYLAND_CARDS:
                yield Problem("bad-value", f"seats[{seat}]", Phrase("Fantasyland is dealt 13 to 17 cards."))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Sets both. A button that was held for Fantasyland moves on if the host takes all Fantasyland away."""
        if self.button is not None:
            table = replace(table, button=self.button, held=False)
        if self.fantasyland is not None:
            table = replace(table, fantasyland=self.fantasyland)
            if table.held and not table.fantasyland:
                table = table.with_button_moved()
        return replace(table, note=note), []
