"""The address of a page's stream, and the token that admits the page to it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.core import signing
from django.urls import reverse

LIFETIME: Final = 10 * 60
"""Seconds for which a token opens a stream. A page whose token is older is given a new one."""


_SALT = "scoring.live"


def address(public_id: str, link: str) -> str:
    """The address of the stream for a page of this session that the link with the public id ``link`` opened.

    The token names the link, so that `end` can end the stream. The page appends ``&after=`` and the version it shows.
    """
    token = signing.dumps([public_id, link], salt=_SALT)
    return f"{reverse('table', args=[public_id])}live?{urlencode({'token': token})}"


def admitted(public_id: str, token: str) -> str | None:
    """The public id of the token's link, or None if the token is invalid, expired or for another session."""
    try:
        session, link = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return str(link) if session == public_id else None
