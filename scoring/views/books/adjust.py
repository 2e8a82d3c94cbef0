"""What moves between two hands by the host's word: a penalty, a side bet, a fee; and the last thing taken back."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.side_bet import SideBet
from scoring.forms.penalty import PenaltyForm
from scoring.forms.transfers import FeeForm, SideBetForm
from scoring.game.errors import LedgerError
from scoring.request import CONFLICT, UNPROCESSABLE, Request
from scoring.views.shared.asking import attempt, closed_page, form_page, signature
from scoring.views.shared.frame import frame
from scoring.views.table.table import may_undo


@require_http_methods(["GET", "HEAD", "POST"])
def penalty(request: Request, public_id: str) -> HttpResponse:
    """Points from one player to each of the others, or to one of them."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    state = reads.state(session)
    form = PenaltyForm(request.POST, list(state.players))
    status = 0
    if request.method == "POST":
        form.read()
        due = Penalty(form.payer, form.points, form.to)
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=due, note=form.note, **signature(request))
        )
        if not status:
            return redirect("ledger", session.public_id)
    people = [(number, state.table.name(number)) for number in state.table.active()]
    return form_page(request, session, "books/penalty.html", form, {"people": people}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def side_bet(request: Request, public_id: str) -> HttpResponse:
    """Money from one player to another, without points; whoever has left can still pay and be paid."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    names = reads.state(session).players
    form = SideBetForm(request.POST, list(names), session.minor_digits)
    status = 0
    if request.method == "POST":
        form.read()
        bet = SideBet(form.payer, form.payee, form.minor)
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=bet, note=form.note, **signature(request))
        )
        if not status:
            return redirect("ledger", session.public_id)
    return form_page(request, session, "books/side_bet.html", form, {"people": names.items()}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def fee(request: Request, public_id: str) -> HttpResponse:
    """The same from each to the house, for the table or the time, apart from points and winnings."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    state = reads.state(session)
    ticked = [number for number in state.players if str(number) in request.POST.getlist("seats")]
    form = FeeForm(request.POST, ticked if request.method == "POST" else state.table.active(), session.minor_digits)
    status = 0
    if request.method == "POST":
        form.read()
        paid = Fee(form.minor, form.chosen)
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=paid, note=form.note, **signature(request))
        )
        if not status:
            return redirect("ledger", session.public_id)
    people = [(number, state.players[number], number in form.chosen) for number in state.table.active()]
    return form_page(request, session, "books/fee.html", form, {"people": people}, status=status)


@require_POST
def undo(request: Request, public_id: str) -> HttpResponse:
    """Take back the last thing that was done; the taking back stands in the history as well."""
    session = access.session(request, public_id, Right.ENTER)
    signed = signature(request)
    last = ledger.last_undoable(session)
    # Sent again it has been done, and what is the last thing now is not what it was about.
    if last and not may_undo(request, last) and not reads.recorded(session, signed["key"]):
        raise PermissionDenied
    try:
        ledger.undo(session=session, **signed)
    except (LedgerError, ledger.Conflict) as refusal:
        status = CONFLICT if isinstance(refusal, ledger.Conflict) else UNPROCESSABLE
        context = {**frame(session, "table"), "problems": 1, "errors": [str(refusal)]}
        return render(request, "shared/refused.html", context, status=status)
    return redirect("table", session.public_id)
