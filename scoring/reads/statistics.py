"""Statistics of players: over one session, and over all sessions of their club. `docs/statistics.md` defines them."""

from __future__ import annotations

import json
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db.models import (
    Aggregate,
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    TextField,
    When,
)
from django.db.models.functions import Cast

from scoring.game.lines import WON_IN_PLAY
from scoring.models import BoardResult, Club, LineSum, PairResult, Player, Seat, Session
from scoring.reads.cache import cached_by_version
from scoring.reads.state import seat_numbers

ROWS: Final = ("front", "middle", "back")

Currency = tuple[str, int]
"""A currency's code and its number of minor digits."""

Three = tuple[int, int, int]
"""A figure for each row: front, middle, back."""


NO_ROYALTIES: Final[Three] = (0, 0, 0)

FEW: Final = 20
"""A rate over fewer deals says so."""


class PlayedDeal(NamedTuple):
    """One player's part in one deal that counts. ``session`` and ``seat`` are primary keys.

    ``place`` is 1 for the first player after the button. ``cards`` is how many cards were dealt at once, 0 for none.
    ``scored`` says that the app scored boards, and ``royalties`` are theirs, row by row. ``against`` says that anyone
    in the deal was in Fantasyland.
    """

    session: int
    number: int
    seat: int
    place: int
    points: int
    money: int
    foul: bool
    cards: int
    scored: bool
    royalties: Three
    against: bool


class Run(NamedTuple):
    """Deals of one player that followed each other, ``length`` of them: from the first to the last one.

    Both deals are (primary key of the session, number).
    """

    length: int
    first: tuple[int, int]
    last: tuple[int, int]


@dataclass(slots=True)
class Result:
    """What was won or lost in so many deals, in points and in minor units of each currency.

    ``deals_for`` says how many of the deals were played for each currency.
    """

    deals: int = 0
    points: int = 0
    money: dict[Currency, int] = field(default_factory=dict)
    deals_for: dict[Currency, int] = field(default_factory=dict)

    def add(self, deals: int, points: int, money: int, currency: Currency) -> None:
        """Count so many more deals, and what they came to."""
        self.deals += deals
        self.points += points
        self.money[currency] = self.money.get(currency, 0) + money
        self.deals_for[currency] = self.deals_for.get(currency, 0) + deals


@dataclass(slots=True)
class Figures:
    """What one player's deals add up to.

    ``boards`` counts the deals whose boards the app scored, of which ``fouls`` were fouled; ``royalties`` are sums over
    them. ``entered`` and ``stayed`` add up to the deals in Fantasyland. ``places`` are by place after the button. A run
    or a best deal is None if there is none.
    """

    result: Result = field(default_factory=Result)
    boards: int = 0
    fouls: int = 0
    royalties: Three = (0, 0, 0)
    entered: int = 0
    stayed: int = 0
    longest: Run | None = None
    in_fantasyland: Result = field(default_factory=Result)
    against: Result = field(default_factory=Result)
    best: PlayedDeal | None = None
    worst: PlayedDeal | None = None
    won_in_a_row: Run | None = None
    lost_in_a_row: Run | None = None
    places: dict[int, Result] = field(default_factory=dict)


@dataclass(slots=True)
class Pair:
    """What one player did against another, or against all others, pair by pair.

    ``compared`` counts the pairs of legal boards whose rows were compared, ``won`` and ``lost`` are their rows.
    ``scored`` counts the pairs of deals whose boards the app scored, of which ``taken`` and ``given`` were scoops.
    """

    deals: int = 0
    compared: int = 0
    won: Three = (0, 0, 0)
    lost: Three = (0, 0, 0)
    scored: int = 0
    taken: int = 0
    given: int = 0

    def add(self, rows: Three | None, row_points: int, deals: int, *, scored: bool) -> None:
        """Count so many pairs of the same outcome; ``rows`` are 1 for won, 0 for tied and -1 for lost."""
        self.deals += deals
        if rows is not None:
            self.compared += deals
            front, middle, back = (deals * (row > 0) for row in rows)
            self.won = (self.won[0] + front, self.won[1] + middle, self.won[2] + back)
            front, middle, back = (deals * (row < 0) for row in rows)
            self.lost = (self.lost[0] + front, self.lost[1] + middle, self.lost[2] + back)
        if scored:
            self.scored += deals
            self.taken += deals * (row_points == SCOOP)
            self.given += deals * (row_points == -SCOOP)


SCOOP: Final = 3
"""Row points of a pair in which one won all three rows, or in which a legal board met a foul."""


@dataclass(frozen=True, slots=True)
class SessionStatistics:
    """Figures by seat number, of everyone who was dealt in. ``pairs`` have both directions, and ``rows`` their sums."""

    figures: Mapping[int, Figures]
    rows: Mapping[int, Pair]
    pairs: Mapping[tuple[int, int], Pair]
    currency: Currency


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a player won or lost in one session, penalties and side bets included; ``money`` is in minor units."""

    session: int
    points: int
    money: int


@dataclass(frozen=True, slots=True)
class Versus:
    """A player against another one over all sessions; points and money include penalties and side bets."""

    name: str
    pair: Pair
    points: int
    money: Mapping[Currency, int]


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """A player's figures over all sessions of the club, those that are open as they stand.

    ``played`` counts the sessions in which they were dealt in. ``sessions`` are by primary key. ``best`` and ``worst``
    are None if nothing was won, or lost, in any. ``others`` are in order of points, the most first.
    """

    figures: Figures
    played: int
    rows: Pair
    best: Sitting | None
    worst: Sitting | None
    others: Sequence[Versus]
    sessions: Mapping[int, Session]


@cached_by_version
def session_statistics(session: Session) -> SessionStatistics:
    """The statistics of a session, in three queries."""
    numbers = seat_numbers(session)
    currency = (session.currency, session.minor_digits)
    deals: dict[int, list[PlayedDeal]] = defaultdict(list)
    for deal in _deals(Q(revision__deal__session=session)):
        deals[numbers[deal.seat]].append(deal)
    pairs: dict[tuple[int, int], Pair] = defaultdict(Pair)
    rows: dict[int, Pair] = defaultdict(Pair)
    for first, second, *outcome in _pairs(Q(revision__deal__session=session), "first_id", "second_id"):
        for one, other, sign in ((numbers[first], numbers[second], 1), (numbers[second], numbers[first], -1)):
            _count(pairs[one, other], sign, outcome)
            _count(rows[one], sign, outcome)
    return SessionStatistics(
        {seat: figures(dealt, {session.pk: currency}) for seat, dealt in sorted(deals.items())},
        dict(rows),
        dict(pairs),
        currency,
    )


def player_statistics(player: Player) -> PlayerStatistics:
    """The player's statistics, in seven queries."""
    sessions = {
        session.pk: session
        for session in Session.objects.filter(seats__player=player).only(
            "public_id", "name", "currency", "minor_digits", "opened_at"
        )
    }
    order = {pk: place for place, pk in enumerate(sorted(sessions, key=lambda pk: (sessions[pk].opened_at, pk)))}
    currencies = {pk: (session.currency, session.minor_digits) for pk, session in sessions.items()}
    deals = sorted(_deals(Q(seat__player=player)), key=lambda deal: (order[deal.session], deal.number))
    rows = Pair()
    against: dict[int, Pair] = defaultdict(Pair)
    for side, sign in (("first", 1), ("second", -1)):
        other = "second__player_id" if side == "first" else "first__player_id"
        for opponent, *outcome in _pairs(Q(**{f"{side}__player": player}), other):
            _count(against[opponent], sign, outcome)
            _count(rows, sign, outcome)
    points: dict[int, int] = defaultdict(int)
    money: dict[int, int] = defaultdict(int)
    points_of: dict[int, int] = defaultdict(int)
    money_of: dict[int, dict[Currency, int]] = defaultdict(lambda: defaultdict(int))
    for side, other, sign in (("payee", "payer", 1), ("payer", "payee", -1)):
        lines = LineSum.objects.filter(**{f"{side}__player": player}, kind__in=WON_IN_PLAY)
        for session, opponent, won, amount in lines.values_list("session_id", f"{other}__player", "points", "amount"):
            points[session] += sign * won
            money[session] += sign * amount
            if opponent is not None:  # the bank wins and loses by a final count, and is no player
                points_of[opponent] += sign * won
                money_of[opponent][currencies[session]] += sign * amount
    evenings = [Sitting(pk, points[pk], money[pk]) for pk in sorted(points, key=order.__getitem__)]
    met = against.keys() | points_of.keys()
    names = dict(Player.objects.filter(club=player.club_id).values_list("pk", "name"))
    others = [Versus(names[pk], against[pk], points_of[pk], dict(money_of[pk])) for pk in met]
    return PlayerStatistics(
        figures=figures(deals, currencies),
        played=len({deal.session for deal in deals}),
        rows=rows,
        best=max((each for each in evenings if each.points > 0), key=lambda each: each.points, default=None),
        worst=min((each for each in evenings if each.points < 0), key=lambda each: each.points, default=None),
        others=sorted(others, key=lambda each: (-each.points, each.name)),
        sessions=sessions,
    )


@dataclass(frozen=True, slots=True)
class Played:
    """In how many sessions and deals a player of the club was dealt in, and the points of these deals."""

    player: int
    name: str
    sessions: int
    deals: int
    points: int


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """The highest figure of the club, and who reached it first: in the deals ``first`` to ``last`` of ``session``.

    ``currency`` is that of a figure in minor units, None of all others. For the most fouls in a session both deals are
    0.
    """

    figure: int
    name: str
    session: Session
    first: int
    last: int
    currency: Currency | None = None


@dataclass(frozen=True, slots=True)
class ClubStatistics:
    """The club's records, those that are open as they stand, and who has played. A record is None before it is set.

    ``pots`` are what one player won in one deal, the most in each currency. ``players`` are in order of deals, the most
    first.
    """

    sessions: int
    deals: int
    royalties: ClubRecord | None
    fantasyland: ClubRecord | None
    pots: Sequence[ClubRecord]
    fouls: ClubRecord | None
    players: Sequence[Played]


class _Joined(Aggregate):
    """Texts of a group, joined by commas, in no order."""

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="STRING_AGG(%(expressions)s, ',')", **context)


class _Sat(NamedTuple):
    """What one seat did in its session; ``numbers`` are those of its deals, below 0 of those in Fantasyland.

    In ``began`` of its deals it was the first after the button, as one player of every deal is.
    """

    seat: int
    player: int
    session: int
    deals: int
    began: int
    points: int
    fouls: int
    fantasyland: int
    royalties: int
    pot: int
    numbers: str


def club_statistics(club: Club) -> ClubStatistics:
    """The statistics of a club, in six queries, of which one reads every board once."""
    currencies = _currencies(club)
    order = {pk: place for place, pk in enumerate(currencies)}
    seats = sorted(_seats_of(club), key=lambda each: (order[each.session], each.seat))
    of: dict[Currency, list[_Sat]] = defaultdict(list)
    for each in seats:
        of[currencies[each.session]].append(each)
    best: dict[str | Currency, list[_Sat]] = {
        "royalties": _first(seats, lambda each: each.royalties),
        **{currency: _first(those, lambda each: each.pot) for currency, those in of.items()},
    }
    fouls = _first(seats, lambda each: each.fouls)[:1]
    stay, by = _longest_stay(seats)
    holders = [one for those in best.values() for one in those]
    wanted = {each.session for each in (*holders, *fouls, *([by] if by else []))}
    sessions = Session.objects.in_bulk(wanted)
    names = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    deals = _deals_of(holders)

    def record(figure: int, by: _Sat, first: int = 0, last: int = 0, currency: Currency | None = None) -> ClubRecord:
        return ClubRecord(figure, names[by.player], sessions[by.session], first, last or first, currency)

    def in_a_deal(what: str | Currency) -> ClubRecord | None:
        """The first deal with the highest figure; those who reached it are in the same session."""
        column, currency = ("royalties", None) if isinstance(what, str) else ("money", what)
        figure = {one.seat: one.royalties if currency is None else one.pot for one in best[what]}
        found = [deal for deal in deals if getattr(deal, column) == figure.get(deal.seat_id)]
        if not found:
            return None
        by = next(one for one in best[what] if one.seat == found[0].seat_id)
        return record(figure[by.seat], by, found[0].number, currency=currency)

    return ClubStatistics(
        sessions=len({each.session for each in seats}),
        deals=sum(each.began for each in seats),
        royalties=in_a_deal("royalties"),
        fantasyland=record(stay.length, by, stay.first[1], stay.last[1]) if stay and by else None,
        pots=[pot for currency in sorted(of) if (pot := in_a_deal(currency))],
        fouls=record(fouls[0].fouls, fouls[0]) if fouls else None,
        players=_played(seats, names),
    )


def _currencies(club: Club) -> dict[int, Currency]:
    """The currency of each of the club's sessions, in the order in which they were opened."""
    sessions = Session.objects.filter(club=club).order_by("opened_at", "pk")
    return {pk: (code, digits) for pk, code, digits in sessions.values_list("pk", "currency", "minor_digits")}


def _seats_of(club: Club) -> list[_Sat]:
    """What each seat of the club's sessions did, from every board as it counts now; in no order."""
    number = Cast("revision__deal__number", IntegerField())
    now = BoardResult.objects.filter(revision__deal__session__club=club, revision__n=F("revision__deal__revision"))
    who = {
        pk: (player, session)
        for pk, player, session in Seat.objects.filter(session__club=club).values_list("pk", "player_id", "session_id")
    }
    boards: QuerySet[Any] = now.order_by().values_list("seat_id")
    return [
        _Sat(seat, *who[seat], *row)
        for seat, *row in boards.annotate(
            deals=Count("*"),  # no column that would have to be sorted along
            began=Count(Case(When(order=1, then=1))),
            won=Sum("points"),
            fouled=Count(Case(When(foul=True, then=1))),
            inside=Count(Case(When(fantasyland_cards__gt=0, then=1))),
            highest=Max("royalties"),
            pot=Max("money"),
            numbers=_Joined(Cast(Case(When(fantasyland_cards__gt=0, then=-number), default=number), TextField())),
        )
    ]


def _played(seats: Iterable[_Sat], names: Mapping[int, str]) -> list[Played]:
    """What each player did in all their seats, those with the most deals first."""
    players: dict[int, list[_Sat]] = defaultdict(list)
    for each in seats:
        players[each.player].append(each)
    found = (
        Played(player, names[player], len(those), sum(each.deals for each in those), sum(each.points for each in those))
        for player, those in players.items()
    )
    return sorted(found, key=lambda each: (-each.deals, each.name))


def _first(seats: Sequence[_Sat], figure: Callable[[_Sat], int]) -> list[_Sat]:
    """Those with the highest figure in the first session that has it; none if it is not above 0."""
    most = max(map(figure, seats), default=0)
    those = [each for each in seats if figure(each) == most > 0]
    return [each for each in those if each.session == those[0].session]


def _deals_of(seats: Sequence[_Sat]) -> list[Any]:
    """What these seats won in each deal, in the order of deals and of play."""
    boards: QuerySet[Any] = BoardResult.objects.filter(
        seat__in={each.seat for each in seats}, revision__n=F("revision__deal__revision")
    ).annotate(number=F("revision__deal__number"))
    return list(boards.order_by("number", "order").values_list("seat_id", "number", "royalties", "money", named=True))


def _longest_stay(seats: Sequence[_Sat]) -> tuple[Run | None, _Sat | None]:
    """The first one of the longest Fantasylands, and whose it was; ``seats`` are in order of their sessions.

    Only those who were there often enough are looked at, since reading the numbers of all deals takes long.
    """
    longest: Run | None = None
    by: _Sat | None = None
    first = (0, 0, 0)
    places = {each.session: place for place, each in enumerate(seats)}
    for place, each in sorted(enumerate(seats), key=lambda one: -one[1].fantasyland):
        if each.fantasyland < (longest.length if longest else 1):
            break
        numbers = [int(number) for number in each.numbers.split(",")]
        inside = sorted(-number for number in numbers if number < 0)
        between = sorted(number for number in numbers if number > 0)
        run: list[int] = []
        for number in inside:
            if run and bisect(between, number) != bisect(between, run[-1]):
                run = []
            run.append(number)
            began = (places[each.session], run[0], place)
            if longest is None or len(run) > longest.length or (len(run) == longest.length and began < first):
                longest, by, first = Run(len(run), (each.session, run[0]), (each.session, run[-1])), each, began
    return longest, by


def figures(deals: Sequence[PlayedDeal], currencies: Mapping[int, Currency]) -> Figures:
    """What a player's deals, in order of time, add up to. ``currencies`` are by primary key of the session."""
    found = Figures(boards=sum(deal.scored for deal in deals), fouls=sum(deal.foul for deal in deals))
    kinds: dict[tuple[int, int, bool, bool], list[int]] = {}
    for deal in deals:
        kind = (deal.session, deal.place, deal.cards > 0, deal.against)
        sums = kinds.setdefault(kind, [0, 0, 0])
        sums[0] += 1
        sums[1] += deal.points
        sums[2] += deal.money
    for (session, place, inside, against), (often, points, money) in kinds.items():
        counted = [found.result, found.places.setdefault(place, Result())]
        if inside or against:
            counted.append(found.in_fantasyland if inside else found.against)
        for result in counted:
            result.add(often, points, money, currencies[session])
    paid = [deal.royalties for deal in deals if deal.royalties != NO_ROYALTIES]
    found.royalties = (sum(row[0] for row in paid), sum(row[1] for row in paid), sum(row[2] for row in paid))
    stays = [
        run
        for _, dealt in groupby(deals, key=attrgetter("session"))
        for run in _runs(dealt, lambda deal: deal.cards > 0)
    ]
    found.entered = len(stays)
    found.stayed = sum(run.length for run in stays) - len(stays)
    found.longest = _longest(stays)
    found.best = max((deal for deal in deals if deal.points > 0), key=lambda deal: deal.points, default=None)
    found.worst = min((deal for deal in deals if deal.points < 0), key=lambda deal: deal.points, default=None)
    found.won_in_a_row = _longest(_runs(deals, lambda deal: deal.points > 0))
    found.lost_in_a_row = _longest(_runs(deals, lambda deal: deal.points < 0))
    found.places = dict(sorted(found.places.items()))
    return found


def _runs(deals: Iterable[PlayedDeal], true: Callable[[PlayedDeal], bool]) -> list[Run]:
    """The deals in a row of which it is true."""
    found = []
    for is_true, run in groupby(deals, key=true):
        if is_true:
            these = list(run)
            found.append(Run(len(these), these[0][:2], these[-1][:2]))
    return found


def _longest(runs: Iterable[Run]) -> Run | None:
    """The longest run, the first one of those that are as long."""
    return max(runs, key=lambda run: run.length, default=None)


def _count(pair: Pair, sign: int, outcome: Sequence[Any]) -> None:
    """Counts pairs of one outcome, which is stored from the first player's point of view."""
    rows, row_points, scored, deals = outcome
    of = _compared(rows) if rows else None
    won = (sign * of[0], sign * of[1], sign * of[2]) if of else None
    pair.add(won, sign * row_points, deals, scored=scored)


@lru_cache(maxsize=64)
def _compared(rows: str) -> Three | None:
    """The rows of a pair as the database has them: JSON, of which there are few texts."""
    of = json.loads(rows)
    return (of["front"], of["middle"], of["back"]) if of else None


def _pairs(which: Q, *players: str) -> QuerySet[Any]:
    """How often each outcome occurred: the columns ``players``, rows as text, row points, scored, and how often."""
    now: QuerySet[Any] = PairResult.objects.filter(
        which, revision__n=F("revision__deal__revision"), revision__boards__seat=F("first")
    )
    scored = ExpressionWrapper(Q(revision__boards__rows__isnull=False), BooleanField())
    named: QuerySet[Any] = now.annotate(compared=Cast("rows", TextField()), scored=scored).order_by()
    counted: QuerySet[Any] = named.values_list(*players, "compared", "row_points", "scored").annotate(Count("pk"))
    return counted


def _deals(which: Q) -> list[PlayedDeal]:
    """These boards of deals as they count now, in the order of the deals of each session; void deals have none."""
    others = BoardResult.objects.filter(revision=OuterRef("revision"), fantasyland_cards__gt=0)
    boards: QuerySet[Any] = BoardResult.objects.filter(which, revision__n=F("revision__deal__revision")).annotate(
        scored=ExpressionWrapper(Q(rows__isnull=False), BooleanField()),
        # Only boards with royalties are read whole, because that takes longer than all else.
        paid=Case(When(~Q(royalties=0), then=F("rows"))),
        against=Exists(others),
    )
    columns = (
        "revision__deal__session_id", "revision__deal__number", "seat_id", "order", "points", "money", "foul",
        "fantasyland_cards", "scored", "paid", "against",
    )  # fmt: skip
    rows = boards.order_by("revision__deal__session_id", "revision__deal__number", "order").values_list(*columns)
    return [
        PlayedDeal(session, number, seat, order, points, money, foul, cards, scored, royalties_of(paid), against)
        for session, number, seat, order, points, money, foul, cards, scored, paid, against in rows
    ]


def royalties_of(rows: Mapping[str, Any] | None) -> Three:
    """The royalties of a board, row by row; none without ``rows``, as the score document answers them."""
    if rows is None:
        return NO_ROYALTIES
    front, middle, back = (rows[row]["royalty"] if rows[row] else 0 for row in ROWS)
    return front, middle, back


def rounded(sum_: int, of: int) -> int:
    """A quotient, rounded to the nearest whole number, and half a one away from zero; 0 of none."""
    if not of:
        return 0
    return (2 * abs(sum_) + of) // (2 * of) * (1 if sum_ > 0 else -1)
