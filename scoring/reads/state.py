"""A session as it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.balances import Balance, balances, matrix
from scoring.game.limits import BANK
from scoring.game.lines import Category, Line, LineKind
from scoring.game.table import Table
from scoring.ledger.load import cash_stands, numbers_of, seats_of, sums, table_of, totals_of
from scoring.models import Seat, Session
from scoring.reads.cache import cached_by_version


@dataclass(frozen=True, slots=True)
class Banked:
    """What one seat has bought from the bank and cashed out, in minor units; ``front`` is the chips in front of it.

    After they have left, ``front`` is what the bank still owes them, below 0 what they owe the bank.
    """

    bought: int
    cashed: int
    front: int


@dataclass(frozen=True, slots=True)
class State:
    """A session as it stands: every seat it has had, by number, the table, and each seat's balance."""

    seats: dict[int, Seat]
    table: Table
    balances: dict[int, Balance]
    matrix: dict[tuple[int, int], Balance]
    """(seat, other seat) -> what the first is up against the second, in points and money. Holds both directions."""
    bank: dict[int, Banked]
    """The account with the bank of every seat but the bank itself."""
    lines: Sequence[Line]
    """All lines of the session, summed by payer, payee and kind."""
    for_cash: bool
    """Whether any chips were paid for on the spot, so that those on credit have to be told from them."""

    @property
    def players(self) -> dict[int, str]:
        """Names of everyone who ever sat here. Forms accept them all: a resent one may name a player who has left."""
        return {number: seat.name for number, seat in self.seats.items() if number > 0}


@cached_by_version
def seating(session: Session) -> tuple[list[Seat], Table]:
    """Every seat the session has had, and the table, in two queries."""
    seats = seats_of(session)
    return seats, table_of(session, seats)


@cached_by_version
def state(session: Session) -> State:
    """The session's `State`, in three queries, and one more if money was paid for chips."""
    seats, table = seating(session)
    lines = sums(session, numbers_of(seats))
    of = balances(lines, (seat.number for seat in seats))
    return State(
        seats={seat.number: seat for seat in seats},
        table=table,
        balances=of,
        matrix=matrix(lines),
        bank={seat.number: banked(lines, seat.number, of[seat.number]) for seat in seats if seat.number != BANK},
        lines=lines,
        for_cash=cash_stands(session, lines),
    )


@cached_by_version
def present(session: Session) -> dict[int, str]:
    """The names of the players who were there, by seat number, as `totals_of` tells them."""
    seats, _ = seating(session)
    players = {total.player_id for total in totals_of(session, seats)}
    return {seat.number: seat.name for seat in seats if seat.player_id in players}


def banked(lines: Sequence[Line], seat: int, balance: Balance) -> Banked:
    """What a seat has bought and cashed out by these lines.

    It nets the lines of each kind in both directions, because a reversal goes the other way under the same kind.
    """
    net: dict[LineKind, int] = defaultdict(int)
    for line in lines:
        if line.kind.category is Category.BANK:
            net[line.kind] += line.amount * ((line.payee == seat) - (line.payer == seat))
    bought = sum(amount for amount in net.values() if amount > 0)
    return Banked(bought=bought, cashed=bought - balance.bought, front=balance.chips)


def seat_numbers(session: Session) -> dict[int, int]:
    return dict(Seat.objects.filter(session=session).values_list("pk", "number"))
