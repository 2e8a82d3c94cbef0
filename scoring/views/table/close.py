"""Closes a session, with its totals and the fewest payments that settle them, and reopens it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, club, ledger, reads
from scoring.access import Right
from scoring.forms.base import LedgerForm, NoteForm
from scoring.forms.close import CloseForm, TabForm
from scoring.game.errors import refuse
from scoring.models import Session
from scoring.request import CONFLICT, Request
from scoring.rules.phrase import Phrase
from scoring.views.hand.drafting import entering
from scoring.views.shared.asking import attempt, form_page, posted, signature
from scoring.views.shared.evidence import agreed, agreed_by
from scoring.views.shared.settle_up import disputes, squared
from scoring.wording.closing import closing
from scoring.wording.table import due


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: Request, public_id: str) -> HttpResponse:
    """Shows the totals and the button that closes the session, or reopens a closed one."""
    session = access.session(request, public_id, Right.RUN)
    form = CloseForm(posted(request), table=reads.state(session).table, digits=session.minor_digits, coin=session.coin)
    return _asked(request, session, form, ledger.close_session)


@require_POST
def tab(request: Request, public_id: str) -> HttpResponse:
    """Carries what is open of a closed session to the club's tab, rounded or not, or keeps it out of it."""
    session = access.session(request, public_id, Right.RUN)
    form = TabForm(request.POST, digits=session.minor_digits)
    return _asked(request, session, form, _unless_paid_on_tab(request, ledger.choose_tab))


@require_POST
def reopen(request: Request, public_id: str) -> HttpResponse:
    """Reopens a closed session. The history keeps both events."""
    session = access.session(request, public_id, Right.RUN)
    return _asked(request, session, NoteForm(request.POST), _unless_paid_on_tab(request, ledger.reopen_session))


def _unless_paid_on_tab(request: Request, do: Callable[..., object]) -> Callable[..., object]:
    """Does it unless the tab has had a payment since, of which the page did not warn. The session takes back its lines.

    Pages of earlier releases did not say whether they warned.
    """

    def act(*, session: Session, **given: Any) -> None:
        with club.tab_at_rest(session.club):
            if request.POST.get("paid") == "no" and reads.paid_on_tab(session):
                message = Phrase("A payment was recorded on the club’s tab since this page was opened.")
                raise refuse("stale", "", message)
            do(session=session, **given)

    return act


def _asked(request: Request, session: Session, form: LedgerForm, do: Callable[..., object]) -> HttpResponse:
    """Does what the form asks for and leads to the table, or shows the page with the form as it was sent."""
    if attempt(
        request, session, form, lambda: do(session=session, **form.arguments(), **signature(request)),
        on_closed=not isinstance(form, CloseForm),
    ):  # fmt: skip
        return redirect("table", session.public_id)
    state = reads.state(session)
    count, shown = form, form
    counts: dict[int, int] = {}
    unsaved: list[tuple[str, str]] = []
    if isinstance(form, CloseForm):
        counts = form.counts()
    if isinstance(form, CloseForm) and form.status == CONFLICT:
        if session.closed_at:
            unsaved = [*form.typed_stacks(state.players), *(("", said) for said in form.other_choices(session))]
        else:  # there may be other players at the table now
            count = form.brought_up_to_date(state.table, session.coin)
            counts = count.counts()
            unsaved = form.typed_stacks({seat: name for seat, name in state.players.items() if seat not in count.seats})
    if not isinstance(form, CloseForm):
        typed = request.POST.dict()
        count = CloseForm(None, table=state.table, digits=session.minor_digits, coin=session.coin, typed=typed)
    if form.is_bound and isinstance(form, CloseForm if session.closed_at else NoteForm):
        unsaved = [*unsaved, ("", form.text("note"))]  # it was for what the page does not offer any more
        shown = NoteForm()
    if not isinstance(shown, NoteForm | CloseForm):  # it asked for something that has no note
        shown = NoteForm()
    context = {
        **squared(session, state),
        "count": count,
        "form": shown,
        "unsaved": unsaved,
        "closing": closing(session, state, counts) if session.closed_at is None and session.stacks else None,
        **agreed(request, session),
        **entering(request, session),
        "pending": due(state.table) if session.closed_at is None else "",
        "disputes": disputes(session),
        "agreed_by": agreed_by(session),
    }
    return form_page(request, session, "table/close.html", form, context, when_closed=True)
