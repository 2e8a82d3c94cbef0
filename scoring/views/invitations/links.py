"""Makes, lists, revokes and replaces links. Each new one is shown once, as an address and a QR code. Hosts only."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, reads
from scoring.access import Right, links
from scoring.game.errors import LedgerError
from scoring.models import Club, Link, Session
from scoring.request import UNPROCESSABLE, Request, new_key, sent_key
from scoring.views.shared.asking import form_key
from scoring.views.shared.club_frame import club_frame
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.views.shared.recovery import whole_address
from scoring.wording.figures import counted
from scoring.wording.session import title

DOES = {
    Link.Role.HOST: "runs the club",
    Link.Role.SCORER: "enters hands",
    Link.Role.VIEWER: "reads along",
}


@require_http_methods(["GET", "HEAD", "POST"])
def of_club(request: Request, public_id: str) -> HttpResponse:
    """Lists the club's host links, and the sessions that have links; a POST makes another host link."""
    of = access.club(request, public_id)
    if request.method == "POST":
        try:
            link, secret = links.issue(
                club=of, role=links.Role.HOST, key=sent_key(request), name=request.POST.get("name", "")
            )
        except LedgerError as refusal:
            return _refused(request, of, None, refusal)
        return _made(request, link, secret)
    context = {
        **club_frame(of, "club-links"),
        "links": [_shown(link, request) for link in reads.links_of(of)],
        "sessions": [
            {
                "url": reverse("session-links", args=[session.public_id]),
                "title": title(session),
                "count": counted(count, "link"),
            }
            for session, count in reads.sessions_with_links(of)
        ],
    }
    return render(request, "invitations/club_links.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def of_session(request: Request, public_id: str) -> HttpResponse:
    """Lists the links to one session; a POST makes one more."""
    session = access.session(request, public_id, Right.RUN)
    seats = reads.state(session).seats
    people = {str(number): seat for number, seat in seats.items() if seat.position is not None}
    wrong = ""
    if request.method == "POST":
        role, chosen = request.POST.get("role"), request.POST.get("seat", "")
        if role not in (Link.Role.SCORER, Link.Role.VIEWER):
            wrong = "Choose what the link is for."
        elif chosen and (role != Link.Role.SCORER or chosen not in people):
            wrong = "Only a scorer’s link is tied to a seat, and to one at this table."
        else:
            try:
                link, secret = links.issue(
                    club=session.club,
                    session=session,
                    role=links.Role(role),
                    seat=people.get(chosen),
                    key=sent_key(request),
                    name=request.POST.get("name", ""),
                )
            except LedgerError as refusal:
                return _refused(request, session.club, session, refusal)
            return _made(request, link, secret)
    context = {
        **frame(session, "session-links"),
        "links": [_shown(link, request) for link in reads.links_of(session.club, session)],
        "club_url": reverse("club-links", args=[session.club.public_id]),
        "people": [(number, seat.name) for number, seat in people.items()],
        "key": form_key(request),
        "sent": request.POST or request.GET,
        **problems({"": [wrong]} if wrong else {}),
    }
    return render(request, "invitations/session_links.html", context, status=UNPROCESSABLE if wrong else 200)


@require_POST
def revoke(request: Request, public_id: str, link_id: str) -> HttpResponse:
    """Revokes a link, unless the host came in by it: one tap must not lock hosts out. They can replace it."""
    link = access.link(access.club(request, public_id), link_id)
    if link != request.grant.link:
        links.revoke(link)
    return redirect(_list_of(link))


@require_POST
def replace(request: Request, public_id: str, link_id: str) -> HttpResponse:
    """Revokes a link and shows its replacement once. If this browser holds the old link, it gets the new one."""
    link = access.link(access.club(request, public_id), link_id)
    try:
        replaced = links.replace(link, key=sent_key(request))
    except LedgerError as refusal:
        return _refused(request, link.club, link.session, refusal)
    if replaced is None:
        return redirect(_list_of(link))
    new, secret = replaced
    if link.public_id in request.held_links.ids:
        request.held_links.add(new)
    return _made(request, new, secret)


def _made(request: Request, link: Link, secret: str) -> HttpResponse:
    """Shows a new link with its secret, this one time."""
    around: dict[str, Any] = (
        frame(link.session, "session-links") if link.session else club_frame(link.club, "club-links")
    )
    context = {
        **around,
        "link": link,
        "does": _does(link),
        "address": whole_address(request, secret),
        "back": _list_of(link),
        "around": "shared/session.html" if link.session else "shared/club_frame.html",
    }
    response = render(request, "invitations/link_made.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _refused(request: Request, club: Club, session: Session | None, refusal: LedgerError) -> HttpResponse:
    """Says why no link was made."""
    around = frame(session, "session-links") if session else club_frame(club, "club-links")
    template = "shared/session.html" if session else "shared/club_frame.html"
    context = {**around, "around": template, **problems({"": [str(refusal)]})}
    return render(request, "invitations/refused.html", context, status=UNPROCESSABLE)


def _list_of(link: Link) -> str:
    if link.session:
        return reverse("session-links", args=[link.session.public_id])
    return reverse("club-links", args=[link.club.public_id])


def _does(link: Link) -> str:
    return f"enters {link.seat.name}’s rows" if link.seat else DOES[Link.Role(link.role)]


def _shown(link: Link, request: Request) -> dict[str, Any]:
    at = [link.club.public_id, link.public_id]
    return {
        "name": link.name,
        "does": _does(link),
        "used": _when("last used", link.used_at) if link.used_at else "not used yet",
        "made": _when("made", link.made_at),
        "own": link.public_id == request.grant.link.public_id,
        "revoke": reverse("revoke-link", args=at),
        "replace": reverse("replace-link", args=at),
        "key": new_key(),
    }


def _when(what: str, moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{what} {local.day} {local:%B}, {local:%H:%M}"
