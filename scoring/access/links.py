"""The keys to clubs and sessions: made, looked up by their secret, revoked, replaced. The only writer of `Link`.

A secret is 192 bits that are derived, under the server's own key, from the random text of the form that asked for it.
So a form that is sent twice makes one link and shows the same secret both times, though nothing that is stored could
bring it back: of the secret only the digest is kept, of the form's text nothing.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring import live
from scoring.game.limits import NAME_LENGTH
from scoring.game.text import clean
from scoring.models import Club, Link, Seat, Session

Role = Link.Role


FIRST: Final = "Host"
"""What the link is called that starting a club makes."""


_NOTED: Final = timedelta(minutes=1)
"""How exactly it is known when a link was last used."""


def new_key() -> str:
    """What `issue` takes where no form asked."""
    return secrets.token_urlsafe(24)


def public(key: str) -> str:
    """What may be stored of a form's random text from which a secret is derived, too: it does not lead back."""
    return salted_hmac("scoring.links.public", key, algorithm="sha256").hexdigest()


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def issue(
    *, club: Club, role: Role, key: str, name: str = "", session: Session | None = None, seat: Seat | None = None
) -> tuple[Link, str]:
    """A link and its secret, which is told here and never again. With the same ``key`` it is the same link."""
    secret = secret_of(club, key)
    link, _ = Link.objects.get_or_create(
        digest=digest(secret),
        defaults={
            "club": club,
            "session": session,
            "seat": seat,
            "role": role,
            "name": clean(name)[:NAME_LENGTH].strip() or (seat.name if seat else Role(role).label),
        },
    )
    return link, secret


def secret_of(club: Club, key: str) -> str:
    """The secret of the link that `issue` makes, or has made, for this club with this key."""
    made = salted_hmac("scoring.links", f"{club.public_id} {key}", algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest()[:24]).decode()


def by_secret(secret: str) -> Link | None:
    """The link that this secret opens, if it still stands."""
    sought = digest(secret)
    link = standing().filter(digest=sought).select_related("club", "session", "seat").first()
    return link if link is not None and constant_time_compare(link.digest, sought) else None


def standing() -> QuerySet[Link]:
    """All links that have not been revoked."""
    return Link.objects.filter(revoked_at=None)


def revoke(link: Link) -> None:
    """The link opens nothing from now on, and pages that came in by it are told so."""
    with transaction.atomic():
        _revoke(link)


def replace(link: Link, *, key: str) -> tuple[Link, str] | None:
    """A new link to the same place under the same name; the old one opens nothing from now on. Twice is once.

    None if the old one had been revoked, or replaced by somebody else.
    """
    with transaction.atomic():
        old = Link.objects.select_for_update(of=("self",)).select_related("club", "session", "seat").get(pk=link.pk)
        secret = secret_of(old.club, key)
        if old.revoked_at is not None:
            new = Link.objects.filter(digest=digest(secret), replaces=old).select_related("club", "session", "seat")
            return next(((each, secret) for each in new), None)
        made, _ = issue(club=old.club, role=Role(old.role), key=key, name=old.name, session=old.session, seat=old.seat)
        _revoke(old)
        Link.objects.filter(pk=old.pk).update(replaced_by=made)
        return made, secret


def used(link: Link) -> None:
    """Note that it was used now, as exactly as anybody needs to know."""
    now = timezone.now()
    if link.used_at is None or now - link.used_at > _NOTED:
        recently = Q(used_at=None) | Q(used_at__lt=now - _NOTED)
        Link.objects.filter(recently, pk=link.pk).update(used_at=now)


def _revoke(link: Link) -> None:
    Link.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now())
    live.end(link.public_id)
