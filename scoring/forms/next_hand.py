"""The host's form for the next hand: who has the button, who is in Fantasyland, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.actions.set_next import SetNext
from scoring.forms.base import ActionForm
from scoring.forms.fields import WHY, CardsField, SeatField, TextField
from scoring.forms.hand import prefix
from scoring.game.table import Table

HAD_BUTTON = "had-button"


@dataclass(frozen=True, slots=True)
class SeatFantasyland:
    """One seat's Fantasyland: ``cards`` is what the form says, ``had`` what the table would deal it, 0 for none."""

    field: str
    had_field: str
    name: str
    cards: int
    had: int


class NextHandForm(ActionForm):
    """The form as typed. A value that the host did not change stays None, so that only changes are set.

    The form carries the table's own values along, because the table may have changed by the time the form comes back.
    """

    ACTIONS = (SetNext,)

    button = SeatField()
    note = TextField(WHY)

    def __init__(self, data: Mapping[str, Any] | None, table: Table, players: Iterable[int]) -> None:
        """``players`` are all who ever sat here. Only those whose fields were sent are in the form; a fresh form has
        all who take part.
        """
        self.about = [seat for seat in players if _had(seat) in (data or {})] or list(table.active())
        self.table = table
        cards = {field(seat): CardsField() for field in (_had, cards_field) for seat in self.about}
        super().__init__(data, seats=self.about, more={HAD_BUTTON: SeatField(), **cards})

    def action(self) -> SetNext:
        """The action, with only the values that were changed."""
        had = {seat: self._had_cards(seat) for seat in self.about}
        cards = {seat: self._dealt(seat) for seat in self.about}
        return SetNext(
            button=None if self.button_seat == self._had_button else self.button_seat,
            fantasyland=None if cards == had else {seat: dealt for seat, dealt in cards.items() if dealt},
        )

    @property
    def button_seat(self) -> int:
        """The seat that is to have the button."""
        return self["button"].value() or self._had_button

    def buttons(self, now: Table) -> list[tuple[int, str, bool]]:
        """Each seat that can have the button ``now``: number, name, whether it is chosen.

        If the one that was chosen cannot have it any more, it is the one that has it.
        """
        chosen = self.button_seat if self.button_seat in now.active() else now.button
        return [(seat, now.name(seat), seat == chosen) for seat in now.active()]

    def fantasyland(self, now: Table) -> list[SeatFantasyland]:
        """Each seat's Fantasyland, beside the number of cards that the table would deal it ``now``."""
        owed = now.fantasyland
        return [
            SeatFantasyland(
                cards_field(seat),
                _had(seat),
                now.name(seat),
                self._dealt(seat) if seat in self.about else owed.get(seat, 0),
                owed.get(seat, 0),
            )
            for seat in now.active()
        ]

    @property
    def _had_button(self) -> int:
        return self[HAD_BUTTON].value() or self.table.button

    def _had_cards(self, seat: int) -> int:
        sent: int | None = self[_had(seat)].value()
        return self.table.fantasyland.get(seat, 0) if sent is None else sent

    def _dealt(self, seat: int) -> int:
        sent: int | None = self[cards_field(seat)].value()
        return self._had_cards(seat) if sent is None else sent


def _had(seat: int) -> str:
    return f"{prefix(seat)}-had"


def cards_field(seat: int) -> str:
    """The field of the number of cards that a seat is to be dealt at once."""
    return f"{prefix(seat)}-cards"
