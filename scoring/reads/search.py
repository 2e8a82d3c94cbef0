"""Finds deals of a session: by player, foul, Fantasyland, royalty, dispute, correction, or how big they were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, QuerySet

from scoring.ledger.load import current_revisions
from scoring.models import BoardResult, Dispute, Revision, Session
from scoring.reads.deals import corrected_deals
from scoring.reads.state import seat_numbers

ANY_ROW: Final = "any"


@dataclass(frozen=True, slots=True)
class Sought:
    """What makes a deal one of those that are sought: everything that is set here. False if nothing is.

    What is set of a board (``foul``, ``fantasyland`` and ``row``) has to be so of one and the same board, that of
    ``seat`` if it is not 0. ``row`` is a row or `ANY_ROW`, with a royalty of at least ``least`` points. ``disputed``
    and ``corrected`` deals stay so when the dispute is resolved or the correction undone. ``biggest`` puts the biggest
    deals first. A void deal has no boards: nobody's board and no size finds it.
    """

    seat: int = 0
    foul: bool = False
    fantasyland: bool = False
    row: str = ""
    least: int = 1
    disputed: bool = False
    corrected: bool = False
    void: bool = False
    biggest: bool = False

    def __bool__(self) -> bool:
        return self != Sought()

    @property
    def of_a_board(self) -> bool:
        """Whether anything is sought that only a board has."""
        return bool(self.seat or self.foul or self.fantasyland or self.row)


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A deal that was sought: what each dealt-in seat won, and whether it is disputed now, or was until that ended."""

    number: int
    void: bool
    disputed: bool
    was_disputed: bool
    corrected: bool
    note: str
    points: dict[int, int]
    money: dict[int, int]


def search(session: Session, sought: Sought) -> list[FoundDeal]:
    """Every deal that is sought, in five queries: the newest first or, if that is sought, the biggest.

    A deal is as big as the most points that one of its players won. If a seat is sought, that is what they won or lost.
    """
    numbers = seat_numbers(session)
    boards = _boards(session, sought)
    open_now: dict[int, bool] = {}
    disputes = Dispute.objects.filter(deal__session=session).order_by("pk")
    for number, resolved in disputes.values_list("deal__number", "resolved_id"):
        open_now[number] = resolved is None
    corrected = corrected_deals(session, 1, session.deals)
    found: list[tuple[int, FoundDeal]] = []
    stand: QuerySet[Any] = current_revisions(session).order_by("-deal__number")
    for number, kind, note in stand.values_list("deal__number", "kind", "note"):
        played = boards[number]
        fits = [board for board in played if _fits(board, numbers[board.seat_id], sought)]
        if (
            (sought.void and kind != Revision.Kind.VOID)
            or (sought.disputed and number not in open_now)
            or (sought.corrected and number not in corrected)
            or (sought.of_a_board and not fits)
            or (sought.biggest and not played)
        ):
            continue
        deal = FoundDeal(
            number,
            kind == Revision.Kind.VOID,
            open_now.get(number, False),
            number in open_now and not open_now[number],
            number in corrected,
            note,
            {numbers[board.seat_id]: board.points for board in played},
            {numbers[board.seat_id]: board.money for board in played},
        )
        found.append((_size(fits, sought) if sought.seat else _size(played, sought), deal))
    if sought.biggest:
        found.sort(key=lambda each: -each[0])
    return [deal for _, deal in found]


def _boards(session: Session, sought: Sought) -> Mapping[int, Sequence[Any]]:
    """The boards that count, by deal. Their rows are read only if a royalty is sought, because they are most of it."""
    boards: QuerySet[Any] = BoardResult.objects.filter(
        revision__deal__session=session, revision__n=F("revision__deal__revision")
    ).annotate(number=F("revision__deal__number"))
    columns = ["number", "seat_id", "points", "money", "foul", "fantasyland_cards", *(["rows"] if sought.row else [])]
    found: dict[int, list[Any]] = defaultdict(list)
    for board in boards.order_by("number", "order").values_list(*columns, named=True):
        found[board.number].append(board)
    return found


def _size(boards: Sequence[Any], sought: Sought) -> int:
    return max((abs(board.points) if sought.seat else board.points for board in boards), default=0)


def _fits(board: Any, seat: int, sought: Sought) -> bool:
    return (
        sought.seat in (0, seat)
        and (not sought.foul or board.foul)
        and (not sought.fantasyland or board.fantasyland_cards > 0)
        and (not sought.row or any(royalty >= sought.least for royalty in _royalties(board.rows or {}, sought.row)))
    )


def _royalties(rows: Mapping[str, Mapping[str, Any] | None], row: str) -> Iterator[int]:
    """The royalties of one row, or of each; a row that was not whole has none."""
    for name, result in rows.items():
        if result and row in (ANY_ROW, name):
            yield result["royalty"]
