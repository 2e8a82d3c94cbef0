"""The players as the table's page and the big screen show them."""

from __future__ import annotations

from dataclasses import dataclass

from scoring import reads
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.wording.figures import apart, joined, money, points_and_money, signed, signed_money


@dataclass(frozen=True, slots=True)
class SeatShown:
    """One player before the next hand. ``out`` says why they are not dealt in."""

    place: str
    name: str
    button: bool
    fantasyland: int
    out: str
    points: str
    money: str
    stack: str
    broke: bool


def seats_shown(session: Session, state: reads.State) -> list[SeatShown]:
    """Everybody at the table, clockwise from under the gun. Players who are not dealt in keep their place."""
    now = state.table
    lineup = now.lineup()
    order = [chair.number for chair in now.chairs]
    start = order.index(lineup[0]) if lineup else 0
    digits = session.minor_digits
    shown = []
    for seat in order[start:] + order[:start]:
        chair = now.chair(seat)
        out = "" if seat in lineup else _("sits out") if chair and chair.out else _("button, sits out")
        balance = state.balances[seat]
        shown.append(
            SeatShown(
                place=str(lineup.index(seat) + 1) if seat in lineup else "",
                name=now.name(seat),
                button=seat == now.button,
                fantasyland=now.dealt_at_once(seat),
                out=out,
                points=signed(balance.points),
                money=signed_money(balance.money, digits),
                stack=money(now.stacks[seat], digits) if now.stacks and now.stacks.get(seat) else "",
                broke=now.stacks is not None and not now.stacks.get(seat),
            )
        )
    return shown


def left_shown(session: Session, state: reads.State) -> str:
    """Who has left the table with a result, so that what is shown adds up; empty if nobody has."""
    of = {seat: state.balances[seat] for seat in state.players if state.table.chair(seat) is None}
    unit = session.minor_digits, session.currency
    return joined(
        f"{apart(state.players[seat])}\N{NO-BREAK SPACE}{points_and_money(balance.points, balance.money, *unit)}"
        for seat, balance in of.items()
        if balance.money or balance.points
    )
