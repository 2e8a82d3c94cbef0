"""Records that something of the club's tab was paid, and takes a payment back."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from scoring import access, club, reads
from scoring.exports.notes import note_said
from scoring.forms.base import LedgerForm
from scoring.forms.tab import TabPaymentForm
from scoring.game.errors import LedgerError
from scoring.game.payments import owed_by
from scoring.request import UNPROCESSABLE, Request, sent_key
from scoring.texts import gettext as _
from scoring.views.club.sessions import sessions_page
from scoring.views.shared.asking import form_key, posted
from scoring.views.shared.club_frame import club_frame, club_title
from scoring.views.shared.pay_to import pay_to, unkept
from scoring.views.shared.problems import problems
from scoring.wording.figures import money, typed_amount
from scoring.wording.names import link_said, name_said, name_within
from scoring.wording.tab import tab_name


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: Request, public_id: str) -> HttpResponse:
    """Shows one payment of the tab that is open, with its amount, and records all or a part of it."""
    of = access.club(request, public_id)
    accounts = reads.account_names(of)
    names = {number: name_said(name) for number, name in accounts.items()}
    asked = TabPaymentForm(request.GET if request.method != "POST" else request.POST, seats=names)
    payer, payee = (asked[side].value() for side in ("payer", "payee"))
    tabs = {tab_name(each.currency, each.minor_digits): each for each in reads.tabs(of)}
    tab = tabs.get(asked["tab"].value())
    if payer is None or payee is None or tab is None:
        if request.method != "POST":
            return redirect("club", public_id)
        return sessions_page(request, of, [_("Choose one of the payments that are still open.")], status=UNPROCESSABLE)
    owed = owed_by(tab.open, payer, payee)
    digits = tab.minor_digits
    first = {"payer": payer, "payee": payee, "tab": asked["tab"].value(), "amount": typed_amount(owed, digits)}
    form = TabPaymentForm(posted(request), initial=first, seats=names, digits=digits)
    over = 0
    if request.method == "POST" and form.is_valid():
        over = form.cleaned_data["amount"] - owed
        given = {name: form.cleaned_data[name] for name in ("payer", "payee", "amount", "over", "seen", "note")}
        try:
            club.pay_tab(
                of,
                **given,
                currency=tab.currency,
                minor_digits=digits,
                key=sent_key(request),
                by=request.grant.by,
            )
        except LedgerError as refusal:
            form.refused(refusal.problems)
        else:
            return redirect("club", public_id)
    context = {
        **club_frame(of, "club"),
        **problems(form.errors),
        "form": form,
        "key": form_key(request),
        "payer": names[payer],
        "payee": name_within(accounts[payee]),
        "currency": tab.currency,
        "owed": money(owed, digits) if owed else "",
        "over": money(over, digits) if owed and over > 0 else "",
        "agreed": typed_amount(max(over, 0), digits),
        "seen": typed_amount(owed, digits),
    }
    if owed and payee > 0:
        whose = access.player(of, payee)
        context |= pay_to(whose, amount=owed, currency=tab.currency, minor_digits=digits, note=club_title(of))
    return unkept(render(request, "club/pay.html", context, status=UNPROCESSABLE if form.errors else 200))


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: Request, public_id: str, number: int) -> HttpResponse:
    """Asks whether a payment of the tab is to be taken back, and does so. Both stay in the accounts."""
    of = access.club(request, public_id)
    found = reads.tab_payment(of, number) if number < 2**31 else None
    if found is None:
        raise Http404
    made, (currency, digits) = found
    form = LedgerForm(posted(request))
    if request.method == "POST":
        try:
            club.undo_tab_payment(of, n=number, key=sent_key(request), by=request.grant.by)
        except LedgerError as refusal:
            form.refused(refusal.problems)
        else:
            return redirect("club", public_id)
    accounts = reads.account_names(of)
    names = {number: name_said(name) for number, name in accounts.items()}
    context = {
        **club_frame(of, "club"),
        **problems(form.errors),
        "key": form_key(request),
        "payer": names[made.payment.payer],
        "payee": name_within(accounts[made.payment.payee]),
        "amount": money(made.payment.amount, digits),
        "currency": currency,
        "made": made,
        "how": note_said(made.note),
        "by": link_said(made.by),
    }
    return render(request, "club/undo-payment.html", context, status=UNPROCESSABLE if form.errors else 200)
