"""What if: a session's hands settled again under other house rules. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.forms.house_rules import HouseRulesForm, as_query, filled
from scoring.forms.new_session import saved_choice
from scoring.models import Session
from scoring.request import Request, whole_number
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from scoring.views.shared.frame import frame
from scoring.wording.house_rules import CHART_NAMES, PRESET_NAMES, QUESTIONS
from scoring.wording.rulebook import changed
from scoring.wording.settlement import outcome_shown
from scoring.wording.what_if import differing, hand_shown, not_settled, played_otherwise, totals_shown, why

HANDS_A_PART: Final = 200
"""So many hands are settled again at once; a longer session is shown in parts."""

ASKED: Final = ("scoring", "royalty_payment", "row_order", "royalties")
"""The fields of the short form. All other choices are in the long one."""


@require_safe
def what_if(request: Request, public_id: str) -> HttpResponse:
    """Asks for rules and, if the address names any, shows the totals under them and which hands differ."""
    session = access.session(request, public_id, Right.READ)
    form, rules = _asked(request, session)
    context: dict[str, Any] = {
        **frame(session, "ledger"),
        "form": form,
        "errors": [error for errors in form.errors.values() for error in errors],
        "short": _short_form(form),
        "kept": [each for each in as_query(rules or resolve(session.rules)).items() if each[0] not in ASKED],
        "rule_sets": _rule_sets(request, session),
    }
    if rules and session.deals:
        query = urlencode(as_query(rules))
        asked = request.GET.copy()
        part = asked.pop("part", [""])[-1]
        if asked.urlencode() != query:
            return redirect(f"{reverse('what-if', args=[public_id])}?{query}")
        context |= _settled(session, rules, query, whole_number(part))
    return render(request, "books/what-if.html", context)


@require_safe
def hand(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows one hand under the rules that the address names, down to the cards, beside what was settled."""
    session = access.session(request, public_id, Right.READ)
    _, rules = _asked(request, session)
    known = access.deal(session, number).number
    found = reads.what_if(session, rules, known, known) if rules else []
    if not rules or not found:  # no rules are named, or the hand is void
        raise Http404
    (it,) = found
    context = {
        **frame(session, "ledger"),
        "number": number,
        "back": f"{reverse('what-if', args=[public_id])}?{urlencode(as_query(rules))}",
        "changed": list(changed(resolve(it.was.document["rules"]), rules)),
        "why": why(it) if it.differs else "",
        "stays": not_settled([it]),
        "was": outcome_shown(it.was, session),
        "would": outcome_shown(it.then, session),
    }
    return render(request, "books/what-if-hand.html", context)


def _asked(request: Request, session: Session) -> tuple[HouseRulesForm, HouseRules | None]:
    """The form as the address fills it in, and the rules; None if it names none, or none that can be played."""
    chosen = request.GET.get("preset", "")
    base = PRESETS.get(chosen) or _saved(request, session).get(chosen) or resolve(session.rules)
    form = HouseRulesForm(request.GET, base)
    named = chosen in PRESETS or chosen in _saved(request, session) or request.GET.keys() & filled(base).keys()
    return form, form.rules() if named else None


def _saved(request: Request, session: Session) -> dict[str, HouseRules]:
    """The rule sets that the club has saved, for hosts: their names are the club's."""
    if not request.grant.runs:
        return {}
    return {saved_choice(each.name): resolve(each.rules) for each in reads.saved_rules(session.club)}


def _rule_sets(request: Request, session: Session) -> list[tuple[str, str]]:
    """What to begin with: names, and addresses that settle by these rules."""
    here = reverse("what-if", args=[session.public_id])
    sets = {
        **{choice.partition(":")[2]: rules for choice, rules in _saved(request, session).items()},
        **{name: PRESETS[preset] for preset, name in PRESET_NAMES.items()},
    }
    return [(name, f"{here}?{urlencode(as_query(rules))}") for name, rules in sets.items()]


def _short_form(form: HouseRulesForm) -> list[tuple[str, str, Sequence[tuple[str, str, bool]]]]:
    """The questions of the short form: field, words, and each answer with its value and whether it is chosen."""
    asked = {question.key: question for questions in QUESTIONS.values() for question in questions}
    found: list[tuple[str, str, Sequence[tuple[str, str, bool]]]] = []
    for key in ASKED:
        if key in asked:
            answers = {str(value): words for value, words in asked[key].answers.items()}
            label = asked[key].asks
        else:
            answers, label = {**CHART_NAMES, **({"own": "Your own chart"} if form.own_chart else {})}, "Royalty chart"
        found.append((key, label, [(value, words, value == form.values[key]) for value, words in answers.items()]))
    return found


def _settled(session: Session, rules: HouseRules, query: str, part: int) -> dict[str, Any]:
    """Context for the result: the totals of one part of the hands, and those of its hands that differ."""
    last = -(-session.deals // HANDS_A_PART)
    part = min(part or 1, last)
    first = (part - 1) * HANDS_A_PART + 1
    hands = reads.what_if(session, rules, first, first + HANDS_A_PART - 1)
    names, digits, now = reads.present(session), session.minor_digits, resolve(session.rules)
    here = reverse("what-if", args=[session.public_id])
    return {
        "settled": True,
        "query": query,
        "changed": list(changed(now, rules)),
        "names": names.values(),
        "many": len(names) > 3,
        "differing": differing(hands) if hands else "",
        "played_otherwise": played_otherwise(hands, now),
        "totals": totals_shown(hands, names, digits),
        "hands": [hand_shown(each, names, digits) for each in hands if each.differs],
        "stay": not_settled(hands),
        "stacks": any(player["stack"] is not None for each in hands for player in each.was.result["players"]),
        "parts": [
            (
                f"Hands {(number - 1) * HANDS_A_PART + 1} to {min(number * HANDS_A_PART, session.deals)}",
                f"{here}?{query}&part={number}",
                number == part,
            )
            for number in range(1, last + 1)
        ]
        if last > 1
        else [],
    }
