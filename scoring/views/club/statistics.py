"""The statistics of a club: its records, and who has played."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.request import Request
from scoring.views.shared.club_frame import club_frame
from scoring.wording.figures import counted
from scoring.wording.statistics import FEW_SAID, players_shown, records_shown


@require_safe
def statistics(request: Request, public_id: str) -> HttpResponse:
    """Shows the club's records over all sessions, and leads to the statistics of each player."""
    of = access.club(request, public_id)
    found = reads.club_statistics(of)
    context = {
        **club_frame(of, "standings"),
        "said": f"{counted(found.hands, 'hand')} in {counted(found.sessions, 'session')}.",
        "few": FEW_SAID,
        "records": records_shown(found),
        "players": players_shown(of, found),
    }
    return render(request, "club/statistics.html", context)
