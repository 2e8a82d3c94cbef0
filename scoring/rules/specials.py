"""The specials that a table may choose to play: shooting the moon (R59) and naturals (R60)."""

from __future__ import annotations

from collections import Counter

from scoring.rules.board import Board
from scoring.rules.cards import Row
from scoring.rules.houserules import Naturals
from scoring.rules.rows import Kind, hand_at
from scoring.rules.score import Judged


def shoots_the_moon(judged: Judged) -> bool:
    """True for a legal board whose back is jack-high or lower, without a pair (R59)."""
    back = hand_at(judged[3])
    return judged[0] and back.kind is Kind.HIGH_CARD and back.ranks[0] <= 11


def best_natural(board: Board, judged: Judged, played: Naturals) -> str | None:
    """The natural that this board wins by: a dragon before any other, then the one worth the most; None if it has none.

    A foul has no natural. A front that was given by ranks alone never counts as suited.
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
    """True for consecutive ranks with the ace high or low; for naturals three cards count as well (R60)."""
    ranks = {card.rank for card in row.cards}
    if len(ranks) != len(row.cards):
        return False
    low = {1 if rank == 14 else rank for rank in ranks}
    return len(ranks) - 1 in (max(ranks) - min(ranks), max(low) - min(low))
