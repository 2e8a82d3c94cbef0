"""How a page of the host's asks the ledger: a form, done and led on, or shown again with what is wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any, Protocol

from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from scoring import ledger
from scoring.game.errors import LedgerError
from scoring.models import Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, new_key, sent_key, whole_number
from scoring.rules.errors import Problem
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems


class AskingForm(Protocol):
    """What a form has to have, whether it is one of Django's or our own."""

    status: int

    @property
    def errors(self) -> Mapping[str, Sized]:
        """Messages by the name of their field."""

    def is_valid(self) -> bool:
        """Read it as a form that was sent."""

    def refused(self, problems: Iterable[Problem], /) -> None:
        """Put the ledger's problems where they belong."""


def posted(request: Request) -> QueryDict | None:
    """What came with a form that was sent; None for a fresh one."""
    return request.POST if request.method == "POST" else None


def signature(request: Request) -> dict[str, Any]:
    """What every verb of the ledger takes besides what it is about: the form's key, who sent it, what they had seen."""
    return {
        "key": sent_key(request),
        "by": asker(request),
        "version": whole_number(request.POST.get("version")),
    }


def attempt(request: Request, session: Session, form: AskingForm, do: Callable[[], object]) -> bool:
    """Do what a form asks for that was sent and can be read, and say whether it is done; else the form says why not.

    After a 409 the session is read anew, so that what is shown is what there is now.
    """
    if request.method != "POST":
        return False
    if not form.is_valid():
        form.status = UNPROCESSABLE
        return False
    try:
        do()
    except LedgerError as refusal:
        form.refused(refusal.problems)
        form.status = UNPROCESSABLE
    except ledger.Conflict as conflict:
        form.refused([Problem("stale", "", str(conflict))])
        form.status = CONFLICT
        session.refresh_from_db()
    else:
        return True
    return False


def form_key(request: Request, status: int = 0) -> str:
    """The key of a form, fresh or as it was sent. What was refused as stale may be sent again as it now stands."""
    return ("" if status == CONFLICT else request.POST.get("key", "")) or new_key()


def form_page(
    request: Request,
    session: Session,
    template: str,
    form: AskingForm,
    context: Mapping[str, Any],
    *,
    current: str = "more",
    when_closed: bool = False,
) -> HttpResponse:
    """The page of a form, fresh or as it was sent."""
    whole = {
        **problems(form.errors),
        "form": form,
        "key": form_key(request, form.status),
        "version": session.version,
        "number": session.next_number,
        **context,
    }
    return page(request, session, template, whole, current=current, status=form.status, when_closed=when_closed)


def page(
    request: Request,
    session: Session,
    template: str,
    context: Mapping[str, Any],
    *,
    current: str,
    status: int,
    when_closed: bool = False,
) -> HttpResponse:
    """A page on which something may be changed. A closed session has none ``when_closed`` does not say so, but what
    somebody sent is shown again.
    """
    if session.closed_at and request.method != "POST" and not when_closed:
        return closed_page(request, session, current=current)
    return render(request, template, {**frame(session, current), **context}, status=status or 200)


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
