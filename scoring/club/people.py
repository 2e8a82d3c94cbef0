"""Renames a club and its players, retires players, and merges two that are one person."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils import timezone

from scoring.actions.checks import length_problem, name_problem
from scoring.club.lock import check_there, lock_club, lock_club_and_sessions
from scoring.club.pay_addresses import left_addresses, merge_pay_addresses
from scoring.club.terms import left_stakes, merge_usual_stakes, stake_seen
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import CLUB_NAME_LENGTH
from scoring.game.text import clean, fold
from scoring.models import Club, Merged, PayAddress, Player, Seat, Session, Total, UsualStake
from scoring.rules.errors import Problem
from scoring.rules.phrase import Names, Phrase
from scoring.transactions import writing


def new_club() -> Club:
    """Create a club that has no sessions yet."""
    with writing():
        return Club.objects.create()


def rename(club: Club, name: str, *, was: str | None = None) -> None:
    """Rename the club; an empty name leaves it unnamed.

    Raises `LedgerError` beyond 80 characters, and if it no longer has the name that it ``was`` seen to have.
    """
    name = clean(name)
    if problem := length_problem(name, "name", CLUB_NAME_LENGTH):
        raise LedgerError([problem])
    with writing():
        _check_name(lock_club(club.pk), name, was)
        Club.objects.filter(pk=club.pk).update(name=name)


def rename_player(player: Player, name: str, *, was: str | None = None) -> None:
    """Give the player another name.

    Raises `LedgerError` if it is invalid or another player has it (see `merge`), and if the player no longer has the
    name that it ``was`` seen to be.
    """
    name = clean(name)
    if problem := name_problem(name, "name"):
        raise LedgerError([problem])
    with writing():
        lock_club(player.club_id)
        check_there(player)
        _check_name(Player.objects.get(pk=player.pk), name, was)
        if Player.objects.filter(club=player.club_id, folded=fold(name)).exclude(pk=player.pk).exists():
            raise refuse(
                "duplicate-name",
                "name",
                Phrase("There is another {name}. If both are one person, put them together.", name=name),
            )
        Player.objects.filter(pk=player.pk).update(name=name, folded=fold(name))


def _check_name(now: Club | Player, name: str, was: str | None) -> None:
    """Raise `LedgerError` if somebody else has given it a third name. There is no check if ``was`` is None."""
    if was is not None and now.name not in (name, was):
        raise refuse("stale", "", Phrase("The name was changed since this page was opened."))


def retire(player: Player, *, retired: bool = True, names: str = "") -> None:
    """Stop offering the player a seat, or offer it again; their results stay. If that is so already, nothing happens.

    Raises what `check_names` does for the ``names`` that the page knew, since the player may be called otherwise now.
    """
    with writing():
        club = lock_club(player.club_id)
        found = Player.objects.filter(pk=player.pk, retired_at__isnull=retired)
        if found.exists():
            check_names(club, (), names)
            found.update(retired_at=timezone.now() if retired else None)


class _Day(date):
    """A day in English, which `scoring.wording.phrases` says in the reader's language."""

    def __str__(self) -> str:
        return f"{self.day} {self:%B %Y}"


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """What `merge` deletes with a player, because the other one has another address or stake in its place."""

    addresses: list[PayAddress]
    stakes: list[UsualStake]

    @property
    def seen(self) -> str:
        """What a page that shows this says of it, so that nothing is deleted unseen."""
        addresses = [(each.kind, each.value) for each in self.addresses]
        return hashlib.sha256(json.dumps([addresses, [*map(stake_seen, self.stakes)]]).encode()).hexdigest()[:16]

    def __bool__(self) -> bool:
        return bool(self.addresses or self.stakes)


def left_behind(player: Player, into: Player) -> LeftBehind:
    """What merging ``player`` into the other one would delete."""
    return LeftBehind(left_addresses(player, into), left_stakes(player, into))


def merge(player: Player, into: Player, *, seen: str | None = None, names: str = "") -> None:
    """Merge two players who are one person: everything of ``player`` becomes ``into``'s, and ``player`` is deleted.

    Raises `LedgerError` if both sat in the same session, because they are then two people, if this deletes what has
    not been ``seen``, as `LeftBehind` says it (None does not look), and what `check_names` does for the ``names`` that
    the page knew, since these two may be others than those who were chosen.
    """
    with writing():
        club = lock_club_and_sessions(player.club_id)
        if player.pk == into.pk or into.club_id != club.pk:
            raise refuse("unknown-player", "into", Phrase("Put together two different players of this club."))
        check_there(player, into)
        check_names(club, (), names)
        sessions = Session.objects.filter(seats__player=player).filter(
            pk__in=Seat.objects.filter(player=into).values("session")
        )
        if both := sessions.order_by("-opened_at").first():
            when = timezone.localtime(both.opened_at)
            raise refuse(
                "duplicate-name",
                "into",
                Phrase(
                    "{one} and {other} both sat at the table on {day}: they are two people.",
                    one=player.name,
                    other=into.name,
                    day=_Day(when.year, when.month, when.day),
                ),
            )
        left = left_behind(player, into)
        if seen is not None and left and left.seen != seen:
            raise refuse("stale", "", Phrase("Not everything can be kept. See below what would be deleted."))
        Seat.objects.filter(player=player).update(player=into)
        Total.objects.filter(player=player).update(player=into)
        Merged.objects.filter(player=player).update(player=into)
        Merged.objects.create(club=club, gone=player.pk, player=into)
        merge_usual_stakes(player, into)
        merge_pay_addresses(player, into)
        Player.objects.filter(pk=player.pk).delete()


def names_seen(club: Club) -> str:
    """What a page on which people type names says of those that the club has, for `names_at_rest`."""
    return _names_seen(club, _EVERYONE)


_EVERYONE: Final = 2**63 - 1


def _names_seen(club: Club, last: int) -> str:
    """This of the players up to the primary key ``last``: newcomers do not change whom the other names mean."""
    players = Player.objects.filter(club=club, pk__lte=last).order_by("pk").values_list("pk", "folded", "retired_at")
    names = [(pk, folded, retired_at is None) for pk, folded, retired_at in players]
    return f"{names[-1][0] if names else 0}-{hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]}"


def check_names(club: Club, names: Iterable[str], seen: str) -> None:
    """Raise `LedgerError` if players were renamed, merged, archived or restored since a page was shown that had
    ``seen`` of `names_seen`: one of these ``names`` may be nobody's now, or somebody else's. An empty ``seen`` is that
    of a page that knew nothing.
    """
    last = seen.partition("-")[0]
    if not seen or seen == _names_seen(club, int(last) if last.isdecimal() and len(last) < 19 else _EVERYONE):
        return
    typed = {fold(clean(name)): clean(name) for name in names}
    known = set(Player.objects.filter(club=club, folded__in=typed).values_list("folded", flat=True))
    changed = Phrase("Players were renamed, merged or archived since this page was opened. Check the names.")
    problems = [Problem("stale", "", changed)]
    if new := [name for folded, name in typed.items() if folded and folded not in known]:
        problems.append(Problem("stale", "", Phrase("New to the club would be: {names}.", names=Names(new))))
    raise LedgerError(problems)


@contextmanager
def names_at_rest(club: Club, names: Iterable[str], seen: str) -> Iterator[None]:
    """A transaction in which nobody else renames, merges or archives players of the club. Raises what `check_names`
    does.
    """
    with writing():
        lock_club(club.pk)
        check_names(club, names, seen)
        yield
