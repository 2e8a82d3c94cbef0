"""Shows the host's link of a new club on its first table's page, until the host puts it away."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.urls import reverse

from scoring.access import links
from scoring.game.errors import LedgerError
from scoring.models import Session
from scoring.request import Request
from scoring.views.shared.address import whole
from scoring.wording.phrases import translated

RECOVERY = "recovery"
"""The cookie that lets the first table's page show the new club's link.

It holds a one-way hash of the key of the form that started the club. The link's secret is derived from that hash and
the server's own secret, so the cookie alone opens nothing. It is worth nothing once the server has ended the recovery.
"""


def hand_over(response: HttpResponse, session: Session, key: str) -> None:
    """Let the table's page show the link made with this ``key``, for an hour or until the host puts it away."""
    response.set_signed_cookie(
        RECOVERY,
        links.recovery_key(key),
        max_age=links.RECOVERABLE,
        path=_path(session),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def handed_over(request: Request, session: Session) -> dict[str, str]:
    """Context for the recovery link on this session's page, empty if there is none or its recovery has ended.

    ``recovery`` is the link. ``recovery_wrong`` says instead why it would not work on other phones.
    """
    try:
        key = request.get_signed_cookie(RECOVERY, "", max_age=links.RECOVERABLE)
    except signing.BadSignature:
        return {}
    if not key or not request.grant.runs:
        return {}
    secret = links.secret_of(session.club, key)
    link = links.by_secret(secret)
    if link is None or not link.recoverable:
        return {}
    try:
        return {"recovery": whole(request, reverse("come-in", args=[secret]))}
    except LedgerError as refusal:
        return {"recovery_wrong": translated(refusal.problems[0].message)}


def hide(response: HttpResponse, session: Session) -> None:
    """Let the table's page show the link no more."""
    response.delete_cookie(RECOVERY, path=_path(session), samesite="Lax")


def _path(session: Session) -> str:
    return reverse("table", args=[session.public_id])
