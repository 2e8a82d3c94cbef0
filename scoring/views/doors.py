"""Coming in by a link, and leaving nothing behind."""

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from scoring import access, limits, links
from scoring.access import Right
from scoring.http import TOO_MANY, Request
from scoring.models import Link, Session
from scoring.views.drafting import DEVICE

RECOVERY = "recovery"
"""The cookie that lets the page of a new club's table show the club's link. It has the random text of the form that
started the club, not the secret that is derived from it: alone it opens nothing.
"""
SHOWN_FOR = 60 * 60


@require_safe
@sensitive_variables("secret")
def come_in(request: Request, secret: str) -> HttpResponse:
    """Exchange a link for a place in the browser's cookie and a clean address."""
    who = limits.client(request)
    if limits.wrong_links.spent(who):
        response = render(request, "429.html", status=TOO_MANY)
    elif link := links.by_secret(secret):
        request.keys.add(link)
        response = redirect(leads_to(link))
    else:
        limits.wrong_links.count(who)
        # Not through Http404, so that this answer has the header below, too.
        response = render(request, "404.html", status=404)
    response["Cache-Control"] = "no-store"
    return response


def leads_to(link: Link) -> str:
    """Where its holder has something to do."""
    if link.session is None:
        return reverse("club", args=[link.club.public_id])
    # A scorer is asked which seat is his, unless the link says it.
    return reverse("seats" if link.role == Link.Role.SCORER else "table", args=[link.session.public_id])


@require_POST
def forget(request: Request) -> HttpResponse:
    """Let this browser hold nothing any more."""
    request.keys.drop_all()
    response = redirect("home")
    response.delete_cookie(DEVICE, samesite="Lax")
    return response


@require_POST
def kept(request: Request, public_id: str) -> HttpResponse:
    """The host has put the recovery link away: show it no more."""
    session = access.session(request, public_id, Right.RUN)
    response = redirect("table", public_id)
    response.delete_cookie(RECOVERY, path=_path(session), samesite="Lax")
    return response


def hand_over(response: HttpResponse, session: Session, key: str) -> None:
    """Let the table's page show the link that was made with this ``key``, until it is put away or for an hour."""
    response.set_signed_cookie(
        RECOVERY,
        key,
        max_age=SHOWN_FOR,
        path=_path(session),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def handed_over(request: Request, session: Session) -> str:
    """The recovery link to be shown on this session's page, empty if there is none that stands."""
    try:
        key = request.get_signed_cookie(RECOVERY, "", max_age=SHOWN_FOR)
    except signing.BadSignature:
        return ""
    if not key or not request.grant.runs:
        return ""
    secret = links.secret_of(session.club, key)
    return whole_address(request, secret) if links.by_secret(secret) else ""


def whole_address(request: Request, secret: str) -> str:
    """A link as it is sent to somebody."""
    return request.build_absolute_uri(reverse("come-in", args=[secret]))


def _path(session: Session) -> str:
    return reverse("table", args=[session.public_id])
