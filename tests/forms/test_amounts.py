"""Amounts as people type them. An amount that could be read in two ways is refused."""

import pytest

from scoring.forms.amounts import AmountError, parse_amount
from scoring.game.limits import MAX_AMOUNT


@pytest.mark.parametrize(
    ("text", "digits", "amount"),
    [
        ("15,38", 2, 1538),
        ("15.38", 2, 1538),
        ("１５．３８", 2, 1538),
        ("15.3", 2, 1530),
        ("15", 2, 1500),
        (" 0.05 ", 2, 5),
        ("0", 2, 0),
        ("1 000,50", 2, 100050),
        ("1\u202f234\u00a0567", 0, 1234567),
        ("250", 0, 250),
        ("1.234", 3, 1234),
        ("99999999999999.99", 2, MAX_AMOUNT),
    ],
)
def test_an_amount_is_read_in_minor_units(text: str, digits: int, amount: int) -> None:
    assert parse_amount(text, digits) == amount


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("1,000", 2),
        ("1.000", 2),
        ("1,000.00", 2),
        ("15,380", 2),
        ("15,38", 0),
        ("-1", 2),
        ("−1", 2),
        ("+1", 2),
        ("1e3", 2),
        ("1 00", 2),
        ("10 EUR", 2),
        ("€10", 2),
        ("", 2),
        (".5", 2),
        ("5.", 2),
        ("١٥", 2),
        ("0x10", 2),
        ("NaN", 2),
        ("100000000000000.00", 2),
        ("9" * 5000, 2),
    ],
)
def test_what_is_no_amount_of_the_currency_is_refused(text: str, digits: int) -> None:
    with pytest.raises(AmountError):
        parse_amount(text, digits)
