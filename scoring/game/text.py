"""Text that people typed: cleaning it for storage and folding it for comparison."""

from __future__ import annotations

import unicodedata


def clean(text: str) -> str:
    """Clean typed text: compose its characters (NFC), reduce white space to single spaces, drop control characters."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(character for character in composed if unicodedata.category(character)[0] != "C")


def fold(name: str) -> str:
    """Fold a name, so that its spellings compare equal whatever their case, width or spaces (NFKC, casefold)."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
