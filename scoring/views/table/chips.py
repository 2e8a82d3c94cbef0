"""Chips between two hands: buying in, cashing out, and a late buy-in that was forgotten."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.forms.chips import EVERYONE, ChipsForm, ForgottenForm
from scoring.forms.fields import for_cash
from scoring.game.errors import LedgerError
from scoring.ledger import ImpossibleError
from scoring.models import Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request
from scoring.texts import gettext as _
from scoring.views.shared.asking import back_to, closed_meanwhile, form_page, posted, record, status_of
from scoring.views.shared.refusal import choices
from scoring.wording.corrections import moves
from scoring.wording.figures import money
from scoring.wording.phrases import reasons
from scoring.wording.table import in_stack, still_owed


@require_http_methods(["GET", "HEAD", "POST"])
def chips(request: Request, public_id: str) -> HttpResponse:
    """Shows the chips in front of each player; a POST buys in or cashes out."""
    session = access.session(request, public_id, Right.RUN)
    # The first chips are usually bought by everybody, later ones by those who have run out.
    first = {} if session.stacks else {"seat": EVERYONE}
    asked = {"cash": for_cash(session.cash)} | first | request.GET.dict()
    seats = reads.state(session).players
    form = ChipsForm(posted(request), initial=asked, seats=seats, digits=session.minor_digits)
    if record(request, session, form):
        return back_to("chips", session, request)
    return form_page(request, session, "table/chips.html", form, _context(session))


def _context(session: Session) -> dict[str, Any]:
    table = reads.state(session).table
    stacks = table.stacks or {}
    # Those at the table, and those who have left and can cash out what the bank still owes them.
    seats = [chair.number for chair in table.chairs] + [seat for seat in table.away(stacks) if stacks[seat] > 0]
    return {
        "seats": [
            (EVERYONE, _("Everyone at the table"), ""),
            *((seat, table.name(seat), in_stack(table, seat, session)) for seat in seats),
        ],
        "still_owed": still_owed(table, session),
        "limited": table.stacks is not None,
        "obstacles": reasons(problem for problem in table.obstacles() if problem.code == "no-chips"),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: Request, public_id: str) -> HttpResponse:
    """Books a forgotten buy-in before an earlier hand. The page first shows what it would change."""
    session = access.session(request, public_id, Right.RUN)
    looking = request.GET if "amount" in request.GET else None
    form = ForgottenForm(
        request.POST if request.method == "POST" else looking,
        initial={"cash": for_cash(session.cash)} | request.GET.dict(),
        seats=reads.state(session).players,
        digits=session.minor_digits,
        deals=session.deals,
    )
    if record(request, session, form):
        return redirect("ledger", session.public_id)
    # Everybody who ever sat here: somebody who has left since can have bought chips before that hand.
    state = reads.state(session)
    context = {"seats": [(seat, name, in_stack(state.table, seat, session)) for seat, name in state.players.items()]}
    if form.errors and not form.status:
        form.status = UNPROCESSABLE
        if closed := closed_meanwhile(session):
            form.refused(closed.problems)
            form.status = closed.status
    elif form.is_bound and (form.status == 0 or set(form.errors) == {"note"} or _was_overtaken(session, form)):
        context |= _previewed(session, form)
    return form_page(request, session, "table/forgotten.html", form, context)


def _was_overtaken(session: Session, form: ForgottenForm) -> bool:
    """Whether the table has changed since the page was shown, and the buy-in can still be booked."""
    return form.status == CONFLICT and session.closed_at is None


def _previewed(session: Session, form: ForgottenForm) -> dict[str, Any]:
    """Context for what the buy-in would change. If it is refused, the form says why and the page offers choices."""
    buy_in = form.action()
    try:
        correction = ledger.preview_late(session=session, action=buy_in)
    except LedgerError as refusal:
        form.refused(refusal.problems)
        form.status = status_of(refusal)
        return {"choices": choices(session, refusal)} if isinstance(refusal, ImpossibleError) else {}
    return {
        "previewed": True,
        "whose": reads.state(session).players[buy_in.seat],
        "booked": f"{money(buy_in.amount, session.minor_digits)} {session.currency}",
        "in_cash": buy_in.cash,
        "before": buy_in.before,
        **moves(session, 0, correction),
    }
