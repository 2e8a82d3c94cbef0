"""How a host's page sends a form to the ledger: a redirect if it worked, the form with its errors if not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from scoring import ledger, reads
from scoring.forms.base import ActionForm
from scoring.game.errors import LedgerError
from scoring.models import Event, Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, new_key, sent_key, whole_number
from scoring.rules.errors import Problem
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.wording.actions import Speaker, done, sentence
from scoring.wording.figures import labelled
from scoring.wording.phrases import reasons


class AskingForm(Protocol):
    """What `attempt` needs of a form, whether it is Django's or our own."""

    status: int

    @property
    def errors(self) -> Mapping[str, Sized]:
        """Error messages by field name."""

    def is_valid(self) -> bool:
        """Read the submitted form, and return whether it has no errors."""

    def refused(self, problems: Iterable[Problem], /) -> None:
        """Put each of the ledger's problems at the field that caused it."""


def posted(request: Request) -> QueryDict | None:
    """The data of a submitted form, None for a fresh one."""
    return request.POST if request.method == "POST" else None


def signature(request: Request) -> dict[str, Any]:
    """The arguments that each of the ledger's writers takes: the form's key, who asks, and the version they saw."""
    return {
        "key": sent_key(request),
        **asker(request),
        "version": whole_number(request.POST.get("version")),
    }


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Refused:
    """What the ledger refused: every reason for it, and the status of the page that says so."""

    problems: Sequence[Problem]
    status: int

    @property
    def came_late(self) -> bool:
        """Whether the page did not show the table as it is now."""
        return any(problem.code == "stale" for problem in self.problems)


TOO_LATE: Final = frozenset({"closed", "flagged", "open", "paid", "stale"})
"""The codes of refusals for what has happened since the page was shown."""


def status_of(refusal: LedgerError) -> int:
    """The status of a page that says why this was refused."""
    return CONFLICT if any(problem.code in TOO_LATE for problem in refusal.problems) else UNPROCESSABLE


def refused_shown(refused: Refused) -> dict[str, Any]:
    """Context for ``shared/_problems.html``: why the ledger refused it."""
    return problems({"": reasons(refused.problems)}, refused.status)


def tried(session: Session | None, do: Callable[[], T]) -> T | Refused:
    """What ``do`` returns, or why the ledger refused it.

    After a conflict the session is reloaded, so that the page shows it as it is now. A form of the club's has none.
    """
    try:
        return do()
    except LedgerError as refusal:
        refused = Refused(refusal.problems, status_of(refusal))
    except ledger.Conflict as conflict:
        refused = Refused(conflict.problems, CONFLICT)
    if session is not None and refused.status == CONFLICT:
        session.refresh_from_db()
    return refused


def closed_meanwhile(session: Session) -> Refused | None:
    """Why nothing in this session can be changed, for a form that could not be read; None while it is open."""
    refused = tried(None, partial(ledger.check_open, session))
    return refused if isinstance(refused, Refused) else None


def attempt(
    request: Request, session: Session | None, form: AskingForm, do: Callable[[], object], *, on_closed: bool = True
) -> bool:
    """Run ``do`` if the form was submitted and is valid, and return whether it succeeded; if not, the form says why.

    ``on_closed``: ``do`` is possible in a closed session. If it is not, an invalid form says, too, that the session is
    closed, and has the status of one that came too late.
    """
    if request.method != "POST":
        return False
    valid = form.is_valid()
    if not valid:
        form.status = UNPROCESSABLE
        if session is None or on_closed:
            return False
        do = partial(ledger.check_open, session)
    refused = tried(session, do)
    if not isinstance(refused, Refused):
        return valid
    refused = refused if session is None else with_since(request, session, refused)
    what_to_do = [Problem("stale", "", str(_PRESS_AGAIN))] if refused.came_late else []
    form.refused([*refused.problems, *what_to_do])
    form.status = refused.status
    return False


def record(request: Request, session: Session, form: ActionForm) -> bool:
    """Record the form's action, as `attempt` does: return whether it was recorded; if not, the form says why."""
    return attempt(
        request, session, form, lambda: ledger.record(session=session, **form.arguments(), **signature(request)),
        on_closed=all(action.on_closed for action in form.ACTIONS),
    )  # fmt: skip


_PRESS_AGAIN: Final = gettext_lazy("Nothing is lost: if it still fits, press the button again.")

_LATEST: Final = 3
"""The most changes that a page names of those it missed. Of more it names the latest."""


def with_since(request: Request, session: Session, refused: Refused) -> Refused:
    """Adds what has changed the table since the page was shown, if the form came too late."""
    if not refused.came_late:
        return refused
    missed = reads.changes_since(session, whole_number(request.POST.get("version")), most=_LATEST + 1)
    since = [Problem("stale", "", said) for said in latest(session, missed, _LATEST)]
    return replace(refused, problems=[*refused.problems, *since])


def back_to(view: str, session: Session, request: Request) -> HttpResponse:
    """Leads back to the page of a form that was recorded; that page says so."""
    event = reads.recorded(session, sent_key(request))
    told = f"?recorded={event.n}" if event else ""
    return redirect(f"{reverse(view, args=[session.public_id])}{told}")


def _recorded(request: Request, session: Session) -> str:
    """What was recorded a moment ago, by a form that led back here; empty once anything else has happened."""
    event = reads.last_event(session, whole_number(request.GET.get("recorded")))
    if event is None:
        return ""
    return happened(session, [event])[0]


def happened(session: Session, those: Sequence[Event]) -> list[str]:
    """What each of these events did, under its heading."""
    state = reads.state(session)
    speaker = Speaker.of(session, state.players, for_cash=state.for_cash)
    return [labelled(done(event), said) if (said := sentence(event, speaker)) else done(event) for event in those]


def latest(session: Session, those: Sequence[Event], most: int) -> list[str]:
    """What the latest of these events did, at most so many, after a mark if there are more."""
    told = happened(session, those[-most:])
    return ["…", *told] if len(those) > most else told


def carried(request: Request, status: int, field: str, now: T) -> T | str:
    """What the page of a form has in this hidden field, which says how things were when the page was opened.

    That is the value ``now``, unless something typed was wrong (422): then the value that was sent stays, because the
    host has yet to be told what changed since, and the form has to be late when it is sent again.
    """
    return request.POST.get(field, now) if status == UNPROCESSABLE else now


def form_key(request: Request, status: int = 0) -> str:
    """The key for the form on the page: the one that was sent, or a new one if there is none or the form was stale."""
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
        **problems(form.errors, form.status),
        "form": form,
        "recorded": _recorded(request, session),
        "key": form_key(request, form.status),
        "version": carried(request, form.status, "version", session.version),
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
    """A page on which something can be changed.

    A closed session gets `closed_page` instead, unless ``when_closed`` is set or the page has what was refused.
    """
    if session.closed_at and request.method != "POST" and not status and not when_closed:
        return closed_page(request, session, current=current)
    shown = {**frame(session, current), **({} if when_closed else reopening(session, status)), **context}
    return render(request, template, shown, status=status or 200)


def reopening(session: Session, status: int) -> dict[str, tuple[str, str]]:
    """Context for ``shared/_problems.html``: where a host reopens the session, if a page of this ``status`` was refused
    because it is closed.
    """
    if session.closed_at is None or status != CONFLICT:
        return {}
    return {"remedy": (reverse("close", args=[session.public_id]), _("Totals and reopening"))}


def closed_page(request: Request, session: Session, *, current: str = "more") -> HttpResponse:
    """Says that the session is closed and how to reopen it. Replaces every form of a closed session."""
    return render(request, "shared/closed.html", frame(session, current))
