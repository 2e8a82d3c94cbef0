"""How a club, or a session that nobody has played for long, is deleted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import connection, transaction
from django.db.models import OuterRef, QuerySet, Subquery

from scoring import live
from scoring.club.lock import lock_club
from scoring.ledger.append_only import erasing
from scoring.models import Club, Event, Session


def erase(club: Club) -> None:
    """Everything of the club is gone for good: sessions, ledger, people, links.

    Besides `drop_idle` nothing else deletes what was played, but for an operator who empties the whole database.
    """
    with transaction.atomic():
        lock_club(club)
        for public_id, version in Session.objects.filter(club=club).values_list("public_id", "version"):
            live.moved(public_id, version + 1)  # open pages ask, and hear that there is nothing any more
        with erasing(connection):
            Session.objects.filter(club=club).delete()
            club.delete()


def idle_since(moment: datetime) -> QuerySet[Session]:
    """Sessions in which nothing has happened since."""
    last = Event.objects.filter(session=OuterRef("pk")).order_by("-n").values("at")[:1]
    return Session.objects.annotate(last=Subquery(last)).filter(last__lt=moment)


def drop_idle(moment: datetime) -> Iterator[Session]:
    """Delete every session in which nothing has happened since, one by one as this is read, and clubs left with none.

    What its players had won and lost in it is gone from the standings as well; with its last session a club goes whole,
    as by `erase`. Yields each session after it is gone, or was not idle any more when its turn came.
    """
    for session in idle_since(moment).select_related("club").order_by("pk"):
        with transaction.atomic():
            lock_club(session.club)
            if idle_since(moment).filter(pk=session.pk).exists():
                with erasing(connection):
                    session.delete()
                    if not Session.objects.filter(club=session.club_id).exists():
                        session.club.delete()
        yield session
