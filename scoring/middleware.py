"""The app's middleware."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.contrib.auth import get_user_model
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from scoring.access import Grant, HeldLinks, limits, links

logger = logging.getLogger(__name__)


def held_links_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: reads ``request.held_links`` from the browser's cookie, and afterwards writes the cookie back.

    It also notes that the link behind ``request.grant`` was used, if the gate admitted the request anywhere. The gate
    itself writes nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        held = HeldLinks(request)
        request.held_links = held  # type: ignore[attr-defined]  # declared in scoring.request.Request
        response = get_response(request)
        held.write(response)
        grant: Grant | None = getattr(request, "grant", None)
        if grant is not None:
            try:
                links.note_use(grant.link)
            except DatabaseError:
                # What was asked for is done, and answered so: a note that a busy database refuses comes another time.
                logger.warning("A busy database did not note that a link was used")
        return response

    return middleware


def operator_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: hides the admin (404) while no operator exists, and limits attempts to guess their password."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith("/admin/"):
            if not get_user_model().objects.filter(is_superuser=True, is_active=True).exists():
                raise Http404
            attempt = request.method == "POST" and not request.user.is_authenticated
            if attempt and not limits.logins.allows(limits.client(request)):
                return render(request, "errors/429.html", status=429)
        return get_response(request)

    return middleware


def vary_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: tells caches that a page is shorter when htmx asks for it (``base.html``)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        patch_vary_headers(response, ["HX-Target"])
        return response

    return middleware


def not_allowed_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: explains itself to a browser that opens a form-only address with GET, for example by reloading it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET" and not response.content:
            page = render(request, "errors/405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response

    return middleware
