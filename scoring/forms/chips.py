"""Chips that go between a player and the bank."""

from collections.abc import Mapping, Sequence

from scoring.forms.typed import TypedForm
from scoring.request import whole_number


class ChipsForm(TypedForm):
    """Who buys or cashes in how much. ``seats`` may; ``digits`` are the currency's."""

    FIELDS = frozenset({"seat", "amount", "note", "before"})

    def __init__(self, data: Mapping[str, str], seats: Sequence[int], digits: int) -> None:
        super().__init__(data)
        self.seats = seats
        self.digits = digits
        self.chosen = next((number for number in seats if str(number) == self.text("seat")), 0)
        self.minor = 0

    def read(self) -> None:
        """Read it as a form that was sent: what is wrong is in ``errors``, the amount in ``minor``."""
        self.seat("seat", self.seats, "Whose chips?")
        self.minor = self.amount("amount", self.digits)
        if not self.minor and "amount" not in self.errors:
            self.wrong("amount", "That is nothing.")

    @property
    def before(self) -> int:
        """The hand before which a forgotten buy-in was made; 0 for none."""
        return whole_number(self.text("before"))
