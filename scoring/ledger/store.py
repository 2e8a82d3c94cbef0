"""Writes the rows that hold a deal, and those that hold the current table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db.models import F

from scoring.game.entry import Rows
from scoring.game.lines import Line
from scoring.game.outcome import Outcome
from scoring.game.table import Table
from scoring.game.text import fold
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


def reversals(event: Event, lines: Iterable[Transfer], revisions: Mapping[int, Revision]) -> Iterator[Transfer]:
    """The opposite of each line, unsaved, placed at the same deal as the line.

    ``revisions`` has the new revision by deal number; the reversal of a deal's line belongs to that revision.
    """
    for line in lines:
        yield Transfer(
            session_id=line.session_id,
            event=event,
            revision=revisions.get(line.deal_number) if line.kind == "deal" else None,
            deal_number=line.deal_number,
            payer_id=line.payee_id,
            payee_id=line.payer_id,
            points=line.points,
            amount=line.amount,
            kind=line.kind,
            in_play=line.in_play,
            reverses=line,
        )


def transfer(
    event: Event, seats: Mapping[int, Seat], line: Line, *, deal_number: int, revision: Revision | None = None
) -> Transfer:
    """The line as an unsaved row."""
    return Transfer(
        session=event.session,
        event=event,
        revision=revision,
        deal_number=deal_number,
        payer=seats[line.payer],
        payee=seats[line.payee],
        points=line.points,
        amount=line.amount,
        kind=line.kind,
        in_play=line.in_play,
    )


def write_revisions(event: Event, seats: Mapping[int, Seat], new_revisions: Sequence[NewRevision]) -> None:
    """Write new revisions with their boards, pairs and lines, and reverse the lines of the revisions they replace."""
    if not new_revisions:
        return
    revisions = Revision.objects.bulk_create(
        Revision(
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
        for new in new_revisions
    )
    by_number = {new.deal.number: revision for new, revision in zip(new_revisions, revisions, strict=True)}
    transfers: list[Transfer] = []
    replaced = {new.replaces for new in new_revisions if new.replaces is not None}
    if replaced:
        unreversed = Transfer.objects.filter(
            session=event.session, kind="deal", deal_number__gte=min(by_number), reverses=None, reversed_by=None
        ).order_by("pk")
        transfers += reversals(event, (line for line in unreversed if line.revision_id in replaced), by_number)
        deals = [new.deal.pk for new in new_revisions]
        for start in range(0, len(deals), 500):
            Deal.objects.filter(pk__in=deals[start : start + 500]).update(revision=F("revision") + 1)
    boards: list[BoardResult] = []
    pairs: list[PairResult] = []
    for new, revision in zip(new_revisions, revisions, strict=True):
        if new.outcome is None:
            continue
        boards += _boards(seats, revision, new.outcome)
        pairs += _pairs(seats, revision, new.outcome)
        transfers += [
            transfer(event, seats, line, deal_number=new.deal.number, revision=revision) for line in new.outcome.lines()
        ]
    BoardResult.objects.bulk_create(boards)
    PairResult.objects.bulk_create(pairs)
    Transfer.objects.bulk_create(transfers)


def _boards(seats: Mapping[int, Seat], revision: Revision, outcome: Outcome) -> Iterator[BoardResult]:
    players = zip(outcome.seats, outcome.document["players"], outcome.result["players"], strict=True)
    for order, (seat, given, player) in enumerate(players, 1):
        rows = outcome.entry.boards.get(seat, Rows())
        yield BoardResult(
            revision=revision,
            seat=seats[seat],
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
            first=seats[first],
            second=seats[second],
            rows=scored["rows"],
            row_points=scored["row_points"],
            bonus=scored["bonus"],
            royalties=scored["royalties"],
            points=scored["points"],
            stake=scored["stake"],
            owed=scored["owed"],
            paid=scored["paid"],
            why=scored["why"] or "",
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


def players_named(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """The club's players with these names, by folded name; creates those that do not exist yet."""
    folded = {fold(name): name for name in names}
    Player.objects.bulk_create(
        [Player(club=club, name=name, folded=key) for key, name in folded.items()], ignore_conflicts=True
    )
    return {player.folded: player for player in Player.objects.filter(club=club, folded__in=folded)}
