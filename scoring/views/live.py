"""For pages that follow a session: where it is, for whoever asks, and the big screen at the table."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring import access, live, queries
from scoring.access import Right
from scoring.http import Request, whole_number
from scoring.models import Session
from scoring.views.frame import frame
from scoring.views.shown import listed, outcome_shown
from scoring.views.table import seats_shown

NOTHING_NEW = 204
STOP_ASKING = 286
"""htmx's word for the end of polling: the session is closed."""

HANDS = {"settle": "settled", "correct": "corrected", "void": "voided", "restore": "restored"}


@require_safe
@never_cache
def version(request: Request, public_id: str) -> HttpResponse:
    """What happened after version ``after``, if anything did, with a fresh address for the page's stream."""
    session = access.session(request, public_id, Right.READ)
    after = whole_number(request.GET.get("after"))
    if session.version <= after:
        return HttpResponse(status=NOTHING_NEW if session.closed_at is None else STOP_ASKING)
    stream = live.address(public_id, request.grant.link.public_id)
    return JsonResponse({"version": session.version, "stream": stream, **_news(session, after)})


def _news(session: Session, after: int) -> dict[str, str]:
    """One sentence for somebody who is typing, and where to see more: a settled hand before anything else."""
    happened = [each.event for each in queries.history(session, limit=20)[0] if each.event.n > after]
    event = next((event for event in happened if event.verb == "settle"), happened[0])
    if event.verb in HANDS and event.deal:
        return {
            "news": f"Hand {event.deal} was {HANDS[event.verb]} on another phone.",
            "label": f"See hand {event.deal}",
            "href": reverse("deal", args=[session.public_id, event.deal]),
        }
    return {
        "news": "The table was changed on another phone.",
        "label": "See the table",
        "href": reverse("table", args=[session.public_id]),
    }


MOST_BOARDS = 4
"""Side by side on the big screen."""


@require_safe
def screen(request: Request, public_id: str) -> HttpResponse:
    """The table in large type, for a tablet or television beside it: who sits where, totals, the last settlement."""
    session = access.session(request, public_id, Right.READ)
    context = {
        **frame(session, "screen"),
        "number": session.next_number,
        "seats": seats_shown(session, queries.state(session)),
        **_last_settlement(session),
    }
    return render(request, "screen.html", context)


@queries.kept
def _last_settlement(session: Session) -> dict[str, Any]:
    """The last hand that counts, as it was settled; nothing before the first."""
    newest = queries.hands(session, limit=10).hands
    last = next((hand.revision for hand in newest if not hand.revision.voided), None)
    stored = queries.version(last.deal, last.n) if last else None
    outcome = stored.outcome() if stored else None
    if last is None or outcome is None:
        return {}
    shown = outcome_shown(outcome, session)
    return {
        "last": last.deal.number,
        "pairs": shown["pairs"],
        "boards": shown["boards"] if len(shown["boards"]) <= MOST_BOARDS else [],
        "fouled": listed([board.name for board in shown["boards"] if board.foul] or [""]),
    }
