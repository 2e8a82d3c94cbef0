"""Boards against boards: fouls, royalties, Fantasyland, and the points of every pair (R7 to R38, R52 to R61).

Scoring has two steps. `judge` looks at one board alone; `versus` compares two judged boards. Both read a `Scale`,
which is `HouseRules` turned into look-up tables once. Everything is small integers until `scoring.rules.wording` makes
sentences of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from scoring.rules.houserules import PAIR_NAMES, TRIPS_NAMES, HouseRules
from scoring.rules.rows import FIVES, FRONTS, KINDS, LOW_RANKS, LOWS, Kind, hand_at

BoardSums = tuple[int, int, int]
"""The keys of front, middle and back (`Row.key`): all that scoring needs of thirteen cards."""

Judged = tuple[bool, int, int, int, int]
"""One board, looked at alone: legal; front, middle, back; royalties, which are 0 for a foul (R10).

The rows grow with how good they are: strengths, except that a 2-7 middle has the worth of its low. A plain tuple:
anything with named fields costs more to make than to judge.
"""

Outcome = tuple[tuple[int, int, int] | None, int, int, int]
"""One pair from the first's side: rows (1 won, 0 tied, -1 lost; None after a foul), row points, bonus, royalties."""


@dataclass(frozen=True, slots=True)
class Scale:
    """House rules as look-up tables; made by `scale`.

    ``middles`` and ``backs`` give how good a row is by its key; the ``pays`` are indexed by that and give royalties.
    """

    middles: dict[int, int]
    backs: dict[int, int]
    front_pays: list[int]
    middle_pays: list[int]
    back_pays: list[int]
    rows: list[tuple[int, int, int]]  # by `9 * front + 3 * middle + back`, each -1, 0 or 1
    row_points: list[int]
    bonuses: list[int]
    lowball: bool
    strict: int  # 1 where middle and back may not be equal (R8)
    row_winner: bool  # royalties to the winner of the row only (R23)


# Bonus by number of rows won (R14, R17, R18).
_BONUSES = {"1-6": (0, 0, 0, 3), "2-4": (0, 0, 1, 1), "1-4": (0, 0, 0, 1)}


@lru_cache(maxsize=64)
def scale(rules: HouseRules) -> Scale:
    """The tables for these rules; the last few dozen are kept."""
    charts = rules.royalties.tables()
    front_pays = [0] * len(KINDS)
    for strength in FRONTS.values():
        kind, ranks = hand_at(strength)
        if kind is Kind.PAIR:
            front_pays[strength] = charts["front"][PAIR_NAMES[ranks[0]]]
        elif kind is Kind.TRIPS:
            front_pays[strength] = charts["front"][TRIPS_NAMES[ranks[0]]]
    rows = [(0, 0, 0)] * 27  # the negative half is reached by Python's negative indexes
    for front, middle, back in product((-1, 0, 1), repeat=3):
        rows[9 * front + 3 * middle + back] = (front, middle, back)
    bonuses = _BONUSES[rules.scoring]
    backs = FIVES[rules.five_of_a_kind]
    return Scale(
        middles={key: LOWS.get(key, 0) for key in backs} if rules.lowball else backs,
        backs=backs,
        front_pays=front_pays,
        middle_pays=_low_pays(charts["low"]) if rules.lowball else _pays(charts["middle"]),
        back_pays=_pays(charts["back"]),
        rows=rows,
        row_points=[sum(outcome) for outcome in rows],
        bonuses=[bonuses[outcome.count(1)] - bonuses[outcome.count(-1)] for outcome in rows],
        lowball=rules.lowball,
        strict=int(rules.row_order == "strict"),
        row_winner=rules.royalty_payment == "row-winner",
    )


def _pays(chart: dict[str, int]) -> list[int]:
    by_kind = {kind: chart.get(kind.code, 0) for kind in Kind}
    return [by_kind[kind] for kind in KINDS]


def _low_pays(low: dict[str, int]) -> list[int]:
    """Royalties by worth of the low: 75432 for itself, the others by their highest card (R54)."""
    pays = [low.get(str(ranks[0]), 0) if ranks else 0 for ranks in LOW_RANKS]
    pays[-1] = low["75432"]
    return pays


def judge(sums: BoardSums, scale: Scale) -> Judged:
    """What one board is worth, and whether it is legal: back at least middle, both above the front (R7 to R9).

    In 2-7 the middle must be a low and only back and front are compared (R52).
    """
    front_sum, middle_sum, back_sum = sums
    front = FRONTS[front_sum]
    middle = scale.middles[middle_sum]
    back = scale.backs[back_sum]
    if (middle > 0 and front < back) if scale.lowball else (front < middle <= back - scale.strict):
        return True, front, middle, back, scale.front_pays[front] + scale.middle_pays[middle] + scale.back_pays[back]
    return False, front, middle, back, 0


def row_royalties(judged: Judged, scale: Scale) -> tuple[int, int, int]:
    """What front, middle and back pay from each opponent; nothing if the board is a foul (R10)."""
    legal, front, middle, back, _ = judged
    return (scale.front_pays[front], scale.middle_pays[middle], scale.back_pays[back]) if legal else (0, 0, 0)


def versus(a: Judged, b: Judged, scale: Scale) -> Outcome:
    """One pair, whatever the special rules say (R14 to R23)."""
    a_legal, a_front, a_middle, a_back, a_royalties = a
    b_legal, b_front, b_middle, b_back, b_royalties = b
    if a_legal and b_legal:
        outcome = (
            9 * ((a_front > b_front) - (a_front < b_front))
            + 3 * ((a_middle > b_middle) - (a_middle < b_middle))
            + (a_back > b_back)
            - (a_back < b_back)
        )
        royalties = a_royalties - b_royalties  # R22
        rows = scale.rows[outcome]
        if scale.row_winner:
            pays = {1: row_royalties(a, scale), -1: row_royalties(b, scale), 0: (0, 0, 0)}
            royalties = sum(row * pays[row][place] for place, row in enumerate(rows))
        return rows, scale.row_points[outcome], scale.bonuses[outcome], royalties
    if a_legal:
        return None, 3, scale.bonuses[13], a_royalties  # scooped (R19)
    if b_legal:
        return None, -3, -scale.bonuses[13], -b_royalties
    return None, 0, 0, 0  # R20


PAIRS = [list(combinations(range(players), 2)) for players in range(9)]
"""By number of players: every pair, clockwise from under the gun (R43)."""
