"""Renames a session."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger
from scoring.access import Right
from scoring.forms.name import NameForm
from scoring.game.limits import SESSION_NAME_LENGTH
from scoring.request import Request
from scoring.views.shared.asking import attempt, form_page, posted, signature
from scoring.views.shared.evidence import agreed_by


@require_http_methods(["GET", "HEAD", "POST"])
def name(request: Request, public_id: str) -> HttpResponse:
    """Sets the session's name, which tells apart two sessions of one day. A closed session can be renamed, too."""
    session = access.session(request, public_id, Right.RUN)
    form = NameForm(posted(request), initial={"name": session.name})
    if attempt(
        request, session, form, lambda: ledger.rename_session(session=session, **form.arguments(), **signature(request))
    ):
        return redirect("more", session.public_id)
    context = {"most": SESSION_NAME_LENGTH, "agreed_by": agreed_by(session)}
    return form_page(request, session, "table/name.html", form, context, when_closed=True)
