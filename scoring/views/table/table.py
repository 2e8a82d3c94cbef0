"""The page of the table between two hands: seats, button and totals."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.models import Session
from scoring.request import Request, new_key, whole_number
from scoring.texts import gettext as _
from scoring.texts import pgettext
from scoring.views.hand.drafting import entering
from scoring.views.shared import recovery
from scoring.views.shared.evidence import agreed
from scoring.views.shared.frame import frame
from scoring.views.shared.settle_up import disputes, squared
from scoring.views.table.seats import left_shown, seats_shown
from scoring.wording.actions import Speaker, done, sentence, undoing, undoing_what
from scoring.wording.curve import curve_shown
from scoring.wording.figures import apart, joined, labelled, signed
from scoring.wording.highlights import highlights_shown
from scoring.wording.notes import note_said
from scoring.wording.phrases import reasons
from scoring.wording.table import orbit

LAST_DEALS = 5


@require_safe
def table(request: Request, public_id: str) -> HttpResponse:
    """Shows the seats in order of play, the totals, the last hands, and the way to the next one."""
    session = access.session(request, public_id, Right.READ)
    context = _context(request, session)
    response = render(request, "table/table.html", context)
    if "recovery" in context:
        response["Cache-Control"] = "no-store"  # the page has a secret, which the browser must not keep
    return response


def _context(request: Request, session: Session) -> dict[str, Any]:
    shown = _shown(session)
    return {
        **frame(session, "table"),
        **shown,
        "curve": partial(curve_shown, session),
        **agreed(request, session),
        **entering(request, session),
        "undoable": shown["undoing"] if shown["last"] and request.grant.may_undo(shown["last"]) else "",
        "undone": _undone(request, session),
        "version": session.version,
        "key": new_key(),
        **recovery.handed_over(request, session),
    }


@reads.cached_in_words
def _shown(session: Session) -> dict[str, Any]:
    """The part of the context that is the same for everybody, and so can be cached."""
    state, last = reads.state(session), ledger.last_undoable(session)
    return {
        "number": session.next_number,
        "seats": seats_shown(session, state),
        "note": note_said(session.note),
        "orbit": orbit(state.table),
        "obstacles": reasons(state.table.obstacles()),
        "deals": _last_deals(session, state),
        "last": last,
        "left": left_shown(session, state),
        "undoing": undoing(last, Speaker.of(session, state.players)) if last else "",
        "undoing_what": undoing_what(last, Speaker.of(session, state.players, for_cash=state.for_cash)) if last else "",
        "disputes": disputes(session),
        **({**squared(session, state), "highlights": highlights_shown(session)} if session.closed_at else {}),
    }


def _undone(request: Request, session: Session) -> str:
    """What Undo, which led here, has taken back; empty if it did not, and once anything else has happened."""
    undone = reads.just_undone(session, whole_number(request.GET.get("undone")))
    if undone is None:
        return ""
    state = reads.state(session)
    said = sentence(undone, Speaker.of(session, state.players, for_cash=state.for_cash))
    what = done(undone)
    return labelled(pgettext("history", "Undone"), labelled(what, said) if said else what)


def _last_deals(session: Session, state: reads.State) -> list[dict[str, Any]]:
    shown = []
    for deal in reads.ledger_page(session, limit=LAST_DEALS, now=state.balances).deals:
        won = [(seat, deal.points[seat]) for seat in state.seats if deal.points.get(seat)]
        shown.append(
            {
                "number": deal.number,
                "url": reverse("deal", args=[session.public_id, deal.number]),
                "void": deal.revision.voided,
                "disputed": deal.disputed,
                # A no-break space keeps a name and its figure on one line.
                "summary": joined(
                    f"{apart(state.seats[seat].name)}\N{NO-BREAK SPACE}{signed(points)}" for seat, points in won
                )
                or _("no points won or lost"),
            }
        )
    return shown
