"""Chips that a player buys from the bank or cashes out."""

from collections.abc import Collection, Mapping, MutableMapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError

from scoring.actions.base import TableAction
from scoring.actions.chips import BuyIn, CashOut
from scoring.forms.base import ActionForm
from scoring.forms.fields import AmountField, NumberField, SeatField, TextField


class ChipsForm(ActionForm):
    """Who buys in or cashes out, and how much."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = (BuyIn, CashOut)

    seat = SeatField("Whose chips?")
    amount = AmountField()
    do = TextField()
    note = TextField()

    def clean_amount(self) -> int:
        """Refuse zero."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError("That is nothing.")
        return amount

    def action(self) -> TableAction:
        """A buy-in or a cash-out, depending on the button that was pressed."""
        action = CashOut if self.cleaned_data["do"] == CashOut.verb else BuyIn
        return action(self.cleaned_data["seat"], self.cleaned_data["amount"])


class ForgottenForm(ChipsForm):
    """A forgotten buy-in, booked before an earlier deal. ``deals`` is how many have been played."""

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
        """Refuse the next deal: a buy-in before that one is an ordinary one."""
        before: int = self.cleaned_data["before"]
        if not 1 <= before <= self.deals:
            raise ValidationError("Before which hand was it?")
        return before

    def action(self) -> BuyIn:
        """The buy-in. It needs no valid note, so that the page can preview it without one."""
        sent = self.cleaned_data
        return BuyIn(sent["seat"], sent["amount"], sent["before"])
