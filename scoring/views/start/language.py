"""The page where a phone chooses its language."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from scoring.request import UNPROCESSABLE

YEAR = 365 * 24 * 60 * 60


@require_http_methods(["GET", "HEAD", "POST"])
def language(request: HttpRequest) -> HttpResponse:
    """Shows the languages there are; a POST keeps one of them in this browser's cookie and goes back to ``next``."""
    back = _back(request)
    if request.method != "POST":
        return render(request, "start/language.html", {"languages": settings.LANGUAGES, "back": back})
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        context = {"languages": settings.LANGUAGES, "back": back, "wrong": True}
        return render(request, "start/language.html", context, status=UNPROCESSABLE)
    response = redirect(back)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=YEAR,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return response


def _back(request: HttpRequest) -> str:
    """The page of ours that the reader came from, as link or form say; the start page for any other address."""
    asked = (request.POST if request.method == "POST" else request.GET).get("next", "")
    own = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    here = reverse("language")
    return asked if own and asked.startswith("/") and urlsplit(asked).path != here else reverse("home")
