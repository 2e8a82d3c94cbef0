"""What everybody is up or down, and who pays whom."""

from __future__ import annotations

from typing import Any

from scoring import reads
from scoring.game.payments import payments
from scoring.models import Session
from scoring.wording.figures import money, signed, signed_money


def squared(session: Session, state: reads.State) -> dict[str, Any]:
    """Everybody's totals (name, points, money, fees) and who pays whom (payer, payee, amount)."""
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
        "flags": [(each.deal.number, each.raised.note) for each in reads.disputes(session)],
    }
