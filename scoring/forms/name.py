"""The form for a session's name."""

from scoring.forms.base import LedgerForm
from scoring.forms.fields import TextField


class NameForm(LedgerForm):
    """The name, which may be empty."""

    name = TextField()
