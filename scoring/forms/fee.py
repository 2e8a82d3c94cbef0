"""What each of the chosen players pays to the house, and for what."""

from scoring.actions.fee import Fee
from scoring.forms.booking import BookingForm
from scoring.forms.fields import WHY, AmountField, SeatsField, TextField


class FeeForm(BookingForm):
    """The same from each, for the table or the time, apart from points and winnings."""

    ACTIONS = (Fee,)
    LABEL = "Fee"
    HINT = "for the house or the time"

    seats = SeatsField("Somebody has to pay it.")
    amount = AmountField()
    note = TextField(WHY)
