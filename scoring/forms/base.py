"""What the host's forms have in common: what the ledger takes of them, and where it says what is wrong."""

from collections.abc import Collection, Iterable, Mapping, MutableMapping
from typing import Any, ClassVar

from django import forms

from scoring.actions.base import TableAction
from scoring.forms.fields import AmountField, SeatField, SeatsField, TextField
from scoring.rules.errors import Problem


class LedgerForm(forms.Form):
    """A form that the ledger may refuse as well: each of its problems goes to the field that caused it, or to none.

    ``PLACES`` says where the ledger's ``where`` belongs if the field is not called so; "" is for none. ``status`` is
    that of the page which shows the form again, 0 for a form that nobody has sent.
    """

    PLACES: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        initial: MutableMapping[str, Any] | None = None,
        seats: Collection[int] = (),
        digits: int = 0,
        more: Mapping[str, forms.Field] | None = None,
    ) -> None:
        """``seats`` are all that may be chosen, ``digits`` the decimals of the currency; ``more`` are fields besides
        those of the class.
        """
        super().__init__(data, initial=initial)
        self.status = 0
        self.fields |= more or {}
        for field in self.fields.values():
            if isinstance(field, SeatField | SeatsField):
                field.seats = seats
            elif isinstance(field, AmountField):
                field.digits = digits

    def asked(self) -> dict[str, Any]:
        """What the ledger's verb takes, by the names that it has there."""
        return dict(self.cleaned_data)

    def refused(self, problems: Iterable[Problem]) -> None:
        """Put the ledger's problems where they belong."""
        for problem in problems:
            place = self.PLACES.get(problem.where, problem.where)
            self.add_error(place if place in self.fields else None, problem.message)

    def text(self, field: str) -> str:
        """What was typed there."""
        return str(self.data.get(field, "")).strip()

    def wrong(self, field: str) -> list[str]:
        """What is wrong there."""
        return [str(message) for message in self.errors.get(field, ())]


class NoteForm(LedgerForm):
    """A word on what is done; whether there has to be one is the ledger's to say."""

    note = TextField()


class ActionForm(LedgerForm):
    """A form that asks for one of the `ACTIONS`, with a note why."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = ()

    note = TextField()

    def action(self) -> TableAction:
        """The action that was asked for; unless the form says differently, its fields are the action's."""
        fields = {name: value for name, value in self.cleaned_data.items() if name != "note"}
        return self.ACTIONS[0](**fields)

    def asked(self) -> dict[str, Any]:
        """What `ledger.record` takes."""
        return {"action": self.action(), "note": self.cleaned_data["note"]}
