"""Records that something of the club's tab was paid, and takes a payment back."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from scoring import access, club, reads
from scoring.forms.base import LedgerForm
from scoring.forms.tab import TabPaymentForm
from scoring.game.payments import owed_by
from scoring.models import Club
from scoring.request import CONFLICT, Request, sent_key, whole_number
from scoring.texts import gettext as _
from scoring.views.club.sessions import open_again_linked, sessions_page
from scoring.views.shared.asking import attempt, carried, form_key, posted
from scoring.views.shared.club_frame import club_frame, club_title
from scoring.views.shared.pay_to import pay_to, unkept
from scoring.views.shared.paying import asked_for, made_shown, paying, paying_shown
from scoring.views.shared.problems import problems
from scoring.wording.tab import tab_name


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: Request, public_id: str) -> HttpResponse:
    """Shows one payment of the tab that is open, with its amount, and records all or a part of it."""
    of = access.club(request, public_id)
    names = reads.account_names(of)
    asked = asked_for(request, TabPaymentForm, names)
    payer, payee, name = (asked[field].value() for field in ("payer", "payee", "tab"))
    tab = {tab_name(each.currency, each.minor_digits): each for each in reads.tabs(of)}.get(name)
    if payer is None or payee is None or tab is None:
        if request.method != "POST":
            return redirect("club", public_id)
        paid = _("Nothing is open between these two any more. Nothing was recorded.")
        if reads.put_together(of, [whole_number(request.POST.get(field)) for field in ("payer", "payee")]):
            paid = _("This player has been put together with another one meanwhile.")
        return sessions_page(request, of, [paid], unsaved=asked, status=CONFLICT)
    currency: dict[str, Any] = {"currency": tab.currency, "minor_digits": tab.minor_digits}
    owed, digits = owed_by(tab.open, payer, payee), tab.minor_digits
    form, over = paying(request, TabPaymentForm, names, owed=owed, digits=digits, payer=payer, payee=payee, tab=name)
    if attempt(request, None, form, lambda: club.pay_tab(of, **form.arguments(), **currency, **_signed(request))):
        return redirect("club", public_id)
    if form.status == CONFLICT:  # somebody was faster, so look again
        tab = {tab_name(each.currency, each.minor_digits): each for each in reads.tabs(of)}.get(name)
        owed = owed_by(tab.open, payer, payee) if tab else 0
    context = {
        **paying_shown(request, form, names, payer, payee, owed=owed, over=over, digits=digits),
        "currency": currency["currency"],
        "open_again": open_again_linked(of) if form.status == CONFLICT or not owed else [],
    }
    if owed and payee > 0:
        context |= pay_to(access.player(of, payee), amount=owed, **currency, note=club_title(of))
    return unkept(_form_page(request, of, "club/pay.html", form, context))


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: Request, public_id: str, number: int) -> HttpResponse:
    """Asks whether a payment of the tab is to be taken back, and does so. Both stay in the accounts."""
    of = access.club(request, public_id)
    found = reads.tab_payment(of, number) if number < 2**31 else None
    if found is None:
        raise Http404
    made, (currency, digits) = found
    form = LedgerForm(posted(request))
    if attempt(request, None, form, lambda: club.undo_tab_payment(of, n=number, **_signed(request))):
        return redirect("club", public_id)
    context = {**made_shown(made, reads.account_names(of), digits=digits), "currency": currency}
    return _form_page(request, of, "club/undo-payment.html", form, context)


def _signed(request: Request) -> dict[str, Any]:
    """The key of the form, who sent it, and what names they saw. The tab has no version, and keeps no link."""
    return {"key": sent_key(request), "by": request.grant.by, "names": request.POST.get("names", "")}


def _form_page(request: Request, of: Club, template: str, form: LedgerForm, context: dict[str, Any]) -> HttpResponse:
    """The page of a form of the tab, fresh or as it was sent."""
    key = form_key(request, form.status)
    names = carried(request, form.status, "names", club.names_seen(of))
    shown = {**club_frame(of, "club"), **problems(form.errors, form.status)}
    whole = {**shown, "form": form, "key": key, "names": names, **context}
    return render(request, template, whole, status=form.status or 200)
