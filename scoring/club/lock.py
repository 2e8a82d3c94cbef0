"""Serializes changes to a club. Every change begins with one of these, so none is made to a club that is being deleted.

A turn locks its session first, and what it adds then points to the club. All locks here are weak enough for rows that
point to what is locked, or on PostgreSQL a turn and a change to the club would wait for each other.
"""

from __future__ import annotations

from scoring.game.errors import refuse
from scoring.models import Club, Player, Session
from scoring.rules.phrase import Phrase
from scoring.transactions import lock


def lock_club(pk: int) -> Club:
    """Serializes changes to the club with this primary key. Its sessions go on. Raises `Gone` if it was deleted."""
    return lock(Club, pk, no_key=True)


def lock_club_and_sessions(pk: int) -> Club:
    """Serializes changes to the club, and lets none of its sessions move until this one is recorded.

    It is for what depends on the sessions, such as payments of the tab. In a transaction that writes, each statement
    sees a later moment on PostgreSQL, so a session that closes between two would be counted by the second alone.
    """
    locked = lock_club(pk)
    list(Session.objects.select_for_update(no_key=True).filter(club=locked).order_by("pk").values_list("pk", flat=True))
    return locked


def check_there(*players: Player) -> None:
    """Raise `LedgerError` if one of them has been put together with another player. For a locked club."""
    wanted = {each.pk for each in players}
    if Player.objects.filter(pk__in=wanted).count() < len(wanted):
        raise refuse("stale", "", Phrase("This player has been put together with another one meanwhile."))
