"""The project's URLs: what monitors ask, admin and API, then the app's own."""

from django.contrib import admin
from django.urls import include, path

from ofcscore import errors, health, status
from scoring.api import api

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("admin/status/", admin.site.admin_view(status.status), name="status"),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("", include("scoring.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error
