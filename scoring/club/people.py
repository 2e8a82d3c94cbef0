"""Renames a club and its players, retires players, and merges two that are one person."""

from __future__ import annotations

from datetime import date

from django.db.models import Q
from django.utils import timezone

from scoring.actions.checks import length_problem, name_problem
from scoring.club.lock import check_there, lock_club, lock_club_and_sessions
from scoring.club.pay_addresses import merge_pay_addresses
from scoring.club.terms import of_pair, usual_stakes, write_usual_stake
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import CLUB_NAME_LENGTH
from scoring.game.text import clean, fold
from scoring.models import Club, Merged, Player, Seat, Session, Total, UsualStake
from scoring.rules.phrase import Phrase
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


def retire(player: Player, *, retired: bool = True) -> None:
    """Stop offering the player a seat, or offer it again; their results stay."""
    with writing():
        lock_club(player.club_id)
        Player.objects.filter(pk=player.pk).update(retired_at=timezone.now() if retired else None)


class _Day(date):
    """A day in English, which `scoring.wording.phrases` says in the reader's language."""

    def __str__(self) -> str:
        return f"{self.day} {self:%B %Y}"


def merge(player: Player, into: Player) -> None:
    """Merge two players who are one person: everything of ``player`` becomes ``into``'s, and ``player`` is deleted.

    Raises `LedgerError` if both sat in the same session, because they are then two people.
    """
    with writing():
        club = lock_club_and_sessions(player.club_id)
        if player.pk == into.pk or into.club_id != club.pk:
            raise refuse("unknown-player", "into", Phrase("Put together two different players of this club."))
        check_there(player, into)
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
        Seat.objects.filter(player=player).update(player=into)
        Total.objects.filter(player=player).update(player=into)
        Merged.objects.filter(player=player).update(player=into)
        Merged.objects.create(club=club, gone=player.pk, player=into)
        for stake in UsualStake.objects.filter(Q(low=player) | Q(high=player)):
            other = stake.high if stake.low_id == player.pk else stake.low
            if (
                other.pk != into.pk
                and not usual_stakes(club).filter(of_pair(into, other), currency=stake.currency).exists()
            ):
                write_usual_stake(into, other, stake.currency, stake.minor_digits, stake.stake)
        merge_pay_addresses(player, into)
        Player.objects.filter(pk=player.pk).delete()
