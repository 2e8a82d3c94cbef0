"""A fee that each of the chosen players pays to the house."""

from scoring.actions.fee import Fee
from scoring.forms.booking import BookingForm
from scoring.forms.fields import WHY, AmountField, SeatsField, TextField


class FeeForm(BookingForm):
    """The same amount from each chosen player. It counts neither as points nor as winnings."""

    ACTIONS = (Fee,)
    LABEL = "Fee"
    HINT = "for the house or the time"

    seats = SeatsField("Choose who pays.")
    amount = AmountField()
    note = TextField(WHY)
