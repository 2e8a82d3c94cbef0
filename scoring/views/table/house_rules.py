"""A table's own house rules: every choice and the whole royalty chart, from the next hand on."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, club, ledger, reads
from scoring.access import Right
from scoring.actions.terms import ChangeTerms
from scoring.forms.house_rules import HouseRulesForm
from scoring.forms.new_session import kept
from scoring.game.errors import LedgerError
from scoring.models import Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, new_key, sent_key
from scoring.rules.houserules import PRESETS, HouseRules, resolve, same_rules
from scoring.views.shared.asking import closed_page
from scoring.views.shared.frame import frame
from scoring.wording.house_rules import PRESET_NAMES


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: Request, public_id: str) -> HttpResponse:
    """Choose; a preset can be taken as a start. What has been played stays as it was played."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session, current="session-rules")
    sent = request.POST if request.method == "POST" else request.GET
    form = HouseRulesForm(request.POST, _start(session, sent.get("preset", "")))
    if request.method != "POST":
        return _page(request, session, form)
    rules = form.rules()
    name = request.POST.get("save_as", "").strip()
    try:
        if name:
            club.rules_name(name)
        if rules is None:
            return _page(request, session, form, status=UNPROCESSABLE)
        if not same_rules(session.rules, rules.as_document()) or not name:
            ledger.record(
                session=session,
                action=ChangeTerms(rules=rules.as_document()),
                note=request.POST.get("note", "").strip(),
                key=sent_key(request),
                by=asker(request),
            )
        if name:
            club.save_rules(session.club, name, rules)
    except LedgerError as refusal:
        for problem in refusal.problems:
            form.errors.setdefault("save_as" if problem.where == "save_as" else "", []).append(problem.message)
        return _page(request, session, form, status=UNPROCESSABLE)
    except ledger.Conflict as conflict:
        form.errors[""] = [str(conflict)]
        return _page(request, conflict.session, form, status=CONFLICT)
    return redirect("session-rules", session.public_id)


@require_POST
def forget(request: Request, public_id: str) -> HttpResponse:
    """Keep rules of the club's own no longer; what is played, or was, stays."""
    session = access.session(request, public_id, Right.RUN)
    club.forget_rules(session.club, request.POST.get("name", ""))
    return redirect("edit-rules", session.public_id)


def _start(session: Session, chosen: str) -> HouseRules:
    """What the form is filled with: a preset, rules that the club keeps, or what the table plays now."""
    if chosen in PRESETS:
        return PRESETS[chosen]
    for each in reads.saved_rules(session.club):
        if chosen == kept(each.name):
            return resolve(each.rules)
    return resolve(session.rules)


def _page(request: Request, session: Session, form: HouseRulesForm, *, status: int = 200) -> HttpResponse:
    general = form.errors.get("", [])
    saved = [each.name for each in reads.saved_rules(session.club)]
    chosen = request.GET.get("preset", "")
    chosen = chosen if chosen in map(kept, saved) else ""
    context = {
        **frame(session, "session-rules"),
        "form": form,
        "presets": [
            *((kept(name), name, kept(name) == chosen) for name in saved),
            *((value, name, value == form.preset and not chosen) for value, name in PRESET_NAMES.items()),
        ],
        "saved": [(kept(name), name) for name in saved],
        "save_as": request.POST.get("save_as", chosen.removeprefix(kept(""))),
        "save_errors": form.errors.get("save_as", []),
        "naturals_on": form.values["naturals"] == "on",
        "own_chart": form.values["royalties"] == "own",
        "chart_errors": form.errors.get("royalties", []),
        "number": session.next_number,
        "note": request.POST.get("note", ""),
        "key": request.POST.get("key") or new_key(),
        "problems": sum(map(len, form.errors.values())),
        "errors": general,
        "marked": len(form.errors) > bool(general),
    }
    return render(request, "table/house_rules.html", context, status=status)
