"""The form by which a payment is recorded."""

from django import forms

from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, SeatField, TextField
from scoring.ledger import Way


class PaymentForm(LedgerForm):
    """How much of one payment was paid, and how. ``more`` agrees that the payee owes back what is too much."""

    payer = SeatField("Choose a payment.")
    payee = SeatField("Choose a payment.")
    way = forms.TypedChoiceField(choices=[(way, way) for way in Way], coerce=Way)
    amount = AmountField()
    more = forms.BooleanField(required=False)
    note = TextField()
