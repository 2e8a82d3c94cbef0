"""The form by which a player agrees to the record."""

from scoring.forms.base import LedgerForm
from scoring.forms.fields import SeatField, TextField
from scoring.wording.phrases import later as _


class AgreementForm(LedgerForm):
    """The seat that agrees, and the hash of the head that the page showed."""

    seat = SeatField()
    head = TextField()

    def clean(self) -> None:
        """Add an error if no seat was chosen."""
        if self.cleaned_data.get("seat") is None:
            self.add_error("seat", _("Choose who agrees."))
