"""What every request passes on its way to a page and back."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from scoring.access import HeldLinks, limits


def held_links_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: ``request.held_links`` comes from the browser's cookie and goes back into it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        held = HeldLinks(request)
        request.held_links = held  # type: ignore[attr-defined]  # declared in scoring.http.Request
        response = get_response(request)
        held.write(response)
        return response

    return middleware


def operator_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: the admin is not there while there is no operator, and does not let anybody guess his password."""

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
    """Middleware: tell caches that a page is shorter where htmx asks for it (``base.html``)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        patch_vary_headers(response, ["HX-Target"])
        return response

    return middleware


def not_allowed_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: an address that only takes a form says so to a browser that opens it, after a reload for one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET" and not response.content:
            page = render(request, "errors/405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response

    return middleware
