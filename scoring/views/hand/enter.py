"""The next hand: typed, shown as it would settle, settled with one tap.

Typing and the preview are GETs whose address holds what was typed, so that going back and reloading do no harm; only
the button under the preview writes. A hand's key is made when its form is first opened and travels with it, and so does
who was dealt in then: the same hand cannot be settled twice, however often it is sent, and wherever the button is by
the time it comes again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.forms.hand import HandForm, seats_carried
from scoring.game.errors import LedgerError
from scoring.game.table import Table
from scoring.ledger.load import current_revisions, seats_of, table_of
from scoring.models import Event, Revision, Seat, Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, is_key, new_key, sent_key, whole_number
from scoring.views.hand.drafting import Drafting
from scoring.views.hand.form import hand_form_context, late_page, with_changed
from scoring.views.shared.device import keep_device
from scoring.views.shared.frame import frame
from scoring.wording.settlement import outcome_shown
from scoring.wording.table import begins, following


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: Request, public_id: str) -> HttpResponse:
    """Type the next hand, look at its settlement, settle it."""
    session = access.session(request, public_id, Right.ENTER)
    seats, table = reads.seating(session)
    if request.method == "POST":
        return _settle(request, session, seats, table)
    sent = request.GET
    key = sent.get("key", "") if is_key(sent.get("key", "")) else new_key()
    # Rows that only the phones have sent so far are as good as typed.
    form = HandForm(Drafting(request, session, table).fields() | sent.dict(), table.lineup())
    first = _as_first_shown(sent, seats, table)
    typed = HandForm(sent, table.lineup()).sent or first.sent
    done, as_first = reads.recorded(session, key), first.entry()
    before = _settled_before(session, sent, done) if typed else None
    settled = before.deal or 0 if before else 0
    if before and as_first:
        if before.action["entry"] == as_first.as_document():
            return redirect("deal", session.public_id, settled)
        if _shares_a_row(before.action["entry"], as_first.as_document()):
            refusal = f"This is hand {settled} with other cards, and hand {settled} has been settled: correct it there."
            return late_page(request, session, first, settled, refusal)
    if "edit" in sent or not typed:
        empty = "seats" in sent and "edit" not in sent and not form.sent  # and somebody asks for its settlement
        if empty:
            form.errors[""] = ["Nothing is entered yet."]
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE if empty else 200)
    hand = form.entry()
    if hand is None:
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE)
    try:
        preview = ledger.preview(session=session, entry=hand)
    except LedgerError as refusal:
        form.refused(refusal.problems)
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE)
    key = new_key() if done else key
    context = {
        **frame(session, "enter"),
        **outcome_shown(preview.outcome, session),
        "number": preview.number,
        "version": preview.version,
        "key": key,
        "carried": form.carried,
        "fields": form.all_fields().items(),
        "edit": f"?{with_changed(sent, edit='1', key=key, seats=form.carried, number=str(preview.number))}",
        "following": following(preview.after),
        "settled": settled,
    }
    return render(request, "hand/preview.html", context)


def _settle(request: Request, session: Session, seats: Sequence[Seat], table: Table) -> HttpResponse:
    key, form = sent_key(request), _as_first_shown(request.POST, seats, table)
    hand = form.entry()
    if hand is None:
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE)
    number = whole_number(request.POST.get("number"))
    try:
        # The button settles what the preview showed: a request without its numbers is not from that button.
        deal = ledger.settle_deal(
            session=session,
            entry=hand,
            number=number,
            version=whole_number(request.POST.get("version")),
            key=key,
            by=asker(request),
        )
    except LedgerError as refusal:
        form.refused(refusal.problems)
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE)
    except ledger.Conflict as conflict:
        session, done = conflict.session, reads.recorded(conflict.session, key)
        settled = _standing(session, _settled_by(done) or min(number, session.deals))
        if settled:
            return late_page(request, session, form, settled, str(conflict))
        now = table_of(session, seats_of(session))
        kept = HandForm(request.POST, now.lineup())
        kept.errors[""] = [str(conflict)]
        return _form_page(request, session, now, kept, new_key() if done else key, status=CONFLICT)
    return redirect("deal", session.public_id, deal.number)


def _as_first_shown(sent: QueryDict, seats: Sequence[Seat], table: Table) -> HandForm:
    """What was typed, for those who were dealt in when it was: sent again later, it is still that hand."""
    players = [seat.number for seat in seats if seat.kind == Seat.Kind.PLAYER]
    return HandForm(sent, seats_carried(sent, players) or table.lineup())


def _shares_a_row(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Two entries of one hand, most likely: the same row typed for the same seat, which no two hands have."""
    return any(
        other["boards"].get(seat, {}).get(name) == row
        for seat, rows in one["boards"].items()
        for name, row in rows.items()
        if name != "ruling"
    )


def _settled_by(done: Event | None) -> int:
    """The number of the hand that a form settled, 0 if what it has done is something else or nothing."""
    return done.deal or 0 if done and done.verb == "settle" else 0


def _settled_before(session: Session, sent: QueryDict, done: Event | None) -> Event | None:
    """What settled the hand that this form is about: itself, or another phone since it was opened; None for neither,
    or if that hand was taken back.
    """
    number = _settled_by(done) or whole_number(sent.get("number"))
    if not _standing(session, number):
        return None
    return done if _settled_by(done) else reads.settling(session, number)


def _standing(session: Session, number: int) -> int:
    """That hand if it counts; 0 if there is none, or it was taken back and may be entered again, as the next one."""
    stands = current_revisions(session).filter(deal__number=number).exclude(kind=Revision.Kind.VOID)
    return number if number <= session.deals and stands.exists() else 0


def _form_page(
    request: Request, session: Session, table: Table, form: HandForm, key: str, *, status: int = 200
) -> HttpResponse:
    names = {seat: table.name(seat) for seat in form.seats}
    drafting, sent = Drafting(request, session, table), request.POST if request.method == "POST" else request.GET
    entries = [drafting.entry(form, seat, drafting.as_sent(seat, sent)) for seat in form.seats]
    context = {
        **frame(session, "enter"),
        **hand_form_context(form, names, entries, table.rules),
        **({} if form.by_points else drafting.around(own=None)),
        "number": session.next_number,
        "key": key,
        "carried": form.carried,
        "obstacles": [problem.message for problem in table.obstacles()],
        "address": reverse("enter", args=[session.public_id]),
        "begins": begins(table),
        "decks": 0 if form.by_points else table.rules.decks,
    }
    return keep_device(request, render(request, "hand/enter.html", context, status=status))
