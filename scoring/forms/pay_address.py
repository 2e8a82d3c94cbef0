"""The form for how a player likes to be paid."""

from scoring.forms.base import LedgerForm
from scoring.forms.fields import TextField
from scoring.wording.phrases import later as _


class PayAddressForm(LedgerForm):
    """A kind, and what was typed for it, which the kind itself reads."""

    kind = TextField(_("Choose a way to be paid."))
    value = TextField(_("Enter an address, a name or a number."))
