"""What a point is worth from the next hand on."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.actions.terms import ChangeTerms
from scoring.forms.stakes import StakesForm
from scoring.request import Request
from scoring.views.shared.asking import attempt, closed_page, form_page, signature


@require_http_methods(["GET", "HEAD", "POST"])
def stakes(request: Request, public_id: str) -> HttpResponse:
    """The stake of all and those of single pairs; what has been played stays as it was played."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    table = reads.state(session).table
    form = StakesForm(request.POST, table, session.minor_digits)
    status = 0
    if request.method == "POST":
        form.read()
        pairs = [(*key, stake) for key, stake in sorted(form.pair_stakes.items())]
        terms = ChangeTerms(form.stake, pairs)
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=terms, note=form.note, **signature(request))
        )
        if not status:
            return redirect("table", session.public_id)
    return form_page(request, session, "table/stakes.html", form, {}, status=status)
