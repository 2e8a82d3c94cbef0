"""A browser's held links: the signed cookie that names them."""

from __future__ import annotations

import secrets
from collections.abc import Container
from datetime import date, timedelta
from functools import cached_property
from typing import Final

from django.conf import settings
from django.core import signing
from django.db import DatabaseError
from django.db.models import BooleanField, Func, QuerySet, Value
from django.http import HttpRequest, HttpResponseBase, parse_cookie
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers

from scoring.access import links
from scoring.access.links import Place
from scoring.models import Forgotten, Link
from scoring.statements import Prepared
from scoring.transactions import writing

COOKIE: Final = "keys"


MOST_LINKS: Final = 100
"""The most links that one browser holds, since all have to fit into one cookie."""


YEAR: Final = 365 * 24 * 60 * 60


_NAMES_BROWSER: Final = "~"
"""Marks the part of the cookie that names the browser. No public id has it."""


class HeldLinks:
    """The public ids of this browser's held links, the latest first. The cookie is read on first access.

    The cookie carries the day on which it was set, and is renewed on any later day, so that it lasts as long as it is
    in use. It also carries a random name of the browser, so that copies of it open nothing once the browser has
    forgotten its links; nor is a copy ever renewed. Cookies of 0.1.0 have no name until they are renewed.
    """

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._changed = False

    @cached_property
    def _cookie(self) -> tuple[str, str, list[str]]:
        try:
            day, *ids = (self._request.get_signed_cookie(COOKIE, "", max_age=YEAR) or "").split(".")
        except signing.BadSignature:
            return "", "", []
        browser = ids.pop(0)[1:] if ids and ids[0].startswith(_NAMES_BROWSER) else ""
        return day, browser, ids

    @property
    def ids(self) -> list[str]:
        """Public ids from the cookie, whether or not the links still stand."""
        return self._cookie[2]

    def valid(self) -> QuerySet[Link]:
        """The held links that still stand, unless this is a copy of a cookie that a browser has forgotten."""
        _, browser, ids = self._cookie
        return _of_a_named_browser(*ids, browser) if browser else _of_a_browser(*ids)

    def standing(self) -> list[Link]:
        """What `valid` finds. Every page asks, so the statement is made once for each number of links."""
        _, browser, ids = self._cookie
        if not ids:
            return []
        once = dict.fromkeys(ids)  # a statement names no id twice, whatever the cookie of an earlier release does
        return _NAMED(*once, browser) if browser else _UNNAMED(*once)

    def were_revoked(self, places: Container[Place]) -> bool:
        """Whether any of them led to one of these ``places`` until it was revoked. A copy of a cookie never did."""
        revoked = Link.objects.filter(public_id__in=self.ids).exclude(revoked_at=None)
        return any(place in places for place in revoked.values_list("club_id", "session_id")) and self._may_last()

    @property
    def _forgotten(self) -> QuerySet[Forgotten]:
        return Forgotten.objects.filter(browser=self._cookie[1])

    def add(self, link: Link) -> bool:
        """Adds a link unless it is already held. Returns False if there is no room for it.

        In a full cookie, revoked links make room first, then the oldest that is no host's. A host's link never does:
        it may be the only one to its club.
        """
        if self._forgotten.exists():
            self._cookie = ("", "", [])
        if link.public_id not in self.ids:
            left = self._with_room()
            if left is None:
                return False
            self._set([link.public_id, *left])
        return True

    def has_room(self) -> bool:
        """Whether `add` would add a link."""
        return self._with_room() is not None

    def _with_room(self) -> list[str] | None:
        """The held links without those that make room for another; None if none may."""
        if len(self.ids) < MOST_LINKS:
            return self.ids
        alive = dict(self.valid().values_list("public_id", "role"))
        left = [each for each in self.ids if each in alive]
        if len(left) < MOST_LINKS:
            return left
        spare = next((each for each in reversed(left) if alive[each] != Link.Role.HOST), None)
        return None if spare is None else [each for each in left if each != spare]

    def forget(self) -> None:
        """Removes every held link, here and from every copy of the cookie, and ends the recovery of their clubs."""
        links.end_recovery({link.club for link in self.valid().select_related("club")})
        day, browser, _ = self._cookie
        if browser and not self._forgotten.exists():
            with writing():
                # Those cookies have expired, also one that was renewed just before it was forgotten.
                expired = timezone.now() - timedelta(seconds=YEAR, days=1)
                Forgotten.objects.filter(at__lt=expired).delete()
                Forgotten.objects.get_or_create(browser=browser)
        self._cookie = (day, "", [])
        self._changed = True

    def _set(self, ids: list[str]) -> None:
        day, browser, _ = self._cookie
        self._cookie = (day, browser, ids)
        self._changed = True

    def write(self, response: HttpResponseBase) -> None:
        """Sets the cookie if it changed or is due for renewal; keeps pages that depended on it out of shared caches."""
        if "_cookie" not in self.__dict__:
            return
        patch_vary_headers(response, ["Cookie"])
        patch_cache_control(response, private=True)
        day, browser, ids = self._cookie
        today = timezone.now().date()
        if not ids:
            if self._changed:
                response.delete_cookie(COOKIE, path=settings.SESSION_COOKIE_PATH, samesite="Lax")
        elif self._changed or (day != _numbered(today) and self._may_last()):
            response.set_signed_cookie(
                COOKIE,
                ".".join([_numbered(today), _NAMES_BROWSER + (browser or secrets.token_urlsafe(12)), *ids]),
                max_age=YEAR,
                path=settings.SESSION_COOKIE_PATH,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )

    def _may_last(self) -> bool:
        """Whether the cookie may be renewed. A copy of a forgotten one would outlive the note that it is forgotten."""
        try:
            return not self._forgotten.exists()
        except DatabaseError:
            return False  # The request succeeded; renewing the cookie can wait.


class _NotForgotten(Func):
    """Whether no row of `Forgotten` names this browser, as a condition.

    Every page asks. `Exists` says the same, but to build its query takes longer than the database takes to answer.
    """

    template = "NOT EXISTS (SELECT 1 FROM scoring_forgotten WHERE browser = %(expressions)s)"
    output_field = BooleanField()


def _of_a_browser(*ids: str) -> QuerySet[Link]:
    return links.unrevoked().filter(public_id__in=ids)


def _of_a_named_browser(*ids_and_browser: str) -> QuerySet[Link]:
    *ids, browser = ids_and_browser
    return _of_a_browser(*ids).filter(_NotForgotten(Value(browser)))


_UNNAMED: Final = Prepared(Link, _of_a_browser)
_NAMED: Final = Prepared(Link, _of_a_named_browser)


def _numbered(day: date) -> str:
    return str(day.toordinal())


def held(request: HttpRequest) -> list[Link]:
    """Loads the held links that still stand, the latest first, each with its club, session and seat."""
    held_links = held_links_of(request)
    valid_links = {link.public_id: link for link in links.with_places(held_links.valid())}
    return [valid_links[each] for each in held_links.ids if each in valid_links]


def holds_links(cookies: str) -> bool:
    """Whether a Cookie header names links that this server once gave to the browser. It does not look at the database.

    So the server can tell, before a thread is free, who is probably at a table.
    """
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies)
    return bool(HeldLinks(request).ids)


def held_links_of(request: HttpRequest) -> HeldLinks:
    held_links: HeldLinks = request.held_links  # type: ignore[attr-defined]  # declared in scoring.request.Request
    return held_links
