"""The form that closes a session, and the one that moves a closed session on or off the club's tab."""

from typing import Any, Final

from django import forms

from scoring.forms.base import NoteForm

TAB: Final = "tab"
"""The choice by which what is open is carried to the club's tab. The other one is to settle it on the spot."""

WHERE: Final = [(TAB, TAB), ("spot", "spot")]


class CloseForm(NoteForm):
    """Where what is open goes, and a note."""

    tab = forms.ChoiceField(
        choices=WHERE,
        error_messages={"required": "Say where what is open goes.", "invalid_choice": "Say where what is open goes."},
    )

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.close_session`."""
        return {"note": self.cleaned_data["note"], "tab": self.cleaned_data["tab"] == TAB}


class TabForm(CloseForm):
    """Whether a closed session is on the club's tab."""

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.choose_tab`."""
        return {"on": self.cleaned_data["tab"] == TAB}
