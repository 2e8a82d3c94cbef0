"""Writes the rows that hold a deal, and those that hold the current table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from scoring.game.entry import Rows
from scoring.game.lines import Line
from scoring.game.outcome import Outcome
from scoring.game.table import Table
from scoring.game.text import fold
from scoring.ledger import quotas
from scoring.ledger.replay import NewRevision
from scoring.models import (
    BoardResult,
    Club,
    Deal,
    Event,
    PairResult,
    PairStake,
    Player,
    Revision,
    Seat,
    Session,
    Transfer,
)
from scoring.statements import insert_rows
from scoring.transactions import lock


@dataclass(frozen=True, slots=True)
class Written:
    """Everything that one event writes into the append-only tables, as unsaved rows, so that its hash can cover it."""

    event: Event
    revisions: Sequence[Revision] = ()
    boards: Sequence[BoardResult] = ()
    pairs: Sequence[PairResult] = ()
    lines: Sequence[Transfer] = ()


def written(
    event: Event,
    seats: Mapping[int, Seat],
    lines: Iterable[Line],
    *,
    place: int,
    takes_back: QuerySet[Transfer] | None,
    new_revisions: Sequence[NewRevision],
) -> Written:
    """The rows of an event.

    ``lines`` are those between deals, placed after deal ``place``. Lines in ``takes_back``, which are between deals,
    too, are reversed, as are those of the revisions that the ones in ``new_revisions`` replace.
    """
    revisions = {new.deal.number: _revision(event, new) for new in new_revisions}
    transfers = [_transfer(event, seats, line, deal_number=place) for line in lines]
    if takes_back is not None:
        transfers += reversals(event, takes_back, {}, of={None})
    replaced = {new.replaces for new in new_revisions if new.replaces is not None}
    if replaced:
        unreversed = Transfer.objects.filter(
            session=event.session, kind="deal", deal_number__gte=min(revisions), reverses=None, reversed_by=None
        ).order_by("pk")
        transfers += reversals(event, unreversed, revisions, of=replaced)
    boards: list[BoardResult] = []
    pairs: list[PairResult] = []
    for new in new_revisions:
        if new.outcome is not None:
            number = new.deal.number
            revision = revisions[number]
            boards += _boards(seats, revision, new.outcome)
            pairs += _pairs(seats, revision, new.outcome)
            transfers += [
                _transfer(event, seats, line, deal_number=number, revision=revision) for line in new.outcome.lines()
            ]
    return Written(event, list(revisions.values()), boards, pairs, transfers)


def write(rows: Written) -> None:
    """Insert the rows of an event, and let its revisions count."""
    insert_rows([rows.event])
    if rows.revisions:
        changed = [revision.deal.pk for revision in rows.revisions if revision.n > 1]
        for start in range(0, len(changed), 500):
            Deal.objects.filter(pk__in=changed[start : start + 500]).update(revision=F("revision") + 1)
        insert_rows([revision.deal for revision in rows.revisions if revision.n == 1])
        insert_rows(rows.revisions)
        insert_rows(rows.boards)
        insert_rows(rows.pairs)
    insert_rows(rows.lines)


def _revision(event: Event, new: NewRevision) -> Revision:
    return Revision(
        deal=new.deal,
        n=new.n,
        event=event,
        kind=new.kind,
        entry=new.entry.as_document(),
        document=new.outcome.document if new.outcome else None,
        button=new.button,
        next_button=new.next_button,
        note=new.outcome.note if new.outcome else "",
    )


def reversals(
    event: Event, lines: QuerySet[Transfer], revisions: Mapping[int, Revision], of: Collection[int | None]
) -> Iterator[Transfer]:
    """The opposite of each line of the revisions in ``of`` (by primary key), unsaved, placed at the line's own deal.

    ``revisions`` has the new revision by deal number; the reversal of a deal's line belongs to that revision.
    """
    columns = ("pk", "revision_id", "deal_number", "payer_id", "payee_id", "points", "amount", "kind", "in_play")
    found: QuerySet[Any, Any] = lines.values_list(*columns, "event__n", named=True)  # models would take longer
    for line in found:
        if line.revision_id not in of:
            continue
        reversal = Transfer(
            session_id=event.session_id,
            event=event,
            revision=revisions.get(line.deal_number) if line.kind == "deal" else None,
            deal_number=line.deal_number,
            payer_id=line.payee_id,
            payee_id=line.payer_id,
            points=line.points,
            amount=line.amount,
            kind=line.kind,
            in_play=line.in_play,
            reverses_id=line.pk,
        )
        reversal.reverses_n = line.event__n
        yield reversal


def _transfer(
    event: Event, seats: Mapping[int, Seat], line: Line, *, deal_number: int, revision: Revision | None = None
) -> Transfer:
    return Transfer(
        session_id=event.session_id,
        event=event,
        revision=revision,
        deal_number=deal_number,
        payer_id=seats[line.payer].pk,
        payee_id=seats[line.payee].pk,
        points=line.points,
        amount=line.amount,
        kind=line.kind,
        in_play=line.in_play,
    )


def _boards(seats: Mapping[int, Seat], revision: Revision, outcome: Outcome) -> Iterator[BoardResult]:
    players = zip(outcome.seats, outcome.document["players"], outcome.result["players"], strict=True)
    for order, (seat, given, player) in enumerate(players, 1):
        rows = outcome.entry.boards.get(seat, Rows())
        yield BoardResult(
            revision=revision,
            seat_id=seats[seat].pk,
            order=order,
            front=rows.front,
            middle=rows.middle,
            back=rows.back,
            ruling=rows.ruling,
            fantasyland_cards=given.get("fantasyland_cards", 0),
            foul=player.get("foul", False),
            foul_reason=player.get("foul_reason") or "",
            rows=player.get("rows"),
            royalties=player.get("royalties", 0),
            fantasyland_next=player.get("fantasyland_next", 0),
            points=player["points"],
            money=player["money"],
            stack_before=given.get("stack"),
            stack_after=player["stack"],
            busted=player["busted"],
        )


def _pairs(seats: Mapping[int, Seat], revision: Revision, outcome: Outcome) -> Iterator[PairResult]:
    for first, second, scored in outcome.pairs():
        yield PairResult(
            revision=revision,
            order=scored["order"],
            first_id=seats[first].pk,
            second_id=seats[second].pk,
            rows=scored["rows"],
            row_points=scored["row_points"],
            bonus=scored["bonus"],
            royalties=scored["royalties"],
            points=scored["points"],
            stake=scored["stake"],
            owed=scored["owed"],
            paid=scored["paid"],
            why=scored["why"],
        )


def write_seats(seats: Mapping[int, Seat], table: Table) -> None:
    """Update the players' seat rows to match the table."""
    places = {chair.number: (place, chair) for place, chair in enumerate(table.chairs, 1)}
    changed, moving = [], []
    for seat in seats.values():
        place, chair = places.get(seat.number, (None, None))
        now = (place, bool(chair and chair.out), table.fantasyland.get(seat.number, 0))
        if now == (seat.position, seat.sitting_out, seat.fantasyland_cards):
            continue
        if seat.position is not None and seat.position != place:
            moving.append(seat.pk)
        seat.position, seat.sitting_out, seat.fantasyland_cards = now
        changed.append(seat)
    if moving:  # vacate a place before another seat takes it: positions are unique
        Seat.objects.filter(pk__in=moving).update(position=None, fantasyland_cards=0)
    if changed:
        Seat.objects.bulk_update(changed, ["position", "sitting_out", "fantasyland_cards"])


def write_pair_stakes(session: Session, seats: Mapping[int, Seat], stakes: Mapping[tuple[int, int], int]) -> None:
    PairStake.objects.filter(session=session).delete()
    PairStake.objects.bulk_create(
        PairStake(session=session, low=seats[low], high=seats[high], stake=stake)
        for (low, high), stake in sorted(stakes.items())
    )


def number_next(club: Club) -> int:
    """The number of the club's next session; anyone else who starts one waits until this transaction ends."""
    number = lock(Club, club.pk, no_key=True).started + 1
    Club.objects.filter(pk=club.pk).update(started=number)
    return number


def players_named(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """The club's players with these names, by folded name; creates those that do not exist yet."""
    folded = {fold(name): name for name in names}
    Player.objects.bulk_create(
        [Player(club=club, name=name, folded=key) for key, name in folded.items()], ignore_conflicts=True
    )
    quotas.check_players(club)
    return {player.folded: player for player in Player.objects.filter(club=club, folded__in=folded)}
