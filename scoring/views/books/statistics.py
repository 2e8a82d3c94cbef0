"""The statistics of a session: everyone's figures, and each pair's."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access
from scoring.access import Right
from scoring.request import Request
from scoring.views.shared.frame import frame
from scoring.wording.statistics import PAIR_HEADS, few_said, session_groups, session_pairs


@require_safe
def statistics(request: Request, public_id: str) -> HttpResponse:
    """Shows the figures of the session's hands, as they count now."""
    session = access.session(request, public_id, Right.READ)
    context = {
        **frame(session, "ledger"),
        "groups": session_groups(session),
        "heads": PAIR_HEADS,
        "few": few_said(),
        "pairs": session_pairs(session),
    }
    return render(request, "books/statistics.html", context)
