"""The club's sessions, players, links and standings."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from django.db.models import Count, F, Q, Sum

from scoring.game.lines import LineKind
from scoring.game.text import fold
from scoring.ledger.load import totals_of
from scoring.models import Club, Link, Merged, PairStake, Player, SavedRules, Seat, Session, Total, Transfer, UsualStake


def sessions_of(held: Sequence[Link], *, limit: int = 12) -> list[Session]:
    """The sessions that these links open, newest first, at most ``limit``."""
    clubs = {link.club_id for link in held if link.session_id is None}
    single = {link.session_id for link in held if link.session_id is not None}
    return list(Session.objects.filter(Q(club__in=clubs) | Q(pk__in=single)).order_by("-opened_at")[:limit])


def club_sessions(club: Club, *, skip: int = 0, limit: int = 20) -> tuple[list[Session], bool]:
    """A page of the club's sessions, newest first, and whether there are older ones."""
    found = list(Session.objects.filter(club=club).order_by("-opened_at", "-pk")[skip : skip + limit + 1])
    return found[:limit], len(found) > limit


def open_again(club: Club) -> list[Session]:
    """The sessions that were on the tab until they were opened again."""
    return list(Session.objects.filter(club=club, on_tab=True, closed_at=None).order_by("opened_at"))


def put_together(club: Club, players: Iterable[int]) -> bool:
    """Whether any of these, by primary key, has been put together with another player of the club."""
    return Merged.objects.filter(club=club, gone__in=players).exists()


def started(key: str) -> bool:
    """Whether the form with this key has started a session."""
    return Session.objects.filter(key=key).exists()


def last_played(clubs: Sequence[Club]) -> Club | None:
    """Which of these clubs started a session last; None if none of them has."""
    newest = Session.objects.filter(club__in=clubs).order_by("-opened_at", "-pk").first() if clubs else None
    return next((club for club in clubs if newest and club.pk == newest.club_id), None)


def roster(club: Club) -> list[Player]:
    """The club's players in order of name."""
    return list(Player.objects.filter(club=club).order_by("folded"))


@dataclass(frozen=True, slots=True)
class Terms:
    """A session's terms as they finally were, in the shape that `ledger.start_session` takes; seats are clockwise.

    ``buy_in`` is for how much most of its players bought in first, 0 if it was played on credit; ``cash`` whether most
    of them paid for these chips on the spot.
    """

    names: list[str]
    button: int
    stake: int
    currency: str
    minor_digits: int
    pair_stakes: list[tuple[int, int, int]]
    rules: dict[str, Any]
    buy_in: int
    cash: bool

    @property
    def seen(self) -> str:
        """What a page that offers them says of them, so that nobody plays by others unseen. The button moves with each
        deal, so it does not count.
        """
        terms = asdict(replace(self, button=0, pair_stakes=sorted(self.pair_stakes)))
        return hashlib.sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()[:16]


def last_time(club: Club, *, everybody: bool = False) -> Terms | None:
    """The terms of the club's newest session, with the players still at its table, under their current names.

    Players who have retired since are left out. With ``everybody`` those who had left the table follow, as they do if
    fewer than two are left at it. None if the club has had no session.
    """
    session = Session.objects.filter(club=club).order_by("-opened_at", "-pk").first()
    if session is None:
        return None
    people = Seat.objects.filter(session=session, kind=Seat.Kind.PLAYER, player__retired_at=None).select_related(
        "player"
    )
    seats = sorted((seat for seat in people if seat.position is not None), key=lambda seat: seat.position or 0)
    if len(seats) < 2:
        seats = sorted(people, key=lambda seat: seat.number)
    elif everybody:
        seats += sorted((seat for seat in people if seat.position is None), key=lambda seat: seat.number)
    places = {seat.pk: place for place, seat in enumerate(seats, 1)}
    numbers = [seat.number for seat in seats]
    stakes = PairStake.objects.filter(session=session, low__in=seats, high__in=seats)
    buy_in, cash = _first_buy_in(session) if session.stacks else (0, False)
    return Terms(
        names=[seat.player.name for seat in seats if seat.player],
        button=numbers.index(session.button) + 1 if session.button in numbers else len(seats),
        stake=session.stake,
        currency=session.currency,
        minor_digits=session.minor_digits,
        pair_stakes=[(places[stake.low_id], places[stake.high_id], stake.stake) for stake in stakes],
        rules=session.rules,
        buy_in=buy_in,
        cash=cash,
    )


def _first_buy_in(session: Session) -> tuple[int, bool]:
    """The amount for which most players bought in first, and whether most of them paid it; without what was undone."""
    lines = Transfer.objects.filter(session=session, reverses=None, reversed_by=None)
    first: dict[int, tuple[int, int]] = {}
    bought = lines.filter(kind=LineKind.BUY_IN).order_by("event__n", "pk")
    for seat, event, amount in bought.values_list("payee", "event", "amount"):
        first.setdefault(seat, (event, amount))
    if not first:
        return 0, False
    usual = Counter(amount for _event, amount in first.values()).most_common(1)[0][0]
    paid = set(lines.filter(kind=LineKind.CASH).values_list("payer", "event"))
    in_cash = [(seat, event) in paid for seat, (event, amount) in first.items() if amount == usual]
    return usual, 2 * sum(in_cash) > len(in_cash)


def saved_rules(club: Club) -> list[SavedRules]:
    """The house rules that the club keeps, in order of name."""
    return list(SavedRules.objects.filter(club=club).order_by("folded"))


def stakes_among(club: Club, currency: str, minor_digits: int, names: Sequence[str]) -> list[tuple[int, int, int]]:
    """Usual stakes of these people as (seat, seat, minor units per point); seats are places in ``names`` from 1.

    A stake that was set when the currency had other digits is left out, because its minor units are worth other money.
    """
    places = {fold(name): place for place, name in enumerate(names, 1)}
    those = UsualStake.objects.filter(club=club, currency=currency, minor_digits=minor_digits)
    return [
        (places[stake.low.folded], places[stake.high.folded], stake.stake)
        for stake in those.select_related("low", "high")
        if stake.low.folded in places and stake.high.folded in places
    ]


def links_of(club: Club, session: Session | None = None) -> list[Link]:
    """The links to the club, or to one of its sessions, that are not revoked, newest first."""
    found = Link.objects.filter(club=club, session=session, revoked_at=None).select_related("seat")
    return list(found.order_by("-made_at", "-pk"))


def sessions_with_links(club: Club) -> list[tuple[Session, int]]:
    """The sessions that have unrevoked links of their own, newest first, each with the number of those links."""
    unrevoked = Count("links", filter=Q(links__revoked_at=None))
    found = Session.objects.filter(club=club).annotate(unrevoked=unrevoked).filter(unrevoked__gt=0)
    return [(session, session.unrevoked) for session in found.order_by("-opened_at", "-pk")]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's totals over every session of their club in one currency; money and fees are in minor units.

    ``sessions`` are those in which a deal of theirs counts. Without any, they only sat there, or paid something.
    """

    player: str
    currency: str
    minor_digits: int
    sessions: int
    deals: int
    points: int
    money: int
    fees: int


def standings(club: Club) -> list[Standing]:
    """All-time totals, most money first: frozen totals of closed sessions plus the lines of open ones."""
    kept: dict[tuple[int, str, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    grouped = Total.objects.filter(club=club).order_by().values_list("player_id", "currency", "minor_digits")
    sums = {alias: half for name in _SUMMED for alias, half in _halves(name).items()}
    for player, currency, digits, sessions, deals, *halves in grouped.annotate(
        sessions=Count("pk", filter=Q(deals__gt=0)), deals=Sum("deals"), **sums
    ):
        one = kept[player, currency, digits]
        one |= {"sessions": sessions, "deals": int(deals)}
        for name, high, low in zip(_SUMMED, halves[::2], halves[1::2], strict=True):
            one[name] = int(high) * _HALF + int(low)
    for total in _open_totals(club):
        one = kept[total.player_id, total.currency, total.minor_digits]
        one["sessions"] += total.deals > 0
        for name in ("deals", "points", "money", "fees"):
            one[name] += getattr(total, name)
    names = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    found = [Standing(names[player], currency, digits, **one) for (player, currency, digits), one in kept.items()]
    return sorted(found, key=lambda standing: (-standing.money, -standing.points, standing.player))


_SUMMED: Final = ("points", "money", "fees")

_HALF: Final = 10**9
"""Sums are made in two halves, because a sum of columns of 64 bits may need more of them than SQLite has."""


def _halves(name: str) -> dict[str, Sum]:
    return {f"{name}_high": Sum(F(name) / _HALF), f"{name}_low": Sum(F(name) % _HALF)}


def results(club: Club) -> Iterator[Total]:
    """Everyone's totals in each session, oldest session first; those of open sessions, unsaved, come last."""
    kept = Total.objects.filter(club=club).order_by("session__opened_at", "session", "pk")
    yield from kept.iterator(_AT_ONCE)
    yield from _open_totals(club)


_AT_ONCE: Final = 1000
"""Rows that are fetched into memory at once."""


def _open_totals(club: Club) -> list[Total]:
    """The totals that closing the open sessions now would freeze; there is seldom more than one such session."""
    return [
        total
        for session in Session.objects.filter(club=club, closed_at=None).order_by("opened_at", "pk")
        for total in totals_of(session, Seat.objects.filter(session=session))
    ]
