"""Reads a session back from its rows: the table as it stands, each deal as it was settled, sums and totals.

The ledger works on these, the audit checks them, and the pages show them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.db.models import BigIntegerField, Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Cast, Coalesce

from scoring.actions import ACTIONS
from scoring.actions.evening import ChooseTab, Close
from scoring.game.balances import balances
from scoring.game.entry import Entry, pair
from scoring.game.lines import Line, LineKind
from scoring.game.outcome import Gain, Outcome
from scoring.game.table import Chair, Table
from scoring.models import BoardResult, Event, LineSum, PairResult, PairStake, Revision, Seat, Session, Total, Transfer
from scoring.rules.houserules import resolve
from scoring.statements import Prepared

IDLE_VERBS: Final = frozenset(verb for verb, action in ACTIONS.items() if action.idle)
"""The verbs of actions that do not change what the next deal depends on."""


def changed_since(session: Session, version: int) -> bool:
    """Whether the table has changed after ``version``. Disputes do not count, because anyone may raise one."""
    if version == session.version:
        return False
    return version > session.version or changes_since(session, version).exists()


def changes_since(session: Session, version: int) -> QuerySet[Event]:
    """The events after ``version`` that changed the table."""
    return Event.objects.filter(session=session, n__gt=version).exclude(verb__in=IDLE_VERBS)


def tab_of(event: Event) -> tuple[bool, int]:
    """Whether the session is on the club's tab since this close or choice, and to what coin payments are rounded."""
    if event.verb == Close.verb:
        close = Close.read(event.action)
        return close.tab, close.coin
    chosen = ChooseTab.read(event.action)
    return chosen.on, chosen.coin


def seats_of(session: Session) -> list[Seat]:
    """Every seat the session has had, by number, each with ``chips`` set (minor units in front of it, 0 on credit)."""
    if not session.stacks:
        on_credit = _SEATS(session.pk)
        for seat in on_credit:
            seat.chips = 0
        return on_credit

    def sum_of(side: str) -> Coalesce:
        lines = LineSum.objects.filter(session=session, in_play=True, **{side: OuterRef("pk")})
        return Coalesce(Subquery(lines.order_by().values(side).annotate(total=Sum("amount")).values("total")), 0)

    chips = Cast(sum_of("payee") - sum_of("payer"), BigIntegerField())
    seats: list[Seat] = []
    for seat in Seat.objects.filter(session=session).annotate(in_front=chips).order_by("number"):
        seat.chips = seat.in_front
        seats.append(seat)
    return seats


_SEATS: Final = Prepared(Seat, lambda session: Seat.objects.filter(session=session).order_by("number"))
_STAKES: Final = Prepared(PairStake, lambda session: PairStake.objects.filter(session=session))


def table_of(session: Session, seats: Sequence[Seat]) -> Table:
    """The table as stored, built from the `seats_of` result and one more query."""
    numbers = {seat.pk: seat.number for seat in seats}
    players = sorted((seat for seat in seats if seat.position is not None), key=lambda seat: seat.position or 0)
    return Table(
        chairs=tuple(Chair(seat.number, seat.name, seat.sitting_out) for seat in players),
        button=session.button,
        stake=session.stake,
        rules=resolve(session.rules),
        pair_stakes={pair(numbers[stake.low_id], numbers[stake.high_id]): stake.stake for stake in _STAKES(session.pk)},
        fantasyland={seat.number: seat.fantasyland_cards for seat in players if seat.fantasyland_cards},
        held=session.held,
        stacks={seat.number: seat.chips for seat in seats if seat.number > 0 and seat.chips}
        if session.stacks
        else None,
        note=session.note,
        dealt=frozenset(session.dealt),
        orbits=session.orbits,
        names={seat.number: seat.name for seat in seats if seat.number > 0},
        cash=session.cash,
    )


def current_revisions(session: Session) -> QuerySet[Revision]:
    """The revision of each deal that counts now, in the order of the deals' numbers."""
    return (
        Revision.objects.filter(deal__session=session, n=F("deal__revision"))
        .select_related("deal")
        .order_by("deal__number")
    )


@dataclass(frozen=True)
class Stored:
    """A deal as one revision has it: `boards` are clockwise from under the gun, `pairs` in the order of settlement.

    Both hold named tuples with the columns of these models, because making thousands of models takes several times as
    long.
    """

    revision: Revision
    boards: Sequence[BoardResult]
    pairs: Sequence[PairResult]
    numbers: Mapping[int, int]  # seat number by database id

    @property
    def number(self) -> int:
        """The deal's number."""
        return self.revision.deal.number

    @cached_property
    def entry(self) -> Entry:
        """What was entered."""
        return Entry.read(self.revision.entry)

    def gains(self) -> dict[int, Gain]:
        """By seat number, the money that the deal moved and the Fantasyland cards it earned."""
        return {self.numbers[board.seat_id]: Gain(board.money, board.fantasyland_next) for board in self.boards}

    def outcome(self) -> Outcome | None:
        """The deal as it was settled, in the shape of an unsaved outcome; None while it is void. Needs `pairs`."""
        return self._outcome(self.result())

    def winnings(self) -> Outcome | None:
        """The same with what each player won as its whole result, for which no `pairs` need be loaded."""
        won = [
            {"name": name, **{key: getattr(board, column) for key, column in _WON.items()}}
            for board, name in self._boards_and_names()
        ]
        return self._outcome({"players": won})

    def result(self) -> dict[str, Any] | None:
        """What the engine answered when the deal was settled; None while it is void. Needs `pairs`."""
        document = self.revision.document
        if document is None:
            return None
        names = {board.seat_id: name for board, name in self._boards_and_names()}
        return {
            "version": 1,
            "rules": document["rules"],
            "players": [_player(board, names[board.seat_id], scored="points" not in document) for board in self.boards],
            "pairs": [_pair(result, names) for result in self.pairs],
        }

    def _outcome(self, result: dict[str, Any] | None) -> Outcome | None:
        document = self.revision.document
        if document is None or result is None:
            return None
        seats = tuple(self.numbers[board.seat_id] for board in self.boards)
        return Outcome(seats, self.revision.button, self.entry, self.revision.note, document, result)

    def _boards_and_names(self) -> list[tuple[BoardResult, str]]:
        """Each board with its player's name in this deal; none while the deal is void."""
        players = self.revision.document["players"] if self.revision.document else []
        return [(board, player["name"]) for board, player in zip(self.boards, players, strict=True)]


_WON: Final = {
    "points": "points",
    "money": "money",
    "stack": "stack_after",
    "fantasyland_next": "fantasyland_next",
}
"""What each player won in a deal: keys of the score document's answer, and their columns."""


def _player(board: BoardResult, name: str, *, scored: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name}
    if scored:
        found |= {
            "foul": board.foul,
            "foul_reason": board.foul_reason or None,
            "rows": board.rows,
            "royalties": board.royalties,
            "fantasyland_next": board.fantasyland_next,
        }
    return {**found, "points": board.points, "money": board.money, "stack": board.stack_after, "busted": board.busted}


def _pair(result: PairResult, names: Mapping[int, str]) -> dict[str, Any]:
    first, second = names[result.first_id], names[result.second_id]
    payer, payee = (None, None) if not result.points else (second, first) if result.points > 0 else (first, second)
    return {
        "order": result.order,
        "players": [first, second],
        **{
            name: getattr(result, name)
            for name in ("rows", "row_points", "bonus", "royalties", "points", "stake", "owed", "paid")
        },
        "payer": payer,
        "payee": payee,
        "why": result.why,
    }


def stored(revisions: Iterable[Revision], numbers: Mapping[int, int], *, pairs: bool = True) -> list[Stored]:
    """Revisions with their boards and pairs, in one query per table.

    With ``pairs=False``, boards load only the columns in `_GAINS` (money, points and Fantasyland).
    """
    revisions = list(revisions)
    boards: dict[int, list[BoardResult]] = defaultdict(list)
    results: dict[int, list[PairResult]] = defaultdict(list)
    if revisions:
        which = _only(revisions)
        found: QuerySet[Any] = BoardResult.objects.filter(which).order_by("revision_id", "order")
        for board in found.values_list(*(_BOARD if pairs else _GAINS), named=True):
            boards[board.revision_id].append(board)
        if pairs:
            found = PairResult.objects.filter(which).order_by("revision_id", "order")
            for result in found.values_list(*_PAIR, named=True):
                results[result.revision_id].append(result)
    return [Stored(revision, boards[revision.pk], results[revision.pk], numbers) for revision in revisions]


_BOARD: Final = tuple(field.attname for field in BoardResult._meta.concrete_fields)
_PAIR: Final = tuple(field.attname for field in PairResult._meta.concrete_fields)
_GAINS: Final = ("revision_id", "seat_id", "fantasyland_cards", "stack_before", *_WON.values())


def _only(revisions: Sequence[Revision]) -> Q:
    """Selects the rows of these revisions.

    More than 500 would exceed a query's parameters; then it selects those of all the session's current revisions.
    """
    if len(revisions) <= 500:
        return Q(revision__in=revisions)
    session = revisions[0].deal.session_id
    return Q(revision__deal__session=session, revision__n=F("revision__deal__revision"))


def last_counted(deal: Stored) -> Stored:
    """A deal as it was when it last counted; a void deal has no boards of its own."""
    revisions = Revision.objects.filter(deal=deal.revision.deal).exclude(kind=Revision.Kind.VOID)
    found = revisions.select_related("deal").order_by("-n")[:1]
    return stored(found, deal.numbers, pairs=False)[0]


def sums(session: Session, numbers: Mapping[int, int], *, before: int | None = None) -> list[Line]:
    """A session's lines summed by payer, payee, kind and in_play, in one query; ``before`` keeps only earlier deals."""
    by = ("payer_id", "payee_id", "kind", "in_play")
    summed: Iterable[tuple[Any, ...]]
    if before is None:
        summed = LineSum.objects.filter(session=session).values_list(*by, "points", "amount")
    else:
        lines = Transfer.objects.filter(session=session, deal_number__lt=before).order_by().values_list(*by)
        summed = lines.annotate(Sum("points"), Sum("amount"))
    return [
        Line(numbers[payer], numbers[payee], int(points), int(amount), LineKind(kind), in_play)
        for payer, payee, kind, in_play, points, amount in summed
    ]


def recorded(session: Session, key: str) -> Event | None:
    """The event that the form with this key recorded, None if it has recorded none yet."""
    return next(iter(_EVENTS(key, session.pk)), None)


_EVENTS: Final = Prepared(Event, lambda key, session: Event.objects.filter(key=key, session=session))


def cash_stands(session: Session, lines: Iterable[Line]) -> bool:
    """Whether the bank has taken or paid money for chips, and not only taken that back, in one query at most.

    ``lines`` are the session's `sums`. They tell that no money ever moved; they do not tell a buy-in that was undone
    from a buy-in and a cash-out that both stand.
    """
    if all(line.kind is not LineKind.CASH for line in lines):
        return False
    moved = Transfer.objects.filter(session=session, kind=LineKind.CASH)
    return moved.filter(reverses=None, reversed_by=None).exists()


def totals_of(session: Session, seats: Iterable[Seat]) -> list[Total]:
    """Each player's totals in a session, unsaved, as closing the session freezes them.

    Players are those who sit at the table, were dealt in, or paid or got something. Nobody else was there: a name that
    was mistyped, and its joining undone, keeps its seat number but is no player.
    """
    seats = list(seats)
    numbers = numbers_of(seats)
    lines = sums(session, numbers)
    of = balances(lines, numbers.values())
    paid = {seat for line in lines for seat in (line.payer, line.payee)}
    played = dict(
        BoardResult.objects.filter(revision__deal__session=session, revision__n=F("revision__deal__revision"))
        .order_by()
        .values_list("seat_id")
        .annotate(deals=Count("pk"))
    )
    return [
        Total(
            club_id=session.club_id,
            session=session,
            player_id=seat.player_id,
            currency=session.currency,
            minor_digits=session.minor_digits,
            deals=played.get(seat.pk, 0),
            points=of[seat.number].points,
            money=of[seat.number].money,
            fees=of[seat.number].fees,
        )
        for seat in seats
        if seat.player_id is not None and (seat.position is not None or seat.pk in played or seat.number in paid)
    ]


def numbers_of(seats: Iterable[Seat]) -> dict[int, int]:
    """Seat number by database id."""
    return {seat.pk: seat.number for seat in seats}


def deals_of(session: Session, numbers: Mapping[int, int], *, pairs: bool = False) -> dict[int, Stored]:
    """Every deal of a session as it stands now, by number."""
    return {deal.number: deal for deal in stored(current_revisions(session), numbers, pairs=pairs)}
