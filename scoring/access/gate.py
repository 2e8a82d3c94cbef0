"""Request and public id -> object, or 404: the one gate, and the only lookup by id. Views get nothing past here.

A browser holds a signed cookie that names the links it came in by. Every request asks which of them still stand, and
what the strongest of them allows in the session or club that it wants. Whoever holds none for it is told that it does
not exist (404); whoever may read it but not do what he asks is refused (403).
"""

from __future__ import annotations

from collections.abc import Container

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from scoring.access import links
from scoring.access.browser import held_links_of, standing_of
from scoring.access.rights import Grant, Right
from scoring.models import Club, Deal, Dispute, Link, Player, Seat, Session


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
    held = standing_of(held_links_of(request).ids).select_related("seat")
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
