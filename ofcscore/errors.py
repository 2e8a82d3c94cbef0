"""Error handlers for refused requests and server errors, each with its own template under templates/errors."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.views import csrf, defaults

bad_request = partial(defaults.bad_request, template_name="errors/400.html")
permission_denied = partial(defaults.permission_denied, template_name="errors/403.html")
page_not_found = partial(defaults.page_not_found, template_name="errors/404.html")
server_error = partial(defaults.server_error, template_name="errors/500.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answers a form whose CSRF token is missing or belongs to another browser."""
    return csrf.csrf_failure(request, reason, template_name="errors/403_csrf.html")
