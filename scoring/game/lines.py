"""Lines: transfers before they are rows of the ledger, saying who pays whom, how much and what for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Final, NamedTuple


class Category(Enum):
    """What a line counts as for the two seats that it joins."""

    PLAY = "play"
    """The line is won and lost; it counts in points, winnings and standings."""
    FEE = "fee"
    """The line is a cost of the session and does not count in winnings."""
    BANK = "bank"
    """The line exchanges money for chips; nobody wins or loses by it."""
    PAYMENT = "payment"
    """The line pays a debt of the session, in whole or in part; nobody wins or loses by it."""
    CASH = "cash"
    """The line is money that was paid for chips on the spot, to the bank or by it; nobody wins or loses by it."""


class LineKind(StrEnum):
    """What a line is for, as `Transfer.kind` stores it."""

    DEAL = "deal"
    PENALTY = "penalty"
    SIDE_BET = "side-bet"
    FEE = "fee"
    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    PAYMENT = "payment"
    CASH = "cash"
    COUNT = "count"

    @property
    def category(self) -> Category:
        """The category that lines of this kind count as."""
        return CATEGORIES[self]


CATEGORIES: Final[Mapping[LineKind, Category]] = {
    LineKind.DEAL: Category.PLAY,
    LineKind.PENALTY: Category.PLAY,
    LineKind.SIDE_BET: Category.PLAY,
    LineKind.FEE: Category.FEE,
    LineKind.BUY_IN: Category.BANK,
    LineKind.CASH_OUT: Category.BANK,
    LineKind.PAYMENT: Category.PAYMENT,
    LineKind.CASH: Category.CASH,
    LineKind.COUNT: Category.PLAY,
}


def kinds_of(*categories: Category) -> tuple[LineKind, ...]:
    """The kinds of lines that count as any of these categories."""
    return tuple(kind for kind, category in CATEGORIES.items() if category in categories)


WON_IN_PLAY: Final = kinds_of(Category.PLAY)
"""The kinds of lines that are won and lost."""


class Line(NamedTuple):
    """One transfer between two seats: ``points`` are whole, ``amount`` is in minor units, and neither is negative.

    ``in_play`` is true if chips on the table move with it.
    """

    payer: int
    payee: int
    points: int
    amount: int
    kind: LineKind
    in_play: bool
