"""Final totals and the payments that settle them."""

from __future__ import annotations

from typing import Any

from scoring import reads
from scoring.game.payments import are_fewest, payments
from scoring.models import Session
from scoring.wording.figures import money, signed, signed_money


def squared(session: Session, state: reads.State) -> dict[str, Any]:
    """Context for a page of totals.

    ``final`` has (name, points, money, fees) for each player who was there, ``payments`` (payer, payee, amount);
    ``fewest`` says whether none fewer would do.
    """
    digits = session.minor_digits
    fees = any(balance.fees for balance in state.balances.values())
    return {
        "final": [
            (name, signed(of.points), signed_money(of.money, digits), money(of.fees, digits))
            for number, name in reads.present(session).items()
            for of in [state.balances[number]]
        ],
        "fees": fees,
        "payments": [
            (state.seats[each.payer].name, state.seats[each.payee].name, money(each.amount, digits))
            for each in payments(state.balances)
        ],
        "fewest": are_fewest(state.balances),
    }


def disputes(session: Session) -> list[tuple[int, str]]:
    """The number of the hand and the note of each open dispute."""
    return [(each.deal.number, each.raised.note) for each in reads.disputes(session)]
