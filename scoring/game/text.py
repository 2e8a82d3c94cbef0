"""Text that people typed: cleaned for storage, folded for comparison."""

from __future__ import annotations

import unicodedata


def clean(text: str) -> str:
    """What was typed without what cannot be seen: composed, single spaces, no control characters."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(character for character in composed if unicodedata.category(character)[0] != "C")


def fold(name: str) -> str:
    """What two spellings of one name have in common: no case, no compatibility forms, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
