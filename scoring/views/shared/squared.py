"""Final totals and the payments that settle them."""

from __future__ import annotations

from typing import Any

from scoring import reads
from scoring.game.payments import payments
from scoring.models import Session
from scoring.wording.figures import money, signed, signed_money


def squared(session: Session, state: reads.State) -> dict[str, Any]:
    """Context for a page of totals.

    ``final`` has (name, points, money, fees) for each player, ``payments`` (payer, payee, amount), ``disputes`` the
    number and the note of each open dispute.
    """
    digits = session.minor_digits
    fees = any(balance.fees for balance in state.balances.values())
    return {
        "final": [
            (seat.name, signed(of.points), signed_money(of.money, digits), money(of.fees, digits))
            for number, seat in state.seats.items()
            if number > 0
            for of in [state.balances[number]]
        ],
        "fees": fees,
        "payments": [
            (state.seats[each.payer].name, state.seats[each.payee].name, money(each.amount, digits))
            for each in payments(state.balances)
        ],
        "disputes": [(each.deal.number, each.raised.note) for each in reads.disputes(session)],
    }
