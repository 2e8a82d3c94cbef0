"""What the host of a form for a new session knew of their club, and what has changed in it since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Self

from scoring import ledger, reads
from scoring.club import (
    check_names,
    check_saved_rules,
    check_usual_stakes,
    names_seen,
    pair_of,
    pairs_of,
    rules_gone,
    rules_seen,
    stake_seen,
    usual_stakes,
)
from scoring.forms.new_session import NewSessionForm, saved_name
from scoring.game.errors import refuse
from scoring.models import Club
from scoring.request import CONFLICT, Request, whole_number
from scoring.views.shared.asking import Refused, tried
from scoring.views.shared.settling import Settling, changed
from scoring.wording.phrases import reasons, translated


@dataclass(frozen=True, slots=True)
class Seen:
    """What a form's host knew of a club when it was opened: how many sessions it had ``started``, and what
    `names_seen`, `rules_seen` and `stake_seen` said. The form carries this of each club that it offers.

    By default they knew nothing, so nothing can have changed.
    """

    started: int | None = None
    names: str = ""
    rules: tuple[str, ...] | None = None
    stakes: tuple[str, ...] | None = None

    @classmethod
    def now(cls, club: Club) -> Self:
        club.refresh_from_db(fields=["started"])
        rules = tuple(rules_seen(each) for each in reads.saved_rules(club))
        return cls(club.started, names_seen(club), rules, tuple(map(stake_seen, usual_stakes(club))))

    @classmethod
    def by(cls, request: Request, club: Club | None) -> Self:
        """As the form says that was sent."""
        for text in request.POST.getlist("seen") if club else ():
            of, *knew = text.split(" ")
            if club and of == club.public_id and len(knew) == len(fields(cls)):
                started, names, rules, stakes = knew
                return cls(whole_number(started), names, tuple(rules.split(",")), tuple(stakes.split(",")))
        return cls()

    def of(self, club: Club) -> str:
        """As the form carries it."""
        lists = (",".join(each or ()) for each in (self.rules, self.stakes))
        return " ".join((club.public_id, str(self.started), self.names, *lists))


def seen_of_each(
    request: Request, clubs: Iterable[Club], form: NewSessionForm, club: Club | None, status: int
) -> list[str]:
    """What the page carries of each club. After a form that came too late its host knows all of this ``club``, but of
    usual stakes only those of the players whom the form names.
    """
    found = []
    for each in dict.fromkeys(clubs):
        then = Seen.by(request, each)
        now = Seen.now(each) if then.started is None or (each == club and status == CONFLICT) else then
        if then.stakes is not None and now is not then:
            named = pairs_of(each, form.names)
            stakes = [stake for stake in now.stakes or () if pair_of(stake) in named]
            stakes += [stake for stake in then.stakes if pair_of(stake) not in named]
            now = replace(now, stakes=tuple(stakes))
        found.append(now.of(each))
    return found


def check_choices(form: NewSessionForm, club: Club | None, seen: Seen, settling: Settling | None) -> None:
    """Raises `LedgerError` if what is open on the tab, the saved rules that were chosen, or the usual stakes of those
    for whom none was typed have changed since.
    """
    if settling and settling.stale:
        raise refuse("stale", "", str(settling.changed))
    if club and seen.rules is not None and (name := saved_name(form.cleaned_data["rules"])):
        check_saved_rules(club, name, seen.rules)
    if club:
        _check_stakes(form, club, seen)


def _check_stakes(form: NewSessionForm, club: Club, seen: Seen) -> None:
    if seen.stakes is not None:
        check_usual_stakes(club, form.left_blank(), form.cleaned_data["currency"], seen.stakes)


def news(form: NewSessionForm, club: Club, seen: Seen, settling: Settling | None) -> list[str]:
    """All that has changed in the club since the form was opened, in words."""
    club.refresh_from_db(fields=["started"])
    checks = [
        partial(check_names, club, form.arguments()["names"], seen.names),
        partial(ledger.check_started, club, seen.started),
        partial(check_choices, form, club, seen, settling),
        partial(check_choices, form, club, seen, None),
        partial(_check_stakes, form, club, seen),
    ]
    tries = [tried(None, check) for check in checks]
    return [reason for each in tries if isinstance(each, Refused) for reason in reasons(each.problems)]


def gone(request: Request, form: NewSessionForm, tab: Mapping[str, str]) -> list[str]:
    """What was chosen in the form that was sent, and is not offered any more on its page."""
    settle, rules = request.POST.get("settle", ""), saved_name(request.POST.get("rules", ""))
    said = [str(changed(tab.get("open_value", "")))] if settle not in ("", tab.get("open_value", "")) else []
    if rules and rules not in form.saved and "rules" not in form.errors:
        said.append(translated(rules_gone(rules)))
    return said
