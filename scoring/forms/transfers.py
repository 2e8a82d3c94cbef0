"""Money that no hand accounts for: a side bet between two, a fee for the house."""

from scoring.forms.base import LedgerForm
from scoring.forms.fields import WHY, AmountField, SeatField, SeatsField, TextField


class SideBetForm(LedgerForm):
    """Who pays whom how much, and why."""

    payer = SeatField("Who pays?")
    payee = SeatField("Who gets it?")
    amount = AmountField()
    note = TextField(WHY)


class FeeForm(LedgerForm):
    """What each of the chosen seats pays to the house, and for what."""

    seats = SeatsField("Somebody has to pay it.")
    amount = AmountField()
    note = TextField(WHY)
