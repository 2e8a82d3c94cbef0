"""A session as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.balances import Balance, balances, matrix
from scoring.game.limits import BANK
from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.ledger.load import numbers_of, seats_of, sums, table_of
from scoring.models import Seat, Session
from scoring.reads.cache import cached_by_version


@dataclass(frozen=True, slots=True)
class Banked:
    """What one seat has had from the bank and given back, in minor units; ``front`` lies in front of it."""

    bought: int
    cashed: int
    front: int


@dataclass(frozen=True, slots=True)
class State:
    """A session as it stands: every seat there ever was by number, the table, and each seat's balance."""

    seats: dict[int, Seat]
    table: Table
    balances: dict[int, Balance]
    matrix: dict[tuple[int, int], Balance]
    """Who is up how much against whom: (seat, other seat) -> points and money of the first. Both ways round."""
    bank: dict[int, Banked]
    """Every seat's account with the bank, but the bank's own."""

    @property
    def players(self) -> dict[int, str]:
        """Everybody who ever sat here, by name. A form is read by them, as one that is sent again may be about any."""
        return {number: seat.name for number, seat in self.seats.items() if number > 0}


@cached_by_version
def seating(session: Session) -> tuple[list[Seat], Table]:
    """Everybody who ever sat here, and the table, in two queries."""
    seats = seats_of(session)
    return seats, table_of(session, seats)


@cached_by_version
def state(session: Session) -> State:
    """Seats, table, balances and who is up against whom, in three queries."""
    seats, table = seating(session)
    lines = sums(session, numbers_of(seats))
    of = balances(lines, (seat.number for seat in seats))
    return State(
        {seat.number: seat for seat in seats},
        table,
        of,
        matrix(lines),
        {seat.number: _banked(lines, seat.number, of[seat.number]) for seat in seats if seat.number != BANK},
    )


def _banked(lines: Sequence[Line], seat: int, balance: Balance) -> Banked:
    """A reversed line goes the other way under the same kind."""
    bought, cashed = (
        sum(line.amount * ((line.payee == seat) - (line.payer == seat)) for line in lines if line.kind == kind)
        for kind in ("buy-in", "cash-out")
    )
    return Banked(bought, -cashed, balance.chips)


def seat_numbers(session: Session) -> dict[int, int]:
    return dict(Seat.objects.filter(session=session).values_list("pk", "number"))
