"""What every template may ask of the request."""

from __future__ import annotations

from django.http import HttpRequest

from scoring.access import Grant
from scoring.request import OWN_SEAT, whole_number


def given(request: HttpRequest) -> dict[str, Grant | None]:
    """Context processor: ``may``, what the page's reader may do in the session or club that it is about."""
    return {"may": getattr(request, "grant", None)}


def own_seat(request: HttpRequest) -> dict[str, int]:
    """Context processor: ``own_seat``, the seat whose player this phone belongs to, as far as is known; 0 for none."""
    grant = getattr(request, "grant", None)
    return {"own_seat": (grant and grant.seat) or whole_number(request.COOKIES.get(OWN_SEAT))}
