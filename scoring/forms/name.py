"""What the evening is called."""

from scoring.forms.base import LedgerForm
from scoring.forms.fields import TextField


class NameForm(LedgerForm):
    """One field, which may be left empty."""

    name = TextField()
