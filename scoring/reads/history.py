"""What was done in a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from scoring.models import Event, Revision, Session


@dataclass(frozen=True, slots=True)
class Happened:
    """One event in the history; ``undone_by`` is the number of the event that took it back."""

    event: Event
    undone_by: int | None


def history(
    session: Session, *, deal: int | None = None, before: int | None = None, limit: int = 50
) -> tuple[list[Happened], int | None]:
    """What was done, the newest first: about one deal if named, before event number ``before``; and the next
    ``before``.

    A deal's history includes the events that settled it again because an earlier one changed.
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


def settled_again(session: Session, events: Sequence[int]) -> dict[int, int]:
    """How many hands each of these events settled again because an earlier one had changed."""
    again = Revision.objects.filter(event__session=session, event__n__in=events, kind=Revision.Kind.RESETTLE)
    return dict(again.order_by().values_list("event__n").annotate(Count("pk")))


def entries_changed(session: Session, events: Sequence[Event]) -> dict[int, tuple[dict[str, Any], dict[str, Any]]]:
    """What stood entered for its hand before and after each correction among these events, by event number."""
    corrected = [event.deal for event in events if event.verb == "correct" and event.deal]
    found: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
    before: dict[int, dict[str, Any]] = {}
    revisions = Revision.objects.filter(deal__session=session, deal__number__in=corrected).order_by("deal_id", "n")
    for deal, event, kind, entry in revisions.values_list("deal_id", "event__n", "kind", "entry"):
        if kind == Revision.Kind.CORRECT:
            found[event] = (before[deal], entry)
        before[deal] = entry
    return found


def recorded(session: Session, key: str) -> Event | None:
    """What the form with this key has done, None if it has done nothing yet."""
    return next(iter(Event.objects.filter(session=session, key=key)), None)
