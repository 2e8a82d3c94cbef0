"""What if: a session's hands settled again under other house rules. Nothing is written."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.forms.house_rules import as_query
from scoring.models import Session
from scoring.request import Request, whole_number
from scoring.rules.houserules import HouseRules, resolve
from scoring.views.shared.comparing import comparison
from scoring.views.shared.frame import frame
from scoring.wording.rulebook import changed
from scoring.wording.settlement import outcome_shown
from scoring.wording.what_if import (
    cannot_take,
    deal_shown,
    deals_said,
    differing,
    not_settled,
    played_otherwise,
    suits_missing,
    totals_shown,
    why,
)

DEALS_A_PART: Final = 200
"""So many hands are settled again at once; a longer session is shown in parts."""


@require_safe
def what_if(request: Request, public_id: str) -> HttpResponse:
    """Asks for rules and, if the address names any, shows the totals under them and which hands differ."""
    session = access.session(request, public_id, Right.READ)
    asked = comparison(request, session.club, resolve(session.rules))
    rules, here = asked.rules, reverse("what-if", args=[public_id])
    context: dict[str, Any] = {**frame(session, "ledger"), **asked.context(here, {})}
    if rules and session.deals:
        query = urlencode(as_query(rules))
        sent = request.GET.copy()
        part = sent.pop("part", [""])[-1]
        if sent.urlencode() != query:
            return redirect(f"{here}?{query}")
        context |= _settled(session, rules, query, whole_number(part))
    return render(request, "books/what-if.html", context)


@require_safe
def deal(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows one hand under the rules that the address names, down to the cards, beside what was settled."""
    session = access.session(request, public_id, Right.READ)
    rules = comparison(request, session.club, resolve(session.rules)).rules
    known = access.deal(session, number).number
    found = reads.what_if_deal(session, rules, known) if rules else None
    if not rules or not found:  # no rules are named, or the hand is void
        raise Http404
    it, was, would = found
    context = {
        **frame(session, "ledger"),
        "number": number,
        "back": f"{reverse('what-if', args=[public_id])}?{urlencode(as_query(rules))}",
        "changed": list(changed(resolve(it.document["rules"]), rules)),
        "why": why(it) if it.differs else "",
        "stays": [*not_settled([it]), *cannot_take(it), *suits_missing([it], rules)],
        "was": outcome_shown(was, session),
        "would": outcome_shown(would, session),
    }
    return render(request, "books/what-if-hand.html", context)


def _settled(session: Session, rules: HouseRules, query: str, part: int) -> dict[str, Any]:
    """Context for the result: the totals of one part of the hands, and those of its hands that differ."""
    last = -(-session.deals // DEALS_A_PART)
    part = min(part or 1, last)
    first = (part - 1) * DEALS_A_PART + 1
    deals = reads.what_if(session, rules, first, first + DEALS_A_PART - 1)
    names, digits, now = reads.present(session), session.minor_digits, resolve(session.rules)
    here = reverse("what-if", args=[session.public_id])
    return {
        "settled": True,
        "query": query,
        "changed": list(changed(now, rules)),
        "names": names.values(),
        "many": len(names) > 3,
        "differing": differing(
            sum(each.differs for each in deals), len(deals), sum(not each.comparable for each in deals)
        )
        if deals
        else "",
        "played_otherwise": played_otherwise(deals, now),
        "totals": totals_shown(deals, names, digits),
        "comparable": any(each.comparable for each in deals),
        "deals": [deal_shown(each, names, digits) for each in deals if each.differs],
        "stay": [*not_settled(deals), *suits_missing(deals, rules)],
        "stacks": any("stack" in player for each in deals for player in each.document["players"]),
        "parts": [
            (
                deals_said(range((number - 1) * DEALS_A_PART + 1, min(number * DEALS_A_PART, session.deals) + 1)),
                f"{here}?{query}&part={number}",
                number == part,
            )
            for number in range(1, last + 1)
        ]
        if last > 1
        else [],
    }
