"""What pages read, each in a number of queries that does not grow with the evening.

Seats are named by `Seat.number`, money is in minor units. `scoring.record` has what the ledger itself reads: the seats,
the table, a deal as it was settled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import Any, Final, TypeVar, cast

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet, Sum

from scoring.models import (
    BANK,
    HOUSE,
    Club,
    Deal,
    Dispute,
    Event,
    Link,
    PairStake,
    Player,
    Revision,
    SavedRules,
    Seat,
    Session,
    Total,
    Transfer,
    UsualStake,
    fold,
)
from scoring.record import (
    PLAY,
    Balance,
    Stored,
    balances,
    current_revisions,
    numbers_of,
    seats_of,
    stored,
    sums,
    table_of,
    totals_of,
)
from scoring.table import Line, Table

T = TypeVar("T")

KEPT: Final = 256
"""Sessions of which a process remembers what it found, some 20 KiB each; the one that did not move for longest goes."""


# --- The table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Banked:
    """What one seat has had from the bank and given back, in minor units; ``front`` lies in front of it."""

    bought: int
    cashed: int
    front: int


@dataclass(frozen=True, slots=True)
class State:
    """A session as it stands: every seat there ever was by number, the table, and each seat's balance."""

    seats: dict[int, Seat]
    table: Table
    balances: dict[int, Balance]
    matrix: dict[tuple[int, int], Balance]
    """Who is up how much against whom: (seat, other seat) -> points and money of the first. Both ways round."""
    bank: dict[int, Banked]
    """Every seat's account with the bank, but the bank's own."""

    @property
    def players(self) -> dict[int, str]:
        """Everybody who ever sat here, by name. A form is read by them, as one that is sent again may be about any."""
        return {number: seat.name for number, seat in self.seats.items() if number > 0}


_forgetting: list[Callable[[], None]] = []


def forget() -> None:
    """Forget what is kept of all sessions, parts of pages too, for whoever measures what finding it takes."""
    for each in _forgetting:
        each()
    cache.clear()


def kept(read: Callable[[Session], T]) -> Callable[[Session], T]:
    """What ``read`` finds in a session, found once for each version: whatever moves a session makes it another one.

    After each hand all phones ask for the same at the same moment. What they get is the same object, and only to be
    read. Of a session that is moving just then it may be what the next version has, which is asked for next.
    """
    known: dict[str, tuple[int, T]] = {}
    lock = Lock()
    _forgetting.append(known.clear)

    @wraps(read)
    def found(session: Session) -> T:
        version, what = known.get(session.public_id, (None, None))
        if version == session.version:
            return cast("T", what)
        what = read(session)
        with lock:
            known.pop(session.public_id, None)
            if len(known) >= KEPT:
                del known[next(iter(known))]
            known[session.public_id] = session.version, what
        return what

    return found


@kept
def seating(session: Session) -> tuple[list[Seat], Table]:
    """Everybody who ever sat here, and the table, in two queries."""
    seats = seats_of(session)
    return seats, table_of(session, seats)


@kept
def state(session: Session) -> State:
    """Seats, table, balances and who is up against whom, in three queries."""
    seats, table = seating(session)
    lines = sums(session, numbers_of(seats))
    of = balances(lines, (seat.number for seat in seats))
    return State(
        {seat.number: seat for seat in seats},
        table,
        of,
        matrix(lines),
        {seat.number: _banked(lines, seat.number, of[seat.number]) for seat in seats if seat.number != BANK},
    )


def _banked(lines: Sequence[Line], seat: int, balance: Balance) -> Banked:
    """A reversed line goes the other way under the same kind."""
    bought, cashed = (
        sum(line.amount * ((line.payee == seat) - (line.payer == seat)) for line in lines if line.kind == kind)
        for kind in ("buy-in", "cash-out")
    )
    return Banked(bought, -cashed, balance.chips)


def totals(session: Session) -> dict[int, Balance]:
    """Each seat's balance, of all seats that ever sat."""
    numbers = _numbers(session)
    return balances(sums(session, numbers), numbers.values())


def matrix(lines: Sequence[Line]) -> dict[tuple[int, int], Balance]:
    """Points and money that each seat has won from each other, from `sums`; pairs that never met are missing."""
    points: dict[tuple[int, int], int] = defaultdict(int)
    money: dict[tuple[int, int], int] = defaultdict(int)
    for line in lines:
        if line.kind in PLAY:
            for pair, sign in (((line.payee, line.payer), 1), ((line.payer, line.payee), -1)):
                points[pair] += sign * line.points
                money[pair] += sign * line.amount
    return {pair: Balance(points=points[pair], money=money[pair]) for pair in points}


def _numbers(session: Session) -> dict[int, int]:
    return dict(Seat.objects.filter(session=session).values_list("pk", "number"))


# --- The ledger -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Lines that are of no deal: one event's penalties, side bets, fees, buy-ins or cash-outs, or their reversal."""

    event: Event
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal in the ledger: what each dealt-in seat won, and every seat's running totals after it.

    ``adjustments`` came after it and before the next one; they are in the running totals of the next.
    """

    number: int
    revision: Revision
    disputed: bool
    points: dict[int, int]
    money: dict[int, int]
    running: dict[int, Balance]
    adjustments: tuple[Adjustment, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Part of the ledger, newest first. ``older`` is the ``before`` of the page before it, None on the oldest.

    ``opening`` are adjustments made before the first deal, on the oldest page.
    """

    hands: list[Hand]
    older: int | None
    newer: int | None
    opening: tuple[Adjustment, ...] = ()


def hands(
    session: Session, *, before: int | None = None, limit: int = 50, now: Mapping[int, Balance] | None = None
) -> Page:
    """The deals before number ``before`` (None: the newest), at most ``limit``, in a fixed number of queries.

    ``now`` are the balances of `state` or `totals`, if they are at hand: the newest page then adds up no lines again.
    """
    newest = min(session.deals, before - 1) if before is not None else session.deals
    oldest = max(1, newest - limit + 1)
    numbers = _numbers(session)
    revisions = current_revisions(session).filter(deal__number__range=(oldest, newest))
    revisions = revisions.select_related("event", "deal").defer("document", "entry", "event__action")
    deals = stored(revisions, numbers, pairs=False)
    flagged = set(_open_disputes(session).values_list("deal__number", flat=True))
    first = 0 if oldest == 1 else oldest
    between: dict[int, dict[int, list[Transfer]]] = defaultdict(lambda: defaultdict(list))
    adjusting = Transfer.objects.filter(session=session, deal_number__range=(first, newest), revision=None)
    for transfer in adjusting.select_related("event").order_by("pk"):
        between[transfer.deal_number][transfer.event.n].append(transfer)
    adjustments = {
        place: tuple(_adjustment(lines, numbers) for lines in events.values()) for place, events in between.items()
    }
    moved = [(deal, _moved(deal, numbers), adjustments.get(deal.number, ())) for deal in deals]
    if now is not None and newest == session.deals:
        running = dict(now)
        for _, gains, after in moved:
            for part in (gains, *(balances(each.lines, numbers.values()) for each in after)):
                for seat, balance in part.items():
                    running[seat] -= balance
    else:
        running = balances(sums(session, numbers, before=oldest), numbers.values())
    found = []
    for deal, gains, after in moved:
        for seat, balance in gains.items():
            running[seat] += balance
        found.append(
            Hand(
                deal.number,
                deal.revision,
                deal.number in flagged,
                {seat: gain.points for seat, gain in gains.items()},
                {seat: gain.money for seat, gain in gains.items()},
                dict(running),
                after,
            )
        )
        for adjustment in after:
            for seat, balance in balances(adjustment.lines, numbers.values()).items():
                running[seat] += balance
    return Page(
        found[::-1],
        older=oldest if oldest > 1 else None,
        newer=min(session.deals, newest + limit) + 1 if newest < session.deals else None,
        opening=adjustments.get(0, ()) if oldest == 1 else (),
    )


def _moved(deal: Stored, numbers: Mapping[int, int]) -> dict[int, Balance]:
    """What a deal did to each seat."""
    return {
        numbers[board.seat_id]: Balance(
            points=board.points, money=board.money, chips=0 if board.stack_before is None else board.money
        )
        for board in deal.boards
    }


def _adjustment(lines: Sequence[Transfer], numbers: Mapping[int, int]) -> Adjustment:
    return Adjustment(
        lines[0].event,
        tuple(
            Line(numbers[each.payer_id], numbers[each.payee_id], each.points, each.amount, each.kind, each.in_play)
            for each in lines
        ),
    )


# --- One deal, and what was done --------------------------------------------------------------------------------------


def versions(deal: Deal) -> list[Revision]:
    """Every revision of a deal, the first first, each with its event (who, when, why)."""
    return list(Revision.objects.filter(deal=deal).select_related("event", "deal").order_by("n"))


def recorded(session: Session, key: str) -> Event | None:
    """What the form with this key has done, None if it has done nothing yet."""
    return next(iter(Event.objects.filter(session=session, key=key)), None)


def settling(session: Session, number: int) -> Event | None:
    """What settled that hand, None if nothing has."""
    return Event.objects.filter(session=session, verb="settle", deal=number).first()


def version(deal: Deal, n: int | None = None, *, before: Event | None = None) -> Stored | None:
    """A deal as revision ``n`` has it, None if there is no such revision.

    Without ``n`` as it stands, or as it stood ``before`` that event.
    """
    found = Revision.objects.filter(deal=deal).select_related("event", "deal")
    found = found.filter(event__n__lt=before.n).order_by("-n") if before else found.filter(n=n or deal.revision)
    revision = found.first()
    if revision is None:
        return None
    return stored([revision], _numbers(deal.session))[0]


def disputes(session: Session) -> list[Dispute]:
    """The flags that are up, the oldest first; who raised each and why is in its ``raised`` event."""
    return list(_open_disputes(session).select_related("deal", "raised").order_by("raised__n"))


def _open_disputes(session: Session) -> QuerySet[Dispute]:
    return Dispute.objects.filter(deal__session=session, resolved=None)


@dataclass(frozen=True, slots=True)
class Happened:
    """One event in the history; ``undone_by`` is the number of the event that took it back."""

    event: Event
    undone_by: int | None


def history(
    session: Session, *, deal: int | None = None, before: int | None = None, limit: int = 50
) -> tuple[list[Happened], int | None]:
    """What was done, the newest first: about one deal if named, before event number ``before``; and the next
    ``before``.

    A deal's history includes the events that settled it again because an earlier one changed.
    """
    found = Event.objects.filter(session=session)
    if deal is not None:
        again = Revision.objects.filter(deal__session=session, deal__number=deal).values("event")
        found = found.filter(Q(deal=deal) | Q(pk__in=again))
    if before is not None:
        found = found.filter(n__lt=before)
    events = list(found.order_by("-n")[: limit + 1])
    more = len(events) > limit
    events = events[:limit]
    undone = dict(
        Event.objects.filter(session=session, undoes__in=[event.n for event in events]).values_list("undoes", "n")
    )
    return [Happened(event, undone.get(event.n)) for event in events], events[-1].n if more else None


def settled_again(session: Session, events: Sequence[int]) -> dict[int, int]:
    """How many hands each of these events settled again because an earlier one had changed."""
    again = Revision.objects.filter(event__session=session, event__n__in=events, kind=Revision.Kind.RESETTLE)
    return dict(again.order_by().values_list("event__n").annotate(Count("pk")))


def entries_changed(session: Session, events: Sequence[Event]) -> dict[int, tuple[dict[str, Any], dict[str, Any]]]:
    """What stood entered for its hand before and after each correction among these events, by event number."""
    corrected = [event.deal for event in events if event.verb == "correct" and event.deal]
    found: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
    before: dict[int, dict[str, Any]] = {}
    revisions = Revision.objects.filter(deal__session=session, deal__number__in=corrected).order_by("deal_id", "n")
    for deal, event, kind, entry in revisions.values_list("deal_id", "event__n", "kind", "entry"):
        if kind == Revision.Kind.CORRECT:
            found[event] = (before[deal], entry)
        before[deal] = entry
    return found


# --- Squaring up ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Payment:
    """One player pays another, in minor units; the house may be one of the two."""

    payer: int
    payee: int
    amount: int


def payments(of: Mapping[int, Balance]) -> list[Payment]:
    """The fewest payments that square everybody: what was won and lost, and the fees to the house. From `totals`.

    A group of k whose balances sum to zero needs k - 1 payments, so the fewest come from the most such groups; up to 12
    people they are found exactly, beyond that every payment at least squares one of its two.
    """
    owed = {seat: balance.money - balance.fees for seat, balance in of.items() if seat > 0}
    owed[HOUSE] = sum(balance.fees for seat, balance in of.items() if seat > 0)
    open_ = {seat: money for seat, money in owed.items() if money}
    groups = _zero_groups(open_) if len(open_) <= 12 else [open_]
    return [payment for group in groups for payment in _squared(group)]


def _zero_groups(owed: Mapping[int, int]) -> list[dict[int, int]]:
    """The most groups into which balances can be parted so that each sums to zero.

    Over subsets as bit masks: a subset that sums to zero is worth one more than its best part with one seat left out.
    """
    seats = sorted(owed)
    size = 1 << len(seats)
    total, most, dropped = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        low = (mask & -mask).bit_length() - 1
        total[mask] = total[mask & (mask - 1)] + owed[seats[low]]
        dropped[mask] = max(
            (bit for bit in range(len(seats)) if mask >> bit & 1), key=lambda bit: most[mask ^ (1 << bit)]
        )
        most[mask] = most[mask ^ (1 << dropped[mask])] + (total[mask] == 0)
    groups: list[dict[int, int]] = []
    mask, group = size - 1, {}
    while mask:
        seat = seats[dropped[mask]]
        group[seat] = owed[seat]
        mask ^= 1 << dropped[mask]
        if total[mask] == 0:
            groups.append(group)
            group = {}
    return groups


def _squared(owed: Mapping[int, int]) -> list[Payment]:
    """Whoever owes most pays whoever is owed most, as much as squares one of the two, until all are square."""
    left = dict(owed)
    found = []
    while any(left.values()):
        payer = min(left, key=lambda seat: (left[seat], seat))
        payee = max(left, key=lambda seat: (left[seat], -seat))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        found.append(Payment(payer, payee, amount))
    return found


# --- Whoever holds links ----------------------------------------------------------------------------------------------


def sessions_of(held: Sequence[Link], *, limit: int = 12) -> list[Session]:
    """The newest sessions that these links open, the newest first."""
    clubs = {link.club_id for link in held if link.session_id is None}
    single = {link.session_id for link in held if link.session_id is not None}
    return list(Session.objects.filter(Q(club__in=clubs) | Q(pk__in=single)).order_by("-opened_at")[:limit])


# --- The club ---------------------------------------------------------------------------------------------------------


def club_sessions(club: Club, *, skip: int = 0, limit: int = 20) -> tuple[list[Session], bool]:
    """The club's sessions, the newest first, and whether there are older ones."""
    found = list(Session.objects.filter(club=club).order_by("-opened_at", "-pk")[skip : skip + limit + 1])
    return found[:limit], len(found) > limit


def roster(club: Club) -> list[Player]:
    """Everybody of the club by name, each with the number of ``sittings`` he has had."""
    players: list[Player] = []
    for player in Player.objects.filter(club=club).annotate(times=Count("seats")).order_by("folded"):
        player.sittings = player.times
        players.append(player)
    return players


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a session was played in the end: what `ledger.start_session` takes, seats in clockwise order."""

    names: list[str]
    button: int
    stake: int
    currency: str
    minor_digits: int
    pair_stakes: list[tuple[int, int, int]]
    rules: dict[str, Any]


def last_time(club: Club) -> Terms | None:
    """The terms of the club's newest session, with who sat there last, by the names that they have now.

    Whoever has retired since is left out; if nearly everybody had got up, all that sat there sit again.
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
    places = {seat.pk: place for place, seat in enumerate(seats, 1)}
    numbers = [seat.number for seat in seats]
    stakes = PairStake.objects.filter(session=session, low__in=seats, high__in=seats)
    return Terms(
        names=[seat.player.name for seat in seats if seat.player],
        button=numbers.index(session.button) + 1 if session.button in numbers else len(seats),
        stake=session.stake,
        currency=session.currency,
        minor_digits=session.minor_digits,
        pair_stakes=[(places[stake.low_id], places[stake.high_id], stake.stake) for stake in stakes],
        rules=session.rules,
    )


def saved_rules(club: Club) -> list[SavedRules]:
    """The house rules that the club keeps, by name."""
    return list(SavedRules.objects.filter(club=club).order_by("folded"))


def usual_stakes(club: Club, currency: str, names: Sequence[str]) -> list[tuple[int, int, int]]:
    """What pairs of these people usually play for: (seat, seat, minor units), seats as listed from 1."""
    places = {fold(name): place for place, name in enumerate(names, 1)}
    found = UsualStake.objects.filter(club=club, currency=currency).select_related("low", "high")
    return [
        (places[stake.low.folded], places[stake.high.folded], stake.stake)
        for stake in found
        if stake.low.folded in places and stake.high.folded in places
    ]


def links_of(club: Club, session: Session | None = None) -> list[Link]:
    """The standing links to the club, or to one of its sessions, the newest first."""
    found = Link.objects.filter(club=club, session=session, revoked_at=None).select_related("seat")
    return list(found.order_by("-made_at", "-pk"))


def sessions_with_links(club: Club) -> list[tuple[Session, int]]:
    """The club's sessions that links of their own still lead to, the newest first, and how many."""
    standing = Count("links", filter=Q(links__revoked_at=None))
    found = Session.objects.filter(club=club).annotate(standing=standing).filter(standing__gt=0)
    return [(session, session.standing) for session in found.order_by("-opened_at", "-pk")]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's totals over every session of his club in one currency."""

    player: str
    currency: str
    minor_digits: int
    sessions: int
    deals: int
    points: int
    money: int
    fees: int


def standings(club: Club) -> list[Standing]:
    """All-time totals, most money first: frozen ones of closed sessions, and the lines of those still open."""
    kept: dict[tuple[int, str, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    grouped = Total.objects.filter(club=club).order_by().values_list("player_id", "currency", "minor_digits")
    for player, currency, digits, *found in grouped.annotate(
        Count("pk"), Sum("deals"), Sum("points"), Sum("money"), Sum("fees")
    ):
        for name, value in zip(("sessions", "deals", "points", "money", "fees"), found, strict=True):
            kept[player, currency, digits][name] += int(value)
    for total in _open_totals(club):
        one = kept[total.player_id, total.currency, total.minor_digits]
        one["sessions"] += 1
        for name in ("deals", "points", "money", "fees"):
            one[name] += getattr(total, name)
    names = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    found = [Standing(names[player], currency, digits, **one) for (player, currency, digits), one in kept.items()]
    return sorted(found, key=lambda standing: (-standing.money, -standing.points, standing.player))


def _open_totals(club: Club) -> list[Total]:
    """What closing the open sessions now would freeze; there are seldom more than one."""
    return [
        total
        for session in Session.objects.filter(club=club, closed_at=None)
        for total in totals_of(session, Seat.objects.filter(session=session))
    ]
