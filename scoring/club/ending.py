"""Deletes a club, or sessions that have been idle for a long time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from scoring import live
from scoring.club.lock import lock_club_and_sessions
from scoring.game.errors import refuse
from scoring.ledger.append_only import erasing
from scoring.models import (
    DEMO,
    BoardResult,
    Club,
    Deal,
    Dispute,
    Event,
    PairResult,
    Revision,
    Session,
    TabPayment,
    Transfer,
)
from scoring.rules.phrase import Phrase
from scoring.transactions import Gone, writing

_MANY_ROWS: Final = (
    (BoardResult, "revision__deal__session"),
    (PairResult, "revision__deal__session"),
    (Transfer, "session"),
    (Dispute, "deal__session"),
    (Revision, "deal__session"),
    (Deal, "session"),
    (Event, "session"),
)
"""What a session has for each hand or action, those that point to others first, and the way to the session."""


def erase(club: Club, *, started: int | None = None) -> None:
    """Permanently delete everything the club has: sessions, ledger, players, links.

    Raises `LedgerError` if the club has not ``started`` so many sessions, because somebody has not seen all of them.

    Only this, `drop_idle` and, in the demo, `take_back_last` delete what was played, apart from an operator who empties
    the whole database.
    """
    with writing():
        locked = lock_club_and_sessions(club.pk)
        if started not in (None, locked.started):
            raise refuse("stale", "", Phrase("A session was started in this club since this page was opened."))
        for public_id in Session.objects.filter(club=club).values_list("public_id", flat=True):
            live.gone(public_id)
        with erasing(connection):
            _delete(Session.objects.filter(club=club))
            club.delete()


def _delete(sessions: QuerySet[Session]) -> None:
    """Delete these sessions and all that they have.

    Django would read each row that another may point to, while all who settle wait. Here what points comes first.
    """
    for model, session in _MANY_ROWS:
        rows = model.objects.filter(**{f"{session}__in": sessions})
        rows._raw_delete(rows.db)
    sessions.delete()


def idle_since(moment: datetime) -> QuerySet[Session]:
    """Sessions whose last event is older than `moment`, but for those of the demo, which `manage.py demo` ends.

    A session that is on its club's tab is among them only if all of the club is idle and nothing of the tab was paid
    since either, because without it the tab would no longer be what people owe each other.
    """
    last = Event.objects.filter(session=OuterRef("pk")).order_by("-n").values("at")[:1]
    of_club = Event.objects.filter(session__club=OuterRef("club"), at__gte=moment)
    paid = TabPayment.objects.filter(club=OuterRef("club"), at__gte=moment)
    others = Session.objects.exclude(club__public_id=DEMO)
    off_tab_or_idle = Q(on_tab=False) | ~Exists(of_club) & ~Exists(paid)
    return others.annotate(last=Subquery(last)).filter(off_tab_or_idle, last__lt=moment)


def drop_idle(moment: datetime) -> Iterator[Session]:
    """Delete the sessions that have been idle since `moment`, one each time the caller advances the iterator.

    The standings lose the results of a deleted session too. A club that loses its last session is deleted whole, as by
    `erase`. Yields each session after its turn, including one that was no longer idle by then and was therefore kept,
    and one that somebody else has deleted.
    """
    for session in idle_since(moment).select_related("club").order_by("pk"):
        with suppress(Gone), writing():
            club = lock_club_and_sessions(session.club_id)
            if idle_since(moment).filter(pk=session.pk).exists():
                live.gone(session.public_id)
                with erasing(connection):
                    _delete(Session.objects.filter(pk=session.pk))
                    if Session.objects.filter(club=club).exists():
                        Club.objects.filter(pk=club.pk).update(dropped=[*club.dropped, session.number])
                    else:
                        club.delete()
        yield session
