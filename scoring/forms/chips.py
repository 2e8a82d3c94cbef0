"""Chips that a player buys from the bank or cashes out."""

from collections.abc import Collection, Mapping, MutableMapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError

from scoring.actions.base import TableAction
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.forms.base import ActionForm
from scoring.forms.fields import AmountField, CashField, NumberField, SeatField, TextField
from scoring.wording.phrases import later as _

EVERYONE = "everyone"
"""What the form sends in place of a seat if everybody at the table buys in."""


class BuyersField(SeatField):
    """A seat, or everybody at the table."""

    def prepare_value(self, value: Any) -> Any:
        """The template compares numbers, and this one word."""
        return EVERYONE if value == EVERYONE else super().prepare_value(value)


class ChipsForm(ActionForm):
    """Who buys in or cashes out, and how much."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = (BuyIn, BuyInAll, CashOut)

    seat: SeatField = BuyersField(_("Choose a player."))
    amount = AmountField()
    cash = CashField()
    do = TextField()
    note = TextField()

    def clean_amount(self) -> int:
        """Refuse zero."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError(_("Enter an amount above 0."))
        return amount

    def clean(self) -> None:
        """Refuse a cash-out of everybody: each has another stack."""
        if (self.cleaned_data.get("seat"), self.cleaned_data.get("do")) == (EVERYONE, CashOut.verb):
            self.add_error("seat", _("Players cash out one at a time: choose a player."))

    def action(self) -> TableAction:
        """A buy-in or a cash-out, depending on the button that was pressed."""
        seat, amount, cash = (self.cleaned_data[name] for name in ("seat", "amount", "cash"))
        if seat == EVERYONE:
            return BuyInAll(amount, cash=cash)
        action = CashOut if self.cleaned_data["do"] == CashOut.verb else BuyIn
        return action(seat, amount, cash=cash)


class ForgottenForm(ChipsForm):
    """A forgotten buy-in, booked before an earlier deal. ``deals`` is how many have been played."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = (BuyIn,)

    seat = SeatField(_("Choose a player."))
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
            raise ValidationError(_("Enter a hand from 1 to {last}.").format(last=self.deals))
        return before

    def action(self) -> BuyIn:
        """The buy-in. It needs no valid note, so that the page can preview it without one."""
        sent = self.cleaned_data
        return BuyIn(sent["seat"], sent["amount"], sent["before"], cash=sent["cash"])
