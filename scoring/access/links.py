"""Makes, finds, revokes and replaces links, the secret addresses of clubs and sessions. The only writer of `Link`.

A link's secret is 192 bits, derived with the server's secret key from the key of the form that asked for the link. So a
form that is sent twice makes one link and shows the same secret both times. Yet nothing that is stored can restore the
secret: the database keeps its digest, and the form's key only as the one-way hash that `public` makes.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import chain, count
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring import live
from scoring.game.limits import NAME_LENGTH
from scoring.game.text import shortened
from scoring.ledger import quotas
from scoring.models import Club, Link, Seat, Session
from scoring.transactions import lock, writing

Role = Link.Role


Place = tuple[int, int | None]
"""What a link opens, by primary keys: a club, and one of its sessions or None for the club and all of them."""


FIRST: Final = "Host"
"""The name of the link that a new club's host gets."""


RECOVERABLE: Final = timedelta(hours=1)
"""How long the first link of a club may be shown again, unless somebody uses or keeps it before."""


_NOTED: Final = timedelta(minutes=1)
"""The precision of `Link.used_at`, so that not every request writes."""


def new_link_key() -> str:
    """Makes a random key for `issue` where no form supplies one."""
    return secrets.token_urlsafe(24)


def public(key: str) -> str:
    """A one-way hash of the form's key, safe to store although a link's secret is derived from the same key."""
    return salted_hmac("scoring.links.public", key, algorithm="sha256").hexdigest()


def digest(secret: str) -> str:
    """The SHA-256 of a secret, in hexadecimal: all of it that is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def recovery_key(key: str) -> str:
    """A one-way hash of the key of the form that starts a club: the key of the club's first link.

    The browser keeps it, so that the link can be shown again. As the key of a form it opens nothing.
    """
    return salted_hmac("scoring.links.recovery", key, algorithm="sha256").hexdigest()


def issue_first(club: Club, key: str) -> Link | None:
    """Makes the first link of a club that a form with this ``key`` has started, and returns it.

    A form that is sent again gets the same link, but None once its recovery has ended.
    """
    link, _ = issue(
        club=club, role=Role.HOST, key=recovery_key(key), name=FIRST, recoverable_until=timezone.now() + RECOVERABLE
    )
    return link if link.recoverable else None


def end_recovery(clubs: Iterable[Club]) -> None:
    """Shows the first links of these clubs to nobody again."""
    shown = Link.objects.filter(club__in=clubs, recoverable_until__isnull=False)
    if shown.exists():
        with writing():
            shown.update(recoverable_until=None)


def issue(
    *,
    club: Club,
    role: Role,
    key: str,
    name: str = "",
    session: Session | None = None,
    seat: Seat | None = None,
    limited: bool = True,
    recoverable_until: datetime | None = None,
) -> tuple[Link, str]:
    """Makes a link and returns it with its secret, or returns the link already made for this club with this ``key``.

    Raises `LedgerError` if there are too many, unless it is not ``limited``, and `Gone` if there is no such club or
    session any more.
    """
    secret = secret_of(club, key)
    given = shortened(name, NAME_LENGTH).strip() or (seat.name if seat else "")
    defaults: dict[str, Any] = {
        "club": club,
        "session": session,
        "seat": seat,
        "role": role,
        "recoverable_until": recoverable_until,
        "name": lambda: given or _next_name(club, role, session),  # called only if there is no such link yet
    }
    with writing():
        lock(Club, club.pk, no_key=True)  # also, two that are made at once get two names
        if session is not None:
            lock(Session, session.pk, no_key=True)
        if limited and not Link.objects.filter(digest=digest(secret)).exists():
            quotas.check_links(club, session)
        link, _ = Link.objects.get_or_create(digest=digest(secret), defaults=defaults)
    return link, secret


def _next_name(club: Club, role: Role, session: Session | None) -> str:
    """The name of a link that is given none: *Scorer*, or *Scorer 2* if another link has or had that name."""
    taken = set(Link.objects.filter(club=club, session=session).values_list("name", flat=True))
    numbered = (f"{Role(role).label} {n}" for n in count(2))
    return next(name for name in chain([Role(role).label], numbered) if name not in taken)


def secret_of(club: Club, key: str) -> str:
    """Derives the secret of the link that `issue` makes for this club with this key."""
    made = salted_hmac("scoring.links", f"{club.public_id} {key}", algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest()[:24]).decode()


def by_secret(secret: str) -> Link | None:
    """Finds the link with this secret, unless it was revoked."""
    return with_places(unrevoked().filter(digest=digest(secret))).first()


def is_revoked(secret: str) -> bool:
    """Whether a link had this secret until it was revoked."""
    return Link.objects.filter(digest=digest(secret)).exclude(revoked_at=None).exists()


def with_places(found: QuerySet[Link]) -> QuerySet[Link]:
    """The links with their clubs, sessions and seats, in the same statement."""
    return found.select_related("club", "session", "seat")


def unrevoked() -> QuerySet[Link]:
    """All links that have not been revoked."""
    return Link.objects.filter(revoked_at=None)


def revoke(link: Link) -> None:
    """Revokes a link for good and ends the streams of pages that were opened by it."""
    with writing():
        lock(Link, link.pk)
        _revoke(link)


def replace(link: Link, *, key: str) -> tuple[Link, str] | None:
    """Revokes a link and makes a new one with the same role, place and name; returns the new link and its secret.

    Repeating it with the same ``key`` returns the same link. Returns None if the old link had already been revoked, or
    replaced with another key.
    """
    with writing():
        lock(Club, link.club_id, no_key=True)  # before its links, as whoever deletes it does
        old = lock(Link, link.pk)
        secret = secret_of(old.club, key)
        if old.revoked_at is not None:
            new = with_places(Link.objects.filter(digest=digest(secret), replaces=old))
            return next(((each, secret) for each in new), None)
        made, _ = issue(club=old.club, role=Role(old.role), key=key, name=old.name, session=old.session, seat=old.seat)
        _revoke(old)
        Link.objects.filter(pk=old.pk).update(replaced_by=made)
        return made, secret


def note_use(link: Link) -> None:
    """Stores that the link was used just now; writes at most once a minute for each link."""
    now = timezone.now()
    if link.used_at is None or now - link.used_at > _NOTED:
        recently = Q(used_at=None) | Q(used_at__lt=now - _NOTED)
        with writing():
            Link.objects.filter(recently, pk=link.pk).update(used_at=now)


def _revoke(link: Link) -> None:
    Link.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now())
    live.end(link.public_id)
