"""Figures as text: points with a sign, a true minus sign and a dash for zero; money as an amount."""

from __future__ import annotations

import re
from collections.abc import Sequence

FIRST_STRONG_ISOLATE = "\u2068"
POP_DIRECTIONAL_ISOLATE = "\u2069"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
NOTHING = "–"


MINUS = "−"


THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"


def signed(points: int) -> str:
    """Points with a sign: a player won (+) or lost (−) them."""
    if not points:
        return NOTHING
    return f"+{_grouped(points)}" if points > 0 else f"{MINUS}{_grouped(-points)}"


def unsigned(number: int) -> str:
    """A number without a sign."""
    return _grouped(number) if number else NOTHING


def money(minor: int, digits: int) -> str:
    """An amount of minor units without a plus sign: 123450 with 2 ``digits`` is 1234.50."""
    if not minor:
        return NOTHING
    if minor < 0:  # a stack can be below zero where the rules have no loss cap
        return MINUS + money(-minor, digits)
    whole, part = divmod(minor, 10**digits)
    return f"{_grouped(whole)}.{part:0{digits}}" if digits else _grouped(whole)


def stack(minor: int, digits: int) -> str:
    """A player's chips: as `money`, but somebody without any has 0.00, because a dash could be a figure left out."""
    return money(minor, digits) if minor else typed_amount(0, digits)


def signed_money(minor: int, digits: int) -> str:
    """An amount of minor units with a sign: a player won (+) or lost (−) it."""
    if not minor:
        return NOTHING
    return ("+" if minor > 0 else MINUS) + money(abs(minor), digits)


def _grouped(number: int) -> str:
    # Only numbers of five digits or more are grouped: 1234, 12 345.
    return str(number) if number < 10_000 else f"{number:,}".replace(",", THIN_SPACE)


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 point, 4 points."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def apart(name: str) -> str:
    """A name beside a figure. One that is written from right to left would turn the figure around, and gets marks.

    They are those of Unicode, which no font draws, for texts in which no element can keep the two apart.
    """
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_DIRECTIONAL_ISOLATE}" if _RIGHT_TO_LEFT.search(name) else name


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: A; A and B; A, B and C. Empty if there are none."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def typed_amount(minor: int, digits: int) -> str:
    """An amount as a person would type it, which `parse_amount` reads back."""
    whole, part = divmod(minor, 10**digits)
    return f"{whole}.{part:0{digits}}" if digits else str(whole)
