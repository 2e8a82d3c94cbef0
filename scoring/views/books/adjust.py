"""What moves between two hands by the host's word: a penalty, a side bet, a fee; and the last thing taken back."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.forms.penalty import PenaltyForm
from scoring.forms.transfers import FeeForm, SideBetForm
from scoring.game.errors import LedgerError
from scoring.request import CONFLICT, UNPROCESSABLE, Request
from scoring.views.shared.asking import attempt, form_page, posted, signature
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.views.table.table import may_undo


@require_http_methods(["GET", "HEAD", "POST"])
def penalty(request: Request, public_id: str) -> HttpResponse:
    """Points from one player to each of the others, or to one of them."""
    session = access.session(request, public_id, Right.RUN)
    state = reads.state(session)
    form = PenaltyForm(posted(request), seats=state.players)
    if attempt(request, session, form, lambda: ledger.penalty(session=session, **form.asked(), **signature(request))):
        return redirect("ledger", session.public_id)
    people = [(number, state.table.name(number)) for number in state.table.active()]
    return form_page(request, session, "books/penalty.html", form, {"people": people})


@require_http_methods(["GET", "HEAD", "POST"])
def side_bet(request: Request, public_id: str) -> HttpResponse:
    """Money from one player to another, without points; whoever has left can still pay and be paid."""
    session = access.session(request, public_id, Right.RUN)
    names = reads.state(session).players
    form = SideBetForm(posted(request), seats=names, digits=session.minor_digits)
    if attempt(request, session, form, lambda: ledger.side_bet(session=session, **form.asked(), **signature(request))):
        return redirect("ledger", session.public_id)
    return form_page(request, session, "books/side_bet.html", form, {"people": names.items()})


@require_http_methods(["GET", "HEAD", "POST"])
def fee(request: Request, public_id: str) -> HttpResponse:
    """The same from each to the house, for the table or the time, apart from points and winnings."""
    session = access.session(request, public_id, Right.RUN)
    state = reads.state(session)
    everybody = {"seats": state.table.active()}
    form = FeeForm(posted(request), initial=everybody, seats=state.players, digits=session.minor_digits)
    if attempt(request, session, form, lambda: ledger.fee(session=session, **form.asked(), **signature(request))):
        return redirect("ledger", session.public_id)
    chosen = form["seats"].value()
    people = [(number, state.players[number], number in chosen) for number in state.table.active()]
    return form_page(request, session, "books/fee.html", form, {"people": people})


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
        context = {**frame(session, "table"), **problems({"": [str(refusal)]})}
        return render(request, "shared/refused.html", context, status=status)
    return redirect("table", session.public_id)
