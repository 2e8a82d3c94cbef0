"""Serializes changes to a club.

A turn locks its session first, and what it adds then points to the club. All locks here are weak enough for rows that
point to what is locked, or on PostgreSQL a turn and a change to the club would wait for each other.
"""

from __future__ import annotations

from scoring.models import Club, Session


def lock_club(club: Club) -> Club:
    """Serializes changes to the club. Its sessions go on."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_club_and_sessions(club: Club) -> Club:
    """Serializes changes to the club, and lets none of its sessions move until this one is recorded.

    It is for what depends on the sessions, such as payments of the tab: on PostgreSQL each statement of a transaction
    that writes sees a moment of its own, so a session that was closed in between would be in a part of the tab.
    """
    locked = lock_club(club)
    list(Session.objects.select_for_update(no_key=True).filter(club=club).order_by("pk").values_list("pk", flat=True))
    return locked
