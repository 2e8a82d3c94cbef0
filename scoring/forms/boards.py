"""Three rows as somebody typed them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.rules.board import ROWS, split_rows
from scoring.rules.cards import RANK_NAMES, RANK_SYMBOLS, SUIT_NAMES, UnreadableRowError, parse_row
from scoring.rules.errors import Problem

# As a phone writes down what it is told; `static/pad/cards.js` knows the same words.
_RANK_WORDS = {name: RANK_SYMBOLS[rank] for rank, name in RANK_NAMES.items()}


_SPOKEN_RANK = re.compile(rf"\b({'|'.join(_RANK_WORDS)})(?:es|s)?\b", re.IGNORECASE)


_SPOKEN_SUIT = re.compile(rf"\s?\b(?:of\s)?({'|'.join(name[:-1] for name in SUIT_NAMES.values())})s?\b", re.IGNORECASE)


_SPOKEN_FLUSH = re.compile(r"\s?\bflush$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedBoard:
    """Three rows as they were typed, spoken words as the cards that they name."""

    front: str = ""
    middle: str = ""
    back: str = ""

    @classmethod
    def read(cls, data: Mapping[str, str], prefix: str) -> TypedBoard:
        """The rows under ``prefix-front`` and so on; a whole board typed into one field is laid out over the three."""
        typed = cls(*(written(data.get(f"{prefix}-{row}", "").strip()) for row in ROWS))
        filled = [text for text in typed.rows() if text]
        return cls.parse(filled[0]) or typed if len(filled) == 1 else typed

    @classmethod
    def parse(cls, text: str) -> TypedBoard | None:
        """A board in one text: ``QQ7 / AA44J / 89TJQ``, or thirteen cards front to back. None for anything else.

        The thirteen in a row are what a browser makes of three pasted lines.
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
        """The rows in which something was typed, by name: a player's part of a score document."""
        return {row: text for row, text in zip(ROWS, self.rows(), strict=True) if text}

    def __bool__(self) -> bool:
        """True if anything was typed."""
        return any(self.rows())

    def __str__(self) -> str:
        """On one line, without the spaces: ``QQ7/AA44J/89TJQ``."""
        return "/".join("".join(text.split()) for text in self.rows())


def written(text: str) -> str:
    """What was said, ``queen of hearts queen of spades seven of clubs``, as cards are written; all else as it is."""
    text = _SPOKEN_RANK.sub(lambda found: _RANK_WORDS[found[1].lower()], text)
    text = _SPOKEN_SUIT.sub(lambda found: found[1][0].lower(), text)
    return _SPOKEN_FLUSH.sub("f", text)


def by_field(problems: Iterable[Problem], keys: list[str]) -> dict[str, list[str]]:
    """Messages by the field they belong to.

    ``keys`` are the prefixes of the players' fields in the order in which the players were scored: what is wrong at
    ``players[1].back`` is shown at ``<second key>-back``. What has no field of its own is kept under "".
    """
    found: dict[str, list[str]] = {}
    for problem in problems:
        place = re.fullmatch(r"players\[(\d+)\]\.(\w+)", problem.where)
        field = f"{keys[int(place[1])]}-{place[2]}" if place and int(place[1]) < len(keys) else ""
        messages = found.setdefault(field, [])
        if problem.message not in messages:
            messages.append(problem.message)
    return found
