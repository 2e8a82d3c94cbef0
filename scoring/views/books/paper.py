"""The record of a session on paper: every hand with its boards, and lines to sign."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from scoring import access
from scoring.access import Right
from scoring.exports import making
from scoring.exports import paper as on_paper
from scoring.request import Request, whole_number
from scoring.texts import gettext as _
from scoring.views.shared.download import WAIT, latest_or_making, waiting
from scoring.views.shared.evidence import verifier
from scoring.views.shared.frame import frame

DEALS_AT_ONCE: Final = 20
"""So many hands are put on paper while the request waits. A process of its own takes on more, as for a download."""


@require_safe
def paper(request: Request, public_id: str) -> HttpResponse:
    """Shows everything that was settled and recorded, to be printed. ``?part=`` is which part of a long session."""
    session = access.session(request, public_id, Right.READ)
    part = min(whole_number(request.GET.get("part")) or 1, on_paper.parts(session))
    context = frame(session, "record")
    if WAIT not in request.META or session.deals <= DEALS_AT_ONCE:
        printed = on_paper.of_session(session, part, verifier(request))
    else:
        made = latest_or_making(request, "paper", public_id, making.for_paper(part, verifier(request)))
        if isinstance(made, making.Making):
            around = {"around": "shared/session.html", "back": reverse("record", args=[public_id])}
            return waiting(request, {**context, **around, "what": _("Preparing the pages.")}, made, f"?part={part}")
        printed = mark_safe(made.read_text(encoding="utf-8"))  # noqa: S308 - a template has made it, which escapes
    return render(request, "books/paper.html", {**context, "paper": printed})
