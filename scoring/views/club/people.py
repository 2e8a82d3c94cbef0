"""The club's players and the stakes that pairs of them usually play for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring import access, club, reads
from scoring.access import Right
from scoring.forms.amounts import CURRENCIES, AmountError, parse_amount
from scoring.forms.pay_address import PayAddressForm
from scoring.game.errors import refuse
from scoring.models import Club, PayAddress, Player
from scoring.request import CONFLICT, UNPROCESSABLE, Request, whole_number
from scoring.rules.phrase import Phrase
from scoring.texts import gettext as _
from scoring.views.shared.asking import Refused, attempt, carried, refused_shown, tried
from scoring.views.shared.club_frame import club_frame
from scoring.views.shared.problems import problems
from scoring.wording.counts import sessions
from scoring.wording.figures import labelled, listed, money
from scoring.wording.phrases import reasons
from scoring.wording.statistics import PAIR_HEADS, few_said, player_shown
from scoring.wording.tab import accounts_shown


@require_safe
def roster(request: Request, public_id: str) -> HttpResponse:
    """Lists the players and the usual stakes."""
    return _roster_page(request, access.club(request, public_id, Right.READ), {})


@require_http_methods(["GET", "HEAD", "POST"])
def player(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows one player. A POST renames, retires or returns them, merges them with another player, or adds or removes
    how they like to be paid.
    """
    of = access.club(request, public_id, Right.RUN if request.method == "POST" else Right.READ)
    found = access.player(of, number)
    if request.method != "POST":
        return _player_page(request, found, []) if found.pk == number else redirect("player", public_id, found.pk)
    if found.pk != number and _merged_so(request, of, found):
        return redirect("roster", public_id)
    if found.pk != number:
        late = _("This player has been put together with {name} meanwhile. Nothing was changed.").format(
            name=found.name
        )
        return _player_page(request, found, [late], status=CONFLICT)
    if request.POST.get("do") == "add-address":
        return _add_address(request, found)
    do: dict[str, Callable[[], None]] = {
        "rename": lambda: club.rename_player(found, request.POST.get("name", ""), was=request.POST.get("was")),
        "merge": lambda: club.merge(
            found,
            _chosen(request, of, found),
            seen=request.POST.get("seen", ""),
            names=request.POST.get("names", ""),
        ),
        "retire": lambda: club.retire(found, names=request.POST.get("names", "")),
        "return": lambda: club.retire(found, retired=False, names=request.POST.get("names", "")),
        "remove-address": _as_named(
            request,
            of,
            lambda: club.remove_pay_address(found, request.POST.get("kind", ""), request.POST.get("was", "")),
        ),
    }
    chosen = do.get(request.POST.get("do", ""))
    if chosen is None:
        return _player_page(request, found, [_("Say what should happen.")], status=UNPROCESSABLE)
    refused = tried(None, chosen)
    if isinstance(refused, Refused):
        return _player_page(request, found, reasons(refused.problems), status=refused.status)
    if request.POST.get("do") == "remove-address":
        return redirect("player", public_id, found.pk)
    return redirect("roster", public_id)


def _merged_so(request: Request, of: Club, into: Player) -> bool:
    """Whether this form, or one like it, has put the player together with whom it chooses, so that nothing is left."""
    chosen = whole_number(request.POST.get("into"))
    return request.POST.get("do") == "merge" and chosen > 0 and access.player(of, chosen) == into


def _add_address(request: Request, found: Player) -> HttpResponse:
    """Keeps one address for the player, or shows the form again with what was typed."""
    form = PayAddressForm(request.POST)
    add = _as_named(request, found.club, lambda: club.add_pay_address(found, **form.arguments()))
    if attempt(request, None, form, add):
        return redirect("player", found.club.public_id, found.pk)
    return _player_page(request, found, [], address=form, status=form.status)


def _as_named(request: Request, of: Club, do: Callable[[], None]) -> Callable[[], None]:
    """The same, unless players were renamed, merged or archived since the page: the name on it may be another's now."""

    def checked() -> None:
        with club.names_at_rest(of, (), request.POST.get("names", "")):
            do()

    return checked


def _chosen(request: Request, of: Club, found: Player) -> Player:
    """Whom the form chooses to put together with ``found``."""
    if not request.POST.get("into"):
        raise refuse("missing", "into", Phrase("Choose a player."))
    return _another(of, whole_number(request.POST.get("into")), found, found.pk)


def _another(of: Club, number: int, than: Player, number_of_than: int) -> Player:
    """The player ``number``. Raises `LedgerError` if they were put together with the other one of the form."""
    found = access.player(of, number)
    if found == than and number != number_of_than:
        raise refuse("stale", "", Phrase("Both names are one player now. Nothing was changed."))
    return found


def _player_page(
    request: Request, found: Player, errors: list[str], *, address: PayAddressForm | None = None, status: int = 200
) -> HttpResponse:
    if address is None:  # fresh, or as it was typed for a player who was merged meanwhile
        typed = {name: request.POST.get(name, "") for name in ("kind", "value")}
        address = PayAddressForm(initial=typed if request.POST.get("do") == "add-address" else None)
    others = [each for each in reads.roster(found.club) if each.pk != found.pk]
    into = next((each for each in others if each.pk == whole_number(request.POST.get("into"))), None)
    context = {
        **club_frame(found.club, "roster"),
        "player": found,
        **(_left_behind(found, into) if into else {}),
        "accounts": accounts_shown(found),
        "statistics": player_shown(found),
        "heads": PAIR_HEADS,
        "few": few_said(),
        "name": request.POST.get("name", found.name),
        "was": carried(request, status, "was", found.name) if request.POST.get("do") == "rename" else found.name,
        "into": into,
        "names": carried(request, status, "names", club.names_seen(found.club)),
        "others": others,
        "addresses": [
            (each.kind, club.KINDS[each.kind].label, each.value, club.KINDS[each.kind].parts(each.value))
            for each in club.pay_addresses(found)
        ],
        "kinds": [(kind, club.KINDS[kind].label) for kind in PayAddress.Kind],
        "form": address,
        **problems({"": errors} if errors else address.errors, status),
    }
    return render(request, "club/player.html", context, status=status)


def _left_behind(found: Player, into: Player) -> dict[str, Any]:
    """Context for what merging the two would delete."""
    left = club.left_behind(found, into)
    return {
        "left": [
            *(labelled(club.KINDS[each.kind].label, each.value) for each in left.addresses),
            *(
                labelled(
                    listed([each.low.name, each.high.name]), f"{money(each.stake, each.minor_digits)} {each.currency}"
                )
                for each in left.stakes
            ),
        ],
        "seen": left.seen if left else "",
    }


@require_POST
def usual_stake(request: Request, public_id: str) -> HttpResponse:
    """Sets what two players play for in every new session. An empty amount removes their usual stake."""
    of = access.club(request, public_id)
    sent = request.POST
    currency, text = sent.get("currency", ""), sent.get("stake", "").strip()
    if currency not in CURRENCIES:
        return _roster_page(request, of, problems({"": [_("Please choose a currency.")]}), status=UNPROCESSABLE)
    digits = CURRENCIES[currency][1]
    try:
        stake = parse_amount(text, digits) if text else None
    except AmountError as wrong:
        return _roster_page(request, of, problems({"": [str(wrong)]}), status=UNPROCESSABLE)
    number, other = (whole_number(sent.get(name)) for name in ("one", "other"))
    one = access.player(of, number)

    def keep() -> None:
        seen = sent.get("seen", "").split()
        both = one, _another(of, other, one, number)
        with club.names_at_rest(of, (), sent.get("names", "")):
            club.set_usual_stake(*both, currency=currency, minor_digits=digits, stake=stake, seen=seen)

    refused = tried(None, keep)
    if isinstance(refused, Refused):
        return _roster_page(request, of, refused_shown(refused), status=refused.status)
    return redirect("roster", public_id)


def _roster_page(request: Request, of: Club, more: dict[str, Any], *, status: int = 200) -> HttpResponse:
    people = reads.roster(of)
    last = reads.last_time(of)
    played: Counter[str] = Counter()
    for line in reads.standings(of):  # one for each currency
        played[line.player] += line.sessions
    context = {
        **club_frame(of, "roster"),
        "players": [
            {
                "number": str(each.pk),
                "name": each.name,
                "url": reverse("player", args=[of.public_id, each.pk]),
                "sessions": sessions(played[each.name]),
                "retired": each.retired_at is not None,
            }
            for each in people
        ],
        "stakes": [
            {
                "names": listed([each.low.name, each.high.name]),
                "seen": club.stake_seen(each),
                "one": str(each.low_id),
                "other": str(each.high_id),
                "currency": each.currency,
                "amount": money(each.stake, each.minor_digits),
            }
            for each in club.usual_stakes(of)
        ],
        "currencies": [(code, name) for code, (name, _digits) in CURRENCIES.items()],
        "names": carried(request, status, "names", club.names_seen(of)),
        "seen": carried(request, status, "seen", " ".join(map(club.stake_seen, club.usual_stakes(of)))),
        "sent": {
            "one": request.POST.get("one", ""),
            "other": request.POST.get("other", ""),
            "stake": request.POST.get("stake", ""),
            "currency": request.POST.get("currency") or (last.currency if last else "EUR"),
        },
        **more,
    }
    return render(request, "club/roster.html", context, status=status)
