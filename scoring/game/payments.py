"""The fewest payments that square all players at the end of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.game.balances import Balance
from scoring.game.limits import HOUSE

MOST_EXACT: Final = 12
"""The most open balances for which the fewest payments are found, since that takes time with two to their number."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment between two players, or between a player and the house; the amount is in minor units."""

    payer: int
    payee: int
    amount: int


def payments(of: Mapping[int, Balance]) -> list[Payment]:
    """Find the fewest payments that square all players for what they won and lost, and for their fees to the house.

    A group of k players whose balances sum to zero needs k - 1 payments, so the most such groups give the fewest
    payments. With up to `MOST_EXACT` open balances the answer is exact; with more, every payment squares at least one
    of its two players, which may not give the fewest.
    """
    open_ = _open(of)
    groups = _zero_groups(open_) if are_fewest(of) else [open_]
    return [payment for group in groups for payment in _squared(group)]


def are_fewest(of: Mapping[int, Balance]) -> bool:
    """Whether the `payments` of these balances are certainly the fewest."""
    return len(_open(of)) <= MOST_EXACT


def _open(of: Mapping[int, Balance]) -> dict[int, int]:
    owed = {seat: balance.money - balance.fees for seat, balance in of.items() if seat > 0}
    owed[HOUSE] = sum(balance.fees for seat, balance in of.items() if seat > 0)
    return {seat: money for seat, money in owed.items() if money}


def _zero_groups(owed: Mapping[int, int]) -> list[dict[int, int]]:
    """Split the balances into the most groups that each sum to zero.

    This is dynamic programming over subsets, which are bit masks. A subset holds as many groups as the best subset with
    one seat fewer, and one more if it sums to zero itself.
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
    """Square one group. In each payment the seat that owes most pays the one that is owed most, until one is square."""
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
