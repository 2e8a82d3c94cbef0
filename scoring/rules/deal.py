"""A whole deal: every player's board with its ruling, every pair with what decided it, and who plays Fantasyland next.

Here the special rules come before the ordinary comparison of `scoring.rules.score`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.board import Board
from scoring.rules.cards import Row
from scoring.rules.fantasyland import next_cards
from scoring.rules.houserules import HouseRules
from scoring.rules.score import PAIRS, Judged, Scale, judge, row_royalties, scale, versus
from scoring.rules.specials import best_natural, shoots_the_moon

NO_BOARD: Judged = (False, 0, 0, 0, 0)


class DealtPlayer(NamedTuple):
    """One player's side of a deal: whole rows, unless there is a ``ruling`` (``dead`` or ``surrendered``)."""

    name: str
    front: Row | None
    middle: Row | None
    back: Row | None
    ruling: str | None = None
    fantasyland: bool = False
    fantasyland_cards: int | None = None

    @property
    def board(self) -> Board | None:
        """The board, or None if it lacks a row."""
        front, middle, back = self.front, self.middle, self.back
        if front is None or middle is None or back is None:
            return None
        return Board(front, middle, back)


class JudgedPlayer(NamedTuple):
    """One player's judged board: everything that is needed to score them against any opponent."""

    name: str
    board: Board | None
    judged: Judged
    ruling: str | None
    moon: bool
    natural: str | None
    royalties: tuple[int, int, int]  # points by row, due from each opponent
    fantasyland_next: int

    @property
    def foul(self) -> bool:
        """True for a foul by the cards or by ruling; a surrendered hand is not a foul (R61)."""
        return self.ruling != "surrendered" and not self.judged[0]


class PairScore(NamedTuple):
    """The score of one pair; a positive number favors the first player, who is the earlier in clockwise order.

    ``decided`` is ``rows``, ``foul``, ``surrender``, ``moon`` or ``natural``. ``rows`` has 1, 0 or -1 for each row, and
    is None unless the rows decided the pair. Where rows or a foul decide, ``points`` is the sum of ``row_points``,
    ``bonus`` and ``royalties``. In every other case these three are 0, except that ``bonus`` holds a moon that is added
    to the pair's score (R59).
    """

    decided: str
    rows: tuple[int, int, int] | None
    row_points: int
    bonus: int
    royalties: int
    points: int


def stand(player: DealtPlayer, rules: HouseRules, scale: Scale) -> JudgedPlayer:
    """Judge one player's board, taking any ruling on it into account."""
    board = player.board
    judged = judge(board.keys, scale) if board is not None and player.ruling is None else NO_BOARD
    moon = rules.moon != "off" and shoots_the_moon(judged)
    natural = best_natural(board, judged, rules.naturals) if rules.naturals and board is not None else None
    fantasyland = next_cards(judged, scale, rules, in_fantasyland=player.fantasyland, cards=player.fantasyland_cards)
    royalties = row_royalties(judged, scale)
    return JudgedPlayer(player.name, board, judged, player.ruling, moon, natural, royalties, fantasyland)


def score_pair(a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules, scale: Scale) -> PairScore:
    """Score one pair. A surrender decides first, then a moon that replaces the score, a natural, and rows or fouls."""
    if "surrendered" in (a.ruling, b.ruling):
        won = (a.ruling != "surrendered") - (b.ruling != "surrendered")
        return PairScore("surrender", None, 0, 0, 0, won * rules.surrender_points)  # R61
    moon = rules.moon_points * (a.moon - b.moon)
    if rules.moon == "replace" and (a.moon or b.moon):
        return PairScore("moon", None, 0, 0, 0, moon)  # R59
    if a.natural or b.natural:
        return PairScore("natural", None, 0, moon, 0, _naturals(a.natural, b.natural, rules) + moon)  # R60
    rows, row_points, bonus, royalties = versus(a.judged, b.judged, scale)
    bonus += moon
    decided = "foul" if rows is None else "rows"
    return PairScore(decided, rows, row_points, bonus, royalties, row_points + bonus + royalties)


def _naturals(a: str | None, b: str | None, rules: HouseRules) -> int:
    """Points that ``a`` wins by naturals (R60): a dragon beats the others, and the others tie with each other."""
    points = rules.naturals._asdict() if rules.naturals else {}
    if a and (not b or (a == "dragon") > (b == "dragon")):
        return int(points[a])
    if b and (not a or (b == "dragon") > (a == "dragon")):
        return -int(points[b])
    return 0


def score_deal(players: Sequence[DealtPlayer], rules: HouseRules) -> tuple[list[JudgedPlayer], list[PairScore]]:
    """Judge every player and score every pair; the pairs come clockwise from under the gun (R43)."""
    tables = scale(rules)
    standings = [stand(player, rules, tables) for player in players]
    return standings, [score_pair(standings[i], standings[j], rules, tables) for i, j in PAIRS[len(players)]]
