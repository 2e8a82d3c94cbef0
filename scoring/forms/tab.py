"""The form by which a payment of the club's tab is recorded."""

from typing import Any

from scoring.forms.fields import TextField
from scoring.forms.payment import PaidForm
from scoring.wording.phrases import later as _


class TabPaymentForm(PaidForm):
    """How much was paid of what is open between two accounts. ``tab`` names the currency, as `tab_name` does."""

    tab = TextField(_("Choose a payment."))

    def arguments(self) -> dict[str, Any]:
        """Those of `pay_tab`, but for the currency, which the view has found by its name."""
        return {name: value for name, value in self.cleaned_data.items() if name != "tab"}
