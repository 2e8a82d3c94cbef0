"""Tells an open page whether its session has moved."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring import access, live, reads
from scoring.access import Right
from scoring.actions.deals import Settle
from scoring.models import Session
from scoring.request import NOTHING_NEW, Request, whole_number
from scoring.texts import gettext as _
from scoring.wording.actions import news

STOP_ASKING = 286
"""htmx stops polling at this status. The session is closed."""


@require_safe
@never_cache
def version(request: Request, public_id: str) -> HttpResponse:
    """Returns what happened after version ``after``, and a fresh address for the page's stream. May be empty."""
    session = access.session(request, public_id, Right.READ)
    after = whole_number(request.GET.get("after"))
    if session.version <= after:
        return HttpResponse(status=NOTHING_NEW if session.closed_at is None else STOP_ASKING)
    stream = live.address(public_id, request.grant.opener, session.club_id)
    told = _news(session, after, request.GET.getlist("key"))
    return JsonResponse({"version": session.version, "stream": stream, **told})


def _news(session: Session, after: int, keys: Sequence[str]) -> dict[str, str]:
    """One sentence for somebody who is typing, and a link to see more. A settled hand takes precedence.

    What came of one of the page's own forms, whose ``keys`` these are, comes first: the page has lost the answer to it.
    """
    happened = [each.event for each in reads.history(session, limit=20)[0] if each.event.n > after]
    settled = next((event for event in happened if event.verb == Settle.verb), happened[0])
    event = next((event for event in happened if event.key in keys), settled)
    own = event.key in keys
    if event.deal and (said := news(event, own=own)):
        return {
            "news": said,
            "label": _("See hand {number}").format(number=event.deal),
            "href": reverse("deal", args=[session.public_id, event.deal]),
        }
    return {
        "news": _("Updated on this phone.") if own else _("Updated on another phone."),
        "label": _("See the table"),
        "href": reverse("table", args=[session.public_id]),
    }
