"""The club's standings page."""

from __future__ import annotations

from itertools import groupby

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.request import Request
from scoring.views.shared.club_frame import club_frame
from scoring.wording import counts
from scoring.wording.figures import money, signed, signed_money


@require_safe
def standings(request: Request, public_id: str) -> HttpResponse:
    """Shows what each player has won or lost over all sessions, in one table per currency."""
    of = access.club(request, public_id, Right.READ)
    found = sorted(reads.standings(of), key=lambda each: (each.currency, each.minor_digits))
    tables = [
        {
            "currency": currency,
            "lines": [
                {
                    "name": line.player,
                    "sessions": counts.sessions(line.sessions),
                    "deals": counts.deals(line.deals),
                    "points": signed(line.points),
                    "money": signed_money(line.money, digits),
                    "fees": money(line.fees, digits) if line.fees else "",
                }
                for line in lines
            ],
        }
        for (currency, digits), lines in groupby(found, key=lambda each: (each.currency, each.minor_digits))
    ]
    return render(request, "club/standings.html", {**club_frame(of, "standings"), "tables": tables})
