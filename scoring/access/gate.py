"""Loads an object by its public id after checking what this browser may do. Views look nothing up by id themselves.

A signed cookie names the browser's held links. Every request checks which of them still stand, and what the strongest
of them allows in the session or club that was asked for. A browser without a link to it gets a 404, as if it did not
exist; a browser that may read it but not do what it asks gets a 403. The gate only reads. The demo's club and its
sessions may be read without a link, as long as the operator does not set ``DEMO=0``.

The held links are looked up first, because reading the cookie changes the headers of the answer: so a 404 looks the
same for what does not exist and for what this browser may not see. Only a browser that could see it until its link was
revoked is told that.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from scoring.access.browser import held_links_of
from scoring.access.links import Place, with_places
from scoring.access.rights import Grant, Right
from scoring.models import DEMO, Club, Deal, Dispute, Link, Merged, Player, Seat, Session
from scoring.statements import Prepared
from scoring.transactions import follow


class Revoked(Http404):
    """This browser held a link to what it asks for, and the host has revoked it. Its 404 page says so."""


def session(request: HttpRequest, public_id: str, needs: Right) -> Session:
    """Loads a session for a browser that has the right ``needs`` in it, and sets ``request.grant``.

    Raises `Http404` if the browser may not even read the session, `PermissionDenied` if it may only do less.
    """
    held = held_links_of(request).standing()
    found = _SESSIONS(_clean(public_id))
    if not found:
        raise Http404
    session = found[0]
    follow(session)
    _admit(request, held, {(session.club_id, None), (session.club_id, session.pk)}, session.club_id, needs)
    return session


_SESSIONS: Final = Prepared(Session, lambda public_id: Session.objects.filter(public_id=public_id))


def club(request: HttpRequest, public_id: str, needs: Right = Right.RUN) -> Club:
    """Loads a club for its host, and sets ``request.grant``. Raises `Http404` for anyone else.

    The demo's club admits everybody to pages that need no more than `Right.READ`, and answers 403 to the rest.
    """
    held = held_links_of(request).standing()
    found = get_object_or_404(Club, public_id=_clean(public_id))
    _admit(request, held, {(found.pk, None)}, found.pk, needs)
    return found


def _admit(request: HttpRequest, held: Iterable[Link], places: Container[Place], club: int, needs: Right) -> None:
    """Sets ``request.grant``, as Django sets ``request.user``, or raises what `_require` does.

    A refused browser keeps its grant, so that the 403 page and the note of the link's use still know it.
    """
    grant = _strongest_grant(held, places) or _demos(club)
    if grant is not None:
        request.grant = grant  # type: ignore[attr-defined]  # declared in scoring.request.Request
    if grant is None and held_links_of(request).were_revoked(places):
        raise Revoked
    _require(grant, needs)


def _strongest_grant(held: Iterable[Link], places: Container[Place]) -> Grant | None:
    """Finds the strongest grant to any of the ``places`` among the held links that still stand.

    A browser holds few links, so filtering them by place here is cheaper than a longer query.
    """
    admitting = [link for link in held if (link.club_id, link.session_id) in places]
    return max((Grant(link) for link in admitting), key=lambda each: each.right, default=None)


def _demos(club: int) -> Grant | None:
    """What everybody is granted in the demo; None in every other club."""
    return Grant(None) if settings.DEMO and Club.objects.filter(pk=club, public_id=DEMO).exists() else None


def _require(grant: Grant | None, needs: Right) -> None:
    """Raises `Http404` without a grant, `PermissionDenied` if its right is weaker than ``needs``."""
    if grant is None:
        raise Http404
    if grant.right < needs:
        raise PermissionDenied


def _clean(public_id: str) -> str:
    """Raises `Http404` for text that a database may refuse to look for, such as NUL."""
    if not (public_id.isascii() and public_id.isprintable()):
        raise Http404
    return public_id


def deal(at: Session, number: int) -> Deal:
    """Loads a deal of a session by its number. Raises `Http404`."""
    return get_object_or_404(Deal, session=at, number=_up_to(31, number))


def dispute(of: Deal, raised: int) -> Dispute:
    """Loads a deal's dispute, open or resolved, by the number of the event that raised it. Raises `Http404`."""
    return get_object_or_404(Dispute, deal=of, raised__n=_up_to(31, raised))


def seat(at: Session, number: int) -> Seat:
    """Loads a player's seat of a session by its number, never the bank's. Raises `Http404`."""
    return get_object_or_404(Seat, session=at, number=_up_to(15, number), kind=Seat.Kind.PLAYER)


def link(of: Club, public_id: str) -> Link:
    """Loads a link to a club or to one of its sessions, even if it was revoked. Raises `Http404`."""
    found = get_object_or_404(with_places(Link.objects.all()), club=of, public_id=_clean(public_id))
    if found.session is not None:
        follow(found.session)
    return found


def player(of: Club, number: int) -> Player:
    """Loads a player of a club by primary key, or the one with whom they were put together. Raises `Http404`."""
    now = Merged.objects.filter(club=of, gone=_up_to(63, number)).values("player")
    found = get_object_or_404(Player, Q(pk=number) | Q(pk__in=now), club=of)
    found.club = of  # or it would be read again, perhaps when somebody has deleted it
    return found


def _up_to(bits: int, number: int) -> int:
    """Raises `Http404` for a number of more than ``bits`` bits, which PostgreSQL would answer with an error."""
    if number >= 2**bits:
        raise Http404
    return number
