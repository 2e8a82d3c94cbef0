"""A ledger line before it is a row: who pays whom, how much, and what for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Final, NamedTuple


class Category(Enum):
    """What a line counts as for the two seats that it joins."""

    PLAY = "play"
    """It is won and lost: points, winnings, standings."""
    FEE = "fee"
    """It is a cost of the evening, apart from winnings."""
    BANK = "bank"
    """It changes money for chips; nobody wins or loses by it."""


class LineKind(StrEnum):
    """What a line is for, as `Transfer.kind` stores it."""

    DEAL = "deal"
    PENALTY = "penalty"
    SIDE_BET = "side-bet"
    FEE = "fee"
    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"

    @property
    def category(self) -> Category:
        """What lines of this kind count as."""
        return CATEGORIES[self]


CATEGORIES: Final[Mapping[LineKind, Category]] = {
    LineKind.DEAL: Category.PLAY,
    LineKind.PENALTY: Category.PLAY,
    LineKind.SIDE_BET: Category.PLAY,
    LineKind.FEE: Category.FEE,
    LineKind.BUY_IN: Category.BANK,
    LineKind.CASH_OUT: Category.BANK,
}


class Line(NamedTuple):
    """One transfer: seat numbers, whole points, minor units. ``in_play``: chips on the table move with it."""

    payer: int
    payee: int
    points: int
    amount: int
    kind: LineKind
    in_play: bool
