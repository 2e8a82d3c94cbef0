"""The way into the demo: what there is to see in it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.demo.evenings import DISPUTED, MISREAD
from scoring.models import DEMO
from scoring.request import Request
from scoring.views.shared.club_frame import club_frame
from scoring.wording.counts import deals_in
from scoring.wording.session import terms, title


@require_safe
def demo(request: Request) -> HttpResponse:
    """Leads to the demo's sessions, and to what each of them shows."""
    of = access.club(request, DEMO, Right.READ)
    found, _older = reads.club_sessions(of, limit=len(PLACES))
    sessions = {
        PLACES[session.number]: {
            "id": session.public_id,
            "title": title(session),
            "terms": terms(session),
            "deals": deals,
        }
        for session, deals in zip(found, deals_in(found), strict=True)
        if session.number in PLACES
    }
    context = {**club_frame(of, "club"), **sessions, "misread": MISREAD, "disputed": DISPUTED}
    return render(request, "start/demo.html", context)


PLACES = {1: "points", 2: "money", 3: "cash", 4: "tonight"}
"""Which part of the page each session has, by its number."""
