"""Opening a link, leaving again, and putting a recovery link away."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access
from scoring.access import Right, limits, links
from scoring.models import Link
from scoring.request import CONFLICT, TOO_MANY, Request
from scoring.transactions import writing
from scoring.views.shared import recovery
from scoring.views.shared.club_frame import club_title
from scoring.views.shared.device import DEVICE
from scoring.wording.session import title


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("secret")
def come_in(request: Request, secret: str) -> HttpResponse:
    """Adds the link to the browser's held links and redirects to an address without the secret.

    A browser that holds other links is asked first, since any page can make it open an address; a POST is the answer.
    """
    link = links.by_secret(secret)
    if link is None:
        response = _no_such_link(request, secret)
    elif request.method != "POST" and _changes_what_it_does(request, link):
        response = _question(request, link)
    elif request.held_links.add(link):
        if link.role == Link.Role.HOST:
            links.end_recovery([link.club])  # they who open it have kept it
        response = redirect(leads_to(link))
    else:
        response = _question(request, link, full=True)
    response["Cache-Control"] = "no-store"
    return response


def _no_such_link(request: Request, secret: str) -> HttpResponse:
    who = limits.client(request)
    if limits.wrong_links.spent(who):
        return render(request, "errors/429.html", status=TOO_MANY)
    limits.wrong_links.count(who)
    # Rendered here, because the response to Http404 would lack the header that the caller adds.
    return render(request, "errors/404.html", {"revoked": links.is_revoked(secret)}, status=404)


def _changes_what_it_does(request: Request, link: Link) -> bool:
    """Whether opening the link changes a browser that somebody uses already, or nobody has asked to open it."""
    held = access.held(request)
    return link not in held and (bool(held) or not _is_navigation(request))


def _is_navigation(request: Request) -> bool:
    """Whether a person goes to this address, as far as the browser says: not for an image, a frame or a prefetch.

    Over plain HTTP browsers do not say what they fetch something for. There they still say what they accept, which is
    HTML for a page or a frame alone. What says neither is no browser, so no page made it come here.
    """
    accepts = request.headers.get("Accept", "text/html")
    fetched_for = request.headers.get("Sec-Fetch-Dest", "document" if "text/html" in accepts else "other")
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz"))
    return request.method == "GET" and fetched_for == "document" and not any(purposes)


def _question(request: Request, link: Link, *, full: bool = False) -> HttpResponse:
    """Asks whether to open the link, or says that a ``full`` browser cannot."""
    context = {"link": link, "place": title(link.session) if link.session else club_title(link.club), "full": full}
    response = render(request, "invitations/open.html", context, status=CONFLICT if full else 200)
    # Without any referrer policy but this the secret would be in the Referer, or the form's Origin would be "null".
    response["Referrer-Policy"] = "strict-origin"
    return response


def leads_to(link: Link) -> str:
    """The address of the page where the link's holder has something to do."""
    if link.session is None:
        return reverse("club", args=[link.club.public_id])
    # The page of seats asks scorers which seat is theirs, unless their link is tied to one.
    return reverse("seats" if link.role == Link.Role.SCORER else "table", args=[link.session.public_id])


@require_POST
def forget(request: Request) -> HttpResponse:
    """Drops every link that this browser holds, and logs the operator out."""
    request.held_links.forget()
    if request.user.is_authenticated:
        with writing():
            logout(request)
    response = redirect("home")
    response.delete_cookie(DEVICE, path=settings.SESSION_COOKIE_PATH, samesite="Lax")
    return response


@require_POST
def recovery_saved(request: Request, public_id: str) -> HttpResponse:
    """Stops showing the recovery link, because the host has saved it."""
    session = access.session(request, public_id, Right.RUN)
    links.end_recovery([session.club])
    response = redirect("table", public_id)
    recovery.hide(response, session)
    return response
