"""Points from one player to the others, outside the score of any hand."""

from collections.abc import Mapping, Sequence

from scoring.forms.typed import TypedForm

MOST_DIGITS = 6


class PenaltyForm(TypedForm):
    """Who pays how many points to whom, and why; ``seats`` are all that there may be."""

    FIELDS = frozenset({"seat", "points", "to", "note"})

    def __init__(self, data: Mapping[str, str], seats: Sequence[int]) -> None:
        super().__init__(data)
        self.seats = seats
        self.payer, self.only = (
            next((number for number in seats if str(number) == self.text(field)), 0) for field in ("seat", "to")
        )

    def read(self) -> None:
        """Read it as a form that was sent."""
        self.seat("seat", self.seats, "Who pays?")
        if self.text("to"):
            self.seat("to", self.seats, "Who gets them?")
        if not self.points:
            self.wrong("points", "A penalty is a whole number of points from 1 to 999999.")
        self.because()

    @property
    def points(self) -> int:
        """The points, 0 for what is no number: the ledger refuses both in the same words."""
        text = self.text("points")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else 0

    @property
    def to(self) -> list[int] | None:
        """Who gets them: one seat, or every other one."""
        return [self.only] if self.only else None
