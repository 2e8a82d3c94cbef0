"""Error handlers for refused requests and server errors, each with its own template under templates/errors."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

from scoring.access import Revoked
from scoring.request import FORBIDDEN, typed

bad_request = partial(defaults.bad_request, template_name="errors/400.html")
server_error = partial(defaults.server_error, template_name="errors/500.html")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers a browser that may see this but not do it. What was typed into a form is shown, to be copied."""
    return render(request, "errors/403.html", {"typed": typed(request)}, status=FORBIDDEN)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers for what does not exist, or not for this browser. Shows what was typed, as `permission_denied` does."""
    context = {"typed": typed(request), "revoked": isinstance(exception, Revoked)}
    return render(request, "errors/404.html", context, status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answers a form whose CSRF token is missing or belongs to another browser.

    What was typed is shown if a page of ours sent it. Other sites could put words of theirs onto this page.
    """
    ours = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    return render(request, "errors/403_csrf.html", {"typed": typed(request) if ours else []}, status=FORBIDDEN)
