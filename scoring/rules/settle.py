"""Settling: who pays whom, in clockwise order from under the gun, with stakes and limited chips (R42 to R49)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.houserules import HouseRules


class Debt(NamedTuple):
    """What one pair owes. ``first`` and ``second`` are places at the table, clockwise from under the gun.

    ``points`` are positive if ``first`` won; ``stake`` is in minor units a point.
    """

    first: int
    second: int
    points: int
    stake: int

    @property
    def payee(self) -> int:
        """The place that receives; meaningless if ``points`` is 0."""
        return self.first if self.points > 0 else self.second

    @property
    def payer(self) -> int:
        """The place that pays; meaningless if ``points`` is 0."""
        return self.second if self.points > 0 else self.first


class PaidDebt(NamedTuple):
    """One settled pair, in minor units.

    ``cap`` is ``loss``, ``win`` or ``busted`` if it made ``paid`` less than ``owed``, and is empty if all was paid.
    """

    debt: Debt
    owed: int
    paid: int
    cap: str


def in_order(debts: Sequence[Debt], settlement_order: str) -> list[Debt]:
    """Put the debts in the order in which they are paid; they are given clockwise from under the gun.

    Order ``pairs`` keeps them as given (R43). With ``debtors`` each player in turn pays everyone they owe, clockwise
    from their left (R44); pairs worth nothing come last.
    """
    if settlement_order == "pairs":
        return list(debts)
    players = 1 + max((debt.second for debt in debts), default=0)
    owing = [debt for debt in debts if debt.points]
    owing.sort(key=lambda debt: (debt.payer, (debt.payee - debt.payer) % players))
    return owing + [debt for debt in debts if not debt.points]


def settle(
    debts: Sequence[Debt], stacks: Sequence[int] | None, rules: HouseRules
) -> tuple[list[PaidDebt], list[int] | None]:
    """Pay every debt in turn, and return the payments and the stacks that they leave.

    ``stacks`` are the chips at the beginning of the deal, in minor units by place, or None if chips are not limited.
    Chips change hands pair by pair, so that a player can pay with what they have just won (R47). What a cap leaves
    unpaid is void, never a debt (R49).
    """
    if stacks is None:
        return [
            PaidDebt(debt, abs(debt.points) * debt.stake, abs(debt.points) * debt.stake, "")
            for debt in in_order(debts, rules.settlement_order)
        ], None
    now = list(stacks)
    payments = []
    for debt in in_order(debts, rules.settlement_order):
        owed = abs(debt.points) * debt.stake
        paid, cap = owed, ""
        if rules.loss_cap and paid > now[debt.payer]:
            paid, cap = now[debt.payer], "loss"
        can_win = {"running": now[debt.payee], "start": stacks[debt.payee], "none": paid}[rules.win_cap]
        if paid > max(0, can_win):
            paid, cap = max(0, can_win), "win"
        if paid and rules.loss_cap and now[debt.payee] <= 0 and not rules.busted_collects:
            paid, cap = 0, "busted"
        now[debt.payer] -= paid
        now[debt.payee] += paid
        payments.append(PaidDebt(debt, owed, paid, cap))
    return payments, now
