"""The form by which a payment of the club's tab is recorded."""

from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, OverField, SeatField, TextField
from scoring.wording.phrases import later as _


class TabPaymentForm(LedgerForm):
    """How much was paid of what is open between two accounts, and how. ``seats`` are the accounts.

    ``tab`` names the currency, as `scoring.wording.tab.tab_name` does. ``over`` agrees that the payee then owes this
    much.
    """

    payer = SeatField(_("Choose a payment."))
    payee = SeatField(_("Choose a payment."))
    tab = TextField(_("Choose a payment."))
    amount = AmountField()
    over = OverField()
    seen = AmountField(optional=True)
    note = TextField()
