"""The host's word on the next hand."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.actions.set_next import SetNext
from scoring.forms.next_hand import NextHandForm
from scoring.request import CONFLICT, Request
from scoring.rules.houserules import FANTASYLAND_CARDS
from scoring.views.shared.asking import attempt, closed_page, form_page, signature


@require_http_methods(["GET", "HEAD", "POST"])
def following(request: Request, public_id: str) -> HttpResponse:
    """The host's word on the next hand's button and Fantasyland, with the reason."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    state = reads.state(session)
    form = NextHandForm(request.POST, state.table, state.players)
    status = 0
    if request.method == "POST":
        form.read()
        word = SetNext(form.button, form.fantasyland)
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=word, note=form.note, **signature(request))
        )
        if not status:
            return redirect("table", session.public_id)
        if status == CONFLICT:
            form.table = reads.state(session).table
    return form_page(request, session, "table/next_hand.html", form, {"card_counts": FANTASYLAND_CARDS}, status=status)
