"""The Undo button."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from scoring import access, drafts, ledger, reads
from scoring.access import Right
from scoring.actions.deals import Settle
from scoring.forms.hand import DealForm
from scoring.game.entry import Entry
from scoring.models import Event, Session
from scoring.request import Request
from scoring.views.shared.asking import Refused, refused_shown, reopening, signature, tried, with_since
from scoring.views.shared.frame import frame


@require_POST
def undo(request: Request, public_id: str) -> HttpResponse:
    """Takes back the session's last undoable event. The history keeps both that event and the undo.

    If that was a settled hand, it leads to the form of the next hand with the same cards in it.
    """
    session = access.session(request, public_id, Right.ENTER)
    signed = signature(request)
    last = ledger.last_undoable(session)
    # A repeat of an undo that succeeded must not be refused because another event is the last one by now.
    repeated = reads.recorded(session, signed["key"])
    # Nor is one that comes too late: the ledger says what has happened since, and takes nothing back.
    late = 0 < signed["version"] < session.version and ledger.changed_since(session, signed["version"])
    if last and not request.grant.may_undo(last) and not repeated and not late:
        raise PermissionDenied
    event = tried(session, lambda: ledger.undo(session=session, target=last.n if last else None, **signed))
    if isinstance(event, Refused):
        shown = refused_shown(with_since(request, session, event)) | reopening(session, event.status)
        context = {**frame(session, "table"), **shown}
        return render(request, "shared/refused.html", context, status=event.status)
    if event.n < session.version:  # a late repeat, whose cards belong into no hand that is entered by now
        return redirect("table", session.public_id)
    return _next_page(request, session, reads.undone_by(session, event))


def _next_page(request: Request, session: Session, undone: Event) -> HttpResponse:
    """The form of the next hand, if it holds what the undone hand had; or else the table."""
    enter = reverse("enter", args=[session.public_id])
    # The card pad needs a script of its own, so the browser loads its page whole.
    to_pad = HttpResponseClientRedirect if request.htmx else HttpResponseRedirect
    said = {"undone": str(undone.deal)}
    if undone.verb == Settle.verb:
        entry = Entry.read(undone.action["entry"])
        if entry.points is not None:
            session.refresh_from_db()
            form = DealForm.of(entry, reads.seating(session)[1].lineup())
            return redirect(f"{enter}?{urlencode({**form.all_fields(), 'edit': '1', **said})}")
        if drafts.lay_again(session=session, undone=undone.deal or 0, boards=entry.boards):
            return to_pad(f"{enter}?{urlencode(said)}")
    return redirect(f"{reverse('table', args=[session.public_id])}?{urlencode({'undone': undone.n})}")
