"""What a host does to the club itself: its name, people, usual stakes, saved rules, and deletions.

What was played is deleted by whole sessions or not at all; nothing else here changes it, and a seat keeps the name that
its player had when he sat down.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import connection, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from scoring import live
from scoring.append_only import erasing
from scoring.models import NAME_LENGTH, Club, Event, Player, SavedRules, Seat, Session, Total, UsualStake, clean, fold
from scoring.rules.errors import Problem
from scoring.rules.houserules import HouseRules
from scoring.table import LedgerError, refuse


def found() -> Club:
    """A club that has not met yet."""
    return Club.objects.create()


def rename(club: Club, name: str) -> None:
    """Call the club something else; an empty name is none."""
    name = clean(name)
    if len(name) > 80:
        raise refuse("bad-value", "name", "A name is at most 80 characters.")
    Club.objects.filter(pk=club.pk).update(name=name)


# --- People -----------------------------------------------------------------------------------------------------------


def rename_player(player: Player, name: str) -> None:
    """From now on he goes by this name. If somebody else of the club has it, they may be one person: see `merge`."""
    name = clean(name)
    if not name:
        raise refuse("missing", "name", "Everybody needs a name.")
    if fold(name) in ("bank", "house"):
        raise refuse("duplicate-name", "name", f"The ledger itself has a {name}: choose another name.")
    if len(name) > NAME_LENGTH:
        raise refuse("bad-value", "name", f"A name is at most {NAME_LENGTH} characters.")
    with transaction.atomic():
        _locked(player.club)
        if Player.objects.filter(club=player.club, folded=fold(name)).exclude(pk=player.pk).exists():
            raise refuse(
                "duplicate-name", "name", f"There is another {name}. If both are one person, put them together."
            )
        Player.objects.filter(pk=player.pk).update(name=name, folded=fold(name))


def retire(player: Player, *, retired: bool = True) -> None:
    """He is no longer offered a seat, or is again; what he won and lost stays."""
    Player.objects.filter(pk=player.pk).update(retired_at=timezone.now() if retired else None)


def merge(player: Player, into: Player) -> None:
    """Two names were one person: everything that ``player`` ever did was ``into``'s, and his name is gone.

    Refused where both sat in one session: then they are two.
    """
    with transaction.atomic():
        club = _locked(player.club)
        if player.pk == into.pk or into.club_id != club.pk:
            raise refuse("unknown-player", "into", "Put together two different players of this club.")
        sessions = Session.objects.filter(seats__player=player).filter(
            pk__in=Seat.objects.filter(player=into).values("session")
        )
        if both := sessions.order_by("-opened_at").first():
            when = timezone.localtime(both.opened_at)
            raise refuse(
                "duplicate-name",
                "into",
                f"{player.name} and {into.name} both sat at the table on {when.day} {when:%B %Y}: they are two people.",
            )
        Seat.objects.filter(player=player).update(player=into)
        Total.objects.filter(player=player).update(player=into)
        for stake in UsualStake.objects.filter(Q(low=player) | Q(high=player)):
            other = stake.high if stake.low_id == player.pk else stake.low
            if (
                other.pk != into.pk
                and not usual_stakes(club).filter(_of(into, other), currency=stake.currency).exists()
            ):
                _set(into, other, stake.currency, stake.minor_digits, stake.stake)
        Player.objects.filter(pk=player.pk).delete()


# --- Usual stakes -----------------------------------------------------------------------------------------------------


def usual_stakes(club: Club) -> QuerySet[UsualStake]:
    """Those that are set, each with its two players."""
    return (
        UsualStake.objects.filter(club=club)
        .select_related("low", "high")
        .order_by("low__name", "high__name", "currency")
    )


def set_usual_stake(one: Player, other: Player, *, currency: str, minor_digits: int, stake: int | None) -> None:
    """What two players play for in every new session in this currency; None: for the stake of all again."""
    if one.pk == other.pk or one.club_id != other.club_id:
        raise LedgerError([Problem("unknown-player", "other", "A stake is for two different players of this club.")])
    with transaction.atomic():
        _locked(one.club)
        UsualStake.objects.filter(_of(one, other), currency=currency).delete()
        if stake is not None:
            _set(one, other, currency, minor_digits, stake)


def _set(one: Player, other: Player, currency: str, minor_digits: int, stake: int) -> None:
    low, high = sorted((one, other), key=lambda player: player.pk)
    UsualStake.objects.create(
        club_id=one.club_id, low=low, high=high, currency=currency, minor_digits=minor_digits, stake=stake
    )


def _of(one: Player, other: Player) -> Q:
    low, high = sorted((one.pk, other.pk))
    return Q(low=low, high=high)


# --- House rules under a name -----------------------------------------------------------------------------------------


def rules_name(name: str) -> str:
    """The name as it will stand; raises `LedgerError` for one that cannot."""
    name = clean(name)
    if not name:
        raise refuse("missing", "save_as", "House rules are kept under a name.")
    if len(name) > NAME_LENGTH:
        raise refuse("bad-value", "save_as", f"A name is at most {NAME_LENGTH} characters.")
    return name


def save_rules(club: Club, name: str, rules: HouseRules) -> SavedRules:
    """Keep these rules under a name; what had that name, whatever its case, is replaced.

    What is being played, or has been, stays as it is: sessions and deals have their own copies.
    """
    name = rules_name(name)
    kept = {"name": name, "rules": rules.as_document()}
    return SavedRules.objects.update_or_create(club=club, folded=fold(name), defaults=kept)[0]


def forget_rules(club: Club, name: str) -> None:
    """Keep no rules under this name any more; nothing happens if none were."""
    SavedRules.objects.filter(club=club, folded=fold(clean(name))).delete()


# --- The end ----------------------------------------------------------------------------------------------------------


def erase(club: Club) -> None:
    """Everything of the club is gone for good: sessions, ledger, people, links.

    Besides `drop_idle` nothing else deletes what was played, but for an operator who empties the whole database.
    """
    with transaction.atomic():
        _locked(club)
        for public_id, version in Session.objects.filter(club=club).values_list("public_id", "version"):
            live.moved(public_id, version + 1)  # open pages ask, and hear that there is nothing any more
        with erasing(connection):
            Session.objects.filter(club=club).delete()
            club.delete()


def idle_since(moment: datetime) -> QuerySet[Session]:
    """Sessions in which nothing has happened since."""
    last = Event.objects.filter(session=OuterRef("pk")).order_by("-n").values("at")[:1]
    return Session.objects.annotate(last=Subquery(last)).filter(last__lt=moment)


def drop_idle(moment: datetime) -> Iterator[Session]:
    """Delete every session in which nothing has happened since, one by one as this is read, and clubs left with none.

    What its players had won and lost in it is gone from the standings as well; with its last session a club goes whole,
    as by `erase`. Yields each session after it is gone, or was not idle any more when its turn came.
    """
    for session in idle_since(moment).select_related("club").order_by("pk"):
        with transaction.atomic():
            _locked(session.club)
            if idle_since(moment).filter(pk=session.pk).exists():
                with erasing(connection):
                    session.delete()
                    if not Session.objects.filter(club=session.club_id).exists():
                        session.club.delete()
        yield session


def _locked(club: Club) -> Club:
    return Club.objects.select_for_update().get(pk=club.pk)
