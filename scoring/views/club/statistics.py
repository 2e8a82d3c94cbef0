"""The statistics of a club: its records, and who has played."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.exports import workbook as session_workbook
from scoring.request import Request
from scoring.views.shared.club_frame import club_frame
from scoring.views.shared.download import Export, download
from scoring.wording.statistics import few_said, played_said, players_shown, records_shown


@require_safe
def statistics(request: Request, public_id: str) -> HttpResponse:
    """Shows the club's records over all sessions, and leads to the statistics of each player."""
    of = access.club(request, public_id, Right.READ)
    found = reads.club_statistics(of)
    context = {
        **club_frame(of, "standings"),
        "said": played_said(found.deals, found.sessions),
        "few": few_said(),
        "records": records_shown(found),
        "players": players_shown(of, found),
    }
    return render(request, "club/statistics.html", context)


@require_safe
def workbook(request: Request, public_id: str) -> HttpResponseBase:
    """Downloads the statistics of the club and of all its players as a spreadsheet."""
    of = access.club(request, public_id, Right.READ)
    export = Export(
        kind="statistics",
        of=of,
        name=f"ofc-statistics-{timezone.localdate():%Y-%m-%d}.xlsx",
        content_type=session_workbook.TYPE,
        back=reverse("club-statistics", args=[public_id]),
        around="shared/club_frame.html",
        frame=club_frame(of, "standings"),
    )
    return download(request, export)
