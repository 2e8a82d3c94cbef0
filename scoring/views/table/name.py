"""What the evening is called."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger
from scoring.access import Right
from scoring.forms.typed import TypedForm
from scoring.game.limits import SESSION_NAME_LENGTH
from scoring.request import Request
from scoring.views.shared.asking import attempt, form_page, signature


class NameForm(TypedForm):
    """One field."""

    FIELDS = frozenset({"name"})


@require_http_methods(["GET", "HEAD", "POST"])
def name(request: Request, public_id: str) -> HttpResponse:
    """Call it something, so that two of one day can be told apart; also when it is closed."""
    session = access.session(request, public_id, Right.RUN)
    form = NameForm(request.POST if request.method == "POST" else {"name": session.name})
    status = 0
    if request.method == "POST":
        called = form.text("name")
        status = attempt(
            session, form, lambda: ledger.rename_session(session=session, name=called, **signature(request))
        )
        if not status:
            return redirect("more", session.public_id)
    return form_page(request, session, "table/name.html", form, {"most": SESSION_NAME_LENGTH}, status=status)
