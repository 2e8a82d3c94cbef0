"""Rules on a disputed foul. No session, nothing stored: the address holds the whole question."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring.access import limits
from scoring.exports import picture as pictures
from scoring.forms.boards import TypedBoard, by_field
from scoring.forms.question import LETTERS, AskedBoard, FoulCheck
from scoring.game.entry import Rows
from scoring.request import TOO_MANY, UNPROCESSABLE, Request
from scoring.rules import document
from scoring.rules.board import ROW_SIZES
from scoring.rules.errors import RulesError
from scoring.rules.houserules import PRESETS, max_players
from scoring.texts import gettext as _
from scoring.views.hand.rows import Fieldset, fieldset
from scoring.views.shared.address import whole_or_none
from scoring.views.shared.problems import problems
from scoring.wording import checking
from scoring.wording.boards import board_shown
from scoring.wording.house_rules import PRESET_NAMES
from scoring.wording.languages import LANGUAGES, of_reader
from scoring.wording.settlement import pairs_shown, totals_shown

LONGEST_QUESTION: Final = 1000
"""Characters of the longest address of a picture; eight boards with suits and no names take 400."""


@require_safe
def check(request: Request) -> HttpResponse:
    """Shows the form and, once rows are entered, as much of the verdict as they allow."""
    question = FoulCheck.read(request.GET, request.GET.getlist("fl"))
    if any(f"{letter}-front" in request.GET for letter in LETTERS):
        query = question.query()
        if query is not None:
            # Replace the form's many fields by the one short address that people can share.
            editing = {"edit": "1"} if "edit" in request.GET else {}
            return redirect(f"{reverse('check')}?{_encoded(query | editing)}")
    context = _context(question)
    context["editing"] = "edit" in request.GET or not all(board.typed for board in question.boards)
    query = question.query()
    here = f"{reverse('check')}?{_encoded(query)}" if query else reverse("check")
    context["change"] = f"{here}&edit=1"
    context["here"] = whole_or_none(request, here)
    context["icon"] = whole_or_none(request, static("icon-512.png"))
    if "boards" in context and (alone := question.cards_alone().query()) is not None:
        context["picture"] = whole_or_none(request, f"{reverse('check-picture')}?{_encoded(alone)}")
    return render(request, "start/check.html", context, status=UNPROCESSABLE if context["problems"] else 200)


@require_safe
def named(request: Request) -> HttpResponse:
    """Names the rows of the one board that is being entered, and says which rows are in order again."""
    question = FoulCheck.read(request.GET, request.GET.getlist("fl"))
    asked = next((board for board in question.boards if board.letter == request.GET.get("only")), question.boards[0])
    errors = _ruled(question)[1]
    mended = [f"{board.letter}-{row}" for board in question.boards for row in ROW_SIZES]
    context = {
        "entry": _entry(asked, question, {}),
        "mended": [field for field in mended if field not in errors],
        "in_order": not errors,
    }
    return render(request, "start/_check_named.html", context)


@require_safe
def picture(request: Request) -> HttpResponse:
    """Draws the boards of a question for chats that show links, without names."""
    if len(request.META["QUERY_STRING"]) > LONGEST_QUESTION:
        raise Http404
    limit = limits.checked_pictures
    if not limit.allows(limits.client(request)):
        return HttpResponse(status=TOO_MANY, headers={"Retry-After": str(limit.seconds)})
    question = FoulCheck.read(request.GET, [])
    try:
        drawn = _drawn(question.preset, tuple(board.typed for board in question.filled()))
    except RulesError as refusal:
        raise Http404 from refusal
    # The address holds all that the picture shows, so it never changes.
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return HttpResponse(drawn, content_type="image/png", headers=headers)


@lru_cache(maxsize=64)
def _drawn(preset: str, boards: tuple[TypedBoard, ...]) -> bytes:
    asked = [AskedBoard(letter, "", typed, fantasyland=False) for letter, typed in zip(LETTERS, boards, strict=False)]
    players = [player for player, _verdict in document.so_far(FoulCheck(preset, asked).document())]
    columns = ceil(sqrt(len(boards)))
    across, down = pictures.CARD.width // columns, pictures.CARD.height // ceil(len(boards) / columns)
    shown = [
        (
            place % columns * across,
            place // columns * down,
            player["foul"],
            board_shown(Rows(*typed.rows()), player).rows,
        )
        for place, (typed, player) in enumerate(zip(boards, players, strict=True))
    ]
    context = {
        "boards": shown, "across": across, "down": down, "width": pictures.CARD.width, "height": pictures.CARD.height
    }  # fmt: skip
    return pictures.png(render_to_string("start/picture.svg", context), pictures.CARD)


def _encoded(query: dict[str, Any]) -> str:
    return urlencode(query, doseq=True, safe="/:")


def _ruled(question: FoulCheck) -> tuple[checking.Ruled, dict[str, list[str]]]:
    """What can be said of each board that holds something, or the problems by field."""
    filled = question.filled()
    if not filled and question.preset in PRESETS:
        return [], {}
    try:
        return document.so_far({**question.document(), "language": of_reader().tag}, LANGUAGES), {}
    except RulesError as refusal:
        return [], by_field(refusal.problems, [board.letter for board in filled])


def _context(question: FoulCheck) -> dict[str, Any]:
    ruled, errors = _ruled(question)
    room = max_players(PRESETS[question.preset]) if question.preset in PRESETS else len(LETTERS)
    context: dict[str, Any] = {
        "presets": PRESET_NAMES.items(),
        "preset": question.preset,
        "decks": PRESETS[question.preset].decks if question.preset in PRESETS else 1,
        "rules_name": PRESET_NAMES.get(question.preset, ""),
        "asked": [(board, _entry(board, question, errors)) for board in question.boards],
        "room": len(question.boards) < min(room, len(LETTERS)),
        **problems(errors),
    }
    return context | _answer(question, ruled) if ruled else context


def _answer(question: FoulCheck, ruled: checking.Ruled) -> dict[str, Any]:
    heading, pairs, totals = checking.heading(ruled), [], None
    language = of_reader()
    if checking.all_whole(ruled):
        score = document.score({**question.document(), "language": language.tag}, LANGUAGES)
        pairs, totals = pairs_shown(score), totals_shown(score, _("Points"))
    # The page's heading already gives the verdict on a single board.
    alone = len(ruled) == 1
    sentence = language.space.join(ruled[0][1].sentences) if alone else ""
    if not sentence and alone:
        sentence = _("Enter one row in full, and this says what the others need.")
    told = [sentence] if alone else [checking.paid(pair) for pair in pairs]
    return {
        "heading": heading,
        "verdict": sentence,
        "said": language.space.join([_("{heading}.").format(heading=heading), *told]).strip(),
        "boards": [
            (
                # Only Fantasyland is left to say of a single board.
                board_shown(Rows(*board.typed.rows()), {**player, "foul_reason": ""})
                if alone
                else board_shown(Rows(*board.typed.rows()), player, verdict=verdict),
                checking.missing(Rows(*board.typed.rows())),
            )
            for board, (player, verdict) in zip(question.filled(), ruled, strict=True)
        ],
        "pairs": pairs,
        "totals": totals,
    }


def _entry(board: AskedBoard, question: FoulCheck, errors: dict[str, list[str]]) -> Fieldset:
    return fieldset(board.letter, board.shown_name, board.typed, question.preset, errors=errors)
