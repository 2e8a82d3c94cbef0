"""Context processors: what the request tells every template."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from scoring.access import Grant
from scoring.request import own_seat_of


def given(request: HttpRequest) -> dict[str, Grant | None]:
    """Context processor: ``may``, the reader's grant in the session or club that the page is about, or None."""
    return {"may": getattr(request, "grant", None)}


def worker(request: HttpRequest) -> dict[str, bool]:
    """Context processor: ``worker``, whether phones may install the service worker."""
    return {"worker": settings.SERVICE_WORKER}


def own_seat(request: HttpRequest) -> dict[str, int]:
    """Context processor: ``own_seat``, the number of the seat whose player uses this phone; 0 if unknown."""
    return {"own_seat": own_seat_of(request)}
