"""Parses amounts of money. The parser is strict, because 15,38 must never become 1538."""

from __future__ import annotations

import re

from scoring.game.limits import MAX_AMOUNT
from scoring.texts import ngettext
from scoring.wording.figures import typed_amount
from scoring.wording.phrases import later as _

CURRENCIES = {
    "EUR": (_("Euro"), 2),
    "USD": (_("US dollar"), 2),
    "GBP": (_("Pound"), 2),
    "CHF": (_("Swiss franc"), 2),
    "SEK": (_("Swedish krona"), 2),
    "NOK": (_("Norwegian krone"), 2),
    "DKK": (_("Danish krone"), 2),
    "PLN": (_("Złoty"), 2),
    "CZK": (_("Czech koruna"), 2),
    "HUF": (_("Forint"), 2),
    "CAD": (_("Canadian dollar"), 2),
    "AUD": (_("Australian dollar"), 2),
    "JPY": (_("Yen"), 0),
    "RUB": (_("Rouble"), 2),
    "INR": (_("Indian rupee"), 2),
    "BRL": (_("Brazilian real"), 2),
    "chips": (_("Chips"), 0),
}
"""Code -> name, and the number of decimals in its amounts."""


_AMOUNT = re.compile(r"(?P<whole>[0-9]+|[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+)(?:[.,](?P<part>[0-9]+))?")

_MORE = re.compile(rf"[^0-9.,…]*{_AMOUNT.pattern}[^0-9.,…]*")
"""An amount with a sign or a currency. Dots stand for figures that were cut."""

_FIGURES = re.compile(r"[0-9]+(?:[ '’.,\u00a0\u202f]+[0-9]+)+")
"""Figures and the marks that somebody somewhere writes between them."""

_FULL_WIDTH = str.maketrans("０１２３４５６７８９．，", "0123456789.,")
"""What keyboards of Japanese and Chinese write in place of figures and their marks."""


class AmountError(Exception):
    """The text is not an amount in this currency. The message is shown to people."""


def parse_amount(text: str, digits: int) -> int:
    """Parses an amount into minor units, given the currency's decimals: ``15.38`` and ``15,38`` are both 1538.

    Point and comma mean the same and never separate thousands, so no amount can be read in two ways: ``1,000`` is
    refused if amounts have two decimals. Raises `AmountError`.
    """
    match = _AMOUNT.fullmatch(text.strip().translate(_FULL_WIDTH))
    if match is None and _FIGURES.fullmatch(text.strip()):
        raise _too_precise(digits)
    if match is None:
        example = typed_amount(5 * 10 ** (digits - 1), digits) if digits else "12"
        more = _MORE.fullmatch(text.strip().translate(_FULL_WIDTH))
        said = _("Enter the number alone, e.g. {example}.") if more else _("Enter a number, e.g. {example}.")
        raise AmountError(said.format(example=example))
    whole, part = re.sub(r"\D", "", match["whole"]), match["part"] or ""
    if len(part) > digits:
        raise _too_precise(digits)
    minor = (whole + part.ljust(digits, "0")).lstrip("0")
    if len(minor) > len(str(MAX_AMOUNT)):
        raise AmountError(_("That amount is too large."))
    return int(minor or "0")


def _too_precise(digits: int) -> AmountError:
    if not digits:
        return AmountError(_("Use no decimals, and no thousands separator."))
    return AmountError(
        ngettext(
            "Use at most {count} decimal, and no thousands separator.",
            "Use at most {count} decimals, and no thousands separator.",
            digits,
        ).format(count=digits)
    )


def same_amount(text: str, other: str, *, digits: int) -> bool:
    """Whether two texts are one amount, as 7 and 7.00 are."""
    try:
        return text == other or parse_amount(text, digits) == parse_amount(other, digits)
    except AmountError:
        return False
