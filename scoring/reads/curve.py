"""The curve of a session: what everyone was up or down after each deal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.db.models import F, QuerySet

from scoring.game.lines import WON_IN_PLAY
from scoring.ledger.load import numbers_of
from scoring.models import BoardResult, Session, Transfer
from scoring.reads.cache import cached_by_version
from scoring.reads.state import present, seating


@dataclass(frozen=True, slots=True)
class PlayerCurve:
    """One player's part of the curve, column by column.

    ``points`` and ``money`` (minor units) are running totals, one for each column. ``first`` is the column in which
    anything first happened to the player, or the number of all columns; before it, both are 0. ``fouls`` and
    ``fantasyland`` are the columns, in order, of the deals that they fouled, and of those in which they were dealt
    their cards at once.
    """

    first: int
    points: Sequence[int]
    money: Sequence[int]
    fouls: Sequence[int]
    fantasyland: Sequence[int]


@dataclass(frozen=True, slots=True)
class Curve:
    """What everyone who was there was up or down after each deal that counts, by seat number.

    Each of ``deals`` is the number of one column's deal; void deals have none. What was won and lost between two deals
    counts in the column of the later one. If it was after the last deal, it has a column of its own: then ``trailing``
    is true, and there is one column more than deals. ``between`` says whether anything was won or lost between deals.
    The last column has the totals of the session.
    """

    deals: Sequence[int]
    trailing: bool
    between: bool
    courses: Mapping[int, PlayerCurve]


@cached_by_version
def curve(session: Session) -> Curve:
    """The session's `Curve`, in two queries beyond those of its seats and of who was there.

    It reads a few columns of every board, and the few lines that belong to no deal. Fees, chips and payments are no
    winnings, here as in `scoring.game.balances.Balance`.
    """
    seats, _ = seating(session)
    numbers = numbers_of(seats)
    boards: QuerySet[Any] = BoardResult.objects.filter(
        revision__deal__session=session, revision__n=F("revision__deal__revision")
    ).annotate(number=F("revision__deal__number"))
    columns = ("number", "seat_id", "points", "money", "foul", "fantasyland_cards")
    played = list(boards.order_by("number", "order").values_list(*columns, named=True))
    deals = sorted({board.number for board in played})
    at = {number: column for column, number in enumerate(deals)}
    happened = {
        seat: _Columns([0] * (len(deals) + 1), [0] * (len(deals) + 1), set(), [], []) for seat in present(session)
    }
    for board in played:
        one, column = happened[numbers[board.seat_id]], at[board.number]
        one.add(column, board.points, board.money)
        if board.foul:
            one.fouls.append(column)
        if board.fantasyland_cards:
            one.fantasyland.append(column)
    lines = Transfer.objects.filter(session=session, revision=None, kind__in=WON_IN_PLAY)
    between = list(lines.values_list("deal_number", "payer_id", "payee_id", "points", "amount"))
    for number, payer, payee, points, amount in between:
        for seat, sign in ((numbers[payee], 1), (numbers[payer], -1)):
            if seat in happened:  # the bank wins and loses by a final count, and is no player
                happened[seat].add(bisect_right(deals, number), sign * points, sign * amount)
    trailing = any(one.points[-1] or one.money[-1] for one in happened.values())
    last = len(deals) + trailing
    return Curve(deals, trailing, bool(between), {seat: one.course(last) for seat, one in happened.items()})


@dataclass(frozen=True, slots=True)
class _Columns:
    """What one player won in each column, and the columns in which anything happened to them."""

    points: list[int]
    money: list[int]
    at: set[int]
    fouls: list[int]
    fantasyland: list[int]

    def add(self, column: int, points: int, money: int) -> None:
        self.points[column] += points
        self.money[column] += money
        self.at.add(column)

    def course(self, columns: int) -> PlayerCurve:
        return PlayerCurve(
            min(self.at, default=columns),
            list(accumulate(self.points[:columns])),
            list(accumulate(self.money[:columns])),
            self.fouls,
            self.fantasyland,
        )
