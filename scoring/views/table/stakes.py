"""Changes what a point is worth from the next hand on."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, reads
from scoring.access import Right
from scoring.forms.stakes import StakesForm
from scoring.request import CONFLICT, Request
from scoring.views.shared.asking import form_page, posted, record


@require_http_methods(["GET", "HEAD", "POST"])
def stakes(request: Request, public_id: str) -> HttpResponse:
    """Changes the common stake and those of single pairs. Settled hands keep their stakes."""
    session = access.session(request, public_id, Right.RUN)
    state = reads.state(session)
    form = StakesForm(posted(request), state.table, session.minor_digits)
    if record(request, session, form):
        return redirect("table", session.public_id)
    if form.status == CONFLICT and session.closed_at is None:
        form = form.brought_up_to_date(reads.state(session).table)
    return form_page(request, session, "table/stakes.html", form, {"unsaved": form.unplaced(state.players)})
