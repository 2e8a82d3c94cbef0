"""Parses amounts of money. The parser is strict, because 15,38 must never become 1538."""

from __future__ import annotations

import re

from scoring.game.limits import MAX_AMOUNT

CURRENCIES = {
    "EUR": ("Euro", 2),
    "USD": ("US dollar", 2),
    "GBP": ("Pound", 2),
    "CHF": ("Swiss franc", 2),
    "SEK": ("Swedish krona", 2),
    "NOK": ("Norwegian krone", 2),
    "DKK": ("Danish krone", 2),
    "PLN": ("Złoty", 2),
    "CZK": ("Czech koruna", 2),
    "HUF": ("Forint", 2),
    "CAD": ("Canadian dollar", 2),
    "AUD": ("Australian dollar", 2),
    "JPY": ("Yen", 0),
    "RUB": ("Rouble", 2),
    "INR": ("Indian rupee", 2),
    "BRL": ("Brazilian real", 2),
    "chips": ("Chips", 0),
}
"""Code -> name, and the number of decimals in its amounts."""


_AMOUNT = re.compile(r"(?P<whole>[0-9]+|[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+)(?:[.,](?P<part>[0-9]+))?")


class AmountError(Exception):
    """The text is not an amount in this currency. The message is shown to people."""


def parse_amount(text: str, digits: int) -> int:
    """Parses an amount into minor units, given the currency's decimals: ``15.38`` and ``15,38`` are both 1538.

    Point and comma mean the same and never separate thousands, so no amount can be read in two ways: ``1,000`` is
    refused if amounts have two decimals. Raises `AmountError`.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        example = f"0.{'5':0<{digits}}" if digits else "12"
        raise AmountError(f"Enter a number, e.g. {example}.")
    whole, part = re.sub(r"\D", "", match["whole"]), match["part"] or ""
    if len(part) > digits:
        if not digits:
            raise AmountError("Use no decimals, and no thousands separator.")
        raise AmountError(f"Use at most {digits} decimals, and no thousands separator.")
    minor = (whole + part.ljust(digits, "0")).lstrip("0")
    if len(minor) > len(str(MAX_AMOUNT)):
        raise AmountError("That amount is too large.")
    return int(minor or "0")
