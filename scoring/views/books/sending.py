"""Sends a session or one of its hands to a group's chat, as a text and as a picture."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.exports.drawing import deal_picture, session_picture
from scoring.models import Session
from scoring.request import Request
from scoring.views.shared import group_chat
from scoring.views.shared.frame import frame
from scoring.wording.sending import deal_text, session_text


@require_http_methods(["GET", "HEAD", "POST"])
def session(request: Request, public_id: str) -> HttpResponse:
    """Shows what there is to send of a session. A host's POST puts a link to watch it into the text."""
    of = _readable(request, public_id)
    around = {
        **frame(of, "table"),
        "around": "shared/session.html",
        "what": "the result",
        "empty": not of.deals,
        "still_open": bool(reads.open_payments(of).open),
    }
    address = f"{reverse('session-picture', args=[public_id])}?version={of.version}"
    return group_chat.page(request, around, address, lambda link: session_text(of, link=link) if of.deals else "")


@require_safe
def session_drawn(request: Request, public_id: str) -> HttpResponse:
    """Draws the session: ranking, curve, best board, fouls."""
    of = access.session(request, public_id, Right.READ)
    if not of.deals:
        raise Http404
    return group_chat.picture(request, "shared/picture_session.svg", partial(session_picture, of))


@require_http_methods(["GET", "HEAD", "POST"])
def deal(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows what there is to send of a hand. A host's POST puts a link to watch its session into the text."""
    of = _readable(request, public_id)
    deal = access.deal(of, number)
    outcome = group_chat.outcome_of(deal)
    around = {
        **frame(of, "ledger"),
        "around": "shared/session.html",
        "what": f"hand {deal.number}",
        "number": deal.number,
    }
    address = f"{reverse('hand-picture', args=[public_id, deal.number])}?version={of.version}"
    return group_chat.page(request, around, address, lambda link: deal_text(of, deal.number, outcome, link=link))


@require_safe
def deal_drawn(request: Request, public_id: str, number: int) -> HttpResponse:
    """Draws the hand: everyone's board, and who pays whom."""
    of = access.session(request, public_id, Right.READ)
    deal = access.deal(of, number)
    outcome = group_chat.outcome_of(deal)
    return group_chat.picture(request, "shared/picture_hand.svg", partial(deal_picture, of, deal.number, outcome))


def _readable(request: Request, public_id: str) -> Session:
    """The session, which everyone who reads it may send; only its host may make a link."""
    return access.session(request, public_id, Right.RUN if request.method == "POST" else Right.READ)
