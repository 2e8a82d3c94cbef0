"""The payments of a session: those that were made, and those that are still to be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.game.balances import Balance, balances
from scoring.game.cashing import for_chips
from scoring.game.lines import Category
from scoring.game.payments import PairPayment, Payment, are_fewest, pair_by_pair, payments, squares
from scoring.ledger.payments import Made, payments_made, promised, to_settle
from scoring.models import Session
from scoring.reads.cache import cached_by_version
from scoring.reads.state import state


@dataclass(frozen=True, slots=True)
class OpenPayments:
    """How a session is settled up. ``made`` are all payments in order, also those that were undone.

    ``open`` are the payments to be made, ``proven`` says whether no fewer would do. If ``promised``, they are what is
    left of the plan by which the first was made; if not, they are the fewest. ``pairs`` are those pair by pair: as
    played, whatever has been paid, if there is a plan, and as they are open if there is none.

    ``moved`` is by how much each seat's result changed after payments had begun, in minor units, where it did.
    ``of`` are the balances that are settled up. While the session is open and the bank holds money for chips, they are
    as if those had been handed in, and ``handing_in`` says so.
    """

    made: Sequence[Made]
    open: Sequence[Payment]
    proven: bool
    promised: bool
    pairs: Sequence[PairPayment]
    moved: Mapping[int, int]
    of: Mapping[int, Balance]
    handing_in: bool


@cached_by_version
def open_payments(session: Session) -> OpenPayments:
    """The session's `OpenPayments`, in one query beyond those of its state, and only if there are payments."""
    now = state(session)
    handing_in = session.closed_at is None and for_chips(now.balances) > 0
    lines = to_settle(now.lines, now.balances, handing_in=handing_in)
    of = balances(lines, now.balances) if handing_in else now.balances
    paid = any(line.kind.category is Category.PAYMENT for line in now.lines)
    made = payments_made(session) if paid else []
    plan = promised(made)
    if plan is not None and squares(plan, of):
        played = [line for line in lines if line.kind.category is not Category.PAYMENT]
        return OpenPayments(made, plan, False, True, pair_by_pair(played), {}, of, handing_in)
    few = payments(of)
    moved = {} if plan is None else _moved(plan, of)
    return OpenPayments(made, few, are_fewest(of), False, pair_by_pair(lines), moved, of, handing_in)


def _moved(plan: Sequence[Payment], of: Mapping[int, Balance]) -> dict[int, int]:
    """By how much more each seat is owed now than what is left of a plan would give it."""
    moved = {seat: balance.owed for seat, balance in of.items() if seat > 0}
    for payment in plan:
        for seat, amount in ((payment.payer, payment.amount), (payment.payee, -payment.amount)):
            if seat in moved:
                moved[seat] += amount
    return {seat: amount for seat, amount in moved.items() if amount}
