"""The form that starts a session."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import limits, links
from scoring.club import names_at_rest, rename
from scoring.forms.amounts import CURRENCIES
from scoring.forms.new_session import SINGLE, NewSessionForm, as_last_time, rearranged, saved_choice
from scoring.game.errors import LedgerError
from scoring.models import Club, Session
from scoring.request import CONFLICT, FORBIDDEN, TOO_MANY, UNPROCESSABLE, Request, asker, sent_key, typed
from scoring.texts import gettext as _
from scoring.texts import ngettext, pgettext
from scoring.views.shared import recovery
from scoring.views.shared.asking import form_key, status_of
from scoring.views.shared.club_frame import club_title
from scoring.views.shared.problems import problems
from scoring.views.shared.settling import Settling, offer
from scoring.views.start.known import Seen, check_choices, gone, news, seen_of_each
from scoring.wording.house_rules import PRESET_NAMES, PRESET_SUMMARIES
from scoring.wording.phrases import reasons


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Shows the form. Its small buttons rearrange it; the large one opens the session.

    A host's session joins their club unless they ask for a new one; anybody else's session makes a new club. For a club
    that is named in the address the form is filled in as last time.
    """
    clubs = [link.club for link in access.held(request) if link.session_id is None]
    if not clubs and settings.ALLOW_NEW_CLUBS == "nobody":
        return render(request, "start/no_new_clubs.html", status=FORBIDDEN)
    sent = request.POST if request.method == "POST" else request.GET
    wanted = sent.get("club", clubs[0].public_id if clubs and request.method != "POST" else "")
    club = access.club(request, wanted) if wanted else None
    form = _form(request, club)
    if not form.is_bound:
        return _page(request, form, clubs, club)
    if not form.is_valid() or not (club or (_has_room(request, form) and _may_make_a_club(request, form))):
        return _page(request, form, clubs, club, status=UNPROCESSABLE)
    if not club and not limits.new_clubs.allows(limits.client(request)):
        return render(request, "errors/429.html", {"typed": typed(request)}, status=TOO_MANY)
    key = sent_key(request)
    arguments = form.arguments()
    settling = Settling(request, club, arguments["names"], links.public(key)) if club else None
    seen = Seen.by(request, club)
    if reads.started(links.public(key)):
        seen = Seen()  # the form is sent again, and its session is there
    try:
        with names_at_rest(club, arguments["names"], seen.names) if club else nullcontext():
            check_choices(form, club, seen, settling)
            session = ledger.start_session(
                **_with_usual_stakes(arguments, club),
                club=club,
                started=seen.started,
                key=links.public(key),
                **(asker(request) if club else {"by": links.FIRST}),
            )
    except LedgerError as refusal:
        status = status_of(refusal)
        # The next page will have seen all that has changed, so all of it is said.
        also = news(form, club, seen, settling) if club and status == CONFLICT else []
        for reason in dict.fromkeys([*reasons(refusal.problems), *also]):
            form.add_error(None, reason)
        return _page(request, form, clubs, club, status=status)
    except ledger.Conflict as conflict:
        # The form was changed after it had opened a session. That session is the one that its sender wants.
        return redirect("table", conflict.session.public_id)
    if settling:
        settling.record()
    response = redirect("table", session.public_id)
    if club is None:
        _give_to_its_host(request, response, session, form.cleaned_data["club_name"], key)
    return response


def _form(request: Request, club: Club | None) -> NewSessionForm:
    """The form as it was sent, as one of its small buttons rearranged it, or fresh."""
    saved = {each.name: each.rules for each in reads.saved_rules(club)} if club else {}
    sent = request.POST.dict()
    if request.method == "POST":
        shown = rearranged(sent, saved)
    else:
        last = reads.last_time(club, everybody=True) if club and "club" in request.GET else None
        shown = as_last_time(last, saved) if last else {}
    return NewSessionForm(sent if shown is None else None, typed=shown, saved=saved)


def _give_to_its_host(request: Request, response: HttpResponse, session: Session, name: str, key: str) -> None:
    """Names the new club of this session, and gives this browser the club's first link."""
    if not session.club.name:  # the form may be sent again after the club has got another name
        rename(session.club, name)
    host = links.issue_first(session.club, key)
    if host is not None:
        request.held_links.add(host)
        recovery.hand_over(response, session, key)


def _has_room(request: Request, form: NewSessionForm) -> bool:
    """Whether this browser can keep the link to a new club. If it cannot, the form says why."""
    if request.held_links.has_room():
        return True
    form.add_error(None, _("This browser holds as many hosts’ links as it can keep, so it can start no further club."))
    return False


def _may_make_a_club(request: Request, form: NewSessionForm) -> bool:
    """Whether this request may make a new club. If it may not, the form says why."""
    if settings.ALLOW_NEW_CLUBS == "anyone":
        return True
    who = limits.client(request)
    given, code = (text.strip().encode() for text in (request.POST.get("code", ""), settings.NEW_CLUB_CODE))
    if settings.ALLOW_NEW_CLUBS == "code" and not limits.wrong_codes.spent(who):
        if constant_time_compare(given, code):
            return True
        limits.wrong_codes.count(who)
    form.add_error("code", _("A new club takes the code of this server. Its operator has it."))
    return False


def _with_usual_stakes(arguments: dict[str, Any], club: Club | None) -> dict[str, Any]:
    """The arguments that the form gives, with the usual stakes for every pair whose stake was left empty."""
    stakes = _usual(club, arguments["currency"], arguments["minor_digits"], arguments["names"])
    stakes |= {(one, other): stake for one, other, stake in arguments["pair_stakes"]}
    return {**arguments, "pair_stakes": [(*pair, stake) for pair, stake in stakes.items()]}


def _usual(club: Club | None, currency: str, digits: int, names: Sequence[str]) -> dict[tuple[int, int], int]:
    """The usual stakes in this club by the places of the two in ``names``, from 1."""
    found = reads.stakes_among(club, currency, digits, names) if club else []
    return {(min(one, other), max(one, other)): stake for one, other, stake in found}


def _page(
    request: Request, form: NewSessionForm, clubs: list[Club], club: Club | None, *, status: int = 200
) -> HttpResponse:
    own = sum(1 for text in form.pair_texts.values() if text)
    tab = offer(club, form.names) if club else {}
    usual = _usual(club, form.currency_code, form.digits, form.names)
    chosen = form["rules"].value()
    offered = [
        *((saved_choice(name), name, _("The club’s own house rules.")) for name in form.saved),
        *((value, name, PRESET_SUMMARIES[value]) for value, name in PRESET_NAMES.items()),
        *([(SINGLE, _("Rule by rule"), _("Every choice below."))] if form.has_single else []),
    ]
    errors: dict[str, Any] = {**form.errors, **form.single.errors}
    if status != CONFLICT and (lost := gone(request, form, tab)):
        errors[NON_FIELD_ERRORS] = [*errors.get(NON_FIELD_ERRORS, []), *lost]
    context = {
        "form": form,
        "key": form_key(request),
        "clubs": [(each.public_id, club_title(each), each == club) for each in dict.fromkeys(clubs)],
        "of_new_club": club is None,
        "seen": seen_of_each(request, clubs, form, club, status),
        "another_club": settings.ALLOW_NEW_CLUBS != "nobody",
        "code_needed": settings.ALLOW_NEW_CLUBS == "code" and (club is None or len(clubs) > 0),
        "code": request.POST.get("code", ""),
        "people": [player.name for player in reads.roster(club) if player.retired_at is None] if club else [],
        "currencies": [(code, name) for code, (name, _digits) in CURRENCIES.items()],
        "presets": [
            {"value": value, "name": name, "summary": summary, "chosen": value == chosen}
            for value, name, summary in offered
        ],
        "rules_summary": next((name for value, name, _summary in offered if value == chosen), ""),
        **tab,
        "settle": request.POST.get("settle", "") == tab.get("open_value"),
        "chips_open": bool({"buy_in", "cash"} & form.errors.keys()),
        "rules_open": "single" in request.POST or "rules" in form.errors,
        "pairs": form.pair_lines(usual),
        "pairs_open": "pairs" in request.POST
        or (usual and status == CONFLICT)
        or any(field.startswith("pair-") for field in form.errors),
        "pairs_summary": ngettext("{count} pair", "{count} pairs", own).format(count=own)
        if own
        else pgettext("pairs", "none"),
        **problems(errors, status),
    }
    return render(request, "start/new.html", context, status=status)
