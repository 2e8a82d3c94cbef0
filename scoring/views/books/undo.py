"""The Undo button."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.game.errors import LedgerError
from scoring.request import CONFLICT, UNPROCESSABLE, Request
from scoring.views.shared.asking import signature
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems


@require_POST
def undo(request: Request, public_id: str) -> HttpResponse:
    """Takes back the session's last undoable event. The history keeps both that event and the undo."""
    session = access.session(request, public_id, Right.ENTER)
    signed = signature(request)
    last = ledger.last_undoable(session)
    # A repeat of an undo that succeeded must not be refused because another event is the last one by now.
    if last and not request.grant.may_undo(last) and not reads.recorded(session, signed["key"]):
        raise PermissionDenied
    try:
        ledger.undo(session=session, **signed)
    except (LedgerError, ledger.Conflict) as refusal:
        status = CONFLICT if isinstance(refusal, ledger.Conflict) else UNPROCESSABLE
        context = {**frame(session, "table"), **problems({"": [str(refusal)]})}
        return render(request, "shared/refused.html", context, status=status)
    return redirect("table", session.public_id)
