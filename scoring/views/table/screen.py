"""The big screen at the table."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.models import Session
from scoring.request import Request, new_key
from scoring.views.hand.drafting import entering
from scoring.views.shared.evidence import head_address
from scoring.views.shared.frame import frame
from scoring.views.shared.settle_up import squared
from scoring.views.table.seats import left_shown, seats_shown
from scoring.wording.curve import curve_shown
from scoring.wording.figures import listed
from scoring.wording.highlights import highlights_shown
from scoring.wording.settlement import outcome_shown

MOST_BOARDS = 4
"""The big screen has room for this many boards side by side."""


@require_safe
def screen(request: Request, public_id: str) -> HttpResponse:
    """Shows seats, totals, the last settlement and the curve in large type, for a tablet or television at the table.

    Once the session is closed, it shows the result, who pays whom, and what stood out.
    """
    session = access.session(request, public_id, Right.READ)
    context = {
        **frame(session, "screen"),
        **(_result(session) if session.closed_at else _table(request, session)),
        "curve": partial(curve_shown, session),
        "head_address": head_address(request, session),
        "key": new_key(),
    }
    return render(request, "table/screen.html", context)


@reads.cached_in_words
def _result(session: Session) -> dict[str, Any]:
    return {**squared(session, reads.state(session)), "highlights": highlights_shown(session)}


def _table(request: Request, session: Session) -> dict[str, Any]:
    state = reads.state(session)
    return {
        "number": session.next_number,
        "seats": seats_shown(session, state),
        "left": left_shown(session, state),
        **_last_settlement(session),
        **entering(request, session),
    }


@reads.cached_in_words
def _last_settlement(session: Session) -> dict[str, Any]:
    """Context for the newest hand that is not void, empty if there is none."""
    newest = reads.ledger_page(session, limit=10).deals
    last = next((deal.revision for deal in newest if not deal.revision.voided), None)
    stored = reads.stored_deal(last.deal, last.n) if last else None
    outcome = stored.outcome() if stored else None
    if last is None or outcome is None:
        return {}
    shown = outcome_shown(outcome, session)
    return {
        "last": last.deal.number,
        "pairs": shown["pairs"],
        "boards": shown["boards"] if len(shown["boards"]) <= MOST_BOARDS else [],
        "fouled": listed([board.name for board in shown["boards"] if board.foul]),
    }
