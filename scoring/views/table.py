"""The table between two hands: who sits where, who has the button, what everybody is up or down."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from scoring import access, ledger, queries
from scoring.access import Right
from scoring.forms.next_hand import NextHandForm
from scoring.http import CONFLICT, Request, new_key
from scoring.models import Event, Session
from scoring.rules.houserules import FANTASYLAND_CARDS
from scoring.views import doors
from scoring.views.asking import attempt, closed_page, form_page, signature
from scoring.views.close import squared
from scoring.views.frame import frame
from scoring.views.people import orbit
from scoring.views.shown import money, signed, signed_money

LAST_HANDS = 5
NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class SeatShown:
    """One seat as it stands before the next hand; ``out`` says why it is not dealt in."""

    place: str
    name: str
    button: bool
    fantasyland: int
    out: str
    points: str
    money: str
    stack: str
    broke: bool


@require_safe
def table(request: Request, public_id: str) -> HttpResponse:
    """Seats clockwise from under the gun, totals, the last hands, and the way to the next one."""
    session = access.session(request, public_id, Right.READ)
    return render(request, "table.html", _context(request, session))


def _context(request: Request, session: Session) -> dict[str, Any]:
    shown = _shown(session)
    return {
        **frame(session, "table"),
        **shown,
        "undoable": shown["undoing"] if shown["last"] and may_undo(request, shown["last"]) else "",
        "version": session.version,
        "key": new_key(),
        "recovery": doors.handed_over(request, session),
    }


@queries.kept
def _shown(session: Session) -> dict[str, Any]:
    """What the page has for everybody alike."""
    state, last = queries.state(session), ledger.last_undoable(session)
    return {
        "number": session.next_number,
        "seats": seats_shown(session, state),
        "note": session.note,
        "orbit": orbit(state.table),
        "obstacles": [problem.message for problem in state.table.obstacles()],
        "hands": _last_hands(session, state),
        "last": last,
        "undoing": _undoing(last, state) if last else "",
        **squared(session, state),
    }


def _last_hands(session: Session, state: queries.State) -> list[dict[str, Any]]:
    shown = []
    for hand in queries.hands(session, limit=LAST_HANDS, now=state.balances).hands:
        won = [(seat, hand.points[seat]) for seat in state.seats if hand.points.get(seat)]
        shown.append(
            {
                "number": hand.number,
                "url": reverse("deal", args=[session.public_id, hand.number]),
                "void": hand.revision.voided,
                "disputed": hand.disputed,
                # A name and its figure stay on one line.
                "summary": ", ".join(
                    f"{state.seats[seat].name}\N{NO-BREAK SPACE}{signed(points)}" for seat, points in won
                )
                or "nothing moved",
            }
        )
    return shown


DONE = {
    "settle": "hand {deal} settled",
    "correct": "hand {deal} corrected",
    "void": "hand {deal} voided",
    "restore": "hand {deal} restored",
    "set-next": "button or Fantasyland set",
    "terms": "terms changed",
    "penalty": "penalty booked",
    "side-bet": "side bet booked",
    "fee": "fee booked",
    "buy-in": "{who} bought chips",
    "cash-out": "{who} cashed out chips",
    "join": "{who} joined",
    "leave": "{who} left",
    "sit-out": "{who} sits out",
    "sit-in": "{who} is back",
    "swap": "seats swapped",
}


def _undoing(event: Event, state: queries.State) -> str:
    """What undoing would take back, in words."""
    seat = state.seats.get(event.action.get("seat", 0))
    return DONE[event.verb].format(deal=event.deal, who=seat.name if seat else "")


def may_undo(request: Request, event: Event) -> bool:
    """The host may take back anything, whoever enters hands one that he has settled himself."""
    grant = request.grant
    return grant.runs or (grant.enters and (event.verb, event.by) == ("settle", grant.by))


def seats_shown(session: Session, state: queries.State) -> list[SeatShown]:
    """Everybody at the table, clockwise from under the gun; who is not dealt in stands where he sits."""
    now = state.table
    lineup = now.lineup()
    order = [chair.number for chair in now.chairs]
    start = order.index(lineup[0]) if lineup else 0
    digits = session.minor_digits
    shown = []
    for seat in order[start:] + order[:start]:
        chair = now.chair(seat)
        out = "" if seat in lineup else "sits out" if chair and chair.out else "button, sits out"
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


@require_http_methods(["GET", "HEAD", "POST"])
def following(request: Request, public_id: str) -> HttpResponse:
    """The host's word on the next hand's button and Fantasyland, with the reason."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    state = queries.state(session)
    form = NextHandForm(request.POST, state.table, state.players)
    status = 0
    if request.method == "POST":
        form.read()
        word: dict[str, Any] = {"button": form.button, "fantasyland": form.fantasyland, "note": form.note}
        status = attempt(session, form, lambda: ledger.set_next(session=session, **word, **signature(request)))
        if not status:
            return redirect("table", session.public_id)
        if status == CONFLICT:
            form.table = queries.state(session).table
    return form_page(request, session, "next.html", form, {"card_counts": FANTASYLAND_CARDS}, status=status)
