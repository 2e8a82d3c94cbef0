"""Changes a session's house rules, including the whole royalty chart, from the next hand on."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from scoring import access, club, ledger, reads
from scoring.access import Right
from scoring.actions.terms import ChangeTerms
from scoring.forms.house_rules import HouseRulesForm, as_query
from scoring.forms.new_session import saved_choice, saved_name
from scoring.game.errors import LedgerError, refuse
from scoring.game.text import clean, fold
from scoring.models import Session
from scoring.request import CONFLICT, Request
from scoring.rules.houserules import PRESETS, HouseRules, resolve, same_rules
from scoring.rules.phrase import Phrase
from scoring.views.shared.asking import Refused, attempt, carried, form_page, refused_shown, signature, tried
from scoring.views.shared.frame import frame
from scoring.wording.house_rules import PRESET_NAMES
from scoring.wording.phrases import translated


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: Request, public_id: str) -> HttpResponse:
    """Shows every choice, filled in from the current rules or a preset. Settled hands keep the rules they had."""
    session = access.session(request, public_id, Right.RUN)
    sent = request.POST if request.method == "POST" else request.GET
    form = HouseRulesForm(request.POST, _start(session, sent.get("preset", "")))
    if attempt(request, session, form, lambda: _play(request, session, form), on_closed=False):
        return redirect("session-rules", session.public_id)
    if form.status == CONFLICT and session.closed_at is None:
        form.brought_up_to_date(resolve(session.rules))
    return form_page(
        request, session, "table/house_rules.html", form, _context(request, session, form), current="session-rules"
    )


def _play(request: Request, session: Session, form: HouseRulesForm) -> None:
    """Change the session's rules and save them for the club.

    If the session already plays by these rules and the host only saves them, nothing is recorded in the session.
    """
    if form.chosen is None:
        return
    if not form.save_as:
        _record(request, session, form.chosen)
        return
    of, rules, seen = session.club, form.chosen, request.POST.get("seen", "").split()
    with club.saved_rules_at_rest(of):  # both are done or neither
        if same_rules(rules.as_document(), session.rules):
            if request.POST.get("note", "").strip():
                raise refuse(
                    "nothing",
                    "note",
                    Phrase(
                        "The table plays these rules already, so no change takes the reason. Clear it to save them."
                    ),
                )
        else:
            done = tried(None, lambda: _record(request, session, rules))
            saved = tried(None, lambda: club.check_saved_rules(of, form.save_as, seen, rules))
            # What is wrong with either is said at once, because the next page will have seen both.
            wrong = [problem for each in (done, saved) if isinstance(each, Refused) for problem in each.problems]
            if wrong:
                raise LedgerError(wrong)
        club.save_rules(of, form.save_as, rules, seen)


def _record(request: Request, session: Session, rules: HouseRules) -> None:
    action, note = ChangeTerms(rules=rules.as_document()), request.POST.get("note", "").strip()
    ledger.record(session=session, action=action, note=note, **signature(request))


@require_POST
def forget(request: Request, public_id: str) -> HttpResponse:
    """Deletes house rules that the club had saved. Sessions that play by them keep them."""
    session = access.session(request, public_id, Right.RUN)
    name, seen = request.POST.get("name", ""), request.POST.getlist("seen")
    refused = tried(None, lambda: club.forget_rules(session.club, name, seen))
    if not isinstance(refused, Refused):
        return redirect("edit-rules", session.public_id)
    back = {"back": reverse("edit-rules", args=[public_id])}
    context = {**frame(session, "session-rules"), **back, **refused_shown(refused)}
    return render(request, "shared/refused.html", context, status=refused.status)


def _start(session: Session, chosen: str) -> HouseRules:
    """The rules that fill in the form: a preset, rules that the club has saved, or the session's current rules."""
    if chosen in PRESETS:
        return PRESETS[chosen]
    for each in reads.saved_rules(session.club):
        if chosen == saved_choice(each.name):
            return resolve(each.rules)
    return resolve(session.rules)


def _context(request: Request, session: Session, form: HouseRulesForm) -> dict[str, Any]:
    kept = reads.saved_rules(session.club)
    saved = [each.name for each in kept]
    asked = request.GET.get("preset", "")
    chosen = asked if asked in map(saved_choice, saved) else ""
    gone = "" if chosen else saved_name(asked)
    loaded, typed = saved_name(chosen), fold(clean(form.save_as)) if form.status == CONFLICT else ""
    return {
        "presets": [
            *((saved_choice(name), name, saved_choice(name) == chosen) for name in saved),
            *((value, name, value == form.preset and not chosen) for value, name in PRESET_NAMES.items()),
        ],
        "gone": translated(club.rules_gone(gone)) if gone else "",
        "saved": [(saved_choice(each.name), each.name, club.rules_seen(each)) for each in kept],
        # A fresh page shows those that it begins with, and one that was refused has told of those with the typed name.
        "seen": carried(
            request,
            form.status,
            "seen",
            " ".join(club.rules_seen(each) for each in kept if each.name == loaded or each.folded == typed),
        ),
        "save_as": request.POST.get("save_as", loaded),
        "save_errors": form.errors.get("save_as", []),
        "note": request.POST.get("note", ""),
        "was": carried(request, form.status, "was", urlencode(as_query(resolve(session.rules)))),
    }
