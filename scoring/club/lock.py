"""Serializes changes to a club."""

from __future__ import annotations

from scoring.models import Club, Session


def lock_club(club: Club) -> Club:
    return Club.objects.select_for_update().get(pk=club.pk)


def lock_tab(club: Club) -> None:
    """Serializes payments of the tab, and lets no session of the club move until they are recorded.

    On PostgreSQL each statement of a transaction that writes sees a moment of its own, so a session that was closed in
    between would be in a part of the tab. A turn locks its session before it adds rows that point to the club; the
    club's lock is weak enough for those, or the two would wait for each other.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    list(Session.objects.select_for_update(no_key=True).filter(club=club).order_by("pk").values_list("pk", flat=True))
