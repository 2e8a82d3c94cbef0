"""What a board may win besides its rows, where the table plays it: a moon (R59) or a natural (R60)."""

from __future__ import annotations

from collections import Counter

from scoring.rules.board import Board
from scoring.rules.cards import Row
from scoring.rules.houserules import Naturals
from scoring.rules.rows import Kind, hand_at
from scoring.rules.score import Judged

NATURAL_NAMES = {
    "dragon": "a dragon",
    "three_flushes": "three flushes",
    "three_straights": "three straights",
    "six_pairs": "six pairs",
}


def shoots_the_moon(judged: Judged) -> bool:
    """True for a legal board whose back is jack-high or lower: no pair, no card above the jack."""
    back = hand_at(judged[3])
    return judged[0] and back.kind is Kind.HIGH_CARD and back.ranks[0] <= 11


def best_natural(board: Board, judged: Judged, played: Naturals) -> str | None:
    """The name of the natural this board wins by: a dragon before all, else the one worth most; None for none.

    A foul has none. Only what the cards show counts: in a row given by ranks alone three cards have no suit.
    """
    if not judged[0]:
        return None
    counts = Counter(card.rank for row in board for card in row.cards)
    shown = {
        "dragon": len(counts) == 13,
        "three_flushes": board.middle.flush and board.back.flush and _one_suit(board.front),
        "three_straights": all(_in_sequence(row) for row in board),
        "six_pairs": sum(count // 2 for count in counts.values()) == 6,
    }
    points = played._asdict()
    names = [name for name, is_shown in shown.items() if is_shown and points[name]]
    if "dragon" in names:
        return "dragon"
    return max(names, key=lambda name: points[name], default=None)


def _one_suit(front: Row) -> bool:
    return front.suited and len({card.suit for card in front.cards}) == 1


def _in_sequence(row: Row) -> bool:
    """Consecutive ranks, the ace at either end; for naturals that holds of three cards as well."""
    ranks = {card.rank for card in row.cards}
    if len(ranks) != len(row.cards):
        return False
    low = {1 if rank == 14 else rank for rank in ranks}
    return len(ranks) - 1 in (max(ranks) - min(ranks), max(low) - min(low))
