"""The app's middleware."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import DatabaseError, InterfaceError, connection
from django.http import Http404, HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request

from scoring.access import Grant, HeldLinks, limits, links
from scoring.texts import get_language, spoken
from scoring.transactions import Gone, end_snapshot, has_written, is_disk_full, is_lost, snapshot

logger = logging.getLogger(__name__)

_WANTED: Final = re.compile(
    r"(?:[a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)"
    r"(?:\s*;\s*q=(?!0(?:\.0*)?$)(?:0(?:\.[0-9]{,3})?|1(?:\.0{,3})?))?",
    re.IGNORECASE,
)
"""A part of Accept-Language that names a language the reader wants at all: its weight is not 0 (RFC 9110, 12.4.2)."""

_MOST_WANTED: Final = 100
"""So many parts of Accept-Language are read. Browsers send at most twenty."""


def own_answer_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: marks every answer as this app's own.

    A network that wants people to log in answers in our place, with 200 and a page. ``static/network.js`` takes no
    answer for ours without the mark.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response["OFC-Score"] = "1"
        return response

    return middleware


def language_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answers in the language of the reader's cookie, or in the one that their browser asks for.

    It is Django's for an app whose addresses have no language in them, and tells `scoring.texts` besides.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        # Django takes a language that is refused for the one that is wanted least, and one bad part
        # makes it discard all.
        wanted = map(str.strip, request.META.get("HTTP_ACCEPT_LANGUAGE", "").split(",", _MOST_WANTED)[:_MOST_WANTED])
        request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(each for each in wanted if _WANTED.fullmatch(each))
        # A cookie may spell it in a hundred ways, and Django knows the regions of Chinese in small letters alone.
        if settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
            request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = request.COOKIES[settings.LANGUAGE_COOKIE_NAME].lower()
        with spoken(get_language_from_request(request)):
            request.LANGUAGE_CODE = get_language()
            response = get_response(request)
            if response.headers.get("Content-Type", "").startswith("text/html"):
                response.headers.setdefault("Content-Language", get_language())
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware


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
        if grant is not None and grant.link is not None:
            try:
                links.note_use(grant.link)
            except DatabaseError:
                # The request succeeded; recording the link's use can wait.
                logger.warning("A busy database did not note that a link was used")
        return response

    return middleware


class SnapshotMiddleware:
    """Lets each page read from one snapshot of the database; see `scoring.transactions`.

    Retries a read-only request once after a lost connection; answers 503 while the database does not answer, 507 on a
    full disk, and 404 once what the request is about has been deleted meanwhile.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Django's admin writes in its own transactions when the operator logs in or out.
        writes = request.path_info.startswith("/admin/") and request.method == "POST"
        with nullcontext() if writes else snapshot():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Django calls this with the exception of a view; None leaves it to Django."""
        if isinstance(error, Gone):
            raise Http404 from error
        if not isinstance(error, DatabaseError | InterfaceError | OSError):
            return None
        if is_disk_full(error):
            logger.error("The disk is full: nothing can be recorded until there is room")
            return render(request, "errors/507.html", status=507)
        if isinstance(error, OSError):
            return None
        if not is_lost(error) or request.resolver_match is None:
            return None
        # Where there is no connection at all, its pool has waited for one long enough.
        if connection.connection is not None and not has_written():
            logger.warning("The connection to the database was lost; the request is tried once more")
            end_snapshot()
            connection.close()
            view, args, kwargs = request.resolver_match
            try:
                second: HttpResponseBase = view(request, *args, **kwargs)
            except (DatabaseError, InterfaceError) as again:
                if not is_lost(again):
                    raise
            else:
                return second
        logger.error("The database does not answer")
        answer = render(request, "errors/503.html", status=503)
        answer["Retry-After"] = "5"
        return answer


class OperatorMiddleware:
    """Hides the admin (404) while no operator exists, and limits attempts to guess their password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith("/admin/"):
            operators = get_user_model().objects.filter(is_superuser=True, is_active=True)
            if not operators.exists():
                raise Http404
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponseBase | None:
        """Counts an attempt. Django has checked the CSRF token by now, so that no other site can use attempts up."""
        attempt = request.path_info.startswith("/admin/") and request.method == "POST"
        if attempt and not request.user.is_authenticated and not limits.logins.allows(limits.client(request)):
            return render(request, "errors/429.html", status=429)
        return None


def vary_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: tells caches that a page is shorter when htmx asks for it (``base.html``)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        patch_vary_headers(response, ["HX-Target"])
        return response

    return middleware


def long_body_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: refuses a body beyond the limit with a page, before anything reads it, whatever its type.

    Django counts only what it parses itself, and of a form in parts neither the files nor what surrounds the fields.
    The API refuses such a document in its own words.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0  # Django reads no such body
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE and not request.path_info.startswith("/api/"):
            return render(request, "errors/413.html", status=413)
        return get_response(request)

    return middleware


def not_allowed_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: shows a page to a browser that opens a form-only address with GET, for example by reloading it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET" and not response.content:
            page = render(request, "errors/405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response

    return middleware
