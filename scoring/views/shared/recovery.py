"""The host's link of a new club, shown until it is put away."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.urls import reverse

from scoring.access import links
from scoring.models import Session
from scoring.request import Request

RECOVERY = "recovery"
"""The cookie that lets the page of a new club's table show the club's link. It has the random text of the form that
started the club, not the secret that is derived from it: alone it opens nothing.
"""


SHOWN_FOR = 60 * 60


def hand_over(response: HttpResponse, session: Session, key: str) -> None:
    """Let the table's page show the link that was made with this ``key``, until it is put away or for an hour."""
    response.set_signed_cookie(
        RECOVERY,
        key,
        max_age=SHOWN_FOR,
        path=_path(session),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def handed_over(request: Request, session: Session) -> str:
    """The recovery link to be shown on this session's page, empty if there is none that stands."""
    try:
        key = request.get_signed_cookie(RECOVERY, "", max_age=SHOWN_FOR)
    except signing.BadSignature:
        return ""
    if not key or not request.grant.runs:
        return ""
    secret = links.secret_of(session.club, key)
    return whole_address(request, secret) if links.by_secret(secret) else ""


def whole_address(request: Request, secret: str) -> str:
    """A link as it is sent to somebody."""
    return request.build_absolute_uri(reverse("come-in", args=[secret]))


def _path(session: Session) -> str:
    return reverse("table", args=[session.public_id])
