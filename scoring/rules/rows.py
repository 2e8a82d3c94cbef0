"""How strong three or five cards are: one total order over both, looked up by a row's key (R2 to R9).

A *strength* is a place in that order; the stronger row has the higher one. Three-card and five-card hands share the
order, so that the foul check is two integer comparisons. They never share a place: where three cards run out with
everything so far equal, the five cards are the stronger (R9).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from itertools import combinations, groupby, product
from typing import NamedTuple

from scoring.rules.cards import FLUSH, RANK_SUMS, RANKS


class Kind(IntEnum):
    """The classes of hands, low to high (R2). Five of a kind has the highest of its three possible places (R57)."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE_OF_A_KIND = 10

    @property
    def code(self) -> str:
        """The name of the class in the score document, for example ``full-house``."""
        return "high-card" if self is Kind.HIGH_CARD else self.name.lower().replace("_", "-")

    @property
    def grouped(self) -> int:
        """How many of its ranks a hand of this class holds more than once. They lead `Hand.ranks`; kickers follow."""
        return sum(times > 1 for times in _FIVE_CARD_PATTERNS.get(self, ()))


class Hand(NamedTuple):
    """A class of hand with its ranks in the order of comparison: grouped ranks first, then kickers (R3).

    ``(PAIR, (12, 7))`` is QQ7 in front, ``(STRAIGHT, (5, 4, 3, 2, 14))`` the wheel (R4).
    """

    kind: Kind
    ranks: tuple[int, ...]

    @property
    def cards(self) -> tuple[int, ...]:
        """The rank of each card, in the same order."""
        times = _FIVE_CARD_PATTERNS.get(self.kind, _FIVE_CARD_PATTERNS[Kind.HIGH_CARD])
        return sum([(rank,) * many for rank, many in zip(self.ranks, times, strict=False)], ())


# How many times the hand holds each rank of `Hand.ranks`, for the classes that depend on ranks alone.
_FRONT_PATTERNS = {Kind.HIGH_CARD: (1, 1, 1), Kind.PAIR: (2, 1), Kind.TRIPS: (3,)}  # only these count in front (R6)
_FIVE_CARD_PATTERNS = {
    Kind.HIGH_CARD: (1, 1, 1, 1, 1),
    Kind.PAIR: (2, 1, 1, 1),
    Kind.TWO_PAIR: (2, 2, 1),
    Kind.TRIPS: (3, 1, 1),
    Kind.FULL_HOUSE: (3, 2),
    Kind.QUADS: (4, 1),
    Kind.FIVE_OF_A_KIND: (5,),
}
_PAIRED_FLUSH_PATTERNS = ((2, 1, 1, 1), (2, 2, 1))  # two decks hold every card twice, so a flush may hold pairs (R58)

WHEEL = (5, 4, 3, 2, 14)
"""The ranks of the lowest straight, the only one in which the ace is low (R4)."""

# The ten straights, lowest first.
_STRAIGHTS = (WHEEL, *(tuple(range(top, top - 5, -1)) for top in range(6, 15)))

# The three places of five of a kind, each as the class number that puts it there (R57).
_FIVE_OF_A_KIND_PLACES = {"above-royal": 10.0, "below-royal": 8.5, "below-straight-flush": 7.5}


def _matching(pattern: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All choices of different ranks for a pattern; ranks that occur equally often descend."""
    groups = [combinations(reversed(RANKS), len(list(group))) for _, group in groupby(pattern)]
    for choice in product(*groups):
        ranks = sum(choice, ())
        if len(set(ranks)) == len(ranks):
            yield ranks


def _sum_of(pattern: tuple[int, ...], ranks: tuple[int, ...]) -> int:
    return sum([RANK_SUMS[rank] * times for rank, times in zip(ranks, pattern, strict=True)])


def _ranks_alone(patterns: dict[Kind, tuple[int, ...]]) -> dict[int, tuple[float, tuple[int, ...]]]:
    """Map each sum of rank keys to (class number, ranks).

    These tuples sort as the hands rank: if one tuple of ranks begins another, the shorter is the weaker (R9).
    """
    numbered = [(float(kind), pattern) for kind, pattern in patterns.items()]
    return {_sum_of(pattern, ranks): (number, ranks) for number, pattern in numbered for ranks in _matching(pattern)}


_fronts = _ranks_alone(_FRONT_PATTERNS)
_mixed = _ranks_alone(_FIVE_CARD_PATTERNS)
_suited = {key: (float(Kind.FLUSH), ranks) for key, (kind, ranks) in _mixed.items() if kind == Kind.HIGH_CARD}
for _pattern in _PAIRED_FLUSH_PATTERNS:
    for _ranks in _matching(_pattern):
        _cards = sum((times * (rank,) for times, rank in zip(_pattern, _ranks, strict=True)), ())
        _suited[_sum_of(_pattern, _ranks)] = (float(Kind.FLUSH), tuple(sorted(_cards, reverse=True)))
for _ranks in _STRAIGHTS:
    _sum = _sum_of((1, 1, 1, 1, 1), _ranks)
    _mixed[_sum] = (float(Kind.STRAIGHT), _ranks)
    _suited[_sum] = (float(Kind.ROYAL_FLUSH if _ranks[0] == 14 else Kind.STRAIGHT_FLUSH), _ranks)

_order = sorted(
    {*_fronts.values(), *_mixed.values(), *_suited.values()}
    | {(place, (rank,)) for place in _FIVE_OF_A_KIND_PLACES.values() for rank in RANKS}
)
_strength = {place: strength for strength, place in enumerate(_order)}

_kinds = {float(kind): kind for kind in Kind} | dict.fromkeys(_FIVE_OF_A_KIND_PLACES.values(), Kind.FIVE_OF_A_KIND)
KINDS = [_kinds[number] for number, _ in _order]
"""The class of hand at each strength."""

FRONTS = {key: _strength[place] for key, place in _fronts.items()}
"""The strength of three cards, by their key."""

FIVES = {
    name: {
        **{key: _strength[place] for key, place in _mixed.items()},
        **{key + FLUSH: _strength[place] for key, place in _suited.items()},
        **{5 * RANK_SUMS[rank]: _strength[(number, (rank,))] for rank in RANKS},
    }
    for name, number in _FIVE_OF_A_KIND_PLACES.items()
}
"""The strength of five cards, by their key, for each place of five of a kind (R57)."""

# Lows are compared from their highest card down, so they run from T9875, the worst, to 75432, the best (R52, R53).
# Place 0 stands for a middle that is not a low.
LOW_RANKS = [
    (),
    *sorted((ranks for ranks in combinations(range(10, 1, -1), 5) if ranks not in _STRAIGHTS), reverse=True),
]
"""The ranks of each 2-7 low by its worth, from 1, the worst, to 121."""

LOWS = {_sum_of((1, 1, 1, 1, 1), ranks): worth for worth, ranks in enumerate(LOW_RANKS) if ranks}
"""The worth of each 2-7 low, 1 to 121, by the key of its five cards; other keys are absent."""


def hand_at(strength: int) -> Hand:
    """The hand that has this strength."""
    return Hand(KINDS[strength], _order[strength][1])
