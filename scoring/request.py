"""The request as middleware leaves it, and what every page that writes needs."""

from __future__ import annotations

import secrets

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from scoring.access import Grant, HeldLinks
from scoring.game.limits import KEY_LENGTH

FORBIDDEN = 403


UNPROCESSABLE = 422


CONFLICT = 409


TOO_MANY = 429


OWN_SEAT = "seat"
"""The cookie, one for each session, that says whose rows this phone enters. It allows nothing."""


class Request(HttpRequest):
    """A request with what middleware and the gate have found out about it.

    ``grant`` is there once `scoring.access` has let the request in somewhere.
    """

    htmx: HtmxDetails
    held_links: HeldLinks
    grant: Grant


def new_key() -> str:
    """A form's own random text: sent again, the form is done once."""
    return secrets.token_urlsafe(16)


def sent_key(request: HttpRequest) -> str:
    """The key that came with a form. Raises `BadRequest`, a 400, for one that no form of ours has."""
    key = request.POST.get("key", "")
    if not is_key(key):
        raise BadRequest
    return key


def is_key(text: str) -> bool:
    """It may be the key of a form of ours."""
    return 0 < len(text) <= KEY_LENGTH and text.isascii() and text.isprintable()


def whole_number(text: str | None) -> int:
    """A small whole number from a field or an address; 0, which numbers nothing here, for anything else."""
    return int(text) if text and len(text) < 10 and text.isascii() and text.isdigit() else 0


def asker(request: Request) -> str:
    """Who asks, for the history."""
    return request.grant.by
