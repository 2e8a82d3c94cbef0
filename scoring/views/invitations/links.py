"""Makes, lists, revokes and replaces links. Each new one is shown once, as an address and a QR code. Hosts only."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, reads
from scoring.access import Right, links
from scoring.models import Club, Link, Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, new_key, sent_key, whole_number
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.views.shared.address import whole
from scoring.views.shared.asking import Refused, form_key, refused_shown, tried
from scoring.views.shared.club_frame import club_frame
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.wording.figures import day_and_time
from scoring.wording.links import does, opens
from scoring.wording.names import link_said
from scoring.wording.phrases import reasons
from scoring.wording.session import titles
from scoring.wording.settle_up import settle_up

ON_THE_SPOT = ("table", "screen")
"""The pages with buttons that make a link on the spot, by the names of their addresses. The link leads back to them."""

SETTLE_UP = "settle-up"
"""What ``said`` holds where a link is to be sent together with who pays whom."""


@require_http_methods(["GET", "HEAD", "POST"])
def of_club(request: Request, public_id: str) -> HttpResponse:
    """Lists the club's host links, and the sessions that have links; a POST makes another host link."""
    of = access.club(request, public_id)
    refused = None
    if request.method == "POST":
        made = tried(None, lambda: _issued(request, of, sent_key(request), role=links.Role.HOST))
        if not isinstance(made, Refused):
            return _made(request, *made)
        refused = made
    sessions = reads.sessions_with_links(of)
    said = titles([session for session, _ in sessions])
    context = {
        **club_frame(of, "club-links"),
        "links": [_shown(link, request) for link in reads.links_of(of)],
        "sessions": [
            {
                "url": reverse("session-links", args=[session.public_id]),
                "title": each,
                "count": ngettext("{count} link", "{count} links", count).format(count=count),
            }
            for (session, count), each in zip(sessions, said, strict=True)
        ],
        "key": form_key(request),
        "name": request.POST.get("name", ""),
        **(refused_shown(refused) if refused else {}),
    }
    return render(request, "invitations/club_links.html", context, status=refused.status if refused else 200)


def _issued(request: Request, of: Club, key: str, **given: Any) -> tuple[Link, str]:
    """A new link, named as the form says, and its whole address. Raises `LedgerError`."""
    # The address is found first, so that no link is made if no address leads other phones here.
    address = _address(request, of, key)
    link, _secret = links.issue(club=of, key=key, name=request.POST.get("name", ""), **given)
    return link, address


@require_http_methods(["GET", "HEAD", "POST"])
def of_session(request: Request, public_id: str) -> HttpResponse:
    """Lists the links to one session; a POST makes one more.

    The table and the big screen have a button for each role, which makes a link that is named by itself.
    """
    session = access.session(request, public_id, Right.RUN)
    seats = reads.state(session).seats
    people = {str(number): seat for number, seat in seats.items() if seat.position is not None}
    wrong: list[str] = []
    status = 200
    if request.method == "POST":
        role, chosen = request.POST.get("role"), request.POST.get("seat", "")
        if role not in (Link.Role.SCORER, Link.Role.VIEWER):
            wrong, status = [_("Choose what the link is for.")], UNPROCESSABLE
        elif chosen and role != Link.Role.SCORER:
            wrong, status = [_("Only scorer links can be limited to a seat.")], UNPROCESSABLE
        elif chosen and chosen not in people:
            gone = seats.get(whole_number(chosen))
            left = _("{name} is not at the table any more.").format(name=gone.name if gone else chosen)
            wrong, status = [left], CONFLICT
        else:
            # Several buttons and seats may share a form. Sent one after the other, they make links of their own.
            key = f"{sent_key(request)}-{role}" + (f"-{chosen}" if chosen else "")
            given = {"session": session, "role": links.Role(role), "seat": people.get(chosen)}
            made = tried(None, lambda: _issued(request, session.club, key, **given))
            if not isinstance(made, Refused):
                return _made(request, *made)
            wrong, status = reasons(made.problems), made.status
    context = {
        **frame(session, "session-links"),
        "links": [_shown(link, request) for link in reads.links_of(session.club, session)],
        "club_url": reverse("club-links", args=[session.club.public_id]),
        "people": [(number, seat.name) for number, seat in people.items()],
        "key": form_key(request, status),
        "sent": request.POST or request.GET,
        "unplaced": status == CONFLICT,
        **problems({"": wrong} if wrong else {}, status),
    }
    return render(request, "invitations/session_links.html", context, status=status)


@require_POST
def revoke(request: Request, public_id: str, link_id: str) -> HttpResponse:
    """Revokes a link, unless the host came in by it: one tap must not lock hosts out. They can replace it."""
    link = access.link(access.club(request, public_id), link_id)
    if link.replaced_by:
        return _refused(request, link, _late(link), _("No link was revoked"))
    if link != request.grant.link:
        links.revoke(link)
    return redirect(_list_of(link))


@require_POST
def replace(request: Request, public_id: str, link_id: str) -> HttpResponse:
    """Revokes a link and shows its replacement once. If this browser holds the old link, it gets the new one."""
    link = access.link(access.club(request, public_id), link_id)
    key = sent_key(request)
    done = tried(None, lambda: (_address(request, link.club, key), links.replace(link, key=key)))
    if isinstance(done, Refused):
        return _refused(request, link, done)
    address, replaced = done
    if replaced is None:
        link.refresh_from_db()
        return _refused(request, link, _late(link))
    new, _secret = replaced
    if link.public_id in request.held_links.ids:
        request.held_links.add(new)
    return _made(request, new, address)


def _late(link: Link) -> Refused:
    """What another host has done with this link."""
    if link.replaced_by:
        message = Phrase("This link was replaced since this page was opened. The new one is in the list.")
    else:
        message = Phrase("This link was revoked since this page was opened.")
    return Refused([Problem("stale", "", message)], CONFLICT)


def _address(request: Request, club: Club, key: str) -> str:
    """The address of the link that a form with this key makes.

    Raises `LedgerError` if it would lead nobody here. It is found before the link is made, so that none is made then.
    """
    return whole(request, reverse("come-in", args=[links.secret_of(club, key)]))


def _made(request: Request, link: Link, address: str) -> HttpResponse:
    """Shows the address of a new link, this one time."""
    around: dict[str, Any] = (
        frame(link.session, "session-links") if link.session else club_frame(link.club, "club-links")
    )
    context = {
        **around,
        "link": link,
        "name": link_said(link.name),
        "opens": opens(link),
        "address": address,
        "back": _back(request, link),
        "said": _said(request, link),
        "around": "shared/session.html" if link.session else "shared/club_frame.html",
    }
    response = render(request, "invitations/link_made.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _refused(request: Request, link: Link, refused: Refused, title: str = "") -> HttpResponse:
    """Says why this link was not replaced, or what else the ``title`` says."""
    around = frame(link.session, "session-links") if link.session else club_frame(link.club, "club-links")
    context = {
        **around,
        "around": "shared/session.html" if link.session else "shared/club_frame.html",
        "back": _list_of(link),
        "title": title or _("No link was made"),
        **refused_shown(refused),
    }
    return render(request, "shared/refused.html", context, status=refused.status)


def _back(request: Request, link: Link) -> str:
    page = request.POST.get("back")
    if link.session and page in ON_THE_SPOT:
        return reverse(page, args=[link.session.public_id])
    return _list_of(link)


def _said(request: Request, link: Link) -> str:
    """What to send with the link: who pays whom, where the host asked for that."""
    if link.session is None or request.POST.get("said") != SETTLE_UP:
        return ""
    return settle_up(link.session, reads.state(link.session)).text


def _list_of(link: Link) -> str:
    return _list(link.club, link.session)


def _list(club: Club, session: Session | None) -> str:
    if session:
        return reverse("session-links", args=[session.public_id])
    return reverse("club-links", args=[club.public_id])


def _shown(link: Link, request: Request) -> dict[str, Any]:
    at = [link.club.public_id, link.public_id]
    return {
        "name": link_said(link.name),
        "does": does(link),
        "used": _("last used {when}").format(when=day_and_time(link.used_at)) if link.used_at else _("not used yet"),
        "made": _("made {when}").format(when=day_and_time(link.made_at)),
        "own": link.public_id == request.grant.opener,
        "revoke": reverse("revoke-link", args=at),
        "replace": reverse("replace-link", args=at),
        "key": new_key(),
    }
