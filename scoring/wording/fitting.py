"""How much room a text takes where no browser measures it, and texts cut to the room there is."""

from __future__ import annotations

from typing import Final

CJK: Final = 0x2E80
"""From this character on, letters are as wide as they are high."""


_WIDE: Final = frozenset("mwMW@%…—æÆœŒŴМФЫжмфшщыю")
_WIDEST: Final = frozenset("ЖШЩЮЉЊ")
"""Letters that are wider than others."""


def ems(text: str) -> float:
    """About how wide a text is in bold type, in em. Fonts differ, so this is that of the wide ones."""
    return sum(map(_em, text))


def cut(text: str, room: float, *, tail: int = 0) -> str:
    """A text that is at most ``room`` em wide; a longer one gets an ellipsis before its last ``tail`` characters."""
    if ems(text) <= room:
        return text
    end = text[len(text) - tail :]
    kept = len(text) - tail
    while kept > 1 and ems(f"{text[:kept].rstrip()}…{end}") > room:
        kept -= 1
    return f"{text[:kept].rstrip()}…{end}"


def _em(letter: str) -> float:
    if ord(letter) >= CJK:
        return 1.18  # no font has narrower ones for texts that are not bold
    if letter in "iljtfrI.,'’ ":
        return 0.42
    if letter in _WIDE:
        return 1.05
    if letter in _WIDEST:
        return 1.25
    return 0.8 if letter.isupper() or letter in "+−" else 0.7
