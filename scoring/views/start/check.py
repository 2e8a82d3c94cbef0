"""Rules on a disputed foul. No session, nothing stored: the address holds the whole question."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring.forms.boards import by_field
from scoring.forms.question import LETTERS, AskedBoard, FoulCheck
from scoring.game.entry import Rows
from scoring.request import UNPROCESSABLE, Request
from scoring.rules import document
from scoring.rules.errors import RulesError
from scoring.rules.houserules import PRESETS, max_players
from scoring.views.hand.rows import Fieldset, fieldset
from scoring.views.shared.problems import problems
from scoring.wording.boards import board_shown
from scoring.wording.figures import listed
from scoring.wording.house_rules import PRESET_NAMES
from scoring.wording.settlement import pairs_shown, totals_shown


@require_safe
def check(request: Request) -> HttpResponse:
    """Shows the form and, once boards are typed, the verdict."""
    question = FoulCheck.read(request.GET, request.GET.getlist("fl"))
    if any(f"{letter}-front" in request.GET for letter in LETTERS):
        query = question.query()
        if query is not None:
            # Replace the form's many fields by the one short address that people can share.
            return redirect(f"{reverse('check')}?{urlencode(query, doseq=True, safe='/:')}")
    context = _context(question)
    context["link"] = request.build_absolute_uri()
    return render(request, "start/check.html", context, status=UNPROCESSABLE if context["problems"] else 200)


@require_safe
def named(request: Request) -> HttpResponse:
    """Names the rows of the one board that is being typed."""
    question = FoulCheck.read(request.GET, request.GET.getlist("fl"))
    asked = next((board for board in question.boards if board.letter == request.GET.get("only")), question.boards[0])
    return render(request, "hand/_named.html", {"entry": _entry(asked, question, {})})


def _context(question: FoulCheck) -> dict[str, Any]:
    filled = question.filled()
    score = None
    errors: dict[str, list[str]] = {}
    if filled or question.preset not in PRESETS:
        try:
            score = document.score(question.document())
        except RulesError as refusal:
            errors = by_field(refusal.problems, [board.letter for board in filled])
    room = max_players(PRESETS[question.preset]) if question.preset in PRESETS else len(LETTERS)
    context: dict[str, Any] = {
        "presets": PRESET_NAMES.items(),
        "preset": question.preset,
        "rules_name": PRESET_NAMES.get(question.preset, ""),
        "asked": [(board, _entry(board, question, errors)) for board in question.boards],
        "room": len(question.boards) < min(room, len(LETTERS)),
        **problems(errors),
    }
    if score is not None:
        players, verdicts = score["players"], document.verdicts(question.document())
        context |= {
            "heading": _heading(players),
            "verdict": verdicts[0].partition(" ")[2] if len(players) == 1 else "",
            "boards": [
                # The page's heading already gives the verdict on a single board, so only Fantasyland is left to say.
                board_shown(Rows(*board.typed.rows()), {**player, "foul_reason": ""})
                if len(players) == 1
                else board_shown(Rows(*board.typed.rows()), player, verdict=verdict)
                for board, player, verdict in zip(filled, players, verdicts, strict=True)
            ],
            "pairs": pairs_shown(score),
            "totals": totals_shown(score, "Points"),
        }
    return context


def _heading(players: list[dict[str, Any]]) -> str:
    fouled = [player["name"] for player in players if player["foul"]]
    if len(players) == 1:
        return "Foul" if fouled else "Legal"
    if not fouled:
        return "Both boards are legal" if len(players) == 2 else "All boards are legal"
    return f"{listed(fouled)} fouled"


def _entry(board: AskedBoard, question: FoulCheck, errors: dict[str, list[str]]) -> Fieldset:
    return fieldset(board.letter, board.shown_name, board.typed, question.preset, errors=errors)
