"""What stood out in a session: the best hand, the longest Fantasyland, the fouls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import F, QuerySet

from scoring.ledger.load import Stored, current_revisions, stored
from scoring.models import BoardResult, Session
from scoring.reads.cache import cached_by_version
from scoring.reads.state import seat_numbers

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Feat:
    """Something that a seat did in the deals ``first`` to ``last``, which are one deal for all but a run of deals."""

    seat: int
    first: int
    last: int
    figure: int


@dataclass(frozen=True, slots=True)
class Highlights:
    """What stood out. Each list has the feats that share the highest figure, in the order of the deals.

    ``best`` won the most points in one deal, and ``deal`` is the first of these deals. ``royalties`` are those of one
    board. ``fantasyland`` was dealt the most times in a row, over the deals in which the seat was dealt in. ``fouls``
    counts them by seat.
    """

    best: list[Feat]
    royalties: list[Feat]
    fantasyland: list[Feat]
    fouls: Counter[int]
    deal: Stored | None


@cached_by_version
def highlights(session: Session) -> Highlights:
    """What stood out in the deals as they count now; void deals have no boards.

    It reads a few columns of every board once, which takes no longer than to ask the database for each highlight.
    """
    numbers = seat_numbers(session)
    boards: QuerySet[Any] = BoardResult.objects.filter(
        revision__deal__session=session, revision__n=F("revision__deal__revision")
    ).annotate(number=F("revision__deal__number"))
    columns = ("number", "seat_id", "points", "royalties", "fantasyland_cards", "foul")
    played = list(boards.order_by("number", "order").values_list(*columns, named=True))

    def most(column: str) -> list[Feat]:
        figure = attrgetter(column)
        return [Feat(numbers[each.seat_id], each.number, each.number, figure(each)) for each in _most(played, figure)]

    best = most("points")
    deals = current_revisions(session).filter(deal__number=best[0].first) if best else []
    runs = _runs((numbers[each.seat_id], each.number, each.fantasyland_cards > 0) for each in played)
    return Highlights(
        best=best,
        royalties=most("royalties"),
        fantasyland=_most(list(runs), attrgetter("figure")),
        fouls=Counter(numbers[each.seat_id] for each in played if each.foul),
        deal=next(iter(stored(deals, numbers)), None),
    )


def _most(found: Sequence[T], figure: Callable[[T], int]) -> list[T]:
    """Those with the highest figure, if that is more than nothing."""
    most = max(map(figure, found), default=0)
    return [each for each in found if figure(each) == most > 0]


def _runs(dealt: Iterable[tuple[int, int, bool]]) -> Iterator[Feat]:
    """How many deals in a row each seat had Fantasyland, after each of these deals."""
    runs: dict[int, Feat] = {}
    for seat, number, fantasyland in dealt:
        run = runs.pop(seat, None)
        if fantasyland:
            runs[seat] = Feat(seat, run.first if run else number, number, run.figure + 1 if run else 1)
            yield runs[seat]
