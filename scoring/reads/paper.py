"""A session deal by deal, with everything that was done about each deal and between deals, for its paper record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from scoring.ledger.load import Stored, stored
from scoring.models import Event, Revision, Session
from scoring.reads.history import Happened
from scoring.reads.state import seat_numbers


@dataclass(frozen=True, slots=True)
class WholeDeal:
    """One deal with its boards and pairs, and what was done about it.

    ``counted`` is the deal as it counts now or, if it is ``void``, as it did before that. ``about`` are its own events
    in order, ``again`` the revisions that it got because another deal changed, and ``after`` what was done between
    this deal and the next.
    """

    number: int
    void: bool
    counted: Stored
    about: Sequence[Happened]
    again: Sequence[Revision]
    after: Sequence[Happened]


@dataclass(frozen=True, slots=True)
class Whole:
    """A session's deals from one number to another. ``opening`` has the events before the first deal."""

    opening: Sequence[Happened]
    deals: Sequence[WholeDeal]


def whole(session: Session, first: int, last: int) -> Whole:
    """The deals with these numbers, at most 500, in six queries. It reads what was settled, and no draft."""
    numbers = seat_numbers(session)
    found = Revision.objects.filter(deal__session=session, deal__number__range=(first, last))
    revisions: dict[int, list[Revision]] = defaultdict(list)
    for revision in found.select_related("deal", "event").defer("event__action").order_by("deal__number", "n"):
        revisions[revision.deal.number].append(revision)
    counted = [next(each for each in reversed(all_of) if not each.voided) for all_of in revisions.values()]
    about, after = _events(session, first, last)
    return Whole(
        opening=after[0] if first == 1 else (),
        deals=[
            WholeDeal(
                number=deal.number,
                void=revisions[deal.number][-1].voided,
                counted=deal,
                about=about[deal.number],
                again=[each for each in revisions[deal.number] if each.event.deal != deal.number],
                after=after[deal.number],
            )
            for deal in stored(counted, numbers)
        ],
    )


def _events(session: Session, first: int, last: int) -> tuple[dict[int, list[Happened]], dict[int, list[Happened]]]:
    """The events about each of these deals, and those after each of them that are about none."""
    events = Event.objects.filter(session=session)
    undone = dict(events.filter(undoes__isnull=False).values_list("undoes", "n"))
    between = Q(deal=None, deals__range=(first if first > 1 else 0, last))
    about: dict[int, list[Happened]] = defaultdict(list)
    after: dict[int, list[Happened]] = defaultdict(list)
    for event in events.filter(between | Q(deal__range=(first, last))).order_by("n"):
        place = after[event.deals] if event.deal is None else about[event.deal]
        place.append(Happened(event, undone.get(event.n)))
    return about, after
