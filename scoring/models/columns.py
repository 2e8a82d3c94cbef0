"""Column defaults and constraints that several models share."""

from __future__ import annotations

import secrets

from django.db.models import Q


def new_public_id() -> str:
    """More than 128 random bits, safe in a URL.

    Never starts with a dash, so it works as a command-line argument.
    """
    while (made := secrets.token_urlsafe(18)).startswith("-"):
        pass
    return made


def between(field: str, low: int, high: int) -> Q:
    return Q(**{f"{field}__gte": low, f"{field}__lte": high})


FANTASYLAND = Q(fantasyland_cards=0) | between("fantasyland_cards", 13, 17)
