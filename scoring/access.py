"""Request and public id -> object, or 404: the one gate, and the only lookup by id. Views get nothing past here.

A browser holds a signed cookie that names the links it came in by. Every request asks which of them still stand, and
what the strongest of them allows in the session or club that it wants. Whoever holds none for it is told that it does
not exist (404); whoever may read it but not do what he asks is refused (403).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import cached_property
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers

from scoring import limits, links
from scoring.models import Club, Deal, Dispute, Link, Player, Seat, Session

COOKIE: Final = "keys"
MOST_KEYS: Final = 100
"""In one browser: they have to fit into one cookie."""
YEAR: Final = 365 * 24 * 60 * 60


class Right(IntEnum):
    """What may be done in a session; each includes those before it."""

    READ = 1
    SEAT = 2
    """Enter the rows of one's own seat."""
    ENTER = 3
    """Enter anybody's rows and settle hands."""
    RUN = 4
    """All the rest: seats, terms, corrections, money, links."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a link lets its holder do here."""

    link: Link

    @property
    def right(self) -> Right:
        """The most that it allows."""
        if self.link.role == Link.Role.SCORER:
            return Right.ENTER if self.link.seat_id is None else Right.SEAT
        return Right.RUN if self.link.role == Link.Role.HOST else Right.READ

    @property
    def by(self) -> str:
        """Who asks, for the history: the seat that the link is tied to, else what the link is called."""
        return self.link.seat.name if self.link.seat else self.link.name

    @property
    def seat(self) -> int | None:
        """The number of the only seat that it may enter; None if it is tied to none."""
        return self.link.seat.number if self.link.seat else None

    @property
    def enters(self) -> bool:
        """It may enter anybody's rows and settle."""
        return self.right >= Right.ENTER

    @property
    def runs(self) -> bool:
        """It may do everything."""
        return self.right == Right.RUN

    def enters_seat(self, number: int) -> bool:
        """It may enter the rows of this seat."""
        return self.enters or self.seat == number


# --- What a browser holds ---------------------------------------------------------------------------------------------


class Keys:
    """The links that this browser came in by, by their public ids, the latest first; read from its cookie when asked.

    The cookie says on which day it was set, and is set again on another one, so that it lasts as long as it is used.
    """

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._changed = False

    @cached_property
    def _cookie(self) -> tuple[str, list[str]]:
        try:
            day, *ids = (self._request.get_signed_cookie(COOKIE, "", max_age=YEAR) or "").split(".")
        except signing.BadSignature:
            return "", []
        return day, ids

    @property
    def ids(self) -> list[str]:
        """Whether they still stand is another question."""
        return self._cookie[1]

    def add(self, link: Link) -> None:
        """Hold this one too; holding it twice is holding it once."""
        if link.public_id not in self.ids:
            kept = self.ids
            if len(kept) >= MOST_KEYS:
                alive = set(links.standing().filter(public_id__in=kept).values_list("public_id", flat=True))
                kept = [each for each in kept if each in alive][: MOST_KEYS - 1]
            self._set([link.public_id, *kept])

    def drop_all(self) -> None:
        """Hold nothing any more."""
        self._set([])

    def _set(self, ids: list[str]) -> None:
        self._cookie = (self._cookie[0], ids)
        self._changed = True

    def write(self, response: HttpResponseBase) -> None:
        """Leave the cookie as it is now in the browser, and no page that depended on it in anybody's cache."""
        if "_cookie" not in self.__dict__:
            return
        patch_vary_headers(response, ["Cookie"])
        patch_cache_control(response, private=True)
        day, ids = self._cookie
        today = timezone.now().date()
        if not ids:
            if self._changed:
                response.delete_cookie(COOKIE, samesite="Lax")
        elif self._changed or day != _numbered(today):
            response.set_signed_cookie(
                COOKIE,
                ".".join([_numbered(today), *ids]),
                max_age=YEAR,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )


def _numbered(day: date) -> str:
    return str(day.toordinal())


def carried(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: ``request.keys`` comes from the browser's cookie and goes back into it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        keys = Keys(request)
        request.keys = keys  # type: ignore[attr-defined]  # declared in scoring.http.Request
        response = get_response(request)
        keys.write(response)
        return response

    return middleware


def operator_only(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: the admin is not there while there is no operator, and does not let anybody guess his password."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith("/admin/"):
            if not get_user_model().objects.filter(is_superuser=True, is_active=True).exists():
                raise Http404
            attempt = request.method == "POST" and not request.user.is_authenticated
            if attempt and not limits.logins.allows(limits.client(request)):
                return render(request, "429.html", status=429)
        return get_response(request)

    return middleware


def given(request: HttpRequest) -> dict[str, Grant | None]:
    """Context processor: ``may``, what the page's reader may do in the session or club that it is about."""
    return {"may": getattr(request, "grant", None)}


def held(request: HttpRequest) -> list[Link]:
    """The links of this browser that still stand, the latest first, each with its club, session and seat."""
    ids = _keys(request).ids
    found = {link.public_id: link for link in _standing(ids).select_related("club", "session", "seat")}
    return [found[each] for each in ids if each in found]


def _keys(request: HttpRequest) -> Keys:
    keys: Keys = request.keys  # type: ignore[attr-defined]  # declared in scoring.http.Request
    return keys


def _standing(ids: Iterable[str]) -> QuerySet[Link]:
    return links.standing().filter(public_id__in=ids)


# --- The gate ---------------------------------------------------------------------------------------------------------


def session(request: HttpRequest, public_id: str, needs: Right) -> Session:
    """The session with this address, for somebody who may do in it what he ``needs`` to; ``request.grant`` says who.

    Raises `Http404` for who may not read it, `PermissionDenied` for who may do that but no more.
    """
    found = get_object_or_404(Session, public_id=_clean(public_id))
    _admit(request, {(found.club_id, None), (found.club_id, found.pk)}, needs)
    return found


def club(request: HttpRequest, public_id: str) -> Club:
    """The club with this address, for its host. Raises `Http404` for anybody else."""
    found = get_object_or_404(Club, public_id=_clean(public_id))
    _admit(request, {(found.pk, None)}, Right.RUN)
    return found


def _admit(request: HttpRequest, places: Container[tuple[int, int | None]], needs: Right) -> None:
    """By the strongest link of this browser to one of the ``places``: a club, and one session of it or all (None).

    The few that a browser holds are looked through here: a database would take longer to be asked for the right ones.
    """
    held = _standing(_keys(request).ids).select_related("seat")
    found = [link for link in held if (link.club_id, link.session_id) in places]
    grant = max((Grant(link) for link in found), key=lambda each: each.right, default=None)
    if grant is None:
        raise Http404
    request.grant = grant  # type: ignore[attr-defined]  # declared in scoring.http.Request
    links.used(grant.link)
    if grant.right < needs:
        raise PermissionDenied


def _clean(public_id: str) -> str:
    """A text that a database takes, which may refuse to look for NUL for one. Raises `Http404`."""
    if not (public_id.isascii() and public_id.isprintable()):
        raise Http404
    return public_id


# --- Past the gate ----------------------------------------------------------------------------------------------------


def deal(at: Session, number: int) -> Deal:
    """That deal of that session. Raises `Http404`."""
    return get_object_or_404(Deal, session=at, number=_up_to(31, number))


def dispute(of: Deal, raised: int) -> Dispute:
    """The flag that this event put up on that deal, up or down. Raises `Http404`."""
    return get_object_or_404(Dispute, deal=of, raised__n=_up_to(31, raised))


def seat(at: Session, number: int) -> Seat:
    """That player's seat of that session. Raises `Http404`."""
    return get_object_or_404(Seat, session=at, number=_up_to(15, number), kind=Seat.Kind.PLAYER)


def link(of: Club, public_id: str) -> Link:
    """That link to that club or to one of its sessions, standing or not. Raises `Http404`."""
    found = Link.objects.select_related("club", "session", "seat")
    return get_object_or_404(found, club=of, public_id=_clean(public_id))


def player(of: Club, number: int) -> Player:
    """That player of that club. Raises `Http404`."""
    return get_object_or_404(Player, club=of, pk=_up_to(63, number))


def _up_to(bits: int, number: int) -> int:
    """A number that a column of so many bits takes. Raises `Http404`."""
    if number >= 2**bits:
        raise Http404
    return number
