"""The record of a session on paper: every hand with its boards, and lines to sign."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.models import Session
from scoring.request import Request, whole_number
from scoring.texts import gettext as _
from scoring.views.shared.frame import frame
from scoring.views.shared.witness import head_address
from scoring.wording.figures import day_of_year_and_time
from scoring.wording.paper import on_paper
from scoring.wording.settle_up import settle_up
from scoring.wording.settlement import standing_shown

HANDS_A_PART = 200
"""So many hands are made at once; a longer session is printed in parts."""


@require_safe
def paper(request: Request, public_id: str) -> HttpResponse:
    """Shows everything that was settled and recorded, to be printed. ``?part=`` is which part of a long session."""
    session = access.session(request, public_id, Right.READ)
    last = max(1, -(-session.deals // HANDS_A_PART))
    part = min(whole_number(request.GET.get("part")) or 1, last)
    context = {**_context(session, part, last), "head_address": head_address(request, session)}
    return render(request, "books/paper.html", context)


def _context(session: Session, part: int, last: int) -> dict[str, Any]:
    state, names = reads.state(session), reads.present(session)
    first = (part - 1) * HANDS_A_PART + 1
    agreed = {each.seat: each.at for each in reads.agreements(session) if each.to == reads.head(session)}
    return {
        **frame(session, "record"),
        "opened": day_of_year_and_time(session.opened_at),
        "ended": day_of_year_and_time(session.closed_at) if session.closed_at else "",
        "paper": on_paper(session, reads.whole(session, first, part * HANDS_A_PART)),
        "standing": standing_shown(state, names, session),
        "settle_up": settle_up(session, state),
        "disputed": [each.deal.number for each in reads.disputes(session)],
        "signers": [
            (name, day_of_year_and_time(agreed[seat]) if seat in agreed else "") for seat, name in names.items()
        ],
        "first_part": part == 1,
        "last_part": part == last,
        "part": part,
        "parts": [
            (
                number,
                _("Hands {first} to {last}").format(
                    first=(number - 1) * HANDS_A_PART + 1, last=min(number * HANDS_A_PART, session.deals)
                ),
            )
            for number in range(1, last + 1)
        ]
        if last > 1
        else [],
    }
