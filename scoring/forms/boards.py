"""Three rows as somebody typed them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.rules.board import ROWS, split_rows
from scoring.rules.cards import RANK_NAMES, RANK_SYMBOLS, SUIT_NAMES, UnreadableRowError, parse_row
from scoring.rules.errors import Problem
from scoring.texts import get_language
from scoring.wording.phrases import translated

# The words in which a phone takes dictation. `static/pad/cards.js` knows the same words.
_RANK_WORDS = {name: RANK_SYMBOLS[rank] for rank, name in RANK_NAMES.items()}


_SPOKEN_RANK = re.compile(rf"\b({'|'.join(_RANK_WORDS)})(?:es|s)?\b", re.IGNORECASE)


_SPOKEN_SUIT = re.compile(rf"\s?\b(?:of\s)?({'|'.join(name[:-1] for name in SUIT_NAMES.values())})s?\b", re.IGNORECASE)


_SPOKEN_FLUSH = re.compile(r"\s?\bflush$", re.IGNORECASE)


# What keyboards of Japanese and Chinese write for Latin letters, figures and a space.
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


# A language's own letters for ranks, where they can be no other card. A German D may be a queen or diamonds, and a
# Russian Т is an ace by its name, a ten by its looks. `static/pad/cards.js` knows the same letters.
_OWN_LETTERS = {
    tag: str.maketrans(letters + letters.lower(), ranks * 2)
    for tag, letters, ranks in [("de", "B", "J"), ("ru", "АКДВ", "AKQJ")]
}


_NOTHING_BUT_CARDS = re.compile(r"[2-9TJQKA10SHDCF♠♤♥♡♦♢♣♧\ufe0e\ufe0f\s,/]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedBoard:
    """Three rows as they were typed, with dictated words replaced by the cards that they name."""

    front: str = ""
    middle: str = ""
    back: str = ""

    @classmethod
    def read(cls, data: Mapping[str, str], prefix: str) -> TypedBoard:
        """The rows in ``prefix-front`` and so on. A whole board in one of these fields is spread over all three."""
        typed = cls(*(written(data.get(f"{prefix}-{row}", "").strip()) for row in ROWS))
        filled = [text for text in typed.rows() if text]
        return cls.parse(filled[0]) or typed if len(filled) == 1 else typed

    @classmethod
    def parse(cls, text: str) -> TypedBoard | None:
        """Reads a board from one text: ``QQ7 / AA44J / 89TJQ``, or thirteen cards, front to back. None for other text.

        Browsers turn three pasted lines into thirteen cards in a row.
        """
        rows = split_rows(text)
        if len(rows) == 3:
            return cls(*rows)
        try:
            row = parse_row(text)
        except UnreadableRowError:
            return None
        if len(row.cards) != 13:
            return None
        front, middle, back = row.cards[:3], row.cards[3:8], row.cards[8:]
        gap = " " if row.suited else ""
        return cls(gap.join(map(str, front)), gap.join(map(str, middle)), gap.join(map(str, back)) + "f" * row.flush)

    def rows(self) -> tuple[str, str, str]:
        """Front, middle, back."""
        return self.front, self.middle, self.back

    def given(self) -> dict[str, str]:
        """The rows that hold something, by name, as a player of a score document has them."""
        return {row: text for row, text in zip(ROWS, self.rows(), strict=True) if text}

    def __bool__(self) -> bool:
        """Whether anything was typed."""
        return any(self.rows())

    def __str__(self) -> str:
        """The board on one line without spaces: ``QQ7/AA44J/89TJQ``."""
        return "/".join("".join(text.split()) for text in self.rows())


def written(text: str) -> str:
    """Replaces dictated cards, such as ``queen of hearts seven of clubs``, by cards, and leaves other text alone.

    So it does with cards in letters of the reader's language, such as ``ДД7``.
    """
    if not text:
        return text
    for letters in (_FULL_WIDTH, _OWN_LETTERS.get(get_language(), {})):
        latin = text.translate(letters)
        if _NOTHING_BUT_CARDS.fullmatch(latin):
            text = latin
    text = _SPOKEN_RANK.sub(lambda found: _RANK_WORDS[found[1].lower()], text)
    text = _SPOKEN_SUIT.sub(lambda found: found[1][0].lower(), text)
    return _SPOKEN_FLUSH.sub("f", text)


def by_field(problems: Iterable[Problem], keys: list[str]) -> dict[str, list[str]]:
    """Sorts problems by field name.

    ``keys`` are the field prefixes of the players in the order of the score document: a problem at ``players[1].back``
    goes to ``<second key>-back``. A problem without a field goes to "".
    """
    errors: dict[str, list[str]] = {}
    for problem in problems:
        place = re.fullmatch(r"players\[(\d+)\]\.(\w+)", problem.where)
        field = f"{keys[int(place[1])]}-{place[2]}" if place and int(place[1]) < len(keys) else ""
        messages = errors.setdefault(field, [])
        message = translated(problem.message)
        if message not in messages:
            messages.append(message)
    return errors
