"""Chips that go between a player and the bank."""

from collections.abc import Collection, Mapping, MutableMapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError

from scoring.actions.base import TableAction
from scoring.actions.chips import BuyIn, CashOut
from scoring.forms.base import ActionForm
from scoring.forms.fields import AmountField, NumberField, SeatField, TextField


class ChipsForm(ActionForm):
    """Who buys or cashes in how much."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = (BuyIn, CashOut)

    seat = SeatField("Whose chips?")
    amount = AmountField()
    do = TextField()
    note = TextField()

    def clean_amount(self) -> int:
        """Nothing cannot be bought."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError("That is nothing.")
        return amount

    def action(self) -> TableAction:
        """The button that was pressed says which."""
        verb = CashOut if self.cleaned_data["do"] == CashOut.verb else BuyIn
        return verb(self.cleaned_data["seat"], self.cleaned_data["amount"])


class ForgottenForm(ChipsForm):
    """A buy-in that was made before an earlier deal; ``deals`` have been played."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = (BuyIn,)

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

    def action(self) -> BuyIn:
        """The buy-in, whatever may be wrong with the note."""
        sent = self.cleaned_data
        return BuyIn(sent["seat"], sent["amount"], sent["before"])
