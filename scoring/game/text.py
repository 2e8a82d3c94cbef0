"""Text that people typed: cleaning it for storage and folding it for comparison."""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

from scoring.game.limits import FOLDED_LENGTH, NOTE_LENGTH

LONGEST: Final = 4 * NOTE_LENGTH
"""The longest text that is normalised, since that takes time with the square of the length.

No character stands for more than four that were typed, so a longer text is too long for every field, composed or not.
"""


def clean(text: str) -> str:
    """Clean typed text: drop control characters, reduce white space to single spaces, compose its characters (NFC).

    A text longer than `LONGEST` stays uncomposed, and still too long for any field.
    """
    visible = "".join(each for each in text if each.isspace() or unicodedata.category(each)[0] != "C")
    return _normalised("NFC", " ".join(visible.split()))


def shortened(text: str, most: int) -> str:
    """Clean text that nobody has to be asked about again, such as the name of a link, and cut it to ``most``."""
    return clean(clean(text)[:LONGEST])[:most]


def plain(text: str) -> str:
    """The text in ASCII, for systems that read nothing else: é becomes e, and what has no such letter is dropped."""
    return "".join(each for each in _normalised("NFKD", text) if each.isascii() and each.isprintable())


def fold(name: str) -> str:
    """Fold a name, so that its spellings compare equal whatever their case, width or spaces (NFKC, casefold).

    It is cut to the length that is stored: a single character may stand for eighteen.
    """
    return " ".join(_normalised("NFKC", name).casefold().split())[:FOLDED_LENGTH]


def _normalised(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    return unicodedata.normalize(form, text) if len(text) <= LONGEST else text
