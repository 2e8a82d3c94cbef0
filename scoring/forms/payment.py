"""The forms by which payments are recorded."""

from typing import Any, Final

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, OverField, SeatField, TextField
from scoring.ledger import Way
from scoring.wording.figures import sentences
from scoring.wording.phrases import later as _

UNASKED: Final = "unasked"
"""The code of the error of a payment that somebody has yet to confirm."""


class WayField(TextField):
    """One of the two ways to settle up. It is hidden, so a form that has none is offered again with the fewest."""

    def to_python(self, value: Any) -> Any:
        """None for anything else, which the form refuses: no field on the page could be marked."""
        return Way(value) if value in list(Way) else None

    def prepare_value(self, value: Any) -> Any:
        """Shows one that can be sent."""
        return self.to_python(value) or Way.FEWEST


class PaidForm(LedgerForm):
    """How much of one payment was paid, and how. ``over`` agrees that the payee then owes this much."""

    payer = SeatField(_("Choose a payment."))
    payee = SeatField(_("Choose a payment."))
    amount = AmountField()
    over = OverField()
    seen = AmountField(optional=True)
    note = TextField()


class PaymentForm(PaidForm):
    """A payment of a session, by one of the two ways to settle up.

    With ``anyway`` it is recorded although less is open on the club's tab.
    """

    way = WayField()
    anyway = TextField()

    def clean(self) -> None:
        """Refuses a form that does not say by which plan it was paid."""
        if self.cleaned_data["way"] is None:
            said = _("It was not clear which of the payments this is. Check the amount, and record it again.")
            self.add_error(None, said)

    def require_anyway(self, why: str) -> None:
        """Refuses a form that was valid unless it says that it is to be recorded although ``why``."""
        if not self.cleaned_data["anyway"]:
            said = sentences(why, str(_("If it was not, tick that below.")))
            self.add_error(None, ValidationError(said, code=UNASKED))

    @property
    def asks(self) -> bool:
        """Whether it was refused only until somebody says that it is to be recorded all the same."""
        return self.has_error(NON_FIELD_ERRORS, UNASKED)

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.pay`."""
        return {name: value for name, value in super().arguments().items() if name != "anyway"}
