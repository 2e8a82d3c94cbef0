"""The More page: links to everything that is not needed in every hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access
from scoring.access import Right
from scoring.forms.bookings import BOOKINGS
from scoring.models import Session
from scoring.request import Request
from scoring.views.shared.frame import frame
from scoring.wording.session import stakes, title


@dataclass(frozen=True, slots=True)
class Way:
    """A link on the page, with a few words about what it is for."""

    label: str
    hint: str
    url: str


@require_safe
def more(request: Request, public_id: str) -> HttpResponse:
    """Shows the links that this browser's rights allow."""
    session = access.session(request, public_id, Right.READ)
    return render(request, "table/more.html", _context(request, session))


def _context(request: Request, session: Session) -> dict[str, Any]:
    def way(label: str, hint: str, name: str) -> Way:
        return Way(label, hint, reverse(name, args=[session.public_id]))

    groups: dict[str, list[Way]] = {}
    if request.grant.runs and session.closed_at is None:
        chips = "buy in, cash out" if session.stacks else "play table stakes"
        groups["Between hands"] = [
            way("Chips", chips, "chips"),
            way("Players", "join, leave, sit out, swap", "people"),
            way("Fix button or Fantasyland", "for the next hand", "next"),
        ]
        groups["Other payments"] = [way(form.LABEL, form.HINT, verb) for verb, form in BOOKINGS.items()]
        groups["Rules & stakes (from the next hand)"] = [
            way("Stakes", stakes(session), "stakes"),
            way("House rules", "every choice and the chart", "edit-rules"),
        ]
    evening = [
        way("History", "who did what, and when", "history"),
        way("The record", "six words that stand for all of it", "record"),
    ]
    if request.grant.runs:
        evening.append(way("Invite players", "links for other phones", "session-links"))
        evening.append(way("Session name", title(session), "name"))
        evening.append(
            way("Reopen session", "and its totals", "close")
            if session.closed_at
            else way("End session & settle up", "totals, who pays whom", "close")
        )
        club = Way("The club", "all sessions, players, standings", reverse("club", args=[session.club.public_id]))
        evening.append(club)
    groups["This session"] = evening
    return {**frame(session, "more"), "groups": groups.items()}
