"""Balances: what ledger lines add up to for each seat and for each pair of seats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self, assert_never

from scoring.game.lines import Category, Line


@dataclass(frozen=True, slots=True)
class Balance:
    """What the lines say of one seat: points, and amounts in minor units.

    ``points`` and ``money`` were won in play, penalties and side bets, and are negative if they were lost. ``fees``
    were paid to the house. ``bought`` is chips bought minus chips cashed out, and ``chips`` lie in front of the seat
    or, after its player has left, are still owed by the bank. ``paid`` is what the seat has paid of its debts, minus
    what it has been paid. ``cash`` is what it has paid for chips on the spot, minus what it got for them; the bank's
    own is below 0 by the money that it holds.
    """

    points: int = 0
    money: int = 0
    fees: int = 0
    bought: int = 0
    chips: int = 0
    paid: int = 0
    cash: int = 0

    @property
    def owed(self) -> int:
        """What the seat is still owed, below 0 what it still owes: winnings without fees, and what it has paid."""
        return self.money - self.fees + self.paid + self.cash

    @property
    def on_credit(self) -> int:
        """What the seat still owes for chips that it bought; below 0 what it still has to get for those it returned."""
        return self.bought - self.cash

    def __add__(self, other: Self) -> Self:
        """The sum of two balances, field by field."""
        return self._with(other, 1)

    def __sub__(self, other: Self) -> Self:
        """The difference of two balances, field by field."""
        return self._with(other, -1)

    def _with(self, other: Self, sign: int) -> Self:
        return replace(
            self,
            points=self.points + sign * other.points,
            money=self.money + sign * other.money,
            fees=self.fees + sign * other.fees,
            bought=self.bought + sign * other.bought,
            chips=self.chips + sign * other.chips,
            paid=self.paid + sign * other.paid,
            cash=self.cash + sign * other.cash,
        )


def balances(lines: Iterable[Line], seats: Iterable[int]) -> dict[int, Balance]:
    """Each seat's balance, by its number. ``seats`` must hold every seat of the lines, bank and house included."""
    sums: dict[int, dict[str, int]] = {seat: defaultdict(int) for seat in seats}
    for line in lines:
        for seat, sign in ((line.payee, 1), (line.payer, -1)):
            one, money = sums[seat], sign * line.amount
            one["points"] += sign * line.points
            match line.kind.category:
                case Category.PLAY:
                    one["money"] += money
                case Category.FEE:
                    one["fees"] -= money
                case Category.BANK:
                    one["bought"] += money
                case Category.PAYMENT:
                    one["paid"] -= money
                case Category.CASH:
                    one["cash"] -= money
                case _ as other:
                    assert_never(other)
            if line.in_play:
                one["chips"] += money
    return {seat: Balance(**one) for seat, one in sums.items()}


def matrix(lines: Sequence[Line]) -> dict[tuple[int, int], Balance]:
    """The points and money that each seat has won from each other, keyed (seat, other seat).

    Both directions of a pair are present, the loser's with negative figures; pairs that never met are missing.
    """
    points: dict[tuple[int, int], int] = defaultdict(int)
    money: dict[tuple[int, int], int] = defaultdict(int)
    for line in lines:
        if line.kind.category is Category.PLAY:
            for pair, sign in (((line.payee, line.payer), 1), ((line.payer, line.payee), -1)):
                points[pair] += sign * line.points
                money[pair] += sign * line.amount
    return {pair: Balance(points=points[pair], money=money[pair]) for pair in points}
