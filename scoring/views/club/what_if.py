"""What if: every session of a club, or those of one year, settled again under other house rules. Nothing is written."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right, limits
from scoring.exports import making
from scoring.forms.house_rules import as_query
from scoring.models import Club
from scoring.request import TOO_MANY, Request, whole_number
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from scoring.texts import ngettext
from scoring.views.shared.club_frame import club_frame
from scoring.views.shared.comparing import comparison
from scoring.views.shared.download import WAIT, made_or_making, waiting
from scoring.wording.rulebook import changed
from scoring.wording.what_if import BY_WHAT, differing, sessions_shown, standings_shown, staying

KIND: Final = "what-if"

DEALS_AT_ONCE: Final = 400
"""So many hands are settled again while the request waits. A process of its own takes on more, as for a download."""


@require_safe
def what_if(request: Request, public_id: str) -> HttpResponse:
    """Asks for rules and a year and, if the address names any rules, shows the standings under them."""
    of = access.club(request, public_id, Right.READ)
    newest, _older = reads.club_sessions(of, limit=1)
    asked = comparison(request, of, resolve(newest[0].rules) if newest else PRESETS["regular"])
    here, years = reverse("club-what-if", args=[public_id]), reads.club_years(of)
    year = whole_number(request.GET.get("year"))
    more = {"year": str(year)} if year else {}
    context: dict[str, Any] = {
        **club_frame(of, "standings"),
        **asked.context(here, more),
        "years": [(str(each), each == year) for each in years],
        "year": more.get("year", ""),
    }
    if asked.rules and years:
        query = urlencode({**as_query(asked.rules), **more})
        sent = request.GET.copy()
        sent.pop("export", None)
        if sent.urlencode() != query:
            return redirect(f"{here}?{query}")
        found = _found(request, of, asked.rules, year) if not year or year in years else reads.ClubWhatIf([], {})
        if isinstance(found, HttpResponse):
            return found
        if isinstance(found, making.Making):
            deals = reads.club_deals(of, year)
            what = ngettext("Settling {count} hand again.", "Settling {count} hands again.", deals).format(count=deals)
            around = {**context, "around": "shared/club_frame.html", "back": here, "what": what}
            return waiting(request, around, found, f"{here}?{query}&export={found.token}")
        context |= _settled(of, found, asked.now, asked.rules, year)
        context["again"] = f"{here}?{query}" if "export" in request.GET else ""
    return render(request, "club/what-if.html", context)


def _found(request: Request, of: Club, rules: HouseRules, year: int) -> reads.ClubWhatIf | making.Making | HttpResponse:
    """The club under these rules, what is working it out, or the page that refuses to."""
    if WAIT not in request.META or reads.club_deals(of, year) <= DEALS_AT_ONCE:
        return reads.club_what_if(of, rules, year, lambda: None)
    given = making.for_what_if(rules, year)
    token = request.META[WAIT].token or request.GET.get("export", "")
    begun = making.made(KIND, of.public_id, token) or making.making(KIND, of.public_id, token)
    begins = not begun and making.has_room(KIND, of.public_id, limits.client(request))
    if begins and not limits.what_ifs.allows(limits.client(request)):
        return render(request, "errors/429.html", status=TOO_MANY)
    made = made_or_making(request, KIND, of.public_id, given)
    if isinstance(made, making.Making):
        return made
    document = json.loads(made.read_text())
    if document["given"] != given:  # an address put together out of two, or a file of another release
        return redirect(f"{request.path}?{urlencode({**as_query(rules), **({'year': year} if year else {})})}")
    return reads.ClubWhatIf.read(document)


def _settled(of: Club, found: reads.ClubWhatIf, now: HouseRules, rules: HouseRules, year: int) -> dict[str, Any]:
    """Context for the result: the standings, how many hands differ in each session, and how many stay, and why."""
    sessions = reads.opened_in(of, year) if found.sessions else []
    return {
        "settled": True,
        "standings": standings_shown(found, sessions),
        "sessions": sessions_shown(found, sessions, urlencode(as_query(rules))),
        "differing": differing(
            sum(each.differ for each in found.sessions),
            sum(each.deals for each in found.sessions),
            sum(sum(each.stay.values()) for each in found.sessions),
        ),
        "stay": staying(found),
        "by_what": BY_WHAT,
        "chips": any(each.chips for each in found.sessions),
        "changed": list(changed(now, rules)),
    }
