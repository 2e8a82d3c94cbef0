"""Opening a link, leaving again, and putting a recovery link away."""

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
    """Adds the link to the browser's held links and redirects to an address without the secret."""
    who = limits.client(request)
    if limits.wrong_links.spent(who):
        response = render(request, "errors/429.html", status=TOO_MANY)
    elif link := links.by_secret(secret):
        request.held_links.add(link)
        response = redirect(leads_to(link))
    else:
        limits.wrong_links.count(who)
        # Rendered here, because the response to Http404 would lack the header below.
        response = render(request, "errors/404.html", status=404)
    response["Cache-Control"] = "no-store"
    return response


def leads_to(link: Link) -> str:
    """The address of the page where the link's holder has something to do."""
    if link.session is None:
        return reverse("club", args=[link.club.public_id])
    # The page of seats asks scorers which seat is theirs, unless their link is tied to one.
    return reverse("seats" if link.role == Link.Role.SCORER else "table", args=[link.session.public_id])


@require_POST
def forget(request: Request) -> HttpResponse:
    """Drops every link that this browser holds."""
    request.held_links.drop_all()
    response = redirect("home")
    response.delete_cookie(DEVICE, samesite="Lax")
    return response


@require_POST
def put_away(request: Request, public_id: str) -> HttpResponse:
    """Stops showing the recovery link, because the host has saved it."""
    session = access.session(request, public_id, Right.RUN)
    response = redirect("table", public_id)
    response.delete_cookie(RECOVERY, path=_path(session), samesite="Lax")
    return response
