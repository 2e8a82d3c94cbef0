"""Text that people typed: cleaning it for storage and folding it for comparison."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

from scoring.game.limits import FOLDED_LENGTH, NOTE_LENGTH

LONGEST: Final = 4 * NOTE_LENGTH
"""The longest text that is normalised, since that takes time with the square of the length.

No character stands for more than four that were typed, so a longer text is too long for every field, composed or not.
"""


_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_SCRIPTS: Final = re.compile("[\u0600-\u0dff\u1000-\u109f\u1780-\u18af]")
"""The scripts whose letters look different beside a joiner: Arabic to Sinhala, Burmese, Khmer and Mongolian."""

_VIRAMA: Final = 9
"""The combining class of the sign that joins a consonant to the next one."""


def clean(text: str) -> str:
    """Clean typed text: drop what nobody sees, reduce white space to single spaces, compose its characters (NFC).

    A text longer than `LONGEST` stays uncomposed, and still too long for any field.
    """
    return _normalised("NFC", " ".join(_visible(text).split()))


def hides(text: str) -> bool:
    """Whether a text has characters, other than white space, that `clean` would drop."""
    return len(_visible(text)) < len(text)


def _visible(text: str) -> str:
    """The text without control characters, and without joiners where they join nothing."""
    kept = [each for each in text if each.isspace() or each in _JOINERS or unicodedata.category(each)[0] != "C"]
    around = zip(["", *kept], kept, [*kept[1:], ""], strict=False)
    return "".join(each for before, each, after in around if each not in _JOINERS or _joins(before, each, after))


def _joins(before: str, joiner: str, after: str) -> bool:
    """Whether a joiner changes how these two look: two letters of such a script, or two emoji, which become one."""
    if not before or not after:
        return False
    if _SCRIPTS.match(before) and _SCRIPTS.match(after):
        is_letter = unicodedata.category(after)[0] == "L" or unicodedata.combining(after) == _VIRAMA
        return is_letter and unicodedata.category(before)[0] in "LM"
    is_emoji = unicodedata.category(before) in ("So", "Sk") or before == "\N{VARIATION SELECTOR-16}"
    return joiner == "\N{ZERO WIDTH JOINER}" and is_emoji and unicodedata.category(after) == "So"


def shortened(text: str, most: int) -> str:
    """Clean text that nobody has to be asked about again, such as the name of a link, and cut it to ``most``."""
    return clean(clean(text)[:LONGEST])[:most]


def plain(text: str) -> str:
    """The text in ASCII, for systems that read nothing else: é becomes e, and what has no such letter is dropped."""
    return "".join(each for each in _normalised("NFKD", text) if each.isascii() and each.isprintable())


def fold(name: str) -> str:
    """Fold a name, so that its spellings compare equal whatever their case, width, spaces (NFKC, casefold) or joiners.

    It is cut to the length that is stored: a single character may stand for eighteen.
    """
    bare = name.translate(dict.fromkeys(map(ord, _JOINERS)))
    return " ".join(_normalised("NFKC", bare).casefold().split())[:FOLDED_LENGTH]


def _normalised(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    return unicodedata.normalize(form, text) if len(text) <= LONGEST else text
