"""A browser's held links: the signed cookie that names them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cached_property
from typing import Final

from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers

from scoring.access import links
from scoring.models import Link

COOKIE: Final = "keys"


MOST_LINKS: Final = 100
"""The most links that one browser holds, since all have to fit into one cookie."""


YEAR: Final = 365 * 24 * 60 * 60


class HeldLinks:
    """The public ids of this browser's held links, the latest first. The cookie is read on first access.

    The cookie carries the day on which it was set, and is renewed on any later day, so that it lasts as long as it is
    in use.
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
        """Public ids from the cookie, whether or not the links still stand."""
        return self._cookie[1]

    def add(self, link: Link) -> None:
        """Adds a link unless it is already held; in a full cookie, revoked links make room first, then the oldest."""
        if link.public_id not in self.ids:
            kept = self.ids
            if len(kept) >= MOST_LINKS:
                alive = set(links.unrevoked().filter(public_id__in=kept).values_list("public_id", flat=True))
                kept = [each for each in kept if each in alive][: MOST_LINKS - 1]
            self._set([link.public_id, *kept])

    def drop_all(self) -> None:
        """Removes every held link."""
        self._set([])

    def _set(self, ids: list[str]) -> None:
        self._cookie = (self._cookie[0], ids)
        self._changed = True

    def write(self, response: HttpResponseBase) -> None:
        """Sets the cookie if it changed or is due for renewal; keeps pages that depended on it out of shared caches."""
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


def held(request: HttpRequest) -> list[Link]:
    """Loads the held links that still stand, the latest first, each with its club, session and seat."""
    ids = held_links_of(request).ids
    found = {link.public_id: link for link in links.with_places(standing_of(ids))}
    return [found[each] for each in ids if each in found]


def held_links_of(request: HttpRequest) -> HeldLinks:
    held_links: HeldLinks = request.held_links  # type: ignore[attr-defined]  # declared in scoring.request.Request
    return held_links


def standing_of(ids: Iterable[str]) -> QuerySet[Link]:
    return links.unrevoked().filter(public_id__in=ids)
