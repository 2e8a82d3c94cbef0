"""Measures the statistics of a player over 100 sessions, and the records of a club over 500, in processor time.

Run it with ``python -m bench.statistics``, on SQLite or on the server that ``DATABASE_URL`` names.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.ledger import opened, scratch, statements_of, unique
from bench.timing import line

SESSIONS: Final = 500
OF_ONE_PLAYER: Final = 100
HANDS: Final = 40
AT_THE_TABLE: Final = 4
PEOPLE: Final = AT_THE_TABLE * SESSIONS // OF_ONE_PLAYER
"""So many that everyone plays in as many sessions."""

PLAYED: Final = 5
"""So many sessions are played; the others are copies of theirs with other people."""

ROUNDS: Final = 9

# Boards that share no card; of the first four two have royalties and go to Fantasyland, of the others they do not.
LUCKY: Final = (
    ("AhAdKc", "2h2d2s3h3d", "4h4d4s4c5h"),
    ("QsQd3s", "AsAcJh2c3c", "KhKsKd5d5c"),
    ("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs"),
    ("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s"),
)
PLAIN: Final = (("AhKc5h", "2h2d2s3h3d", "4h4d4s4cAd"), ("QsJh3s", "AsAcQd2c3c", "KhKsKd5d5c"), *LUCKY[2:])
FOULED: Final = ("JdJcQh", "JsQc9sTd7c", "5s6c9hTh6s")
"""The cards of the last board, with a pair of jacks in front."""


def run() -> None:
    """Prints the figures."""
    with scratch() as vendor:
        print(f"Statistics of {OF_ONE_PLAYER} and {SESSIONS} sessions of {HANDS} hands on {vendor}:")
        club = club_with_a_past()
        reading(club)


def club_with_a_past() -> Any:
    """A club of people who have all played in as many sessions, at tables of four."""
    from scoring.models import Club

    chance = random.Random(1)
    played = [evening(chance) for _ in range(PLAYED)]
    club = Club.objects.create()
    order: list[int] = []
    for number in range(SESSIONS):
        if len(order) < AT_THE_TABLE:
            order = chance.sample(range(PEOPLE), PEOPLE)
        names = [f"Player {order.pop()}" for _ in range(AT_THE_TABLE)]
        copied(played[number % PLAYED], opened(names=names, club=club))
    return club


def evening(chance: random.Random) -> Any:
    """A session in which everyone gets one of the boards in every hand, and one hand in six leads to Fantasyland."""
    from scoring import ledger
    from scoring.game.entry import Entry, Rows

    session = opened(names=[f"Player {number}" for number in range(AT_THE_TABLE)])
    for number in range(1, HANDS + 1):
        boards = list(LUCKY if chance.random() < 1 / 6 else PLAIN)
        if chance.random() < 1 / 3:
            boards[-1] = FOULED
        chance.shuffle(boards)
        entry = Entry(boards={seat: Rows(*board) for seat, board in enumerate(boards, 1)})
        ledger.settle_deal(session=session, entry=entry, number=number, key=unique(), by="bench")
    return session


def copied(played: Any, session: Any) -> None:
    """Gives a session the hands and the sums of another, with its own people in the same seats."""
    from scoring.models import BoardResult, Deal, LineSum, PairResult, Revision, Seat
    from scoring.transactions import writing

    event = session.events.get()
    seats = dict(Seat.objects.filter(session=session).values_list("number", "pk"))
    of = {pk: seats[number] for pk, number in Seat.objects.filter(session=played).values_list("pk", "number")}
    with writing():
        deals, revisions = {}, {}
        for deal in Deal.objects.filter(session=played):
            deals[deal.pk] = deal
            deal.pk, deal.session = None, session
        Deal.objects.bulk_create(deals.values())
        for revision in Revision.objects.filter(deal__in=[*deals]):
            revisions[revision.pk] = revision
            revision.pk, revision.deal, revision.event = None, deals[revision.deal_id], event
        Revision.objects.bulk_create(revisions.values())
        of_hands: tuple[tuple[Any, tuple[str, ...]], ...] = (
            (BoardResult, ("seat_id",)),
            (PairResult, ("first_id", "second_id")),
        )
        for model, columns in of_hands:
            rows = list(model.objects.filter(revision__in=[*revisions]))
            for row in rows:
                row.pk, row.revision = None, revisions[row.revision_id]
                for column in columns:
                    setattr(row, column, of[getattr(row, column)])
            model.objects.bulk_create(rows)
        sums = list(LineSum.objects.filter(session=played))
        for each in sums:
            each.pk, each.session, each.payer_id, each.payee_id = None, session, of[each.payer_id], of[each.payee_id]
        LineSum.objects.bulk_create(sums)


def reading(club: Any) -> None:
    """Measures what the pages show, with nothing kept from before, and counts the statements."""
    from scoring import reads
    from scoring.models import Player, Session
    from scoring.wording.statistics import player_shown, players_shown, records_shown

    player = Player.objects.select_related("club").filter(club=club).order_by("pk")[0]
    if Session.objects.filter(seats__player=player).count() != OF_ONE_PLAYER:
        raise RuntimeError("They have not played as many sessions as the goal is about.")

    def records() -> None:
        found = reads.club_statistics(club)
        records_shown(found)
        players_shown(club, found)

    for what, job, statements in (
        ("a player's statistics", partial(player_shown, player), 7),
        ("the club's records", records, 6),
    ):
        line(f"milliseconds of processor for {what}", 1000 * spent(job), "<= 100")
        line(f"statements for {what}", statements_of(job), f"== {statements}")


def spent(job: Callable[[], object]) -> float:
    """The seconds of processor time that a job takes at best."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        job()
        best = min(best, time.process_time() - started)
    return best


if __name__ == "__main__":
    run()
