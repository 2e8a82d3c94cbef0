"""Disputes of hands. Everybody with a link to the session may raise one; the host resolves it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from scoring import access, ledger, reads
from scoring.access import Right, limits
from scoring.forms.base import NoteForm
from scoring.models import Session
from scoring.request import TOO_MANY, Request, own_seat_of, sent_key, typed
from scoring.views.hand.deal import page
from scoring.views.shared.asking import attempt, signature


@require_POST
def flag(request: Request, public_id: str, number: int) -> HttpResponse:
    """Disputes a hand, with a note that says what is wrong with it."""
    session = access.session(request, public_id, Right.DISPUTE)
    found = access.deal(session, number)
    who, again = limits.client(request), reads.recorded(session, sent_key(request))
    if not again and limits.disputes.spent(who):
        return render(request, "errors/429.html", {"typed": typed(request)}, status=TOO_MANY)
    form = NoteForm(request.POST)

    def begin() -> None:
        ledger.dispute(session=session, number=number, **form.arguments(), **_signature(request, session))

    if attempt(request, session, form, begin):
        if not again:
            limits.disputes.count(who)
        return redirect("deal", public_id, number)
    return page(request, session, found, form)


@require_POST
def resolve(request: Request, public_id: str, number: int, raised: int) -> HttpResponse:
    """Resolves a dispute, with a note that says how it was decided."""
    session = access.session(request, public_id, Right.RUN)
    found = access.deal(session, number)
    access.dispute(found, raised)
    form = NoteForm(request.POST)

    def end() -> None:
        ledger.resolve_dispute(session=session, raised=raised, **form.arguments(), **signature(request))

    if attempt(request, session, form, end):
        return redirect("deal", public_id, number)
    return page(request, session, found, NoteForm(), resolving=(raised, form))


def _signature(request: Request, session: Session) -> dict[str, Any]:
    """Signs with the name of the seat whose rows this phone enters, where its link lets it enter them."""
    seat = own_seat_of(request)
    name = reads.state(session).players.get(seat) if request.grant.enters_seat(seat) else None
    return {**signature(request), "by": name or request.grant.by}
