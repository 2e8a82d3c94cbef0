"""Chips that go between a player and the bank."""

from collections.abc import Collection, Mapping, MutableMapping
from typing import Any

from django.core.exceptions import ValidationError

from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, NumberField, SeatField, TextField


class ChipsForm(LedgerForm):
    """Who buys or cashes in how much."""

    seat = SeatField("Whose chips?")
    amount = AmountField()
    note = TextField()

    def clean_amount(self) -> int:
        """Nothing cannot be bought."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError("That is nothing.")
        return amount


class ForgottenForm(ChipsForm):
    """A buy-in that was made before an earlier hand; ``deals`` hands have been played."""

    before = NumberField()

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        initial: MutableMapping[str, Any],
        seats: Collection[int],
        digits: int,
        deals: int,
    ) -> None:
        super().__init__(data, initial=initial, seats=seats, digits=digits)
        self.deals = deals

    def clean_before(self) -> int:
        """Before the hand that comes next nothing is forgotten yet."""
        before: int = self.cleaned_data["before"]
        if not 1 <= before <= self.deals:
            raise ValidationError("Before which hand was it?")
        return before

    def purchase(self) -> dict[str, Any]:
        """What is asked for, whatever may be wrong with the note."""
        return {name: self.cleaned_data[name] for name in ("seat", "amount", "before")}
