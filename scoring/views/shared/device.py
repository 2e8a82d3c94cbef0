"""Tells phones apart, so that two that enter the same seat notice each other."""

from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse

from scoring.access import YEAR
from scoring.game.limits import KEY_LENGTH
from scoring.models import Session
from scoring.request import OWN_SEAT, Request

DEVICE: Final = "device"
"""The cookie that tells one phone's rows from another's."""


def device_of(request: Request) -> str:
    """This browser's random id, made up on its first visit. It grants no right; `keep_device` stores it."""
    known = request.COOKIES.get(DEVICE, "")
    if not 0 < len(known) <= KEY_LENGTH or not known.isascii() or not known.isprintable():
        known = request.COOKIES[DEVICE] = secrets.token_urlsafe(16)
    return known


def keep_device(
    request: Request, response: HttpResponse, *, at: Session | None = None, seat: int | None = None
) -> HttpResponse:
    """Set the cookies with this browser's id and, for one player's phone ``at`` a session, with its ``seat``."""
    cookies = [(DEVICE, device_of(request), settings.SESSION_COOKIE_PATH)]
    if at is not None and seat is not None:
        cookies.append((OWN_SEAT, str(seat), reverse("table", args=[at.public_id])))
    for name, value, path in cookies:
        response.set_cookie(
            name,
            value,
            max_age=YEAR,
            path=path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
