"""The history page: each event with who recorded it, when and why, and in words what it changed."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.request import Request, whole_number
from scoring.views.shared.frame import frame
from scoring.wording.history import Historian

EVENTS_A_PAGE = 30


@require_safe
def history(request: Request, public_id: str) -> HttpResponse:
    """Lists the events, newest first: with ``?hand=N`` those of hand N alone, ``?before=N`` those before event N."""
    session = access.session(request, public_id, Right.READ)
    asked = request.GET.get("hand", "").strip()
    deal = whole_number(asked)
    before = whole_number(request.GET.get("before"))
    found, older = reads.history(session, deal=deal if asked else None, before=before or None, limit=EVENTS_A_PAGE)
    historian = Historian(session, found)
    about = f"hand={deal}&" if deal else ""
    context = {
        **frame(session, "more"),
        "events": [historian.shown(each) for each in found],
        "deal": deal,
        "asked": asked,
        "older": f"?{about}before={older}" if older else "",
        "newest": f"?{about}" if before else "",
    }
    return render(request, "books/history.html", context)
