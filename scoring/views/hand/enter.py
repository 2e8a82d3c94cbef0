"""Enters the next hand: the form, the preview of its settlement, and the button that settles it.

The form and the preview are GET requests with everything typed in their address, so going back and reloading are
harmless; only the button under the preview writes. The form gets its key, and the list of the seats dealt in, when it
is first opened, and carries both along. So the same hand cannot be settled twice, however often it is sent and wherever
the button has moved by then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring import access, drafts, ledger, reads
from scoring.access import Right
from scoring.actions.deals import Settle
from scoring.forms.hand import DealForm, prefix, seats_carried
from scoring.game.entry import Rows
from scoring.game.errors import LedgerError
from scoring.game.table import Table
from scoring.ledger.load import current_revisions, seats_of, table_of
from scoring.models import Event, Revision, Seat, Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, is_key, new_key, sent_key, whole_number
from scoring.rules.board import ROWS
from scoring.texts import gettext as _
from scoring.views.hand.drafting import Drafting
from scoring.views.hand.form import deal_form_context, late_page, with_changed
from scoring.views.shared.device import keep_device
from scoring.views.shared.frame import frame
from scoring.wording.phrases import reasons
from scoring.wording.settlement import outcome_shown
from scoring.wording.table import begins, following


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: Request, public_id: str) -> HttpResponse:
    """Takes the next deal from its rows to its settlement: the form, the preview, and the POST that settles."""
    session = access.session(request, public_id, Right.ENTER)
    seats, table = reads.seating(session)
    if request.method == "POST":
        return _settle(request, session, seats, table)
    asked = _Asked.read(request, session, seats, table)
    if late := _settled_meanwhile(asked):
        return late
    return _preview(asked) if asked.wants_preview else _asked_again(asked)


@require_safe
@never_cache
def blank(request: Request, public_id: str) -> HttpResponse:
    """The pad without a card or a figure, which a phone keeps and shows while it has no connection.

    It is also how a phone finds out, once it is back, whether it may still enter hands, and gets a fresh token.
    """
    session = access.session(request, public_id, Right.ENTER)
    table = reads.seating(session)[1]
    form, drafting = DealForm({}, table.lineup()), Drafting(request, session, table, without=True)
    # The tabs are kept for each version and page, and those of the pad stand under the terms of the session.
    context = {
        **_form_context(session, table, form, drafting, key=""),
        "tab": "blank",
        "session_terms": "",
        "kept": True,
    }
    return keep_device(request, render(request, "hand/blank.html", context))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a GET of this page asks for.

    ``sent`` are the fields without those that `_left_alone` finds, and ``form`` holds them filled up with the rows that
    other phones have sent. ``first`` holds only what was typed, for the seats that were dealt in when the form was
    opened. ``done`` is the event that the form's ``key`` has already recorded; ``settled`` is the event that settled
    the deal of this form.
    """

    request: Request
    session: Session
    table: Table
    key: str
    sent: Mapping[str, str]
    form: DealForm
    first: DealForm
    typed: bool
    done: Event | None
    settled: Event | None

    @classmethod
    def read(cls, request: Request, session: Session, seats: Sequence[Seat], table: Table) -> Self:
        sent = request.GET
        key = sent.get("key", "") if is_key(sent.get("key", "")) else new_key()
        first = _as_first_shown(sent, seats, table)
        typed = DealForm(sent, table.lineup()).sent or first.sent
        done = reads.recorded(session, key)
        drafting = Drafting(request, session, table)
        newer = _left_alone(sent, drafting)
        fields = {name: text for name, text in sent.dict().items() if name not in newer}
        return cls(
            request=request,
            session=session,
            table=table,
            key=key,
            sent=fields,
            form=DealForm(fields, table.lineup(), initial=drafting.fields()),
            first=first,
            typed=typed,
            done=done,
            settled=_settled_before(session, sent, done) if typed or "number" in sent else None,
        )

    @property
    def wants_preview(self) -> bool:
        """Whether to preview: something was typed, or the button under rows that phones have sent was pressed."""
        sent = self.request.GET
        return "edit" not in sent and (self.typed or ("seats" in sent))

    @property
    def everyone_in(self) -> bool:
        """Whether nothing is left to enter for any seat."""
        form = self.form
        return all(drafts.done(Rows(*board.rows(), ruling=form.rulings[seat])) for seat, board in form.boards.items())

    @property
    def settled_number(self) -> int:
        """The number of the deal that has been settled since the form was opened, 0 for none."""
        return self.settled.deal or 0 if self.settled else 0


def _settled_meanwhile(asked: _Asked) -> HttpResponse | None:
    """A redirect to the form's deal if it has been settled, the late page if its cards differ, None if it is new.

    Without any cards it is the button of a page on which everybody was in.
    """
    typed, settled = asked.first.entry(), asked.settled
    if settled is None or typed is None:
        return None
    number, entered = asked.settled_number, settled.action["entry"]
    if not asked.typed or entered == typed.as_document():
        return redirect("deal", asked.session.public_id, number)
    if not _shares_a_row(entered, typed.as_document()):
        return None
    refusal = _("Hand {number} is already settled. Open it to correct it.").format(number=number)
    return late_page(asked.request, asked.session, asked.first, number, [refusal])


def _preview(asked: _Asked) -> HttpResponse:
    """Shows what settling would record, or the form again with its errors."""
    request, session, form = asked.request, asked.session, asked.form
    if not asked.typed and not asked.everyone_in:
        # The user asked for the preview, but typed nothing on this phone.
        if form.sent:
            return _asked_again(asked)
        form.errors[""] = [_("Nothing is entered yet.")]
        return _asked_again(asked, status=UNPROCESSABLE)
    entry = form.entry()
    if entry is None:
        return _asked_again(asked, status=UNPROCESSABLE)
    try:
        preview = ledger.preview(session=session, entry=entry)
    except LedgerError as refusal:
        form.refused(refusal.problems)
        return _asked_again(asked, status=UNPROCESSABLE)
    key = new_key() if asked.done else asked.key
    edit = with_changed(request.GET, edit="1", key=key, seats=form.carried, number=str(preview.number))
    context = {
        **frame(session, "enter"),
        **outcome_shown(preview.outcome, session),
        "number": preview.number,
        "version": preview.version,
        "key": key,
        "carried": form.carried,
        "fields": form.all_fields().items(),
        "edit": f"?{edit}",
        "following": following(preview.after),
        "settled": asked.settled_number,
    }
    return render(request, "hand/preview.html", context)


def _settle(request: Request, session: Session, seats: Sequence[Seat], table: Table) -> HttpResponse:
    key, form = sent_key(request), _as_first_shown(request.POST, seats, table)
    hand = form.entry()
    if hand is None:
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE)
    number = whole_number(request.POST.get("number"))
    try:
        # A missing number or version counts as 0 here, so a request that did not come from the preview is refused.
        deal = ledger.settle_deal(
            session=session,
            entry=hand,
            number=number,
            version=whole_number(request.POST.get("version")),
            key=key,
            remark=drafts.remark(session, hand),
            **asker(request),
        )
    except LedgerError as refusal:
        form.refused(refusal.problems)
        return _form_page(request, session, table, form, key, status=UNPROCESSABLE)
    except ledger.Conflict as conflict:
        session, done = conflict.session, reads.recorded(conflict.session, key)
        settled = _counting_number(session, _settled_by(done) or min(number, session.deals))
        if settled:
            if current_revisions(session).get(deal__number=settled).entry == hand.as_document():
                return redirect("deal", session.public_id, settled)  # another phone was faster, and nothing is wrong
            return late_page(request, session, form, settled, reasons(conflict.problems))
        now = table_of(session, seats_of(session))
        form_again = DealForm(request.POST, now.lineup())
        form_again.errors[""] = reasons(conflict.problems)
        return _form_page(request, session, now, form_again, new_key() if done else key, status=CONFLICT)
    return redirect("deal", session.public_id, deal.number)


def _as_first_shown(sent: QueryDict, seats: Sequence[Seat], table: Table) -> DealForm:
    """The form as sent, read for the seats dealt in when it was opened, so that a repeat is still the same deal."""
    players = [seat.number for seat in seats if seat.kind == Seat.Kind.PLAYER]
    return DealForm(sent, seats_carried(sent, players) or table.lineup())


def _shares_a_row(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two entries are probably the same deal: some seat has an identical row, which two deals hardly share."""
    return any(
        other["boards"].get(seat, {}).get(name) == row
        for seat, rows in one["boards"].items()
        for name, row in rows.items()
        if name != "ruling"
    )


def _settled_by(done: Event | None) -> int:
    """The number of the deal that this event settled, 0 if it is another kind of event or None."""
    return done.deal or 0 if done and done.verb == Settle.verb else 0


def _settled_before(session: Session, sent: QueryDict, done: Event | None) -> Event | None:
    """The event that settled the deal of this form, from this form or another phone.

    None if nothing has settled it, or if it has been undone or voided since.
    """
    number = _settled_by(done) or whole_number(sent.get("number"))
    if not _counting_number(session, number):
        return None
    return done if _settled_by(done) else reads.settling(session, number)


def _counting_number(session: Session, number: int) -> int:
    """``number`` if that deal is settled and counts, else 0."""
    stands = current_revisions(session).filter(deal__number=number).exclude(kind=Revision.Kind.VOID)
    return number if number <= session.deals and stands.exists() else 0


def _undone(session: Session, number: int) -> int:
    """``number`` if that deal was settled once, and neither it nor any later one counts by now, else 0.

    So the form says that it holds the cards of that deal until it has been settled again under another number.
    """
    later = current_revisions(session).filter(deal__number__gte=number).exclude(kind=Revision.Kind.VOID)
    return number if 0 < number <= session.deals and not later.exists() else 0


def _left_alone(sent: Mapping[str, str], drafting: Drafting) -> set[str]:
    """The fields of seats whose rows came from other phones after this page was served, and were not touched on it.

    A browser sends them as they were, mostly empty. A row that was changed or emptied here counts as it was sent.
    """
    form, there, found = DealForm(sent, drafting.table.lineup()), drafting.fields(), set[str]()
    for seat in form.seats:
        key, typed = prefix(seat), Rows(*form.boards[seat].rows(), ruling=form.rulings[seat])
        changed = drafting.changed_since(seat, whole_number(sent.get(f"{key}-rev"))) and f"{key}-front" in there
        if changed and drafts.line(drafts.readable(typed)) == sent.get(f"{key}-seen"):
            found |= {f"{key}-{part}" for part in (*ROWS, "ruling", "rev", "seen")}
    return found


def _asked_again(asked: _Asked, *, status: int = 200) -> HttpResponse:
    return _form_page(asked.request, asked.session, asked.table, asked.form, asked.key, sent=asked.sent, status=status)


def _form_page(
    request: Request,
    session: Session,
    table: Table,
    form: DealForm,
    key: str,
    *,
    sent: Mapping[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    drafting, sent = Drafting(request, session, table), request.POST if sent is None else sent
    context = {
        **_form_context(session, table, form, drafting, key=key, sent=sent),
        "undone": _undone(session, whole_number(request.GET.get("undone"))),
    }
    return keep_device(request, render(request, "hand/enter.html", context, status=status))


def _form_context(
    session: Session,
    table: Table,
    form: DealForm,
    drafting: Drafting,
    *,
    key: str,
    sent: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Context for ``hand/enter.html``, without what only a page that a person asked for can say."""
    names = {seat: table.name(seat) for seat in form.seats}
    entries = [drafting.entry(form, seat, drafting.as_sent(seat, sent)) for seat in form.seats]
    return {
        **frame(session, "enter"),
        **deal_form_context(form, names, entries, table.rules),
        **({} if form.by_points else drafting.around(own=None)),
        "number": session.next_number,
        "key": key,
        "carried": form.carried,
        "obstacles": reasons(table.obstacles()),
        "address": reverse("enter", args=[session.public_id]),
        "begins": begins(table),
        "decks": 0 if form.by_points else table.rules.decks,
    }
