"""What if: deals of a session or of a club settled again under other house rules, on paper. Nothing is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from django.db.models import F, QuerySet, Sum

from scoring.game.outcome import Outcome
from scoring.ledger.load import current_revisions, stored
from scoring.models import BoardResult, Club, PairResult, Player, Revision, Seat, Session
from scoring.reads.state import seat_numbers
from scoring.rules.cards import parse_row
from scoring.rules.document import figures, score
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import HouseRules

EngineResult = Mapping[str, Any]
"""What the rules engine answers to a document (`scoring.rules.document`)."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One deal that counts: as it ``was`` settled, and as it ``would`` have been under other rules.

    Both have figures alone (`scoring.rules.document.figures`). ``would`` is None if these rules cannot take the deal;
    ``problems`` say why. A deal whose points the table entered has no cards to score, so it stays as it was. ``who``
    was dealt in, by seat number or by primary key of the player, in the order of ``document``, which is what was
    settled.
    """

    number: int
    who: Sequence[int]
    document: Mapping[str, Any]
    was: EngineResult
    would: EngineResult | None
    problems: Sequence[Problem] = ()

    @property
    def suits_missing(self) -> bool:
        """Whether the front of a legal board, by ranks alone, may have been its third flush: nobody can tell (R60)."""
        if self.by_the_table or self.would is None:
            return False
        return any(
            not parse_row(given["front"]).suited and all(parse_row(given[row]).flush for row in ("middle", "back"))
            for given, player in zip(self.document["players"], self.would["players"], strict=True)
            if not player["foul"] and not given.get("ruling")
        )

    @property
    def then(self) -> EngineResult:
        """What counts in a sum: a deal that these rules cannot take stays as it was."""
        return self.would or self.was

    @property
    def by_the_table(self) -> bool:
        """Whether the table entered the points of this deal."""
        return "points" in self.document

    @property
    def comparable(self) -> bool:
        """Whether these rules can settle the deal."""
        return self.would is not None and not self.by_the_table

    @property
    def differs(self) -> bool:
        """Whether any pair's points would have been others, or what one of them paid."""
        return _paid(self.was) != _paid(self.then)


def what_if(session: Session, rules: HouseRules, first: int, last: int) -> list[WhatIf]:
    """The deals with these numbers, at most 500, that count now, in order; void deals are left out. Four queries.

    Everything but the rules stays as it was: boards, rulings, stakes, who was in Fantasyland with how many cards, and
    the chips with which each deal began.
    """
    return [deal for _, deal in _compared(_counting(session, first, last), seat_numbers(session), rules)]


def what_if_deal(session: Session, rules: HouseRules, number: int) -> tuple[WhatIf, Outcome, Outcome] | None:
    """One deal in full: compared, as it was, and as it would have been. None if it is void.

    If these rules cannot take the deal, both outcomes have the same figures. Of a deal on paper nothing follows, so
    nobody in it goes to Fantasyland next.
    """
    for deal in stored(_counting(session, number, number), seat_numbers(session)):
        was = deal.outcome()
        if was is not None:
            it = WhatIf(number, was.seats, was.document, was.result, *_again(_in_full, was.document, rules))
            on_paper = [{**player, "fantasyland_next": 0} for player in it.then["players"]]
            document = {**was.document, "rules": it.then["rules"]}
            return it, was, replace(was, document=document, result={**it.then, "players": on_paper})
    return None


Won = tuple[int, int, int, int]
"""What somebody won: points and minor units as played, then points and minor units under other rules."""


NOTHING_WON: Final[Won] = (0, 0, 0, 0)


def added(one: Won, more: Won) -> Won:
    """Both together."""
    return one[0] + more[0], one[1] + more[1], one[2] + more[2], one[3] + more[3]


@dataclass(slots=True)
class SessionWhatIf:
    """A session of a club (by primary key) under other rules: how many ``deals`` count, and how many of them differ.

    ``won`` is by primary key of the player, of everybody who was dealt in. ``stay`` counts the deals that stay as they
    were: by the code of what these rules cannot take, or under `BY_THE_TABLE`. ``chips`` says that chips were limited.
    ``suits_missing`` counts the deals that could be scored but for a suit, if the rules pay for it.
    """

    session: int
    deals: int = 0
    differ: int = 0
    won: dict[int, Won] = field(default_factory=dict)
    stay: dict[str, int] = field(default_factory=dict)
    chips: bool = False
    suits_missing: int = 0

    def add(self, deal: WhatIf, rules: HouseRules) -> None:
        """Count one deal."""
        self.deals += 1
        self.differ += deal.differs
        self.chips = self.chips or any("stack" in player for player in deal.document["players"])
        for player, was, then in zip(deal.who, deal.was["players"], deal.then["players"], strict=True):
            won = was["points"], was["money"], then["points"], then["money"]
            self.won[player] = added(self.won.get(player, NOTHING_WON), won)
        if deal.by_the_table or deal.would is None:
            reason = BY_THE_TABLE if deal.by_the_table else deal.problems[0].code
            self.stay[reason] = self.stay.get(reason, 0) + 1
        if pays_three_flushes(rules):
            self.suits_missing += deal.suits_missing


def pays_three_flushes(rules: HouseRules) -> bool:
    """Whether the suits of a front can matter."""
    return bool(rules.naturals and rules.naturals.three_flushes)


BY_THE_TABLE: Final = "by-the-table"


@dataclass(frozen=True, slots=True)
class ClubWhatIf:
    """A club's sessions under other rules, in no order; ``names`` are those of its players by primary key."""

    sessions: Sequence[SessionWhatIf]
    names: Mapping[int, str]

    def as_document(self) -> dict[str, Any]:
        """This as JSON, which `read` reads back."""
        columns = SessionWhatIf.__slots__
        return {
            "sessions": [{name: getattr(each, name) for name in columns} for each in self.sessions],
            "names": self.names,
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_document` made, once it was JSON."""
        sessions = [
            SessionWhatIf(**{**each, "won": {int(player): tuple(won) for player, won in each["won"].items()}})
            for each in document["sessions"]
        ]
        return cls(sessions, {int(player): name for player, name in document["names"].items()})


def club_what_if(club: Club, rules: HouseRules, year: int, tell: Callable[[], None]) -> ClubWhatIf:
    """The sessions that the club opened in a year, or ever if it is 0, of which any deal counts, as `what_if` has them.

    ``tell`` is called once for each deal. Three queries for each `A_PORTION` deals, and three more.
    """
    of = Session.objects.filter(club=club, **_in(year))
    now = Revision.objects.filter(deal__session__in=of, n=F("deal__revision")).exclude(kind=Revision.Kind.VOID)
    which = list(now.order_by("pk").values_list("pk", flat=True))
    players = dict(Seat.objects.filter(session__in=of, player__isnull=False).values_list("pk", "player_id"))
    sessions: dict[int, SessionWhatIf] = {}
    for at in range(0, len(which), A_PORTION):
        portion = Revision.objects.filter(pk__in=which[at : at + A_PORTION])
        for session, deal in _compared(portion, players, rules):
            sessions.setdefault(session, SessionWhatIf(session)).add(deal, rules)
            tell()
    names = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    return ClubWhatIf(list(sessions.values()), names)


A_PORTION: Final = 500
"""So many revisions fit into the parameters of a query."""


def club_deals(club: Club, year: int) -> int:
    """Counts the deals of the club's sessions of one year, or of all if ``year`` is 0. Void ones count."""
    found = Session.objects.filter(club=club, **_in(year)).aggregate(sum=Sum("deals", default=0))
    return int(found["sum"])


def club_years(club: Club) -> list[int]:
    """The years in which the club opened sessions that have deals, the last first."""
    opened = Session.objects.filter(club=club, deals__gt=0).datetimes("opened_at", "year", order="DESC")
    return [each.year for each in opened]


def opened_in(club: Club, year: int) -> list[Session]:
    """The sessions that the club opened in a year, or ever if it is 0, the last first."""
    return list(Session.objects.filter(club=club, **_in(year)).order_by("-opened_at", "-pk"))


def _in(year: int) -> dict[str, int]:
    return {"opened_at__year": year} if year else {}


def _counting(session: Session, first: int, last: int) -> QuerySet[Revision]:
    return current_revisions(session).filter(deal__number__range=(first, last)).exclude(kind=Revision.Kind.VOID)


def _compared(revisions: QuerySet[Revision], who: Mapping[int, int], rules: HouseRules) -> Iterator[tuple[int, WhatIf]]:
    """The deals of these revisions, at most 500, each with the primary key of its session. Three queries.

    ``who`` is by primary key of the seat.
    """
    columns = ("pk", "deal__session_id", "deal__number", "document")
    found: list[Any] = list(revisions.values_list(*columns))
    which = [pk for pk, *_ in found]
    boards = _by_revision(BoardResult.objects.filter(revision__in=which), ("seat_id", *_PLAYER))
    pairs = _by_revision(PairResult.objects.filter(revision__in=which), ("first_id", "second_id", *_PAIR))
    for pk, session, number, document in found:
        names = {seat: player["name"] for (seat, *_), player in zip(boards[pk], document["players"], strict=True)}
        was = {
            "players": [
                {"name": names[seat], **dict(zip(_PLAYER, values, strict=True))} for seat, *values in boards[pk]
            ],
            "pairs": [
                {"players": [names[one], names[other]], **dict(zip(_PAIR, values, strict=True))}
                for one, other, *values in pairs[pk]
            ],
        }
        dealt_in = [who[seat] for seat in names]
        yield session, WhatIf(number, dealt_in, document, was, *_again(figures, document, rules))


def _again(
    settle: Callable[[Mapping[str, Any], HouseRules], EngineResult], document: Mapping[str, Any], rules: HouseRules
) -> tuple[EngineResult | None, Sequence[Problem]]:
    """What these rules make of a document, or why they cannot take it."""
    try:
        return settle(document, rules), ()
    except RulesError as error:
        return None, error.problems


def _in_full(document: Mapping[str, Any], rules: HouseRules) -> EngineResult:
    return score({**document, "rules": rules.as_document()})


_PLAYER: Final = ("foul", "points", "money")
_PAIR: Final = ("row_points", "bonus", "royalties", "points", "paid")
"""What a comparison reads of a result; the rest is left in the database, because most of the time goes there."""


def _by_revision(rows: QuerySet[Any], columns: Sequence[str]) -> Mapping[int, list[tuple[Any, ...]]]:
    """These columns of boards or pairs by primary key of the revision, in their order."""
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for revision, *values in rows.order_by("revision_id", "order").values_list("revision_id", *columns):
        found[revision].append(tuple(values))
    return found


def _paid(result: EngineResult) -> set[tuple[tuple[str, ...], int, int]]:
    """What each pair won and paid. Two results may have the pairs in different orders, but name each the same way."""
    return {(tuple(pair["players"]), pair["points"], pair["paid"]) for pair in result["pairs"]}
