"""The fields of the host's forms; each has its own sentence for what it cannot take, and shows what was typed again."""

import re
from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring.forms.amounts import AmountError, parse_amount
from scoring.forms.hand import cards_dealt
from scoring.request import whole_number

WHY = "Say why: this goes into the history."
"""The ledger, which asks for a reason as well, uses the same words."""


class TextField(forms.Field):
    """What was typed, without the space around it; ``missing`` is said where there has to be something."""

    def __init__(self, missing: str = "", *, required: bool | None = None) -> None:
        needed = bool(missing) if required is None else required
        super().__init__(required=needed, error_messages={"required": missing})

    def to_python(self, value: Any) -> Any:
        """A field that was not sent is an empty one."""
        return _text(value)

    def prepare_value(self, value: Any) -> Any:
        """The page shows it as typed, whatever may be wrong with it."""
        return _text(value)


class AmountField(TextField):
    """Money in minor units of a currency with so many ``digits``; None for an ``optional`` amount that was left out."""

    digits = 0

    def __init__(self, *, optional: bool = False) -> None:
        super().__init__(required=not optional)

    def to_python(self, value: Any) -> Any:
        """Whatever is no amount of this currency is refused."""
        text = _text(value)
        if not text and not self.required:
            return None
        try:
            return parse_amount(text, self.digits)
        except AmountError as error:
            raise ValidationError(str(error)) from error


class PointsField(TextField):
    """The points of a penalty."""

    def to_python(self, value: Any) -> Any:
        """The ledger refuses nothing, and what is no number is refused here in the same words."""
        text = _text(value)
        if not re.fullmatch("[0-9]{1,6}", text) or not int(text):
            raise ValidationError("A penalty is a whole number of points from 1 to 999999.")
        return int(text)


class NumberField(TextField):
    """A small whole number; 0, which numbers nothing here, for anything else."""

    def to_python(self, value: Any) -> Any:
        """What a 0 means is for the form to say."""
        return whole_number(_text(value))


class CardsField(TextField):
    """How many cards a seat is dealt at once, 0 for none; None where the form does not say."""

    def to_python(self, value: Any) -> Any:
        """Anything but a number of cards that Fantasyland has is none."""
        return None if value is None else cards_dealt(value, 0)

    def prepare_value(self, value: Any) -> Any:
        """The page compares numbers."""
        return self.to_python(value)


class SeatField(TextField):
    """One of the ``seats``, None for no choice; ``missing`` is said of any other, and of none where one is needed."""

    seats: Collection[int] = ()

    def to_python(self, value: Any) -> Any:
        """Its number."""
        chosen = self.prepare_value(value)
        if chosen is None and _text(value) and self.error_messages["required"]:
            raise ValidationError(self.error_messages["required"])
        return chosen

    def prepare_value(self, value: Any) -> Any:
        """The page compares numbers."""
        text = _text(value)
        return next((seat for seat in self.seats if str(seat) == text), None)


class SeatsField(TextField):
    """Those of the ``seats`` that were ticked, in their order."""

    widget = forms.CheckboxSelectMultiple
    seats: Collection[int] = ()

    def to_python(self, value: Any) -> Any:
        """Their numbers."""
        return self.prepare_value(value)

    def prepare_value(self, value: Any) -> Any:
        """The page compares numbers."""
        ticked = set(map(str, value or ()))
        return [seat for seat in self.seats if str(seat) in ticked]


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()
