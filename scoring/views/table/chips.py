"""Chips between two hands: buying in, cashing in, and a buy-in that was forgotten."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.actions.chips import BuyIn, CashOut
from scoring.forms.chips import ChipsForm
from scoring.game.errors import LedgerError
from scoring.ledger import ImpossibleError
from scoring.models import Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request
from scoring.views.shared.asking import attempt, closed_page, form_page, signature
from scoring.views.shared.refusal import choices
from scoring.wording.corrections import moves
from scoring.wording.figures import money
from scoring.wording.table import in_front


@require_http_methods(["GET", "HEAD", "POST"])
def chips(request: Request, public_id: str) -> HttpResponse:
    """What lies in front of everybody; buying and cashing in."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    form = _form(request, session)
    status = 0
    if request.method == "POST":
        form.read()
        verb = CashOut if request.POST.get("do") == "cash-out" else BuyIn
        action = verb(form.chosen, form.minor)
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=action, note=form.note, **signature(request))
        )
        if not status:
            return redirect("chips", session.public_id)
    return form_page(request, session, "table/chips.html", form, _context(session), status=status)


def _form(request: Request, session: Session) -> ChipsForm:
    sent = request.POST if request.method == "POST" else request.GET
    return ChipsForm(sent, list(reads.state(session).players), session.minor_digits)


def _context(session: Session) -> dict[str, Any]:
    table = reads.state(session).table
    return {
        "seats": [(chair.number, chair.name, in_front(table, chair.number, session)) for chair in table.chairs],
        "limited": table.stacks is not None,
        "obstacles": [problem.message for problem in table.obstacles() if problem.code == "no-chips"],
    }


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: Request, public_id: str) -> HttpResponse:
    """A buy-in booked where it happened, before an earlier hand: first what it moves, then the button that books it."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    form = _form(request, session)
    if request.method != "POST" and "amount" not in request.GET:
        return form_page(request, session, "table/forgotten.html", form, _context(session), status=0)
    form.read()
    if not 1 <= form.before <= session.deals:
        form.wrong("before", "Before which hand was it?")
    status = UNPROCESSABLE if form.errors else 0
    bought = BuyIn(form.chosen, form.minor, form.before)
    if request.method == "POST":
        status = attempt(
            session, form, lambda: ledger.record(session=session, action=bought, note=form.note, **signature(request))
        )
        if not status:
            return redirect("ledger", session.public_id)
    context = _context(session)
    if status in (0, CONFLICT) or set(form.errors) == {"note"}:
        try:
            moved = ledger.preview_late(session=session, action=bought)
        except LedgerError as refusal:
            form.refused(refusal.problems)
            status = UNPROCESSABLE
            if isinstance(refusal, ImpossibleError):
                context["choices"] = choices(session, refusal)
        else:
            context |= {
                "previewed": True,
                "whose": next(name for seat, name in reads.state(session).players.items() if seat == form.chosen),
                "booked": f"{money(form.minor, session.minor_digits)} {session.currency}",
                **moves(session, 0, moved),
            }
    return form_page(request, session, "table/forgotten.html", form, context, status=status)
