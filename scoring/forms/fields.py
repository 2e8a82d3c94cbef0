"""The fields of the host's forms. Each has its own error messages, and shows again what was typed."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring.actions.penalty import BAD_POINTS
from scoring.forms.amounts import AmountError, parse_amount
from scoring.forms.hand import cards_dealt
from scoring.request import whole_number
from scoring.rules.houserules import MOST_ENTERED_POINTS
from scoring.wording.phrases import later as _
from scoring.wording.phrases import translated

WHY = _("Please give a reason (shown in the history).")
"""The ledger refuses a missing reason in the same words."""

LONGEST = 160
"""The most letters of a name or an amount that a page shows again: so many that it is still seen to be too long."""


def cut(text: str) -> str:
    """A name or an amount without what nobody needs to see again. Dots keep what was cut from being another amount.

    Pages repeat it for every pair of players, which made ten megabytes of a small request.
    """
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


class TextField(forms.Field):
    """Text without surrounding space. It is required if there is a ``missing``, the message for an empty field."""

    def __init__(self, missing: str = "", *, required: bool | None = None) -> None:
        needed = bool(missing) if required is None else required
        super().__init__(required=needed, error_messages={"required": missing})

    def to_python(self, value: Any) -> Any:
        """A field that was not sent counts as empty."""
        return _text(value)

    def prepare_value(self, value: Any) -> Any:
        """Shows the text again as typed, even if it is wrong."""
        return _text(value)


class AmountField(TextField):
    """An amount in minor units, for a currency with ``digits`` decimals. None for an empty ``optional`` field."""

    digits = 0

    def __init__(self, *, optional: bool = False) -> None:
        super().__init__(required=not optional)

    def to_python(self, value: Any) -> Any:
        """Raises `ValidationError` for anything that is not an amount in this currency."""
        text = _text(value)
        if not text and not self.required:
            return None
        try:
            return parse_amount(text, self.digits)
        except AmountError as error:
            raise ValidationError(str(error)) from error

    def prepare_value(self, value: Any) -> Any:
        """Shows what was typed, as far as `cut` leaves it."""
        return cut(_text(value))


class OverField(AmountField):
    """The excess over what is owed, as the checkbox that confirms it sends it; 0 if it is not ticked."""

    def __init__(self) -> None:
        super().__init__(optional=True)

    def to_python(self, value: Any) -> int:
        """0 for anything that is no amount, to which nobody can have agreed."""
        try:
            return super().to_python(value) or 0
        except ValidationError:
            return 0


class PointsField(TextField):
    def to_python(self, value: Any) -> Any:
        """Refuses zero and anything that is not a number, in the ledger's own words."""
        points = whole_number(_text(value))
        if not 1 <= points <= MOST_ENTERED_POINTS:
            raise ValidationError(translated(BAD_POINTS))
        return points


class NumberField(TextField):
    """A whole number of at most nine digits. 0, which numbers nothing here, for anything else."""

    def to_python(self, value: Any) -> Any:
        """The form decides what a 0 means."""
        return whole_number(_text(value))


class CardsField(TextField):
    """How many cards a seat is dealt at once, 0 if it is not in Fantasyland. None if the field was not sent."""

    def to_python(self, value: Any) -> Any:
        """0 for any number of cards that Fantasyland never deals."""
        return None if value is None else cards_dealt(value, 0)

    def prepare_value(self, value: Any) -> Any:
        """The template compares numbers."""
        return self.to_python(value)


class CashField(TextField):
    """Whether chips are paid for on the spot, as "yes" or "no". Forms of earlier releases did not ask: then they are
    on credit.
    """

    def to_python(self, value: Any) -> Any:
        """Refuses anything but "yes", "no" and an empty text."""
        text = _text(value)
        if text not in ("yes", "no", ""):
            raise ValidationError(_("Choose cash or credit."))
        return text == "yes"


def for_cash(chosen: bool) -> str:
    """A choice as the form has it."""
    return "yes" if chosen else "no"


class SeatField(TextField):
    """A seat number out of ``seats``, None if nothing was chosen.

    ``missing`` is the error for a seat that may not be chosen, and for an empty field that is required.
    """

    seats: Collection[int] = ()

    def to_python(self, value: Any) -> Any:
        chosen = self.prepare_value(value)
        if chosen is None and _text(value) and self.error_messages["required"]:
            raise ValidationError(self.error_messages["required"])
        return chosen

    def prepare_value(self, value: Any) -> Any:
        """The template compares numbers."""
        text = _text(value)
        return next((seat for seat in self.seats if str(seat) == text), None)


class SeatsField(TextField):
    """The ticked seats, in the order of ``seats``."""

    widget = forms.CheckboxSelectMultiple
    seats: Collection[int] = ()

    def to_python(self, value: Any) -> Any:
        return self.prepare_value(value)

    def prepare_value(self, value: Any) -> Any:
        """The template compares numbers."""
        ticked = set(map(str, value or ()))
        return [seat for seat in self.seats if str(seat) in ticked]


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()
