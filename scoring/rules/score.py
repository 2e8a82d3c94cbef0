"""Scoring boards against each other: fouls, royalties and the points of every pair (R7 to R29, R52 to R58).

Scoring has two steps. `judge` looks at one board alone; `versus` compares two judged boards. Both read a `Scale`,
which holds `HouseRules` as look-up tables. Every value is a small integer until `scoring.rules.wording` writes the
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from scoring.rules.houserules import PAIR_NAMES, TRIPS_NAMES, HouseRules
from scoring.rules.rows import FIVES, FRONTS, KINDS, LOW_RANKS, LOWS, Kind, hand_at

BoardSums = tuple[int, int, int]
"""The keys (`Row.key`) of front, middle and back, which are all that scoring needs from thirteen cards."""

Judged = tuple[bool, int, int, int, int]
"""One board on its own: (legal, front, middle, back, royalties), with royalties 0 for a foul (R10).

Each row is a strength, except that a 2-7 middle is the worth of its low; the better row has the higher number. It is a
plain tuple because building anything with named fields takes longer than judging the board.
"""

PairOutcome = tuple[tuple[int, int, int] | None, int, int, int]
"""One pair from the first player's side: (rows, row points, bonus, royalties).

Each row is 1 if won, 0 if tied and -1 if lost; rows are None if either board is a foul.
"""


@dataclass(frozen=True, slots=True)
class Scale:
    """House rules as look-up tables; `scale` builds them.

    ``middles`` and ``backs`` map a row's key to its strength, or to the worth of a 2-7 low. The ``pays`` lists give the
    royalty at each strength or worth.
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
    strict: int  # 1 if equal middle and back are a foul (R8)
    row_winner: bool  # only the winner of a row is paid its royalty (R23)


# The bonus for winning 0, 1, 2 or 3 rows.
_BONUSES = {"1-6": (0, 0, 0, 3), "2-4": (0, 0, 1, 1), "1-4": (0, 0, 0, 1)}


def row_bonus(rows: Sequence[int], scoring: str) -> int:
    """What a pair's first player wins beyond a point for each row, where ``rows`` has 1, 0 or -1 for each.

    It is R14, or the house rules R17 and R18.
    """
    bonuses = _BONUSES[scoring]
    return bonuses[rows.count(1)] - bonuses[rows.count(-1)]


@lru_cache(maxsize=64)
def scale(rules: HouseRules) -> Scale:
    """Build the tables for these rules. They are cached, because a session plays many deals by the same rules."""
    charts = rules.royalties.tables()
    front_pays = [0] * len(KINDS)
    for strength in FRONTS.values():
        kind, ranks = hand_at(strength)
        if kind is Kind.PAIR:
            front_pays[strength] = charts["front"][PAIR_NAMES[ranks[0]]]
        elif kind is Kind.TRIPS:
            front_pays[strength] = charts["front"][TRIPS_NAMES[ranks[0]]]
    rows = [(0, 0, 0)] * 27  # Python's negative indexes reach the outcomes below zero
    for front, middle, back in product((-1, 0, 1), repeat=3):
        rows[9 * front + 3 * middle + back] = (front, middle, back)
    backs = FIVES[rules.five_of_a_kind]
    return Scale(
        middles={key: LOWS.get(key, 0) for key in backs} if rules.lowball else backs,
        backs=backs,
        front_pays=front_pays,
        middle_pays=_low_pays(charts["low"]) if rules.lowball else _pays(charts["middle"]),
        back_pays=_pays(charts["back"]),
        rows=rows,
        row_points=[sum(outcome) for outcome in rows],
        bonuses=[row_bonus(outcome, rules.scoring) for outcome in rows],
        lowball=rules.lowball,
        strict=int(rules.row_order == "strict"),
        row_winner=rules.royalty_payment == "row-winner",
    )


def _pays(chart: dict[str, int]) -> list[int]:
    by_kind = {kind: chart.get(kind.code, 0) for kind in Kind}
    return [by_kind[kind] for kind in KINDS]


def _low_pays(low: dict[str, int]) -> list[int]:
    """Royalties by the worth of the low: 75432 has its own, every other low is paid by its highest card (R54)."""
    pays = [low.get(str(ranks[0]), 0) if ranks else 0 for ranks in LOW_RANKS]
    pays[-1] = low["75432"]
    return pays


def judge(sums: BoardSums, scale: Scale) -> Judged:
    """Judge one board: its rows, its royalties, and whether it is legal (R7 to R10).

    In 2-7 the middle must be a low, and only the back and the front are compared (R52).
    """
    front_sum, middle_sum, back_sum = sums
    front = FRONTS[front_sum]
    middle = scale.middles[middle_sum]
    back = scale.backs[back_sum]
    if (middle > 0 and front < back) if scale.lowball else (front < middle <= back - scale.strict):
        return True, front, middle, back, scale.front_pays[front] + scale.middle_pays[middle] + scale.back_pays[back]
    return False, front, middle, back, 0


def row_royalties(judged: Judged, scale: Scale) -> tuple[int, int, int]:
    """The royalties of front, middle and back, in points from each opponent; all are 0 for a foul (R10)."""
    legal, front, middle, back, _ = judged
    return (scale.front_pays[front], scale.middle_pays[middle], scale.back_pays[back]) if legal else (0, 0, 0)


def versus(a: Judged, b: Judged, scale: Scale) -> PairOutcome:
    """Compare two boards by rows, fouls and royalties, without rulings, moons or naturals (R14 to R23)."""
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
        return None, 3, scale.bonuses[13], a_royalties  # a foul is scooped (R19)
    if b_legal:
        return None, -3, -scale.bonuses[13], -b_royalties
    return None, 0, 0, 0  # R20


PAIRS = [list(combinations(range(players), 2)) for players in range(9)]
"""Every pair of places, clockwise from under the gun (R43), at the index of the number of players."""
