"""Sends one of a club's records to a group's chat: the hand or the session in which it was set."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.exports.drawing import deal_picture, session_picture
from scoring.models import Club
from scoring.request import Request
from scoring.views.shared import group_chat
from scoring.views.shared.club_frame import club_frame
from scoring.wording.sending import deal_text, session_text
from scoring.wording.statistics import ClubRecordShown, records_shown


@require_safe
def send(request: Request, public_id: str, which: str) -> HttpResponse:
    """Shows what there is to send of a record."""
    club = access.club(request, public_id, Right.READ)
    shown = _record(club, which)
    session, number = shown.record.session, shown.record.first
    above = f"{shown.sent} "
    around = {**club_frame(club, "standings"), "around": "shared/club_frame.html", "what": "the record"}
    # The record may go to another session, whose version may be the same.
    at = f"{session.public_id}.{number}.{session.version}"
    address = f"{reverse('record-picture', args=[public_id, which])}?version={at}"
    text = session_text(session, above=above)
    if number:
        text = deal_text(session, number, group_chat.outcome_of(access.deal(session, number)), above=above)
    return group_chat.page(request, around, address, lambda _: text)


@require_safe
def drawn(request: Request, public_id: str, which: str) -> HttpResponse:
    """Draws the hand or the session of a record."""
    shown = _record(access.club(request, public_id, Right.READ), which)
    session, number = shown.record.session, shown.record.first
    if not number:
        return group_chat.picture(
            request, "shared/picture_session.svg", partial(session_picture, session, record=shown)
        )
    outcome = group_chat.outcome_of(access.deal(session, number))
    draws = partial(deal_picture, session, number, outcome, record=shown)
    return group_chat.picture(request, "shared/picture_hand.svg", draws)


def _record(club: Club, which: str) -> ClubRecordShown:
    for each in records_shown(reads.club_statistics(club)):
        if each.which == which:
            return each
    raise Http404
