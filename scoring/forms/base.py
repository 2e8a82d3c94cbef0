"""What the host's forms share: the arguments that they give the ledger, and the place of its errors."""

from collections.abc import Collection, Iterable, Mapping, MutableMapping
from typing import Any, ClassVar

from django import forms

from scoring.actions.base import TableAction
from scoring.forms.fields import AmountField, SeatField, SeatsField, TextField
from scoring.rules.errors import Problem
from scoring.wording.phrases import translated


class LedgerForm(forms.Form):
    """A form that the ledger may also refuse. Each of its problems goes to the field that caused it, or to none.

    ``PLACES`` maps a problem's ``where`` to a field of another name, or to "" for no field. ``status`` is the HTTP
    status of the page that shows the form again, 0 for a form that nobody has sent.
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
        """``seats`` are the seats that may be chosen, ``digits`` the currency's decimals, ``more`` fields beyond the
        class's.
        """
        super().__init__(data, initial=initial)
        self.status = 0
        self.fields |= more or {}
        for field in self.fields.values():
            if isinstance(field, SeatField | SeatsField):
                field.seats = seats
            elif isinstance(field, AmountField):
                field.digits = digits

    def arguments(self) -> dict[str, Any]:
        """The arguments of the ledger's function, by name."""
        return dict(self.cleaned_data)

    def refused(self, problems: Iterable[Problem]) -> None:
        """Put each of the ledger's problems at the field that caused it."""
        for problem in problems:
            place = self.PLACES.get(problem.where, problem.where)
            self.add_error(place if place in self.fields else None, translated(problem.message))

    def text(self, field: str) -> str:
        """What was typed in this field."""
        return str(self.data.get(field, "")).strip()

    def wrong(self, field: str) -> list[str]:
        """The errors of this field."""
        return [str(message) for message in self.errors.get(field, ())]


class NoteForm(LedgerForm):
    """A form with nothing but a note. Whether the note may be empty is up to the ledger."""

    note = TextField()


class ActionForm(LedgerForm):
    """A form that asks for one of the `ACTIONS`, with a note."""

    ACTIONS: ClassVar[tuple[type[TableAction], ...]] = ()

    note = TextField()

    def action(self) -> TableAction:
        """The action that the form asks for. By default the form's fields are the fields of the action."""
        fields = {name: value for name, value in self.cleaned_data.items() if name != "note"}
        return self.ACTIONS[0](**fields)

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.record`."""
        return {"action": self.action(), "note": self.cleaned_data["note"]}
