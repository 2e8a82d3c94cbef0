"""Lets the host set the next hand's button and Fantasyland."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, reads
from scoring.access import Right
from scoring.forms.next_deal import NextDealForm
from scoring.request import CONFLICT, Request
from scoring.rules.houserules import FANTASYLAND_CARDS
from scoring.views.shared.asking import form_page, posted, record
from scoring.wording.counts import cards


@require_http_methods(["GET", "HEAD", "POST"])
def following(request: Request, public_id: str) -> HttpResponse:
    """Sets the next hand's button and Fantasyland, with the reason."""
    session = access.session(request, public_id, Right.RUN)
    state = reads.state(session)
    form = NextDealForm(posted(request), state.table, state.players)
    if record(request, session, form):
        return redirect("table", session.public_id)
    now = reads.state(session).table  # read again: after a conflict the table is not what it was above
    if form.status == CONFLICT and session.closed_at is None:
        form.brought_up_to_date(now)
    context = {
        "card_counts": [(count, cards(count)) for count in FANTASYLAND_CARDS],
        "had_button": form.had_button(now),
        "buttons": form.buttons(now),
        "fantasyland": form.fantasyland(now),
        "unsaved": form.unplaced(now) if form.status == CONFLICT else [],
    }
    return form_page(request, session, "table/next_hand.html", form, context)
