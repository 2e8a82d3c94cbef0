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
from scoring.texts import gettext as _
from scoring.views.shared.frame import frame
from scoring.wording.session import stakes, title


@dataclass(frozen=True, slots=True)
class MoreLink:
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
    def way(label: str, hint: str, name: str) -> MoreLink:
        return MoreLink(label, hint, reverse(name, args=[session.public_id]))

    groups: dict[str, list[MoreLink]] = {}
    if request.grant.runs and session.closed_at is None:
        chips = _("buy in, cash out") if session.stacks else _("play table stakes")
        groups[_("Between hands")] = [
            way(_("Chips"), chips, "chips"),
            way(_("Players"), _("join, leave, sit out, swap"), "people"),
            way(_("Fix button or Fantasyland"), _("for the next hand"), "next"),
        ]
        groups[_("Other payments")] = [way(form.LABEL, form.HINT, verb) for verb, form in BOOKINGS.items()]
        groups[_("Rules & stakes (from the next hand)")] = [
            way(_("Stakes"), stakes(session), "stakes"),
            way(_("House rules"), _("every choice and the chart"), "edit-rules"),
        ]
    evening = [
        way(_("History"), _("who did what, and when"), "history"),
        way(_("The record"), _("six words that stand for all of it"), "record"),
    ]
    if request.grant.runs:
        evening.append(way(_("Invite players"), _("links for other phones"), "session-links"))
        evening.append(way(_("Session name"), title(session), "name"))
        evening.append(
            way(_("Reopen session"), _("and its totals"), "close")
            if session.closed_at
            else way(_("End session & settle up"), _("totals, who pays whom"), "close")
        )
        club = reverse("club", args=[session.club.public_id])
        evening.append(MoreLink(_("The club"), _("all sessions, players, standings"), club))
    groups[_("This session")] = evening
    return {**frame(session, "more"), "groups": groups.items()}
