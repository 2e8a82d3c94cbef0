"""Typed text is cleaned and folded, and a text that is too long for any field is never normalised."""

from __future__ import annotations

import unicodedata

import pytest

from scoring.game.limits import FOLDED_LENGTH, NOTE_LENGTH
from scoring.game.text import LONGEST, clean, fold, hides, plain, shortened

MARKS = "Z" + "\u0351\u0357\u035b\u0343" * 8_000


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ann \n Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zo\xeb"),
        ("Zoe\u200b\u0308", "Zo\xeb"),  # nothing that nobody sees keeps two spellings apart
        ("Ann \x00 Lee", "Ann Lee"),
        ("\u202eBob\x1b", "Bob"),
        ("\u2000\u200b\ufeff", ""),
        ("1\u0600\u2003+\u00b2", "1 +\u00b2"),
        # A joiner stays where it changes what is seen.
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"),  # علی‌رضا
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),  # क्‍ष
        ("\u09b0\u200d\u09cd\u09af", "\u09b0\u200d\u09cd\u09af"),  # র‍্য
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),  # 👩‍🚀
        ("\U0001f469\U0001f3fd\u200d\U0001f680", "\U0001f469\U0001f3fd\u200d\U0001f680"),  # 👩🏽‍🚀
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),  # ❤️‍🔥
        # Elsewhere nobody sees it.
        ("An\u200dna\u200c", "Anna"),
        ("\u200c\u0639\u200c\u200d\u0644\u200c \u200c\u0639\u200c1", "\u0639\u0644 \u06391"),
        ("\u0639\u200b\u200c\u0644", "\u0639\u200c\u0644"),
        ("\u0627\u200c\u0653", "\u0622"),
        ("\u0639\u200cA\u200c\u0639", "\u0639A\u0639"),
        ("\U0001f469\u200c\U0001f680\u200d", "\U0001f469\U0001f680"),
    ],
)
def test_typed_text_is_cleaned_for_storage(typed: str, kept: str) -> None:
    assert clean(typed) == kept
    assert clean(kept) == kept


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ANN", "ann"),
        ("Ａｎｎ", "Ann"),
        ("Straße", "STRASSE"),
        ("Ann  Lee", "ann lee"),
        ("e\u0301", "É"),
        ("علی\u200cرضا", "علیرضا"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\U0001f680"),
    ],
)
def test_spellings_of_one_name_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("An\u200dna", True),
        ("Bob\u202e", True),
        ("Bob\x00", True),
        ("علی\u200cرضا", False),
        ("山田\u3000太郎", False),
        ("Zoe\u0308 \u00a0 Lee", False),
    ],
)
def test_a_text_hides_what_cleaning_would_drop(text: str, hidden: bool) -> None:
    assert hides(text) is hidden


def test_the_words_of_a_folded_name_stand_apart() -> None:
    assert fold(" Ann\u3000 LEE ") == "ann lee"


def test_a_folded_name_fits_its_column() -> None:
    assert len(unicodedata.normalize("NFKC", "\ufdfa" * 40)) == 720
    assert len(fold("\ufdfa" * 40)) == FOLDED_LENGTH


def test_a_text_too_long_for_any_field_is_not_normalised(normalised: list[int]) -> None:
    assert clean(MARKS) == MARKS
    assert len(fold(MARKS)) == FOLDED_LENGTH
    assert normalised == []
    assert len(shortened(MARKS, 40)) == 40
    assert normalised == [LONGEST]


def test_a_text_that_composes_to_the_longest_note_is_normalised() -> None:
    """Four signs that are typed may be one character, and no more than four."""
    assert clean("\u03b1\u0313\u0300\u0345" * NOTE_LENGTH) == "\u1f82" * NOTE_LENGTH
    assert max(len(unicodedata.normalize("NFD", chr(each))) for each in range(0x110000)) == LONGEST // NOTE_LENGTH


def test_space_does_not_make_a_text_too_long() -> None:
    assert clean("Zoe\u0308" + " " * 60_000 + "Lee") == "Zo\xeb Lee"


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("Jo\u00e3o", "Joao"),
        ("S\u00f6ren\n1\u00b2", "Soren12"),
        ("\u9ebb\u96c0", ""),
        ("a\x7fb", "ab"),
        ("\ufb01n", "fin"),
    ],
)
def test_text_is_written_in_ascii_for_systems_that_read_nothing_else(text: str, ascii_text: str) -> None:
    assert plain(text) == ascii_text
