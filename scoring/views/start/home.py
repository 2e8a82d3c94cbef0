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

from scoring import access, demo, reads
from scoring.forms.question import FoulCheck
from scoring.game.entry import Rows
from scoring.models import Link
from scoring.request import Request, new_key
from scoring.rules import document
from scoring.rules.wording import Language
from scoring.views.shared.club_frame import club_title
from scoring.wording.boards import board_shown
from scoring.wording.counts import deals_in
from scoring.wording.figures import listed
from scoring.wording.languages import LANGUAGES, of_reader
from scoring.wording.session import terms_again, titles
from scoring.wording.settlement import pairs_shown


@require_safe
def home(request: Request) -> HttpResponse:
    held = access.held(request)
    clubs = dict.fromkeys(link.club for link in held if link.session_id is None)
    found = reads.sessions_of(held)
    sessions = [
        {
            "url": reverse("table", args=[session.public_id]),
            "title": said,
            "deals": deals,
        }
        for session, said, deals in zip(found, titles(found), deals_in(found), strict=True)
    ]
    context = {
        "clubs": [{"url": reverse("club", args=[club.public_id]), "title": club_title(club)} for club in clubs],
        "sessions": sessions,
        **_again(held),
        "remembers": bool(held),
        "may_start": bool(clubs) or settings.ALLOW_NEW_CLUBS != "nobody",
        "demo": demo.there(),
        "example": _example(of_reader()),
    }
    return render(request, "start/home.html", context)


def _again(held: list[Link]) -> dict[str, Any]:
    """Context for the next session of the club in which this host played last, empty if they have not played yet."""
    club = reads.last_played([link.club for link in held if link.session_id is None])
    terms = reads.last_time(club) if club else None
    if club is None or terms is None or len(terms.names) < 2:
        return {}
    return {
        "again": reverse("again", args=[club.public_id]),
        "started": club.started,
        "terms": terms.seen,
        "changed": f"{reverse('new')}?{urlencode({'club': club.public_id})}",
        "last_names": listed(terms.names),
        "last_terms": terms_again(terms),
        "key": new_key(),
    }


@cache
def _example(language: Language) -> dict[str, Any]:
    """A well-known hand, scored by the engine like any other, for readers of this language."""
    query = {
        "rules": "regular",
        "a": "Ivey:6h6c4d/TsTc9dQh8s/3h3c3s2d2c",
        "b": "Hellmuth:AdKdQs/9h9s5h5c4s/KcJc9c8c7c",
    }
    question = FoulCheck.read(query, ())
    score = document.score({**question.document(), "language": language.tag}, LANGUAGES)
    return {
        "url": f"{reverse('check')}?{urlencode(query, safe='/:')}",
        "boards": [
            board_shown(Rows(*b.typed.rows()), p) for b, p in zip(question.boards, score["players"], strict=True)
        ],
        "pair": pairs_shown(score)[0],
    }
