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

RECOVERY = "recovery"
"""The cookie that carries a new club's key to the page that shows it, and to no other."""
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
        # Not through Http404, so that this answer has the headers below, too.
        response = render(request, "404.html", status=404)
    response["Referrer-Policy"] = "no-referrer"
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
    return redirect("home")


@require_POST
def kept(request: Request, public_id: str) -> HttpResponse:
    """The host has put the recovery link away: show it no more."""
    session = access.session(request, public_id, Right.RUN)
    response = redirect("table", public_id)
    response.delete_cookie(RECOVERY, path=_path(session), samesite="Lax")
    return response


def hand_over(response: HttpResponse, session: Session, secret: str) -> None:
    """Let the table's page show this secret, once or until it is put away."""
    response.set_signed_cookie(
        RECOVERY,
        secret,
        max_age=SHOWN_FOR,
        path=_path(session),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def handed_over(request: Request) -> str:
    """The recovery link to be shown on this page, empty if there is none."""
    try:
        secret = request.get_signed_cookie(RECOVERY, "", max_age=SHOWN_FOR)
    except signing.BadSignature:
        return ""
    return whole_address(request, secret) if secret and request.grant.runs else ""


def whole_address(request: Request, secret: str) -> str:
    """A link as it is sent to somebody."""
    return request.build_absolute_uri(reverse("come-in", args=[secret]))


def _path(session: Session) -> str:
    return reverse("table", args=[session.public_id])
