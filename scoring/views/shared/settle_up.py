"""Final totals and the payments that settle them."""

from __future__ import annotations

from typing import Any

from scoring import reads
from scoring.models import Session
from scoring.wording.closing import paid_at_close
from scoring.wording.figures import money, signed, signed_money
from scoring.wording.names import link_said
from scoring.wording.settle_up import settle_up


def squared(session: Session, state: reads.State) -> dict[str, Any]:
    """Context for a page of totals.

    ``final`` has (place, name, points, money, fees) for each player who was there, by result; equal results share a
    place. ``settle_up`` is a `scoring.wording.settle_up.SettleUp`, and ``paid_at_close`` what the bank paid for chips.
    """
    digits = session.minor_digits
    results = sorted(
        ((name, state.balances[seat]) for seat, name in reads.present(session).items()),
        key=lambda result: (result[1].money, result[1].points),
        reverse=True,
    )
    figures = [(of.money, of.points) for _, of in results]
    return {
        "final": [
            (
                figures.index((of.money, of.points)) + 1,
                name,
                signed(of.points),
                signed_money(of.money, digits),
                money(of.fees, digits) if of.fees else "",
            )
            for name, of in results
        ],
        "settle_up": settle_up(session, state),
        "paid_at_close": paid_at_close(session, state),
    }


def disputes(session: Session) -> list[tuple[int, str, str]]:
    """The number of the hand, who disputes it and why, for each open dispute."""
    return [(each.deal.number, link_said(each.raised.by), each.raised.note) for each in reads.disputes(session)]
