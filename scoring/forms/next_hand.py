"""The host's word on the next hand: who has the button, who is in Fantasyland, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.forms.hand import cards_dealt, prefix
from scoring.forms.typed import TypedForm
from scoring.game.table import Table


@dataclass(frozen=True, slots=True)
class Flag:
    """One seat's line: the cards it is dealt at once, 0 for none, and those that the table would deal it."""

    field: str
    had_field: str
    name: str
    cards: int
    had: int


class NextHandForm(TypedForm):
    """As typed; what was left as the table had it is None, so that only what was changed is set.

    What the table had is in the form, because it has something else when the form is sent again.
    """

    FIELDS = frozenset({"button", "note"})

    def __init__(self, data: Mapping[str, str], table: Table, players: Iterable[int]) -> None:
        """``players`` are all who ever sat here: a form is about those whose seats are in it."""
        super().__init__(data)
        self.table = table
        self._seats = [seat for seat in players if _had(seat) in data] or table.active()
        had_button = self._button("had-button", table.button)
        self.button_seat = self._button("button", had_button)
        had = {seat: cards_dealt(data.get(_had(seat)), table.fantasyland.get(seat, 0)) for seat in self._seats}
        self.cards = {seat: cards_dealt(data.get(f"{prefix(seat)}-cards"), had[seat]) for seat in had}
        self.button = None if self.button_seat == had_button else self.button_seat
        self.fantasyland = None if self.cards == had else {seat: cards for seat, cards in self.cards.items() if cards}

    def read(self) -> None:
        """Read it as a form that was sent."""
        if not self.note:
            self.wrong("note", "Say why: the hand will carry it.")

    @property
    def buttons(self) -> list[tuple[int, str, bool]]:
        """Each seat that can have the button: number, name, whether it is chosen."""
        return [(seat, self.table.name(seat), seat == self.button_seat) for seat in self.table.active()]

    @property
    def flags(self) -> list[Flag]:
        """Each seat's Fantasyland."""
        owed = self.table.fantasyland
        return [
            Flag(
                f"{prefix(seat)}-cards",
                _had(seat),
                self.table.name(seat),
                self.cards.get(seat, owed.get(seat, 0)),
                owed.get(seat, 0),
            )
            for seat in self.table.active()
        ]

    def _button(self, field: str, otherwise: int) -> int:
        return next((seat for seat in self._seats if str(seat) == self.text(field)), otherwise)


def _had(seat: int) -> str:
    return f"{prefix(seat)}-had"
