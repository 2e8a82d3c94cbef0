"""The request as middleware and the gate prepare it, and the helpers that every writing page needs."""

from __future__ import annotations

import re
import secrets
from typing import Any, Final
from urllib.parse import parse_qsl

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django_htmx.middleware import HtmxDetails

from scoring.access import Grant, HeldLinks
from scoring.game.limits import KEY_LENGTH

NOTHING_NEW = 204


FORBIDDEN = 403


UNPROCESSABLE = 422


CONFLICT = 409


TOO_MANY = 429
UNAVAILABLE = 503


OWN_SEAT = "seat"
"""The cookie, one for each session, that remembers whose rows this phone enters. It grants no right."""


class Request(HttpRequest):
    """A request with the attributes that middleware and the gate set.

    ``grant`` exists only once the gate in `scoring.access` has admitted the request to a club or session.
    """

    htmx: HtmxDetails
    held_links: HeldLinks
    grant: Grant


def new_key() -> str:
    """Makes a form's key, which makes a repeated form harmless."""
    return secrets.token_urlsafe(16)


def sent_key(request: HttpRequest) -> str:
    """Reads the key of a submitted form. Raises `BadRequest` (400) for a key that no form of this app could have."""
    key = request.POST.get("key", "")
    if not is_key(key):
        raise BadRequest
    return key


def is_key(text: str) -> bool:
    """Whether a form of this app could have this key."""
    return 0 < len(text) <= KEY_LENGTH and text.isascii() and text.isprintable()


_TEXT: Final = re.compile(
    r"name|club_name|note|amount|buy_in|points|stake|value|save_as|(?:name|stack)-\d+|(?:pair|points)-\d+-\d+|p\d+-(?:front|middle|back)"
)
"""The fields of our forms in which people type words, sums, stacks or cards, but for the numbers of house rules."""


_HAND: Final = re.compile(r"p\d+-(?:front|middle|back)|points-\d+-\d+")
_CARDS_OR_POINTS: Final = re.compile(r"[0-9TJQKAXcdhs ]{2,40}|[0-9]", re.IGNORECASE)


def typed(request: HttpRequest) -> list[str]:
    """What a form brought that people would have to type again, for a page that knows nothing of the form.

    Nothing of what the page had filled in, which some forms carry along as ``was``, and nothing of what cannot be read:
    nobody has looked at it yet where there is no such page. The form of a hand asks for its preview by the address. Of
    an address nothing but cards and points is shown, since anybody can make one up.
    """
    if request.method != "POST":
        texts = [str(text) for field, text in request.GET.items() if _HAND.fullmatch(field)]
        return [text for text in texts if _CARDS_OR_POINTS.fullmatch(text)]
    try:
        sent = request.POST
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        return []
    was = str(sent.get("was", ""))
    shown = dict(parse_qsl(was))
    found = {field: str(text).strip() for field, text in sent.items() if _TEXT.fullmatch(field)}
    return [text for field, text in found.items() if text not in ("", was, shown.get(field))]


def whole_number(text: str | None) -> int:
    """Parses up to nine digits from a field or an address. Returns 0, which numbers nothing here, for anything else."""
    return int(text) if text and len(text) < 10 and text.isascii() and text.isdigit() else 0


def own_seat_of(request: HttpRequest) -> int:
    """The number of the seat whose player uses this phone; 0 if it is not known. It grants no right."""
    grant = getattr(request, "grant", None)
    return (grant and grant.seat) or whole_number(request.COOKIES.get(OWN_SEAT))


def asker(request: Request) -> dict[str, Any]:
    """Who asks, as the ledger's writers take it: the name that the history shows, and which link it was."""
    return {"by": request.grant.by, "link": request.grant.link_pk}
