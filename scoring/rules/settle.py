"""Who pays whom, in clockwise order from under the gun, with stakes and with chips that can run out (R42 to R49)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.houserules import HouseRules


class Debt(NamedTuple):
    """What one pair is worth: ``points`` from the side of ``first``, the earlier one; ``stake`` in minor units."""

    first: int
    second: int
    points: int
    stake: int

    @property
    def payee(self) -> int:
        """Who receives; meaningless where the pair is worth nothing."""
        return self.first if self.points > 0 else self.second

    @property
    def payer(self) -> int:
        """Who pays."""
        return self.second if self.points > 0 else self.first


class PaidDebt(NamedTuple):
    """One settled pair, in minor units. ``paid`` is less than ``owed`` only through the ``cap`` named."""

    debt: Debt
    owed: int
    paid: int
    cap: str


def in_order(debts: Sequence[Debt], settlement_order: str) -> list[Debt]:
    """The debts in the order in which they are paid; given and, by pairs, kept clockwise from under the gun (R43).

    By debtors each player in turn pays everyone he owes, clockwise from his left; pairs worth nothing come last (R44).
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
    """Pay every debt in turn, each player's chips changing hands at once (R47), and say what is then in front of each.

    ``stacks`` are minor units when the deal began, by player, or None where nothing is limited. What a cap leaves
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
