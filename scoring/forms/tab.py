"""The form by which a payment of the club's tab is recorded."""

from django import forms

from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, SeatField, TextField


class TabPaymentForm(LedgerForm):
    """How much was paid of what is open between two accounts, and how. ``seats`` are the accounts.

    ``tab`` names the currency, as `scoring.wording.tab.tab_name` does.
    """

    payer = SeatField("Choose a payment.")
    payee = SeatField("Choose a payment.")
    tab = TextField("Choose a payment.")
    amount = AmountField()
    more = forms.BooleanField(required=False)
    note = TextField()
