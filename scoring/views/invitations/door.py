"""Coming in by a link, and leaving nothing behind."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from scoring import access
from scoring.access import Right, limits, links
from scoring.models import Link
from scoring.request import TOO_MANY, Request
from scoring.views.shared.device import DEVICE
from scoring.views.shared.recovery import RECOVERY, _path


@require_safe
@sensitive_variables("secret")
def come_in(request: Request, secret: str) -> HttpResponse:
    """Exchange a link for a place in the browser's cookie and a clean address."""
    who = limits.client(request)
    if limits.wrong_links.spent(who):
        response = render(request, "errors/429.html", status=TOO_MANY)
    elif link := links.by_secret(secret):
        request.held_links.add(link)
        response = redirect(leads_to(link))
    else:
        limits.wrong_links.count(who)
        # Not through Http404, so that this answer has the header below, too.
        response = render(request, "errors/404.html", status=404)
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
    request.held_links.drop_all()
    response = redirect("home")
    response.delete_cookie(DEVICE, samesite="Lax")
    return response


@require_POST
def put_away(request: Request, public_id: str) -> HttpResponse:
    """The host has put the recovery link away: show it no more."""
    session = access.session(request, public_id, Right.RUN)
    response = redirect("table", public_id)
    response.delete_cookie(RECOVERY, path=_path(session), samesite="Lax")
    return response
