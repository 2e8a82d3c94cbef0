"""Money that no hand accounts for: a side bet between two, a fee for the house."""

from collections.abc import Mapping, Sequence

from scoring.forms.typed import TypedForm


class SideBetForm(TypedForm):
    """Who pays whom how much, and why; ``seats`` may, ``digits`` are the currency's."""

    FIELDS = frozenset({"payer", "payee", "amount", "note"})

    def __init__(self, data: Mapping[str, str], seats: Sequence[int], digits: int) -> None:
        super().__init__(data)
        self.seats, self.digits = seats, digits
        self.payer, self.payee = (
            next((number for number in seats if str(number) == self.text(field)), 0) for field in ("payer", "payee")
        )
        self.minor = 0

    def read(self) -> None:
        """Read it as a form that was sent."""
        self.seat("payer", self.seats, "Who pays?")
        self.seat("payee", self.seats, "Who gets it?")
        self.minor = self.amount("amount", self.digits)
        self.because()


class FeeForm(TypedForm):
    """What each of the chosen seats pays to the house, and for what."""

    FIELDS = frozenset({"seats", "amount", "note"})

    def __init__(self, data: Mapping[str, str], chosen: Sequence[int], digits: int) -> None:
        """``chosen`` are the boxes that were ticked; all of them on a fresh form."""
        super().__init__(data)
        self.digits = digits
        self.chosen = list(chosen)
        self.minor = 0

    def read(self) -> None:
        """Read it as a form that was sent."""
        if not self.chosen:
            self.wrong("seats", "Somebody has to pay it.")
        self.minor = self.amount("amount", self.digits)
        self.because()
