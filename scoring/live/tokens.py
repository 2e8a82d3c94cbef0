"""The address at which a page follows its session, and the token in it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.core import signing
from django.urls import reverse

LIFETIME: Final = 10 * 60
"""Seconds for which a stream may be opened with the token of a page; a page that comes later is given another one."""


_SALT = "scoring.live"


def address(public_id: str, link: str) -> str:
    """Where a page of this session follows it; ``link`` is the public id of the link that opened the page (see `end`).

    The page adds ``&after=`` and the version that it shows.
    """
    token = signing.dumps([public_id, link], salt=_SALT)
    return f"{reverse('table', args=[public_id])}live?{urlencode({'token': token})}"


def admitted(public_id: str, token: str) -> str | None:
    """The link that this token stands for; None if it is not a token, too old, or another session's."""
    try:
        session, link = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return str(link) if session == public_id else None
