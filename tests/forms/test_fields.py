"""The fields of the host's forms: the value that each reads from a text, its error message, and what it shows again."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.forms import Field

from scoring.forms.fields import AmountField, CardsField, NumberField, PointsField, SeatField, SeatsField, TextField


def seat(missing: str = "", **options: Any) -> SeatField:
    field = SeatField(missing, **options)
    field.seats = (1, 2, 12)
    return field


def seats(missing: str = "") -> SeatsField:
    field = SeatsField(missing)
    field.seats = (3, 1, 2)
    return field


def money(digits: int, **options: Any) -> AmountField:
    field = AmountField(**options)
    field.digits = digits
    return field


@pytest.mark.parametrize(
    ("field", "typed", "meant"),
    [
        (TextField(), None, ""),
        (TextField(), "  so\x00 it is ", "so\x00 it is"),
        (money(2), " 15,38 ", 1538),
        (money(0), "15", 15),
        (money(2), "0", 0),
        (money(2, optional=True), " ", None),
        (money(2, optional=True), None, None),
        (PointsField(), " 000003 ", 3),
        (NumberField(), "7", 7),
        (NumberField(), "seven", 0),
        (CardsField(), "14", 14),
        (CardsField(), "99", 0),
        (CardsField(), None, None),
        (seat("Who?"), " 12 ", 12),
        (seat("Who?", required=False), "", None),
        (seat(), "99", None),
        (seats(), ["2", "x", "3"], [3, 2]),
        (seats(), None, []),
    ],
)
def test_a_text_becomes_what_the_ledger_takes(field: Field, typed: object, meant: object) -> None:
    assert field.clean(typed) == meant


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        (TextField("Say why."), "  ", "Say why."),
        (money(2), "1,000", "Use at most 2 decimals, and no thousands separator."),
        (money(2), "1,000.00", "Use at most 2 decimals, and no thousands separator."),
        (money(2), " 1.000,00", "Use at most 2 decimals, and no thousands separator."),
        (money(2), "1’000.00", "Use at most 2 decimals, and no thousands separator."),
        (money(2), "12 34", "Use at most 2 decimals, and no thousands separator."),
        (money(0), "1,000", "Use no decimals, and no thousands separator."),
        (money(0), "1,000,000", "Use no decimals, and no thousands separator."),
        (money(0), "", "Enter a number, e.g. 12."),
        (money(2, optional=True), "x", "Enter a number, e.g. 0.50."),
        *[(money(2), typed, "Enter a number, e.g. 0.50.") for typed in (".", ".5", "1e3", "5-5", "5.", "-", "2 € 50")],
        *[
            (money(2), typed, "Enter the number alone, e.g. 0.50.")
            for typed in ("-5", "−5", "+5", "2 €", "€2", "2 EUR")
        ],
        (money(0), "-1", "Enter the number alone, e.g. 12."),
        *[
            (PointsField(), typed, "A penalty is a whole number of points from 1 to 999999.")
            for typed in (None, "", "0", "-1", "+3", "1.5", "1000000", "٣")
        ],
        (seat("Who?"), None, "Who?"),
        (seat("Who?"), "3", "Who?"),
        (seat("Who?", required=False), "3", "Who?"),
        (seats("Somebody."), ["9"], "Somebody."),
    ],
)
def test_a_refused_text_gets_one_error_message(field: Field, typed: object, message: str) -> None:
    with pytest.raises(ValidationError) as refused:
        field.clean(typed)
    assert refused.value.messages == [message]


@pytest.mark.parametrize(
    ("field", "typed", "shown"),
    [
        (money(2), " 1,000 ", "1,000"),
        (money(2), "0" * 200 + "1", "0" * 160 + "…"),
        (PointsField(), "many", "many"),
        (TextField(), None, ""),
        (seat(), "2", 2),
        (seat(), "99", None),
        (seats(), ["2", "1"], [1, 2]),
        (CardsField(), "15", 15),
    ],
)
def test_the_page_shows_again_what_was_typed(field: Field, typed: object, shown: object) -> None:
    assert field.prepare_value(typed) == shown
