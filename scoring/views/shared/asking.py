"""How a page of the host's asks the ledger: a small form, done and led on, or shown again with what is wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from scoring import ledger
from scoring.forms.typed import TypedForm
from scoring.game.errors import LedgerError
from scoring.models import Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, new_key, sent_key, whole_number
from scoring.views.shared.frame import frame


def signature(request: Request) -> dict[str, Any]:
    """What every verb of the ledger takes besides what it is about: the form's key, who sent it, what he had seen."""
    return {
        "key": sent_key(request),
        "by": asker(request),
        "version": whole_number(request.POST.get("version")),
    }


def attempt(session: Session, form: TypedForm, do: Callable[[], object]) -> int:
    """Do it unless the form is wrong already; 0 if it is done, else the status of the form shown again.

    After a 409 the session is read anew, so that what is shown is what there is now.
    """
    if form.errors:
        return UNPROCESSABLE
    try:
        do()
    except LedgerError as refusal:
        form.refused(refusal.problems)
        return UNPROCESSABLE
    except ledger.Conflict as conflict:
        form.wrong("", str(conflict))
        session.refresh_from_db()
        return CONFLICT
    return 0


def form_page(
    request: Request, session: Session, template: str, form: TypedForm, context: Mapping[str, Any], *, status: int
) -> HttpResponse:
    """The page of a form, fresh or as it was sent. What was refused as stale may be sent again as it now stands."""
    kept = "" if status == CONFLICT else request.POST.get("key", "")
    whole = {
        **frame(session, "more"),
        **form.context(),
        "form": form,
        "key": kept or new_key(),
        "version": session.version,
        "number": session.next_number,
        **context,
    }
    return render(request, template, whole, status=status or 200)


def closed_page(
    request: Request,
    session: Session,
    *,
    current: str = "more",
    refused: Mapping[str, Any] | None = None,
    status: int = 0,
) -> HttpResponse:
    """In place of any form of a closed session: that it is closed, and the way to open it again."""
    return render(request, "shared/closed.html", {**frame(session, current), **(refused or {})}, status=status or 200)
