"""The record of a session on paper: every hand in the form that ``books/_paper.html`` prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from scoring import reads
from scoring.actions.deals import Settle
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.wording.actions import Speaker
from scoring.wording.boards import BoardShown
from scoring.wording.figures import time_of_day
from scoring.wording.history import EventShown, Historian
from scoring.wording.names import link_said
from scoring.wording.notes import note_quoted, remark_said
from scoring.wording.settlement import PairShown, TotalShown, outcome_shown

EVENTS_AT_ONCE = 400
"""So many events are put into words at once: a query can name no more than 500."""


@dataclass(frozen=True, slots=True)
class PairOnPaper:
    """One pair of a hand, and in ``working`` what its points are made of."""

    pair: PairShown
    working: str


@dataclass(frozen=True, slots=True)
class DealOnPaper:
    """One hand. ``seats`` are clockwise from under the gun: the board of each, and what they won or lost.

    ``told`` are the events about the hand but for its settling, ``again`` says when it was recalculated and why, and
    ``after`` are the events between this hand and the next.
    """

    number: int
    void: bool
    at: str
    by: str
    note: str
    remark: str
    seats: Sequence[tuple[BoardShown, TotalShown]]
    pairs: Sequence[PairOnPaper]
    told: Sequence[EventShown]
    again: Sequence[str]
    after: Sequence[EventShown]


@dataclass(frozen=True, slots=True)
class OnPaper:
    """A session's hands, and ``opening``, the events before the first of all."""

    opening: Sequence[EventShown]
    deals: Sequence[DealOnPaper]


def on_paper(session: Session, whole: reads.Whole) -> OnPaper:
    """Put these hands, and everything that was done about them and between them, into the words of the history."""
    told = _events_shown(session, whole)

    def shown(events: Sequence[reads.Happened]) -> list[EventShown]:
        return [told[each.event.n] for each in events if each.event.n in told]

    name = Speaker.of(session, reads.state(session).players).name
    deals = [_deal(session, deal, shown(deal.about), shown(deal.after), name) for deal in whole.deals]
    return OnPaper(shown(whole.opening), deals)


def _events_shown(session: Session, whole: reads.Whole) -> dict[int, EventShown]:
    """Every event by number, without the settlements that still stand: the hands themselves tell of those."""
    events = [*whole.opening, *(each for deal in whole.deals for each in (*deal.about, *deal.after))]
    events = [each for each in events if each.event.verb != Settle.verb or each.undone_by]
    found: dict[int, EventShown] = {}
    for start in range(0, len(events), EVENTS_AT_ONCE):
        some = events[start : start + EVENTS_AT_ONCE]
        historian = Historian(session, some)
        found |= {each.event.n: historian.shown(each) for each in some}
    return found


def _deal(
    session: Session,
    deal: reads.WholeDeal,
    told: list[EventShown],
    after: list[EventShown],
    name: Callable[[int], str],
) -> DealOnPaper:
    """``name`` names a seat's player."""
    outcome = deal.counted.outcome()
    shown = (
        outcome_shown(outcome, session, counts=not deal.void)
        if outcome
        else {"boards": [], "pairs": [], "totals": None}
    )
    settled = next(each for each in deal.about if each.event.verb == Settle.verb)
    return DealOnPaper(
        number=deal.number,
        void=deal.void,
        at=time_of_day(settled.event.at),
        by=link_said(settled.event.by),
        note=note_quoted(deal.counted.revision.note),
        remark="" if settled.undone_by else remark_said(settled.event, name),
        seats=list(zip(shown["boards"], shown["totals"].lines, strict=True)) if outcome else [],
        pairs=[PairOnPaper(pair, _working(pair)) for pair in shown["pairs"]],
        told=told,
        again=[
            _("Recalculated at {time}, because of number {number}.").format(
                time=time_of_day(each.event.at), number=each.event.n
            )
            for each in deal.again
        ],
        after=after,
    )


def _working(pair: PairShown) -> str:
    """The figures above the total, which are points; what they are worth stands beside the pair."""
    points = takewhile(lambda line: not line.total, pair.lines)
    return " · ".join(f"{line.label} {line.value}" for line in points) if any(line.total for line in pair.lines) else ""
