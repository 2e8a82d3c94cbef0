"""The payments that square all players at the end of a session: the fewest, or those of each pair, as played.

Once one of them is paid, they are a plan, and what is left of it is what was promised.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.game.balances import Balance
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Category, Line, LineKind

MOST_EXACT: Final = 12
"""The most open balances for which the fewest payments are found, since that takes time with two to their number."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment between two players, or between a player and the house or the bank; the amount is in minor units."""

    payer: int
    payee: int
    amount: int


@dataclass(frozen=True, slots=True)
class PairPayment:
    """What one seat owes another for all that passed between them.

    ``parts`` are the sums that make it, in minor units by kind of line; those below 0 go from the payee to the payer.
    ``rounding`` is what rounding adds to them, or takes off if it is below 0.
    """

    payment: Payment
    parts: Mapping[LineKind, int]
    rounding: int = 0


def payments(of: Mapping[int, Balance], coin: int = 0) -> list[Payment]:
    """Find the fewest payments that square all players for what they won and lost, and for their fees to the house.

    What has been paid already counts, and so does what the bank has taken and paid for chips. With a ``coin``, in minor
    units, everybody pays and gets whole coins, and `left_over` is what that leaves.

    A group of k players whose balances sum to zero needs k - 1 payments, so the most such groups give the fewest
    payments. With up to `MOST_EXACT` open balances the answer is exact; with more, every payment squares at least one
    of its two players, which may not give the fewest.
    """
    return squaring(rounded(_open(of), coin))


def rounded(owed: Mapping[int, int], coin: int) -> dict[int, int]:
    """What accounts are owed, each as a whole number of coins less than one coin away from it.

    Their sum stays zero. Each is the nearest such number unless that would change the sum. Half a coin is rather left
    than paid, or the next plan might ask it back. A coin of 0 rounds nothing.
    """
    if not coin:
        return dict(owed)
    found = {account: amount // coin * coin for account, amount in owed.items()}
    highest_first = sorted(owed, key=lambda account: (found[account] - owed[account], owed[account] > 0, account))
    for account in highest_first[: -sum(found.values()) // coin]:
        found[account] += coin
    return found


def coins(minor_digits: int) -> tuple[int, int, int]:
    """The coins to which tables round, in minor units: 0.50, 1 and 5; without minor digits 10, 100 and 500."""
    one = 10**minor_digits
    return (one // 2, one, 5 * one) if minor_digits else (10, 100, 500)


def squaring(owed: Mapping[int, int]) -> list[Payment]:
    """The payments that square accounts, each of which is owed an amount or owes one below 0; their sum is zero.

    They are the fewest if at most `MOST_EXACT` accounts are open, leaving out those that square each other in one
    payment; `fewer_at_most` says how far they can be from the fewest otherwise.
    """
    pairs, rest = _opposites(owed)
    groups = _zero_groups(rest) if len(rest) <= MOST_EXACT else [rest]
    return [payment for group in (*pairs, *groups) for payment in _squared(group)]


def fewer_at_most(owed: Mapping[int, int], found: Sequence[Payment]) -> int:
    """How many payments fewer than those that `squaring` found might do at most; 0 if they are the fewest.

    Everybody who owes pays at least once, and everybody who is owed gets at least one payment.
    """
    pairs, rest = _opposites(owed)
    if len(rest) <= MOST_EXACT:
        return 0
    owing = sum(amount < 0 for amount in rest.values())
    return len(found) - len(pairs) - max(owing, len(rest) - owing)


def are_fewest(found: Sequence[Payment], of: Mapping[int, Balance], coin: int = 0) -> bool:
    """Whether the `payments` that were found for these balances are certainly the fewest of such amounts."""
    return fewer_at_most(rounded(_open(of), coin), found) == 0


def _opposites(owed: Mapping[int, int]) -> tuple[list[dict[int, int]], dict[int, int]]:
    """Pairs of accounts that square each other, and the other open accounts.

    The fewest payments can always have such a pair by itself: if it were in two groups that sum to zero, then so would
    the pair and everybody else of both. With few accounts open nothing is taken out, since the search finds them.
    """
    rest = {account: amount for account, amount in owed.items() if amount}
    pairs: list[dict[int, int]] = []
    if len(rest) <= MOST_EXACT:
        return pairs, rest
    by_amount: dict[int, list[int]] = defaultdict(list)
    for account, amount in list(rest.items()):
        if others := by_amount[-amount]:
            other = others.pop()
            pairs.append({other: rest.pop(other), account: rest.pop(account)})
        else:
            by_amount[amount].append(account)
    return pairs, rest


def pair_by_pair(lines: Iterable[Line], coin: int = 0, *, through_bank: bool = False) -> list[PairPayment]:
    """What each pair of seats owes for its own lines, as played; fees are owed to the house.

    The bank is left out while all chips are on credit. Once it has taken money for chips, they settle ``through_bank``:
    those that moved between two players are its debt to the one and the other's debt to it. Payments between the two
    count against it. Pairs that are even are missing. The payments pay everybody what the `payments` of the same lines
    pay them. With a ``coin`` each is rounded to whole coins by itself, so a player may keep more than a coin from
    several.
    """
    parts: dict[tuple[int, int], dict[LineKind, int]] = defaultdict(lambda: defaultdict(int))
    for line in lines:
        category = line.kind.category
        if category is Category.BANK:
            continue
        debtor, creditor = line.payer, line.payee
        if category in (Category.PAYMENT, Category.CASH):
            debtor, creditor = creditor, debtor
        by_bank = through_bank and line.in_play and BANK not in (debtor, creditor)
        for one, other in ((debtor, BANK), (BANK, creditor)) if by_bank else ((debtor, creditor),):
            low, high = sorted((one, other))
            parts[low, high][line.kind] += line.amount if one == low else -line.amount
    between_pairs = []
    for (low, high), by_kind in sorted(parts.items(), key=lambda each: (each[0][0] < 0, each[0])):  # the house last
        owed = sum(by_kind.values())
        sign, payer, payee = (1, low, high) if owed > 0 else (-1, high, low)
        amount = _nearest(sign * owed, coin)
        if amount:
            of = {kind: sign * part for kind, part in by_kind.items() if part}
            between_pairs.append(PairPayment(Payment(payer, payee, amount), of, amount - sign * owed))
    return between_pairs


def _nearest(amount: int, coin: int) -> int:
    """The nearest whole number of coins to an amount above 0; half a coin counts as none."""
    return (2 * amount + coin - 1) // (2 * coin) * coin if coin else amount


def owed_by(plan: Iterable[Payment], payer: int, payee: int) -> int:
    """What one account is to pay another by this plan, 0 if it has no such payment."""
    return next((each.amount for each in plan if (each.payer, each.payee) == (payer, payee)), 0)


def left(plan: Iterable[Payment], paid: Iterable[Payment]) -> list[Payment]:
    """What is left of a plan, in its order, after some of it was paid.

    Where more was paid than the plan has between two, the other one owes them the difference. Two who were found to be
    one person owe each other nothing.
    """
    due: dict[tuple[int, int], int] = defaultdict(int)
    for payment, sign in (*((each, 1) for each in plan), *((each, -1) for each in paid)):
        if payment.payer == payment.payee:
            continue
        low, high = sorted((payment.payer, payment.payee))
        due[low, high] += sign * payment.amount * (1 if payment.payer == low else -1)
    return [
        Payment(low, high, amount) if amount > 0 else Payment(high, low, -amount)
        for (low, high), amount in due.items()
        if amount
    ]


def squares(plan: Iterable[Payment], of: Mapping[int, Balance], rest: Mapping[int, int] | None = None) -> bool:
    """Whether everybody is even after these payments, except for the ``rest``.

    That is what each seat is still owed after them, or, below 0, what it still owes.
    """
    return left_over(plan, of) == (rest or {})


def left_over(plan: Iterable[Payment], of: Mapping[int, Balance]) -> dict[int, int]:
    """What each seat is still owed once these payments are made, below 0 what it still owes; their sum is zero."""
    return _after(plan, _open(of))


def squares_accounts(plan: Iterable[Payment], owed: Mapping[int, int]) -> bool:
    """Whether these payments square the accounts, of which ``owed`` has what they are owed, below 0 what they owe."""
    return not _after(plan, owed)


def _after(plan: Iterable[Payment], owed: Mapping[int, int]) -> dict[int, int]:
    still = defaultdict(int, owed)
    for payment in plan:
        still[payment.payer] += payment.amount
        still[payment.payee] -= payment.amount
    return {account: amount for account, amount in still.items() if amount}


def _open(of: Mapping[int, Balance]) -> dict[int, int]:
    owed = {seat: balance.owed for seat, balance in of.items() if seat != HOUSE}
    owed[HOUSE] = -sum(owed.values())
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
