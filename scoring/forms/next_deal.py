"""The host's form for the next hand: who has the button, who is in Fantasyland, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.actions.set_next import SetNext
from scoring.forms.base import ActionForm
from scoring.forms.fields import WHY, CardsField, SeatField, TextField
from scoring.forms.hand import prefix
from scoring.forms.late import news, rebased
from scoring.game.table import Table
from scoring.request import UNPROCESSABLE
from scoring.wording.counts import cards
from scoring.wording.figures import labelled
from scoring.wording.phrases import later as _

HAD_BUTTON = "had-button"

NOT_IN_IT = _("not in Fantasyland")
WHO_HAS_BUTTON = _("Who has the button")


@dataclass(frozen=True, slots=True)
class SeatFantasyland:
    """One seat's Fantasyland: ``cards`` is what the form says, ``had`` what the table would deal it, 0 for none."""

    field: str
    had_field: str
    name: str
    cards: int
    had: int


class NextDealForm(ActionForm):
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
        dealt = {field(seat): CardsField() for field in (_had, cards_field) for seat in self.about}
        super().__init__(data, seats=self.about, more={HAD_BUTTON: SeatField(), **dealt})

    def action(self) -> SetNext:
        """The action, with only the values that were changed."""
        had = {seat: self._had_cards(seat) for seat in self.about}
        dealt = {seat: self._dealt(seat) for seat in self.about}
        return SetNext(
            button=self.button_seat if self._moves_button else None,
            fantasyland=None if dealt == had else {seat: count for seat, count in dealt.items() if count},
        )

    @property
    def button_seat(self) -> int:
        """The seat that is to have the button."""
        return self["button"].value() or self._had_button

    def buttons(self, now: Table) -> list[tuple[int, str, bool]]:
        """Each seat that can have the button ``now``: number, name, whether it is chosen.

        If nobody was chosen, or one who cannot have it any more, it is the one that has it. If something typed is wrong
        the page stays as it was.
        """
        keeps = self._moves_button or self.status == UNPROCESSABLE
        chosen = self.button_seat if self.button_seat in now.active() and keeps else now.button
        return [(seat, now.name(seat), seat == chosen) for seat in now.active()]

    def had_button(self, now: Table) -> int:
        """The seat that has the button ``now``; if something typed is wrong, the one that had it on the host's page."""
        return self._had_button if self.status == UNPROCESSABLE else now.button

    def fantasyland(self, now: Table) -> list[SeatFantasyland]:
        """Each seat's Fantasyland, beside the number of cards that the table would deal it ``now``.

        If something typed is wrong the page stays as it was.
        """
        if self.status == UNPROCESSABLE:
            shown = {seat: (self._dealt(seat), self._had_cards(seat)) for seat in self.about}
        else:
            owed = {seat: now.fantasyland.get(seat, 0) for seat in now.active()}
            changed = {seat: self._dealt(seat) for seat in self.about if self._changes(seat)}
            shown = {seat: (changed.get(seat, dealt), dealt) for seat, dealt in owed.items()}
        return [
            SeatFantasyland(cards_field(seat), _had(seat), now.name(seat), dealt, had)
            for seat, (dealt, had) in shown.items()
        ]

    def unplaced(self, now: Table) -> list[tuple[str, str]]:
        """What was chosen for players who are not dealt in any more, after their names."""
        gone = [seat for seat in self.about if self._changes(seat) and seat not in now.active()]
        typed = [(now.name(seat), cards(self._dealt(seat)) if self._dealt(seat) else NOT_IN_IT) for seat in gone]
        if self._moves_button and self.button_seat not in now.active():
            typed.append(("", labelled(str(WHO_HAS_BUTTON), now.name(self.button_seat))))
        return typed

    def brought_up_to_date(self, now: Table) -> None:
        """Says what of the table as it is ``now`` the host had not touched in this form, which came too late."""
        had = {"": self._had_button} | {prefix(seat): self._had_cards(seat) for seat in self.about}
        typed = {"": self.button_seat} | {prefix(seat): self._dealt(seat) for seat in self.about}
        table = {"": now.button} | {prefix(seat): now.fantasyland.get(seat, 0) for seat in now.active()}
        whole = rebased(typed, had, table)
        there = [labelled(str(WHO_HAS_BUTTON), now.name(now.button))] if "" in whole.both else []
        for seat in now.active():
            if prefix(seat) in whole.both:
                dealt = table[prefix(seat)]
                there.append(labelled(now.name(seat), cards(dealt) if dealt else NOT_IN_IT))
        for each in news(whole, there):
            self.add_error(None, each)

    @property
    def _moves_button(self) -> bool:
        """Whether the host chose another seat for the button than had it on their page."""
        return self.button_seat != self._had_button

    def _changes(self, seat: int) -> bool:
        return self._dealt(seat) != self._had_cards(seat)

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
