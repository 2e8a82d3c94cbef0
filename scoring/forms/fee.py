"""A fee that each of the chosen players pays to the house."""

from scoring.actions.fee import Fee
from scoring.forms.booking import BookingForm
from scoring.forms.fields import WHY, AmountField, SeatsField, TextField
from scoring.wording.phrases import later as _


class FeeForm(BookingForm):
    """The same amount from each chosen player. It counts neither as points nor as winnings."""

    ACTIONS = (Fee,)
    LABEL = _("Fee")
    HINT = _("for the house or the time")

    seats = SeatsField(_("Choose who pays."))
    amount = AmountField()
    note = TextField(WHY)
