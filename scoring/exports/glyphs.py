"""Which letters the fonts of pictures can draw, read out of the files themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Final

FONTS: Final = sorted((Path(__file__).parent / "fonts").glob("*.ttf"))

BOX: Final = "□"
"""What stands for a letter that no font has."""


def drawable(text: str) -> str:
    """The text with a box for each letter that no font has.

    Without that the program that draws pictures would stop looking for letters at the first one that it does not find,
    and draw boxes for all others that the first font lacks, too: a whole Chinese name for one rare letter of it.
    """
    known = _known()
    return "".join(letter if ord(letter) in known or unicodedata.category(letter) == "Cf" else BOX for letter in text)


@cache
def _known() -> frozenset[int]:
    return frozenset(letter for font in FONTS for letter in letters(font.read_bytes()))


def letters(font: bytes) -> Iterator[int]:
    """Every letter of a TrueType font, by that part of its ``cmap`` which has all of Unicode (3, 10)."""
    cmap = next(_offset(font, at + 8) for at in _places(font, 4, 12, 16) if font[at : at + 4] == b"cmap")
    whole = next(at for at in _places(font, cmap + 2, cmap + 4, 8) if unpack_from(">HH", font, at) == (3, 10))
    groups = cmap + _offset(font, whole + 4) + 12
    for at in range(groups + 4, groups + 4 + 12 * _offset(font, groups), 12):
        first, last = unpack_from(">II", font, at)
        yield from range(first, last + 1)


def _places(font: bytes, count: int, first: int, size: int) -> range:
    """Where the entries of a table begin, of which the font says how many there are."""
    return range(first, first + size * unpack_from(">H", font, count)[0], size)


def _offset(font: bytes, at: int) -> int:
    found: int = unpack_from(">I", font, at)[0]
    return found
