"""The start page: what this app is, and links to the tables where this browser has been."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.forms.question import FoulCheck
from scoring.game.entry import Rows
from scoring.request import Request
from scoring.rules import document
from scoring.views.shared.club_frame import club_title
from scoring.wording.boards import board_shown
from scoring.wording.figures import counted
from scoring.wording.session import title
from scoring.wording.settlement import pairs_shown


@require_safe
def home(request: Request) -> HttpResponse:
    held = access.held(request)
    clubs = dict.fromkeys(link.club for link in held if link.session_id is None)
    sessions = [
        {
            "url": reverse("table", args=[session.public_id]),
            "title": title(session),
            "hands": counted(session.deals, "hand") + (", closed" if session.closed_at else ""),
        }
        for session in reads.sessions_of(held)
    ]
    context = {
        "clubs": [{"url": reverse("club", args=[club.public_id]), "title": club_title(club)} for club in clubs],
        "sessions": sessions,
        "remembers": bool(held),
        "may_start": bool(clubs) or settings.ALLOW_NEW_CLUBS != "nobody",
        "example": _example(),
    }
    return render(request, "start/home.html", context)


@cache
def _example() -> dict[str, Any]:
    """A well-known hand, scored by the engine like any other."""
    query = {
        "rules": "regular",
        "a": "Ivey:6h6c4d/TsTc9dQh8s/3h3c3s2d2c",
        "b": "Hellmuth:AdKdQs/9h9s5h5c4s/KcJc9c8c7c",
    }
    question = FoulCheck.read(query, ())
    score = document.score(question.document())
    return {
        "url": f"{reverse('check')}?{urlencode(query, safe='/:')}",
        "boards": [
            board_shown(Rows(*b.typed.rows()), p) for b, p in zip(question.boards, score["players"], strict=True)
        ],
        "pair": pairs_shown(score)[0],
    }
