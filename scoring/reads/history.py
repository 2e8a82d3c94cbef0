"""What was done in a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from scoring.actions.deals import Correct
from scoring.ledger import load
from scoring.models import BoardResult, Event, Revision, Session


@dataclass(frozen=True, slots=True)
class Happened:
    """One event in the history; ``undone_by`` is the number of the event that took it back."""

    event: Event
    undone_by: int | None


def history(
    session: Session, *, deal: int | None = None, before: int | None = None, limit: int = 50
) -> tuple[list[Happened], int | None]:
    """A page of what was done, newest first, and the ``before`` of the next page (None on the last).

    ``deal`` limits it to one deal, including the events that settled that deal again because an earlier one changed.
    ``before`` limits it to events with lower numbers.
    """
    found = Event.objects.filter(session=session)
    if deal is not None:
        again = Revision.objects.filter(deal__session=session, deal__number=deal).values("event")
        found = found.filter(Q(deal=deal) | Q(pk__in=again))
    if before is not None:
        found = found.filter(n__lt=before)
    events = list(found.order_by("-n")[: limit + 1])
    more = len(events) > limit
    events = events[:limit]
    undone = dict(
        Event.objects.filter(session=session, undoes__in=[event.n for event in events]).values_list("undoes", "n")
    )
    return [Happened(event, undone.get(event.n)) for event in events], events[-1].n if more else None


def settled_again(session: Session, events: Sequence[int]) -> dict[int, tuple[int, int]]:
    """By event number, how many deals each of these events settled again because an earlier deal had changed.

    The second number is how many of them kept all points and money.
    """
    again = Revision.objects.filter(event__session=session, event__n__in=events, kind=Revision.Kind.RESETTLE)
    same = BoardResult.objects.filter(
        revision__deal=OuterRef("revision__deal"),
        revision__n=OuterRef("revision__n") - 1,
        seat=OuterRef("seat"),
        points=OuterRef("points"),
        money=OuterRef("money"),
    )
    kept = ~Exists(BoardResult.objects.filter(~Exists(same), revision=OuterRef("pk")))
    counted = again.order_by().values_list("event__n").annotate(all=Count("pk"), kept=Count("pk", filter=kept))
    return {n: (all_, unmoved) for n, all_, unmoved in counted}


def entries_changed(session: Session, events: Sequence[Event]) -> dict[int, tuple[dict[str, Any], dict[str, Any]]]:
    """The deal's entry before and after each correction among these events, by event number."""
    corrected = [event.deal for event in events if event.verb == Correct.verb and event.deal]
    found: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
    before: dict[int, dict[str, Any]] = {}
    revisions = Revision.objects.filter(deal__session=session, deal__number__in=corrected).order_by("deal_id", "n")
    for deal, event, kind, entry in revisions.values_list("deal_id", "event__n", "kind", "entry"):
        if kind == Revision.Kind.CORRECT:
            found[event] = (before[deal], entry)
        before[deal] = entry
    return found


def undone_by(session: Session, undo: Event) -> Event:
    """The event that this undo took back."""
    return Event.objects.get(session=session, n=undo.undoes or 0)


def last_event(session: Session, n: int) -> Event | None:
    """The event with this number while it is the last one, None once there is another."""
    return Event.objects.filter(session=session, n=n).first() if n == session.version else None


def changes_since(session: Session, version: int, *, most: int) -> list[Event]:
    """The latest events after ``version`` that changed the table, in their order, at most so many."""
    return list(load.changes_since(session, version).order_by("-n")[:most])[::-1]


def changes_of_deals(session: Session, number: int, *, since: int, most: int) -> list[Event]:
    """The latest events ``since`` a version that changed deals from this ``number`` on, in order, at most ``most``."""
    return list(load.changes_since(session, since).filter(deal__gte=number).order_by("-n")[:most])[::-1]


def just_undone(session: Session, n: int) -> Event | None:
    """The event with this number while the last one is its undo, None otherwise."""
    last = last_event(session, session.version) if n else None
    return Event.objects.filter(session=session, n=n).first() if last is not None and last.undoes == n else None
