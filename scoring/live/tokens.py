"""The address of a page's stream, and the token that admits the page to it."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.core import signing
from django.urls import reverse
from django.utils.crypto import salted_hmac

LIFETIME: Final = 10 * 60
"""Seconds for which a token opens a stream. A page whose token is older is given a new one."""


_SALT = "scoring.live"


class Admitted(NamedTuple):
    """What a token says of the page that has it: the public id of its link, and a mark that its club's pages share."""

    link: str
    club: str


def address(public_id: str, link: str, club: object) -> str:
    """The address of the stream for a page of this session that the link with the public id ``link`` opened.

    The token names the link, so that `end` can end the stream. It has a mark of the ``club``, so that one club cannot
    take all streams; the mark does not tell which club it is. The page appends ``&after=`` and the version it shows.
    """
    mark = salted_hmac(f"{_SALT}.club", str(club), algorithm="sha256").hexdigest()[:16]
    token = signing.dumps([public_id, link, mark], salt=_SALT)
    return f"{reverse('table', args=[public_id])}live?{urlencode({'token': token})}"


def admitted(public_id: str, token: str) -> Admitted | None:
    """What the token says, or None if it is invalid, expired, for another session or of an earlier release."""
    try:
        session, *said = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return Admitted(*said) if session == public_id and len(said) == len(Admitted._fields) else None
