"""Boards that lack cards: whether the cards that are left can still make them legal, and which rows would.

A board is a foul before it is whole if and only if no cards that are left finish it in order (R7 to R11, R52, R74).
Where cards were given by ranks alone nobody knows their suits, so they are taken to be whichever suits leave more open.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import FLUSH, RANKS, SUIT_NAMES, Card, Row
from scoring.rules.houserules import HouseRules
from scoring.rules.rows import FIVES, FRONTS, KINDS, LOW_RANKS, LOWS, hand_at

_FRONT, _MIDDLE, _BACK = range(3)

MOST_HANDS = 20_000
"""How many hands are tried for one board. Anybody may ask, so it must not take long; most boards need a few."""


class _UnclearError(Exception):
    """More hands would have to be tried."""


PartialRows = tuple[Row, Row, Row]
"""Front, middle and back, each with as many cards as it has so far."""


class Range(NamedTuple):
    """The weakest and the strongest way to finish a row legally, None where no other row sets that bound.

    Both are strengths, or worths of lows in a 2-7 middle.
    """

    weakest: int | None
    strongest: int | None


class SoFar(NamedTuple):
    """What is certain of a board so far.

    ``needs`` has a range for each row that lacks cards, by the row's name. It is None if the board is a foul: no cards
    that are left make it legal. It is empty if that would take too long to find out, which is then left open.
    """

    rows: PartialRows
    needs: dict[str, Range] | None

    @property
    def whole(self) -> tuple[Row | None, Row | None, Row | None]:
        """The rows, with None for each that lacks cards."""
        front, middle, back = (
            row if len(row.cards) == ROW_SIZES[name] else None for name, row in zip(ROWS, self.rows, strict=True)
        )
        return front, middle, back


def so_far(rows: PartialRows, seen: Iterable[Card], rules: HouseRules) -> SoFar:
    """Judge a board whose rows may lack cards. ``seen`` are all cards on the table, those of this board included."""
    left = _Left.after(seen, rules.decks)
    search = _Search(rows, left, rules)
    known = search.known()
    try:
        if not search.completes(known, left):
            return SoFar(rows, None)
        return SoFar(rows, {ROWS[place]: search.range(place, known, left) for place in search.open})
    except StopIteration:
        # A hand that is no flush takes ranks and no suits, so that beginning with another row can show that few cards
        # do not finish the board after all.
        return SoFar(rows, None)
    except _UnclearError:
        return SoFar(rows, {})


# Counts of ranks in one number, five bits a rank, the highest of which stays free for comparing.
_FREE = sum(16 << 5 * (rank - 2) for rank in RANKS)


def _counts(ranks: Iterable[int], times: int = 1) -> int:
    return sum([times << 5 * (rank - 2) for rank in ranks])


def _holds(counts: int, part: int) -> bool:
    """Whether no rank is counted more often in ``part``."""
    return ((counts | _FREE) - part) & _FREE == _FREE


class _RowHand(NamedTuple):
    """A hand that a row can become: its strength or worth, and its ranks counted.

    ``flush`` says whether its cards are of one suit, and is None where nobody asks.
    """

    strength: int
    ranks: int
    flush: bool | None


@cache
def _ways(place: int, five_of_a_kind: str, *, lowball: bool) -> list[_RowHand]:
    """Every hand that this row can become, from the weakest to the strongest."""
    if place == _MIDDLE and lowball:
        return [_RowHand(worth, _counts(ranks), flush=False) for worth, ranks in enumerate(LOW_RANKS) if ranks]
    strengths = FRONTS if place == _FRONT else FIVES[five_of_a_kind]
    return [
        _RowHand(strength, _counts(hand_at(strength).cards), None if place == _FRONT else key >= FLUSH)
        for key, strength in sorted(strengths.items(), key=itemgetter(1))
    ]


class _Left(NamedTuple):
    """The cards that are left, counted over all suits and in each. A card without a suit takes one of its rank."""

    ranks: int
    suits: dict[str, int]

    @classmethod
    def after(cls, seen: Iterable[Card], decks: int) -> _Left:
        cards = list(seen)
        of_suit = {suit: _counts([card.rank for card in cards if card.suit == suit]) for suit in SUIT_NAMES}
        return cls(
            _counts(RANKS, 4 * decks) - _counts([card.rank for card in cards]),
            {suit: _counts(RANKS, decks) - counts for suit, counts in of_suit.items()},
        )

    def makes(self, row: Row, ways: list[_RowHand]) -> list[_RowHand]:
        """Those of the ways that have a row's cards, and for which these and those that are left have ranks enough."""
        given = _counts([card.rank for card in row.cards])
        ranks = self.ranks + given
        return [way for way in ways if _holds(way.ranks, given) and _holds(ranks, way.ranks)]

    def finishes(self, row: Row, way: _RowHand) -> Iterator[_Left]:
        """Make this hand of a row, in each way that differs for the other rows, and give what is left then."""
        given = _counts([card.rank for card in row.cards])
        new = way.ranks - given
        if (row.flush and not way.flush) or not _holds(self.ranks, new):
            return
        suits = {card.suit for card in row.cards if card.suit}
        if not way.flush:
            if way.flush is None or not self._of_one_suit(row, new, suits):
                yield _Left(self.ranks - new, self.suits)
            return
        # Ranks alone say nothing of their suit, so the suit must still have those that were given.
        of_suit = new if suits else way.ranks
        for suit in suits or SUIT_NAMES:
            if len(suits) < 2 and _holds(self.suits[suit], of_suit):
                yield _Left(self.ranks - new, {**self.suits, suit: self.suits[suit] - of_suit})

    def _of_one_suit(self, row: Row, new: int, suits: set[str]) -> bool:
        """Whether these new ranks could be found only in the suit of the row's other cards, or all in one suit."""
        any_of_new = (new | new >> 1 | new >> 2) & _counts(RANKS)
        found = {suit for suit, counts in self.suits.items() if (counts | counts >> 1) & any_of_new}
        return len(found | suits) < 2 and (row.suited or not row.cards)


# The strengths of front, middle and back; the worth of a 2-7 middle, 0 if it is no low. None for a row that is open.
_Known = tuple[int | None, int | None, int | None]


class _Search:
    """Looks for cards that finish the open rows of one board in order."""

    def __init__(self, rows: PartialRows, left: _Left, rules: HouseRules) -> None:
        self.rows = rows
        self.rules = rules
        self.open = {
            place: left.makes(row, _ways(place, rules.five_of_a_kind, lowball=rules.lowball))
            for place, row in enumerate(rows)
            if len(row.cards) < ROW_SIZES[ROWS[place]]
        }
        self.tried = 0
        # A 2-7 middle is compared with neither of the others (R52).
        self.compared = (_FRONT, _BACK) if rules.lowball else (_FRONT, _MIDDLE, _BACK)

    def known(self) -> _Known:
        """The values of the complete rows."""
        fives = FIVES[self.rules.five_of_a_kind]
        front, middle, back = self.rows
        return (
            None if _FRONT in self.open else FRONTS[front.key],
            None if _MIDDLE in self.open else LOWS.get(middle.key, 0) if self.rules.lowball else fives[middle.key],
            None if _BACK in self.open else fives[back.key],
        )

    def completes(self, known: _Known, left: _Left) -> bool:
        """Whether some cards finish all rows that are not known yet.

        It goes on with the row that has the fewest ways, because most boards that cannot be finished fail there.
        """
        if not self._in_order(known):
            return False
        ways = [(place, self._within(place, known)) for place in self.open if known[place] is None]
        if not ways:
            return True
        place, fewest = min(ways, key=lambda each: len(each[1]))
        return any(True for _ in self._legal(place, fewest, known, left))

    def range(self, place: int, known: _Known, left: _Left) -> Range:
        """What this row needs, as far as the others bound it. The board must be one that can be completed."""
        in_front = [other for other in self.compared if other < place and self.rows[other].cards]
        behind = [other for other in self.compared if other > place and other not in self.open]
        alone = place not in self.compared
        ways = self._within(place, known)
        return Range(
            next(self._legal(place, ways, known, left)) if in_front or alone else None,
            next(self._legal(place, ways[::-1], known, left)) if behind and not alone else None,
        )

    def _in_order(self, known: _Known) -> bool:
        compared = [strength for strength in map(known.__getitem__, self.compared) if strength is not None]
        if self.rules.lowball:
            return known[_MIDDLE] != 0 and compared == sorted(compared)
        equal = known[_MIDDLE] is not None and known[_MIDDLE] == known[_BACK]
        return compared == sorted(compared) and not (equal and self.rules.row_order == "strict")

    def _within(self, place: int, known: _Known) -> list[_RowHand]:
        """The ways of this row, from the weakest, that are in order with the others as far as these are known.

        An open row bounds its neighbours, too: by the weakest and the strongest that it can become in order.
        """
        ways = self.open[place]
        if place not in self.compared:
            return ways
        low, high = 0, len(KINDS)
        for other in self.compared[: self.compared.index(place)]:
            low = self._weakest(other, known, low)
        for other in self.compared[: self.compared.index(place) : -1]:
            high = self._strongest(other, known, high)
        start = bisect_left(ways, low, key=itemgetter(0))
        return ways[start : bisect_right(ways, high, key=itemgetter(0))]

    def _weakest(self, place: int, known: _Known, low: int) -> int:
        """The lowest strength of this row that is at least ``low``; above every hand if it can have none."""
        if (strength := known[place]) is not None:
            return max(strength, low)
        at = bisect_left(self.open[place], low, key=itemgetter(0))
        return self.open[place][at].strength if at < len(self.open[place]) else len(KINDS) + 1

    def _strongest(self, place: int, known: _Known, high: int) -> int:
        """The highest strength of this row that is at most ``high``; below every hand if it can have none."""
        if (strength := known[place]) is not None:
            return min(strength, high)
        after = bisect_right(self.open[place], high, key=itemgetter(0))
        return self.open[place][after - 1].strength if after else -1

    def _legal(self, place: int, ways: Iterable[_RowHand], known: _Known, left: _Left) -> Iterator[int]:
        """Yields the strength of each of these ways that lets the other rows be finished in order."""
        for way in ways:
            self.tried += 1
            if self.tried > MOST_HANDS:
                raise _UnclearError
            front, middle, back = (way.strength if other == place else each for other, each in enumerate(known))
            if any(self.completes((front, middle, back), then) for then in left.finishes(self.rows[place], way)):
                yield way.strength
