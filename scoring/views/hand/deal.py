"""The page of a settled hand: its boards, its settlement, every version it has had, and its disputes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.actions.set_next import SetNext
from scoring.forms.base import NoteForm
from scoring.forms.hand import prefix
from scoring.forms.next_deal import NextDealForm, SeatFantasyland, cards_field
from scoring.game.outcome import Outcome
from scoring.ledger.load import Stored
from scoring.models import Deal, Dispute, Event, Revision, Session
from scoring.request import Request, new_key, own_seat_of
from scoring.views.shared.asking import carried, reopening
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.wording.actions import Speaker
from scoring.wording.boards import BoardShown
from scoring.wording.figures import time_of_day
from scoring.wording.names import link_said
from scoring.wording.notes import MISSED, note_quoted, note_said
from scoring.wording.settlement import outcome_shown, own_result, standing_shown
from scoring.wording.versions import version_shown


@dataclass(frozen=True, slots=True)
class MissedShown:
    """A Fantasyland that a player was due and did not get, and the fields that give it to them in the next hand.

    ``note`` is recorded then; ``said`` is the same in the reader's language.
    """

    seat: int
    name: str
    note: str
    said: str
    had_button: int
    fields: list[SeatFantasyland]


@require_safe
def deal(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows the hand as it counts now, or with ``?version=`` as an earlier version had it."""
    session = access.session(request, public_id, Right.READ)
    return page(request, session, access.deal(session, number), NoteForm())


def page(
    request: Request,
    session: Session,
    found: Deal,
    disputing: NoteForm,
    *,
    resolving: tuple[int, NoteForm] | None = None,
) -> HttpResponse:
    """The hand's page. ``disputing`` is the form of a dispute; one that was refused keeps its text and its errors.

    ``resolving`` is the form of a resolution that was refused, after the number of the event that raised its dispute.
    Its field may be gone, so its errors stand above all.
    """
    of, resolution = resolving or (0, None)
    above = {"": [error for field in resolution.errors.values() for error in field]} if resolution else None
    status = (resolution or disputing).status
    open_ = [each for each in reads.disputes(session) if each.deal == found]
    decision = resolution.text("note") if resolution else ""
    kept = session.closed_at is None and any(each.raised.n == of for each in open_)
    revisions = reads.revisions(found)
    asked = request.GET.get("version", str(found.revision))
    revision = next((each for each in revisions if str(each.n) == asked), None)
    if revision is None:
        raise Http404
    context = {
        **_context(request, session, found, revisions, revision),
        **problems(above or disputing.errors, status),
        **reopening(session, status),
        "form": disputing,
        "disputes": [
            _dispute_shown(each, session) | {"decision": decision if each.raised.n == of else ""} for each in open_
        ],
        "decided": [_decided_shown(*each) for each in reads.decided(found)],
        "unsaved": "" if kept else decision,
        "key": new_key(),
        "version": carried(request, status, "version", session.version),
    }
    return render(request, "hand/deal.html", context, status=status or 200)


def _dispute_shown(dispute: Dispute, session: Session) -> dict[str, Any]:
    raised = dispute.raised
    return {
        "who": link_said(raised.by),
        "when": time_of_day(raised.at),
        "why": raised.note,
        "raised": raised.n,
        "resolve": reverse("resolve", args=[session.public_id, dispute.deal.number, raised.n]),
    }


def _decided_shown(raised: Event, resolved: Event) -> dict[str, Any]:
    return {
        "who": link_said(raised.by),
        "when": time_of_day(raised.at),
        "why": raised.note,
        "by": link_said(resolved.by),
        "then": time_of_day(resolved.at),
        "decision": resolved.note,
    }


def _context(
    request: Request, session: Session, found: Deal, revisions: list[Revision], revision: Revision
) -> dict[str, Any]:
    here = reverse("deal", args=[session.public_id, found.number])
    # A void hand is shown with the cards of the version that it voided.
    drawn = next(each for each in reversed(revisions[: revision.n]) if not each.voided)
    stored = reads.stored_deal(found, drawn.n)
    outcome = stored.outcome() if stored else None
    current, state = revision.n == found.revision, reads.state(session)
    counts, own = current and not revision.voided, own_seat_of(request)
    shown = outcome_shown(outcome, session, counts=not revision.voided) if outcome else {}
    name = Speaker.of(session, state.players).name
    late = reads.late_buy_ins(session) if any(each.event.deal is None for each in revisions) else {}
    if outcome and counts and request.grant.runs and session.closed_at is None:
        shown["boards"] = _correctable(
            shown["boards"], outcome, reverse("correct", args=[session.public_id, found.number])
        )
    return {
        **frame(session, "deal"),
        **shown,
        "number": found.number,
        "previous": found.number - 1,
        "following_number": found.number + 1 if found.number < session.deals else 0,
        "void": revision.voided,
        "current": current,
        "missed": _missed(session, stored) if stored and counts else [],
        "standing": standing_shown(state, reads.present(session), session) if current else [],
        "own": own_result(outcome, own, state, session) if counts else "",
        "n": revision.n,
        "here": here,
        "note": note_quoted(revision.note),
        "versions": [version_shown(each, found, here, late, name, shown=each.n == revision.n) for each in revisions],
    }


def _correctable(boards: list[BoardShown], outcome: Outcome, address: str) -> list[BoardShown]:
    """The boards, each with the place of its cards in the form of a correction. Points have no such place."""
    if outcome.entry.points is not None:
        return boards
    return [
        replace(board, correct=f"{address}#{prefix(seat)}-board")
        for board, seat in zip(boards, outcome.seats, strict=True)
    ]


def _missed(session: Session, stored: Stored) -> list[MissedShown]:
    table = reads.state(session).table
    found = []
    for seat, cards in reads.missed_fantasyland(stored).items():
        note = MISSED.format(player=table.name(seat), number=stored.number)
        given = seat in table.fantasyland or reads.was_said(session, SetNext.verb, note)
        if seat in table.active() and not given:
            fields = [
                replace(each, cards=cards) if each.field == cards_field(seat) else each
                for each in NextDealForm(None, table, table.active()).fantasyland(table)
            ]
            found.append(MissedShown(seat, table.name(seat), note, note_said(note), table.button, fields))
    return found
