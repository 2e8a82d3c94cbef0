"""Entering Fantasyland and staying there: how many cards the next deal brings (R30 to R37, R55)."""

from __future__ import annotations

from scoring.rules.houserules import FANTASYLAND_CARDS, HouseRules
from scoring.rules.rows import KINDS, LOW_RANKS, Kind, hand_at
from scoring.rules.score import Judged, Scale, row_royalties

_BEST_LOW = len(LOW_RANKS) - 1  # 75432
_TRIPS = 15  # any trips in front rank above a pair of aces
_ENTRY = {"QQ": 12, "KK": 13, "AA": 14, "trips": _TRIPS}


def next_cards(
    judged: Judged, scale: Scale, rules: HouseRules, *, in_fantasyland: bool = False, cards: int | None = None
) -> int:
    """The number of cards that this player is dealt at once in the next deal, or 0 if they play an ordinary hand.

    ``cards`` is the number they had, if they played this board ``in_fantasyland``. A foul neither enters nor stays
    (R37). How many cards the deck has left is not considered here (R41).
    """
    if not judged[0]:
        return 0
    if not in_fantasyland:
        return _on_entry(judged, rules)
    if not _stays(judged, scale, rules):
        return 0
    if rules.fantasyland_repeat == "same":  # R36
        return cards or rules.fantasyland_cards
    if rules.fantasyland_repeat == "recompute":
        return _on_entry(judged, rules) or rules.fantasyland_cards
    return rules.fantasyland_cards


def _on_entry(judged: Judged, rules: HouseRules) -> int:
    if rules.fantasyland_entry == "none":
        return 0
    front = _front_worth(judged[1])
    enters = front >= _ENTRY[rules.fantasyland_entry]
    if rules.lowball:  # one way to enter is enough; both in one hand earn one card more (R55)
        ways = enters + (judged[2] == _BEST_LOW)
        cards = rules.fantasyland_cards + ways - 1 if ways else 0
    elif rules.fantasyland_progressive:  # queens earn the base; kings, aces and trips each one more (R33)
        cards = rules.fantasyland_cards + front - _ENTRY["QQ"] if enters else 0
    else:
        cards = rules.fantasyland_cards if enters else 0
    return min(cards, FANTASYLAND_CARDS[-1])


def _front_worth(strength: int) -> int:
    if KINDS[strength] is Kind.HIGH_CARD:
        return 0
    kind, ranks = hand_at(strength)
    return _TRIPS if kind is Kind.TRIPS else ranks[0]


def _stays(judged: Judged, scale: Scale, rules: HouseRules) -> bool:
    if rules.fantasyland_stay == "ten-point":  # R35
        return max(row_royalties(judged, scale)) >= 10
    _, front, middle, back, _ = judged
    if KINDS[front] is Kind.TRIPS or KINDS[back] >= Kind.QUADS:
        return True
    if rules.lowball:
        return rules.fantasyland_stay == "lowball" and middle == _BEST_LOW
    full_house_stays = rules.game == "regular" or rules.fantasyland_stay == "full-house"  # R34, R35
    return full_house_stays and KINDS[middle] >= Kind.FULL_HOUSE
