"""What stands for the record: its head as a QR code, and who has agreed to it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring import reads
from scoring.models import Session
from scoring.request import Request, new_key, own_seat_of
from scoring.views.shared.address import whole_or_none
from scoring.wording.figures import listed, time_of_day
from scoring.wording.names import link_said


def verifier(request: Request) -> str:
    """The address of the page that checks a record; empty if no address leads other phones here."""
    return whole_or_none(request, reverse("verify"))


def head_address(request: Request, session: Session) -> str:
    """The address in the QR code: the page that checks a record, with the head that people are shown.

    Where no address leads other phones here, it is the head alone, which can be compared all the same.
    """
    head = reads.head(session)
    return head.address(verifier(request))


def agreed(request: Request, session: Session) -> dict[str, Any]:
    """Context for ``shared/_agreed.html``; while the session is open, for ``shared/_agreed_before.html`` alone.

    It has who agreed to the record as it is, who to an earlier one, and who may now: ``agreed`` has (name, time, who
    recorded it if it was not themself), ``earlier`` the head as well; ``may_agree`` has (seat number, name) pairs.
    """
    names = reads.state(session).players  # of all, because somebody may have agreed before their joining was undone
    head, found = reads.head(session), reads.agreements(session)
    earlier = [each for each in found if each.to != head]
    before = {
        "earlier": [(names[each.seat], _time(each), _recorder(each, names[each.seat]), each.to) for each in earlier]
    }
    if session.closed_at is None:
        return before
    now = {each.seat: each for each in found if each.to == head}
    left = [(number, name) for number, name in reads.present(session).items() if number not in now]
    mine = own_seat_of(request)
    return {
        **before,
        "agreed": [(names[seat], _time(each), _recorder(each, names[seat])) for seat, each in now.items()],
        "left": listed([name for _, name in left]),
        "may_agree": sorted(
            ((number, name) for number, name in left if request.grant.enters_seat(number)),
            key=lambda seat: seat[0] != mine,
        ),
        "only_own": request.grant.seat is not None,
        "agree_key": new_key(),
    }


def agreed_by(session: Session) -> str:
    """The names of those who agreed to the record as it is, for a host who may be about to change it; empty if none."""
    names, head = reads.state(session).players, reads.head(session)
    found = [names[each.seat] for each in reads.agreements(session) if each.to == head]
    return listed(found)


def _recorder(agreement: reads.Agreement, name: str) -> str:
    """Who recorded the agreement of the player with this name; empty if it was their own phone."""
    return link_said(agreement.by) if agreement.by != name else ""


def _time(agreement: reads.Agreement) -> str:
    return time_of_day(agreement.at)
