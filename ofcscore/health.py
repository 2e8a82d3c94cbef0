"""What monitors ask: whether the server is alive, whether it can settle a hand, and its figures."""

from __future__ import annotations

import hmac
import ipaddress
import logging
import time
from threading import Lock
from typing import Final, NamedTuple

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from ofcscore import __version__, data, figures
from scoring import live

logger = logging.getLogger(__name__)

FORWARDED: Final = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
"""The headers by which a proxy says that somebody else asks."""


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Tells a monitor that the server answers, without a database query."""
    return HttpResponse("ok\n", content_type="text/plain")


# --- Whether a hand could be settled -----------------------------------------------------------------------


class Readiness(NamedTuple):
    """What a hand needs: each part is ``ok``, or says in a few words what is wrong, without a path or an address."""

    database: str
    migrations: str
    notices: str
    disk: str

    @property
    def is_ready(self) -> bool:
        return set(self) == {"ok"}


SECONDS: Final = 1.0
"""An answer is given again for so long, so that nobody who asks often keeps the database busy."""

_lock: Final = Lock()
_last: tuple[float, Readiness] | None = None


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Tells a monitor whether a hand could be settled now: 200 or 503, and which part is missing."""
    found = readiness()
    content = {"ready": found.is_ready, "version": __version__, **found._asdict()}
    return JsonResponse(content, status=200 if found.is_ready else 503, headers={"Cache-Control": "no-store"})


def readiness() -> Readiness:
    """Looks at all parts, at most once in `SECONDS`."""
    global _last  # noqa: PLW0603 - the last answer of this process
    with _lock:
        if _last is None or time.monotonic() - _last[0] > SECONDS:
            _last = time.monotonic(), Readiness(*_of_the_database(), _of_the_disk())
        return _last[1]


def forget() -> None:
    """Forgets the last answer, so that the next one looks again."""
    global _last  # noqa: PLW0603
    with _lock:
        _last = None


def _of_the_database() -> tuple[str, str, str]:
    try:
        loader = MigrationLoader(connection)
        notices = "ok" if live.agrees() else "another way than the database says"
    except Error as error:
        logger.warning("The database does not answer: %s", type(error).__name__)
        return "does not answer", "unknown", "unknown"
    applied, known = set(loader.applied_migrations), set(loader.disk_migrations)
    if known - applied:
        return "ok", "not applied", notices
    ours = {app for app, _ in known}
    newer = {each for each in applied - known if each[0] in ours}
    return "ok", "newer than this release" if newer else "ok", notices


def _of_the_disk() -> str:
    try:
        data.refuse_full_disk(settings.DATA_DIR)
    except OSError as error:
        logger.warning("The data directory cannot be written: %s", error.strerror)
        return "not writable"
    return "ok"


# --- Figures -----------------------------------------------------------------------------------------------


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures in Prometheus' text format, for whom the settings admit. To everybody else they do not exist."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(
        generate_latest(figures.registry), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )


def _may_read(request: HttpRequest) -> bool:
    """Whoever has the token. Without one, a program of this machine, unless a proxy says that it asks for another."""
    if not settings.METRICS:
        return False
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
