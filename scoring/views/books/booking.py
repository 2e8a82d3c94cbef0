"""The one view behind every booking form: penalty, side bet, fee, and any other form in `BOOKINGS`."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, reads
from scoring.access import Right
from scoring.forms.bookings import BOOKINGS
from scoring.request import Request
from scoring.views.shared.asking import form_page, posted, record


@require_http_methods(["GET", "HEAD", "POST"])
def booking(request: Request, public_id: str, verb: str) -> HttpResponse:
    """Shows the booking form of action ``verb``, and books what the host posts."""
    session = access.session(request, public_id, Right.RUN)
    state = reads.state(session)
    form = BOOKINGS[verb].of(posted(request), table=state.table, players=state.players, digits=session.minor_digits)
    if record(request, session, form):
        return redirect("ledger", session.public_id)
    people = form.people(state.table, state.players)
    return form_page(request, session, f"books/{verb}.html", form, {"people": people})
