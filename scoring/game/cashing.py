"""Chips that are counted, handed in and paid for: what a final count changes, and what the bank pays for the chips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scoring.game.balances import Balance
from scoring.game.limits import BANK
from scoring.game.lines import Line, LineKind


class HandedIn(NamedTuple):
    """The chips that a seat hands in, and the money that the bank pays for them, both in minor units."""

    seat: int
    chips: int
    cash: int


def paid_for(chips: int, on_credit: int) -> int:
    """What ``chips`` are worth in cash. Those that were bought on credit and never paid for are only handed back."""
    return max(0, chips - max(0, on_credit))


def in_the_bank(of: Mapping[int, Balance]) -> int:
    """The money that the bank holds: what it took for chips and got in payments, less what it paid."""
    return -of[BANK].cash - of[BANK].paid


def for_chips(of: Mapping[int, Balance]) -> int:
    """What the bank can pay out for chips; 0 unless it holds money that it took for them."""
    return max(0, in_the_bank(of)) if of[BANK].cash < 0 else 0


def cash_for(of: Mapping[int, Balance], seat: int) -> int:
    """What the bank pays a seat that hands in all its chips by itself: what they are worth, as far as it can."""
    return min(for_chips(of), paid_for(max(0, of[seat].chips), of[seat].on_credit))


def handed_in(of: Mapping[int, Balance]) -> list[HandedIn]:
    """What everybody who has chips hands in and gets, players first; the house has those of its fees.

    Nobody hands in anything if the bank holds no money for chips. If it holds too little for all, because some were
    bought on credit, everybody first gets back what they paid themselves, and what is left goes round after that.
    """
    left = for_chips(of)
    if not left:
        return []
    seats = sorted((seat for seat in of if seat != BANK and of[seat].chips > 0), key=lambda seat: (seat < 0, seat))
    due = {seat: paid_for(of[seat].chips, of[seat].on_credit) for seat in seats}
    own = {seat: min(due[seat], max(0, of[seat].cash)) for seat in seats}
    pays = dict.fromkeys(seats, 0)
    for up_to in (own, due):
        for seat in seats:
            more = min(left, up_to[seat] - pays[seat])
            pays[seat] += more
            left -= more
    return [HandedIn(seat, of[seat].chips, pays[seat]) for seat in seats]


def cash_line(seat: int, amount: int) -> Line:
    """The money that a seat pays the bank for chips; below 0 what the bank pays the seat."""
    payer, payee = (seat, BANK) if amount > 0 else (BANK, seat)
    return Line(payer, payee, 0, abs(amount), LineKind.CASH, in_play=False)


def cashed_out(seat: int, chips: int, cash: int) -> list[Line]:
    """The lines by which a seat hands in chips, and gets money for them if it gets any."""
    lines = [Line(seat, BANK, 0, chips, LineKind.CASH_OUT, in_play=True)] if chips else []
    return [*lines, cash_line(seat, -cash)] if cash else lines


def still_to_get(of: Mapping[int, Balance]) -> list[Line]:
    """The money that the bank would pay if everybody handed in their chips now, as lines; none if it took none."""
    return [cash_line(each.seat, -each.cash) for each in handed_in(of) if each.cash]


def counted_more(counts: Mapping[int, int], stacks: Mapping[int, int] | None) -> dict[int, int]:
    """By how much each stack that was counted is more than the ledger says, below 0 less; without those that agree."""
    more = {seat: chips - (stacks or {}).get(seat, 0) for seat, chips in counts.items()}
    return {seat: by for seat, by in more.items() if by}


def count_lines(differences: Mapping[int, int]) -> list[Line]:
    """The lines that move chips from those who have less than the ledger says to those who have more.

    ``differences`` are how much more each stack is than that, below 0 how much less. What is left over goes to the
    bank, or comes from it.
    """
    more = dict(sorted(differences.items()))
    more[BANK] = -sum(more.values())
    return list(_moved(more))


def _moved(more: Mapping[int, int]) -> Iterator[Line]:
    left = dict(more)
    for payer in [seat for seat, amount in more.items() if amount < 0]:
        for payee in [seat for seat, amount in more.items() if amount > 0]:
            if amount := min(-left[payer], left[payee]):
                left[payer] += amount
                left[payee] -= amount
                yield Line(payer, payee, 0, amount, LineKind.COUNT, in_play=True)
