"""The record of a session: its head, who agreed to it, and the file with which anybody can check it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.exports.qr import svg
from scoring.forms.agreement import AgreementForm
from scoring.models import Session
from scoring.request import Request
from scoring.views.shared.asking import attempt, form_key, signature
from scoring.views.shared.download import Export, download
from scoring.views.shared.evidence import agreed, head_address
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.views.shared.settle_up import squared


@require_safe
def record(request: Request, public_id: str) -> HttpResponse:
    """Shows the head in words, as a QR code and in digits, what it is for, and who agreed."""
    session = access.session(request, public_id, Right.READ)
    return render(request, "table/record.html", _context(request, session, AgreementForm()))


@require_safe
def code(request: Request, public_id: str) -> HttpResponse:
    """The head as a QR code: an SVG image."""
    session = access.session(request, public_id, Right.READ)
    return HttpResponse(svg(head_address(request, session)), content_type="image/svg+xml")


@require_POST
def agree(request: Request, public_id: str) -> HttpResponse:
    """The player of a seat agrees to the record. A player's phone does so for its own seat, a scorer's for any."""
    session = access.session(request, public_id, Right.SEAT)
    form = AgreementForm(request.POST, seats=reads.state(session).players)
    if form.is_valid() and not request.grant.enters_seat(form.cleaned_data["seat"]):
        raise PermissionDenied

    def do() -> None:
        ledger.agree(session=session, **form.arguments(), **signature(request))

    if attempt(request, session, form, do):
        return redirect("record", public_id)
    context = _context(request, session, form)
    return render(request, "table/record.html", context, status=form.status)


def _context(request: Request, session: Session, form: AgreementForm) -> dict[str, Any]:
    return {
        **frame(session, "record"),
        **(squared(session, reads.state(session)) if session.closed_at else {}),
        **agreed(request, session),
        **problems(form.errors, form.status),
        **({"agree_key": form_key(request, form.status)} if form.status else {}),
        "head_address": head_address(request, session),
    }


@require_safe
def file(request: Request, public_id: str) -> HttpResponseBase:
    """Downloads the record as JSON."""
    session = access.session(request, public_id, Right.READ)
    export = Export(
        kind="record",
        of=session,
        name=f"ofc-{timezone.localtime(session.opened_at):%Y-%m-%d}-record.json",
        content_type="application/json",
        back=reverse("record", args=[public_id]),
        around="shared/session.html",
        frame=frame(session, "record"),
    )
    return download(request, export)
