"""The project's URLs: health check, admin and API, then the app's own."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.http import require_safe

from ofcscore import errors
from scoring.api import api


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Tells a monitor that the server answers, without a database query."""
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [
    path("healthz", healthz),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("", include("scoring.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error
