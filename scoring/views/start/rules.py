"""The rules in words: all of them, and the rule sheet of one preset or one session."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import access
from scoring.access import Right
from scoring.request import Request
from scoring.rules.houserules import PRESETS, resolve
from scoring.views.shared.frame import frame
from scoring.wording.house_rules import PRESET_NAMES, PRESET_SUMMARIES
from scoring.wording.rulebook import chapters, sheet


@require_safe
def rules(request: Request) -> HttpResponse:
    """Shows all the rules, each sentence with the number that verdicts quote."""
    presets = [(value, name, PRESET_SUMMARIES[value]) for value, name in PRESET_NAMES.items()]
    return render(request, "start/rules.html", {"chapters": chapters(), "presets": presets})


@require_safe
def preset(request: Request, preset: str) -> HttpResponse:
    """Shows the rule sheet of one preset, to be read out or printed."""
    if preset not in PRESETS:
        raise Http404
    context = {"name": PRESET_NAMES[preset], "summary": PRESET_SUMMARIES[preset], "sheet": sheet(PRESETS[preset])}
    return render(request, "start/rule_sheet.html", context)


@require_safe
def of_session(request: Request, public_id: str) -> HttpResponse:
    """Shows the rule sheet of one session."""
    session = access.session(request, public_id, Right.READ)
    context = {**frame(session, "session-rules"), "sheet": sheet(resolve(session.rules))}
    return render(request, "start/session_rules.html", context)
