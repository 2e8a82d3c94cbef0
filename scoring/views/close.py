"""The end of an evening: the totals, the fewest payments that square everybody, closing and opening again."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, ledger, queries
from scoring.access import Right
from scoring.forms.typed import TypedForm
from scoring.http import Request
from scoring.models import Session
from scoring.views.asking import attempt, form_page, signature
from scoring.views.shown import money, signed, signed_money


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: Request, public_id: str) -> HttpResponse:
    """What closing would leave everybody with, and the button that does it; of a closed session the way back."""
    session = access.session(request, public_id, Right.RUN)
    form = TypedForm(request.POST)
    status = 0
    if request.method == "POST":
        status = attempt(
            session, form, lambda: ledger.close_session(session=session, note=form.note, **signature(request))
        )
        if not status:
            return redirect("table", session.public_id)
    return form_page(request, session, "close.html", form, squared(session, queries.state(session)), status=status)


@require_POST
def reopen(request: Request, public_id: str) -> HttpResponse:
    """Let it go on; that it was open again stands in the history."""
    session = access.session(request, public_id, Right.RUN)
    form = TypedForm(request.POST)
    status = attempt(
        session, form, lambda: ledger.reopen_session(session=session, note=form.note, **signature(request))
    )
    if not status:
        return redirect("table", session.public_id)
    return form_page(request, session, "close.html", form, squared(session, queries.state(session)), status=status)


def squared(session: Session, state: queries.State) -> dict[str, Any]:
    """Everybody's totals (name, points, money, fees) and who pays whom (payer, payee, amount)."""
    digits = session.minor_digits
    fees = any(balance.fees for balance in state.balances.values())
    return {
        "final": [
            (seat.name, signed(of.points), signed_money(of.money, digits), money(of.fees, digits))
            for number, seat in state.seats.items()
            if number > 0
            for of in [state.balances[number]]
        ],
        "fees": fees,
        "payments": [
            (state.seats[each.payer].name, state.seats[each.payee].name, money(each.amount, digits))
            for each in queries.payments(state.balances)
        ],
        "flags": [(each.deal.number, each.raised.note) for each in queries.disputes(session)],
    }
