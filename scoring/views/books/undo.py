"""The last thing that was done, taken back."""

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
from scoring.views.table.table import may_undo


@require_POST
def undo(request: Request, public_id: str) -> HttpResponse:
    """Take back the last thing that was done; the taking back stands in the history as well."""
    session = access.session(request, public_id, Right.ENTER)
    signed = signature(request)
    last = ledger.last_undoable(session)
    # Sent again it has been done, and what is the last thing now is not what it was about.
    if last and not may_undo(request, last) and not reads.recorded(session, signed["key"]):
        raise PermissionDenied
    try:
        ledger.undo(session=session, **signed)
    except (LedgerError, ledger.Conflict) as refusal:
        status = CONFLICT if isinstance(refusal, ledger.Conflict) else UNPROCESSABLE
        context = {**frame(session, "table"), **problems({"": [str(refusal)]})}
        return render(request, "shared/refused.html", context, status=status)
    return redirect("table", session.public_id)
