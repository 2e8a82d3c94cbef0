"""The fewest payments that square everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.game.balances import Balance
from scoring.game.limits import HOUSE


@dataclass(frozen=True, slots=True)
class Payment:
    """One player pays another, in minor units; the house may be one of the two."""

    payer: int
    payee: int
    amount: int


def payments(of: Mapping[int, Balance]) -> list[Payment]:
    """The fewest payments that square everybody: what was won and lost, and the fees to the house.

    A group of k whose balances sum to zero needs k - 1 payments, so the fewest come from the most such groups; up to 12
    people they are found exactly, beyond that every payment at least squares one of its two.
    """
    owed = {seat: balance.money - balance.fees for seat, balance in of.items() if seat > 0}
    owed[HOUSE] = sum(balance.fees for seat, balance in of.items() if seat > 0)
    open_ = {seat: money for seat, money in owed.items() if money}
    groups = _zero_groups(open_) if len(open_) <= 12 else [open_]
    return [payment for group in groups for payment in _squared(group)]


def _zero_groups(owed: Mapping[int, int]) -> list[dict[int, int]]:
    """The most groups into which balances can be parted so that each sums to zero.

    Over subsets as bit masks: a subset that sums to zero is worth one more than its best part with one seat left out.
    """
    seats = sorted(owed)
    size = 1 << len(seats)
    total, most, dropped = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        low = (mask & -mask).bit_length() - 1
        total[mask] = total[mask & (mask - 1)] + owed[seats[low]]
        dropped[mask] = max(
            (bit for bit in range(len(seats)) if mask >> bit & 1), key=lambda bit: most[mask ^ (1 << bit)]
        )
        most[mask] = most[mask ^ (1 << dropped[mask])] + (total[mask] == 0)
    groups: list[dict[int, int]] = []
    mask, group = size - 1, {}
    while mask:
        seat = seats[dropped[mask]]
        group[seat] = owed[seat]
        mask ^= 1 << dropped[mask]
        if total[mask] == 0:
            groups.append(group)
            group = {}
    return groups


def _squared(owed: Mapping[int, int]) -> list[Payment]:
    """Whoever owes most pays whoever is owed most, as much as squares one of the two, until all are square."""
    left = dict(owed)
    found = []
    while any(left.values()):
        payer = min(left, key=lambda seat: (left[seat], seat))
        payee = max(left, key=lambda seat: (left[seat], -seat))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        found.append(Payment(payer, payee, amount))
    return found
