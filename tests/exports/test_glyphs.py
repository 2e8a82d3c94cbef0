"""Pictures have letters for everything that the languages are written in."""

from __future__ import annotations

import pytest

from scoring.exports.glyphs import BOX, drawable
from scoring.management import messages

MARKS = {"\u3008", "\u3009"}
"""Angle brackets, which Chinese and Japanese texts can do without, since 《》 and 「」 are there."""


def charset(codec: str) -> str:
    """Every letter of a character set of two bytes a letter, but for those of private use."""
    pairs = (bytes([first, second]) for first in range(0x81, 0xFF) for second in range(0x40, 0xFF))
    found = {letter for pair in pairs for letter in pair.decode(codec, errors="ignore")}
    return "".join(
        sorted(letter for letter in found - MARKS if letter > "\u00a0" and not "\ue000" <= letter < "\uf900")
    )


@pytest.mark.parametrize("codec", ["shift_jis", "gb2312", "gbk", "big5"])
def test_every_letter_of_japanese_and_chinese_can_be_drawn(codec: str) -> None:
    letters = charset(codec)
    assert len(letters) > 5000
    assert drawable(letters) == letters


@pytest.mark.parametrize(
    "text", ["Юлия Щербакова-Жук", "Ёжик, Їжак", "Åsa Öström", "Müller-Weiß", "Íñigo ¿Qué?", "髙橋 﨑"]
)
def test_names_can_be_drawn(text: str) -> None:
    assert drawable(text) == text


def test_a_letter_that_no_font_has_is_a_box_and_leaves_the_others_alone() -> None:
    assert drawable("𠮷野家 김 Ann") == f"{BOX}野家 {BOX} Ann"


def test_marks_of_direction_stay() -> None:
    assert drawable("\u2068דנה\u2069") == "\u2068דנה\u2069"


def test_every_letter_of_the_translations_can_be_drawn() -> None:
    catalogues = [messages.read(tag, messages.SERVER) for tag in messages.tags()]
    said = {letter for each in catalogues for message in each for form in messages._forms(message) for letter in form}
    assert {letter for letter in said - {"\n"} if drawable(letter) != letter} == set()
