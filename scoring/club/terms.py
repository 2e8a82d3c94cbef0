"""The stakes and house rules that a club usually plays with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations

from django.db.models import Q, QuerySet

from scoring.actions.checks import length_problem
from scoring.club.lock import check_there, lock_club
from scoring.game.errors import LedgerError, refuse
from scoring.game.text import clean, fold
from scoring.models import Club, Player, SavedRules, UsualStake
from scoring.rules.errors import Problem
from scoring.rules.houserules import HouseRules, same_rules
from scoring.rules.phrase import Phrase
from scoring.transactions import writing


def usual_stakes(club: Club) -> QuerySet[UsualStake]:
    """The stakes that the club has set, each with its two players loaded."""
    return (
        UsualStake.objects.filter(club=club)
        .select_related("low", "high")
        .order_by("low__name", "high__name", "currency")
    )


def stake_seen(stake: UsualStake) -> str:
    """What a page that shows a usual stake says of it, so that nobody sets another one over one they have not seen."""
    return f"{stake.low_id}-{stake.high_id}-{stake.currency}-{stake.minor_digits}-{stake.stake}"


def set_usual_stake(
    one: Player,
    other: Player,
    *,
    currency: str,
    minor_digits: int,
    stake: int | None,
    seen: Collection[str] | None = None,
) -> None:
    """Set the stake, in minor units per point, that two players get in new sessions in this currency.

    None removes it, so that the session's stake applies again. Raises `LedgerError` if there is a third one that is not
    among those ``seen``, which are what `stake_seen` says of them, or none any more although one was seen.
    """
    if one.pk == other.pk or one.club_id != other.club_id:
        raise LedgerError(
            [Problem("unknown-player", "other", Phrase("A stake is for two different players of this club."))]
        )
    with writing():
        lock_club(one.club_id)
        check_there(one, other)
        now = UsualStake.objects.filter(of_pair(one, other), currency=currency)
        if seen is not None and any(each.stake != stake and stake_seen(each) not in seen for each in now):
            raise refuse("stale", "", Phrase("This stake was changed since this page was opened."))
        low, high = sorted((one.pk, other.pk))
        was = any(each.startswith(f"{low}-{high}-{currency}-") for each in seen or ())
        if was and stake is not None and not now.exists():
            raise refuse("stale", "", Phrase("This stake was deleted since this page was opened."))
        now.delete()
        if stake is not None:
            write_usual_stake(one, other, currency, minor_digits, stake)


def pair_of(seen: str) -> tuple[int, int]:
    """The two players, by primary key, of whose stake `stake_seen` says this; (0, 0) if it says nothing."""
    low, high, *_ = [*seen.split("-")[:2], "", ""]
    return (int(low), int(high)) if low.isdecimal() and high.isdecimal() else (0, 0)


def pairs_of(club: Club, names: Iterable[str]) -> set[tuple[int, int]]:
    """Every two players of the club among these names, by primary key as `pair_of` gives them."""
    known = Player.objects.filter(club=club, folded__in=[fold(clean(name)) for name in names])
    return set(combinations(sorted(known.values_list("pk", flat=True)), 2))


def check_usual_stakes(club: Club, pairs: Iterable[tuple[str, str]], currency: str, seen: Collection[str]) -> None:
    """Raise `LedgerError` if two players, each of these ``pairs`` by name, have another usual stake in this currency
    than one ``seen``, or none any more. ``seen`` is what `stake_seen` says of each.
    """
    pks = dict(Player.objects.filter(club=club).values_list("folded", "pk"))
    now = {stake_seen(each) for each in usual_stakes(club)}
    problems = []
    for one, other in pairs:
        low, high = sorted((pks.get(fold(one), 0), pks.get(fold(other), 0)))
        theirs = f"{low}-{high}-{currency}-"
        if any(each.startswith(theirs) for each in now.symmetric_difference(seen)):
            changed = Phrase(
                "What {one} and {other} usually play for was changed since this page was opened.", one=one, other=other
            )
            problems.append(Problem("stale", "", changed))
    if problems:
        raise LedgerError(problems)


def write_usual_stake(one: Player, other: Player, currency: str, minor_digits: int, stake: int) -> None:
    low, high = sorted((one, other), key=lambda player: player.pk)
    UsualStake.objects.create(
        club_id=one.club_id, low=low, high=high, currency=currency, minor_digits=minor_digits, stake=stake
    )


def of_pair(one: Player, other: Player) -> Q:
    low, high = sorted((one.pk, other.pk))
    return Q(low=low, high=high)


def left_stakes(player: Player, into: Player) -> list[UsualStake]:
    """The usual stakes of ``player`` that ``into`` cannot have: those against ``into``, and those for which they have
    another one against the same player.
    """
    has = {(_against(each, into).pk, each.currency): _amount(each) for each in _stakes_of(into)}
    return [
        each
        for each in _stakes_of(player)
        for other in [_against(each, player)]
        if other.pk == into.pk or has.get((other.pk, each.currency), _amount(each)) != _amount(each)
    ]


def merge_usual_stakes(player: Player, into: Player) -> None:
    """Give ``into`` the usual stakes that they lack, as part of merging the two."""
    has = {(_against(each, into).pk, each.currency) for each in _stakes_of(into)}
    for each in _stakes_of(player):
        other = _against(each, player)
        if other.pk != into.pk and (other.pk, each.currency) not in has:
            write_usual_stake(into, other, each.currency, *_amount(each))


def _stakes_of(player: Player) -> QuerySet[UsualStake]:
    return usual_stakes(player.club).filter(Q(low=player) | Q(high=player))


def _against(stake: UsualStake, player: Player) -> Player:
    return stake.high if stake.low_id == player.pk else stake.low


def _amount(stake: UsualStake) -> tuple[int, int]:
    return stake.minor_digits, stake.stake


def rules_name(name: str) -> str:
    """The name as it will be stored; raises `LedgerError` if it is empty or too long."""
    name = clean(name)
    if not name:
        raise refuse("missing", "save_as", Phrase("House rules are kept under a name."))
    if problem := length_problem(name, "save_as"):
        raise LedgerError([problem])
    return name


def rules_seen(saved: SavedRules) -> str:
    """What a page that shows saved rules says of them, so that nobody replaces or deletes others unseen."""
    text = json.dumps([saved.folded, saved.rules], sort_keys=True)
    return f"{_name_seen(saved.folded)}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _name_seen(folded: str) -> str:
    return hashlib.sha256(folded.encode()).hexdigest()[:8]


def rules_gone(name: str) -> Phrase:
    """What is said of saved rules that somebody asks for, or wants to replace, after they were deleted."""
    return Phrase("The house rules “{name}” were deleted meanwhile.", name=name)


def check_saved_rules(club: Club, name: str, seen: Collection[str], rules: HouseRules | None = None) -> None:
    """Raises `LedgerError` if rules are saved under this name that are not among those ``seen``.

    It does not if they are these ``rules``. It does if ``rules`` are to be saved under a name whose rules were seen,
    and are deleted. ``seen`` is what `rules_seen` says of each.
    """
    folded = fold(clean(name))
    found = SavedRules.objects.filter(club=club, folded=folded)
    if rules is not None and not found and any(each.startswith(f"{_name_seen(folded)}-") for each in seen):
        raise refuse("stale", "save_as", rules_gone(clean(name)))
    for saved in found:
        if rules_seen(saved) not in seen and (rules is None or not same_rules(saved.rules, rules.as_document())):
            message = (
                Phrase("Other rules were saved as “{name}” since this page was opened.", name=saved.name)
                if rules is None
                else Phrase("Other rules are saved as “{name}”. Save again to replace them.", name=saved.name)
            )
            raise refuse("stale", "save_as", message)


@contextmanager
def saved_rules_at_rest(club: Club) -> Iterator[None]:
    """A transaction in which nobody else saves or deletes house rules of the club."""
    with writing():
        lock_club(club.pk)
        yield


def save_rules(club: Club, name: str, rules: HouseRules, seen: Collection[str] | None = None) -> SavedRules:
    """Save these rules under a name, replacing any that have the same name regardless of case.

    Existing sessions and deals do not change, because they have their own copies. Raises what `check_saved_rules` does.
    """
    name = rules_name(name)
    kept = {"name": name, "rules": rules.as_document()}
    with saved_rules_at_rest(club):
        if seen is not None:
            check_saved_rules(club, name, seen, rules)
        return SavedRules.objects.update_or_create(club=club, folded=fold(name), defaults=kept)[0]


def forget_rules(club: Club, name: str, seen: Collection[str]) -> None:
    """Delete the rules saved under this name, if there are any. Raises what `check_saved_rules` does."""
    with saved_rules_at_rest(club):
        check_saved_rules(club, name, seen)
        SavedRules.objects.filter(club=club, folded=fold(clean(name))).delete()
