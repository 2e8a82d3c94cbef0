"""Records that a payment was made, and takes one back."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from scoring import access, club, ledger, reads
from scoring.access import Right
from scoring.forms.base import LedgerForm
from scoring.forms.payment import PaymentForm
from scoring.game.errors import refuse
from scoring.game.payments import left_over, owed_by
from scoring.models import Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, own_seat_of, sent_key
from scoring.rules.phrase import Phrase
from scoring.texts import gettext as _
from scoring.views.shared.asking import attempt, form_page, posted, signature
from scoring.views.shared.frame import frame
from scoring.views.shared.pay_to import pay_to, unkept
from scoring.views.shared.paying import asked_for, made_shown, paying, paying_shown
from scoring.views.shared.problems import problems
from scoring.wording.figures import money, time_of_day
from scoring.wording.names import name_said
from scoring.wording.session import title
from scoring.wording.tab import less_on_tab


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: Request, public_id: str) -> HttpResponse:
    """Shows one payment that is to be made, with its amount, and records all or a part of it."""
    session = access.session(request, public_id, Right.SEAT)
    names = {seat: each.name for seat, each in reads.state(session).seats.items()}
    asked = asked_for(request, PaymentForm, names)
    payer, payee, way = (asked[field].value() for field in ("payer", "payee", "way"))
    if payer is None or payee is None:
        return _back(session) if request.method != "POST" else _no_payment(request, session)
    _require_part(request, {payer, payee})
    owed, digits = _owed(session, payer, payee, way), session.minor_digits
    form, over = paying(request, PaymentForm, names, owed=owed, digits=digits, payer=payer, payee=payee, way=way)
    # A form that repeats itself needs no second confirmation.
    again = request.method == "POST" and reads.recorded(session, sent_key(request))
    asks_tab = owed and session.on_tab and not again and _for_payer(request, payer)

    def ask_tab() -> str:
        return _tab_says(session, payer, payee, owed, runs=request.grant.runs) if asks_tab else ""

    tab_says = ask_tab()
    unasked = False
    if tab_says and form.is_valid():
        form.require_anyway(tab_says)
        unasked = not form.is_valid() and "asked" not in request.POST

    def record() -> None:
        # On the tab nobody pays what is paid here at this moment, nor the other way round.
        with club.tab_at_rest(session.club):
            if not tab_says and ask_tab():
                late = Phrase("The club’s tab has changed since this page was opened.")
                raise refuse("stale", "", late)
            ledger.pay(session=session, **form.arguments(), **signature(request))

    if attempt(request, session, form, record):
        return _back(session)
    if form.status == CONFLICT:
        tab_says = ask_tab()
    if unasked:  # the tab has changed since the page was shown
        form.status = CONFLICT
    context = {
        **paying_shown(request, form, names, payer, payee, owed=owed, over=over, digits=digits),
        "tab_says": tab_says,
        "tab_refused": form.asks,
    }
    cards = _pay_to(request, session, payer, payee, owed)
    page = form_page(request, session, "books/pay.html", form, context | cards, current="table", when_closed=True)
    return unkept(page) if cards else page


def _for_payer(request: Request, payer: int) -> bool:
    """Whether this is a host, or the phone of the player who pays: what is in the club is not for the payee's link."""
    return request.grant.runs or own_seat_of(request) == payer


def _tab_says(session: Session, payer: int, payee: int, owed: int, *, runs: bool) -> str:
    """A warning if one of the two has less open on the club's tab than here: they may have settled it there.

    What the payee is owed in all sessions is for who ``runs`` them.
    """
    # A merge changes who sits there, and no version of the session.
    seats, digits = {seat.number: seat for seat in session.seats.all()}, session.minor_digits
    currency = (session.currency, digits)
    tab = next((each for each in reads.tabs(session.club) if (each.currency, each.minor_digits) == currency), None)
    # The tab leaves out a session that is open again, and has it once more when it is closed.
    here = {} if session.closed_at else left_over((), reads.open_payments(session).of)
    for seat, sign in ((seats[payer], -1), (seats[payee], 1)) if runs else ((seats[payer], -1),):
        elsewhere = tab.owed.get(seat.player_id or seat.number, 0) if tab else 0
        total = max(0, sign * (elsewhere + here.get(seat.number, 0)))
        # Here it may have been rounded up by less than a coin.
        if total < owed and not (total and owed - total < session.rounds_to):
            return less_on_tab(name_said(seat.name), money(total, digits) if total else "", owes=sign < 0)
    return ""


def _pay_to(request: Request, session: Session, payer: int, payee: int, owed: int) -> dict[str, Any]:
    """How the payee likes to be paid, for hosts and the phone of who owes them money; nothing for everybody else.

    Nor for a payer who only owes it because somebody recorded that they were paid too much: it may have been they.
    """
    if not owed or payee < 0 or not _for_payer(request, payer):
        return {}
    if not request.grant.runs and reads.open_payments(session).is_change(payer, payee):
        return {}
    player = access.seat(session, payee).player
    if player is None:
        return {}
    currency, digits = session.currency, session.minor_digits
    return pay_to(player, amount=owed, currency=currency, minor_digits=digits, note=title(session))


def _no_payment(request: Request, session: Session) -> HttpResponse:
    context = {**frame(session, "table"), **problems({"": [_("Choose one of the payments that are still open.")]})}
    return render(request, "shared/refused.html", context, status=UNPROCESSABLE)


def _require_part(request: Request, seats: set[int]) -> None:
    """Raises `PermissionDenied` unless this is a host, or the phone of a player who pays or is paid."""
    if not request.grant.runs and own_seat_of(request) not in seats:
        raise PermissionDenied


def _owed(session: Session, payer: int, payee: int, way: ledger.Way) -> int:
    """What is still to be paid from one to the other, in minor units."""
    found = reads.open_payments(session)
    plan = [each.payment for each in found.pairs] if way is ledger.Way.PAIRS and not found.promised else found.open
    return owed_by(plan, payer, payee)


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: Request, public_id: str, number: int) -> HttpResponse:
    """Asks whether a payment is to be taken back, and does so. The history keeps both."""
    session = access.session(request, public_id, Right.SEAT)
    made = next((each for each in reads.open_payments(session).made if each.n == number), None)
    if made is None:
        raise Http404
    _require_part(request, {made.payment.payer, made.payment.payee})
    form = LedgerForm(posted(request))
    if attempt(request, session, form, lambda: ledger.undo_payment(session=session, n=number, **signature(request))):
        return _back(session)
    names = {seat: each.name for seat, each in reads.state(session).seats.items()}
    context = {**made_shown(made, names, digits=session.minor_digits), "at": time_of_day(made.at)}
    return form_page(request, session, "books/undo-payment.html", form, context, current="table", when_closed=True)


def _back(session: Session) -> HttpResponse:
    """The page that shows what is left."""
    return redirect("table" if session.closed_at else "ledger", session.public_id)
