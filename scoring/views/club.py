"""The club, for its host: its evenings, its people, what they are up or down, what they usually play for."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring import access, club, ledger, queries
from scoring.export import of_club
from scoring.forms.amounts import CURRENCIES, AmountError, parse_amount
from scoring.http import UNPROCESSABLE, Request, asker, new_key, sent_key, whole_number
from scoring.models import Club, Player
from scoring.rules.errors import Problem
from scoring.table import LedgerError
from scoring.views.frame import played, title
from scoring.views.shown import counted, listed, money, signed, signed_money

SESSIONS_A_PAGE = 20


def club_title(of: Club) -> str:
    """What to call a club that nobody has given a name: since when it is there."""
    since = timezone.localtime(of.created_at)
    return of.name or f"Home game since {since.day} {since:%B %Y}"


def club_frame(of: Club, current: str) -> dict[str, Any]:
    """Context for ``club_frame.html``; ``current`` is the name of the tab's address."""
    tabs = (
        ("club", "Sessions"),
        ("standings", "Standings"),
        ("roster", "Players"),
        ("club-links", "Links"),
        ("club-more", "More"),
    )
    return {
        "club": of,
        "club_title": club_title(of),
        "tabs": [(label, reverse(name, args=[of.public_id]), name == current) for name, label in tabs],
        "key": new_key(),
    }


# --- Sessions ---------------------------------------------------------------------------------


@require_safe
def sessions(request: Request, public_id: str) -> HttpResponse:
    """The club's evenings, and the next one in one tap."""
    of = access.club(request, public_id)
    return _sessions_page(request, of, [])


@require_POST
def again(request: Request, public_id: str) -> HttpResponse:
    """The same people on the same terms as last time."""
    of = access.club(request, public_id)
    terms = queries.last_time(of)
    if terms is None:
        return redirect("club", public_id)
    try:
        session = ledger.start_session(
            club=of,
            names=terms.names,
            button=terms.button,
            stake=terms.stake,
            currency=terms.currency,
            minor_digits=terms.minor_digits,
            pair_stakes=terms.pair_stakes,
            rules=terms.rules,
            key=sent_key(request),
            by=asker(request),
        )
    except ledger.LedgerError as refusal:
        return _sessions_page(request, of, [problem.message for problem in refusal.problems], status=UNPROCESSABLE)
    except ledger.Conflict as conflict:
        # Sent twice, and after the first time "last time" is another one: that session is what its sender wants.
        session = conflict.session
    return redirect("table", session.public_id)


def _sessions_page(request: Request, of: Club, errors: list[str], *, status: int = 200) -> HttpResponse:
    page = max(1, whole_number(request.GET.get("page")))
    found, more = queries.club_sessions(of, skip=(page - 1) * SESSIONS_A_PAGE, limit=SESSIONS_A_PAGE)
    terms = queries.last_time(of)
    context = {
        **club_frame(of, "club"),
        "sessions": [
            {
                "url": reverse("table", args=[session.public_id]),
                "title": title(session),
                "hands": counted(session.deals, "hand") + (", closed" if session.closed_at else ""),
            }
            for session in found
        ],
        "again": listed(terms.names) if terms and len(terms.names) > 1 else "",
        "newer": f"?page={page - 1}" if page > 1 else "",
        "older": f"?page={page + 1}" if more else "",
        "problems": len(errors),
        "errors": errors,
    }
    return render(request, "club.html", context, status=status)


@require_safe
def standings(request: Request, public_id: str) -> HttpResponse:
    """What everybody has won and lost over all sessions, a table for each currency."""
    of = access.club(request, public_id)
    found = sorted(queries.standings(of), key=lambda each: (each.currency, each.minor_digits))
    tables = [
        {
            "currency": currency,
            "lines": [
                {
                    "name": line.player,
                    "sessions": counted(line.sessions, "session"),
                    "hands": counted(line.deals, "hand"),
                    "points": signed(line.points),
                    "money": signed_money(line.money, digits),
                    "fees": money(line.fees, digits) if line.fees else "",
                }
                for line in lines
            ],
        }
        for (currency, digits), lines in groupby(found, key=lambda each: (each.currency, each.minor_digits))
    ]
    for table in tables:
        table["fees"] = any(line["fees"] for line in table["lines"])
    return render(request, "standings.html", {**club_frame(of, "standings"), "tables": tables})


# --- People -----------------------------------------------------------------------------------


@require_safe
def roster(request: Request, public_id: str) -> HttpResponse:
    """Everybody, and the stakes that pairs usually play for."""
    return _roster_page(request, access.club(request, public_id), {})


@require_http_methods(["GET", "HEAD", "POST"])
def player(request: Request, public_id: str, number: int) -> HttpResponse:
    """One player: his name, whether he is offered a seat, and whether he is somebody else as well."""
    of = access.club(request, public_id)
    he = access.player(of, number)
    if request.method != "POST":
        return _player_page(request, he, [])
    do: dict[str, Callable[[], None]] = {
        "rename": lambda: club.rename_player(he, request.POST.get("name", "")),
        "merge": lambda: club.merge(he, access.player(of, whole_number(request.POST.get("into")))),
        "retire": lambda: club.retire(he),
        "return": lambda: club.retire(he, retired=False),
    }
    try:
        do.get(request.POST.get("do", ""), lambda: None)()
    except LedgerError as refusal:
        errors = [problem.message for problem in refusal.problems]
        return _player_page(request, he, errors, status=UNPROCESSABLE)
    return redirect("roster", public_id)


def _player_page(request: Request, he: Player, errors: list[str], *, status: int = 200) -> HttpResponse:
    context = {
        **club_frame(he.club, "roster"),
        "player": he,
        "name": request.POST.get("name", he.name),
        "others": [each for each in queries.roster(he.club) if each.pk != he.pk],
        "problems": len(errors),
        "errors": errors,
    }
    return render(request, "player.html", context, status=status)


@require_POST
def usual_stake(request: Request, public_id: str) -> HttpResponse:
    """What two players play for in every new session; an empty amount: what all play for."""
    of = access.club(request, public_id)
    sent = request.POST
    currency, text = sent.get("currency", ""), sent.get("stake", "").strip()
    try:
        if currency not in CURRENCIES:
            raise LedgerError([Problem("bad-value", "currency", "Choose one of these currencies.")])
        digits = CURRENCIES[currency][1]
        club.set_usual_stake(
            access.player(of, whole_number(sent.get("one"))),
            access.player(of, whole_number(sent.get("other"))),
            currency=currency,
            minor_digits=digits,
            stake=parse_amount(text, digits) if text else None,
        )
    except (LedgerError, AmountError) as refusal:
        return _roster_page(request, of, {"errors": [str(refusal)], "problems": 1}, status=UNPROCESSABLE)
    return redirect("roster", public_id)


def _roster_page(request: Request, of: Club, more: dict[str, Any], *, status: int = 200) -> HttpResponse:
    people = queries.roster(of)
    last = queries.last_time(of)
    context = {
        **club_frame(of, "roster"),
        "players": [
            {
                "number": str(each.pk),
                "name": each.name,
                "url": reverse("player", args=[of.public_id, each.pk]),
                "sittings": counted(each.sittings, "session"),
                "retired": each.retired_at is not None,
            }
            for each in people
        ],
        "stakes": [
            {
                "names": f"{each.low.name} and {each.high.name}",
                "one": str(each.low_id),
                "other": str(each.high_id),
                "currency": each.currency,
                "amount": money(each.stake, each.minor_digits),
            }
            for each in club.usual_stakes(of)
        ],
        "currencies": [(code, name) for code, (name, _) in CURRENCIES.items()],
        "sent": {
            "one": request.POST.get("one", ""),
            "other": request.POST.get("other", ""),
            "stake": request.POST.get("stake", ""),
            "currency": request.POST.get("currency") or (last.currency if last else "EUR"),
        },
        **more,
    }
    return render(request, "roster.html", context, status=status)


# --- The club itself --------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def more(request: Request, public_id: str) -> HttpResponse:
    """The club's name, the house rules that it keeps, everything of it to take along, and the way to its end."""
    of = access.club(request, public_id)
    context = {
        **club_frame(of, "club-more"),
        "name": request.POST.get("name", of.name),
        "saved": [(kept.name, played(kept.rules)) for kept in queries.saved_rules(of)],
    }
    if request.method == "POST":
        try:
            club.rename(of, request.POST.get("name", ""))
        except LedgerError as refusal:
            wrong = {"problems": 1, "errors": [str(refusal)]}
            return render(request, "club_more.html", {**context, **wrong}, status=UNPROCESSABLE)
        return redirect("club", public_id)
    return render(request, "club_more.html", context)


@require_POST
def forget_rules(request: Request, public_id: str) -> HttpResponse:
    """Keep rules of the club's own no longer; what is played, or was, stays."""
    club.forget_rules(access.club(request, public_id), request.POST.get("name", ""))
    return redirect("club-more", public_id)


@require_safe
def export(request: Request, public_id: str) -> StreamingHttpResponse:
    """Everything of the club as one JSON document."""
    of = access.club(request, public_id)
    response = StreamingHttpResponse(of_club(of), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="ofc-club-{timezone.localdate():%Y-%m-%d}.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: Request, public_id: str) -> HttpResponse:
    """Delete the club for good, after its name has been typed."""
    of = access.club(request, public_id)
    name = club_title(of)
    context = {
        **club_frame(of, "club-more"),
        "name": name,
        "sessions": counted(of.sessions.count(), "session"),
    }
    if request.method != "POST":
        return render(request, "club_delete.html", context)
    if " ".join(request.POST.get("name", "").split()) != " ".join(name.split()):
        wrong = {"problems": 1, "errors": ["That is not the club’s name. Nothing was deleted."]}
        return render(request, "club_delete.html", {**context, **wrong}, status=UNPROCESSABLE)
    club.erase(of)
    return redirect("home")
