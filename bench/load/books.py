"""The tables of a run, which the app makes before it and checks after it: ``python -m bench.load.books make 500``."""

from __future__ import annotations

import json
import secrets
import sys
from contextlib import redirect_stdout
from typing import Any

import django


def prepare() -> str:
    """Makes the tables of the database and the files that are handed out, and says how notices go."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", "--no-input", verbosity=0)
    with redirect_stdout(sys.stderr):
        call_command("notices")
    return "ready"


def make(count: int) -> list[dict[str, Any]]:
    """So many tables of four, a club each: their sessions, and the secrets of the links of host and players."""
    from scoring import ledger
    from scoring.access import links
    from scoring.models import Seat

    made: list[dict[str, Any]] = []
    for _ in range(count):
        session = ledger.start_session(
            names=["Ann", "Bob", "Cat", "Dan"], stake=100, currency="EUR", key=secrets.token_hex(8), by="load"
        )
        _, host = links.issue(club=session.club, role=links.Role.HOST, key="host", name="Ann")
        others = [
            links.issue(
                club=session.club, role=links.Role.SCORER, session=session, seat=seat, key=f"seat {seat.number}"
            )[1]
            for seat in Seat.objects.filter(session=session, number__gt=1).order_by("number")
        ]
        made.append({"session": session.public_id, "secrets": [host, *others]})
    return made


def make_bare(count: int) -> list[str]:
    """Sessions with one settled hand, whose rows `bench.urls.bare_write` writes again. They are nobody's books."""
    from bench.load.phones import HANDS, ROWS
    from scoring import ledger
    from scoring.game.entry import Entry, Rows

    made = []
    for _ in range(count):
        session = ledger.start_session(
            names=["Ann", "Bob", "Cat", "Dan"], stake=100, currency="EUR", key=secrets.token_hex(8), by="bare"
        )
        boards = {seat: Rows(**dict(zip(ROWS, rows, strict=True))) for seat, rows in enumerate(HANDS[0], 1)}
        ledger.settle_deal(session=session, entry=Entry(boards=boards), number=1, key=secrets.token_hex(8), by="bare")
        made.append(session.public_id)
    return made


def check(played: dict[str, int]) -> list[str]:
    """What is wrong with the books of these sessions, each of which has had so many hands settled."""
    from bench.load.phones import HANDS, ROWS
    from scoring.ledger import audit
    from scoring.models import Event, Revision, Session

    wrong = []
    for public_id, deals in played.items():
        session = Session.objects.get(public_id=public_id)
        settled = list(
            Event.objects.filter(session=session, verb="settle").order_by("n").values_list("deal", flat=True)
        )
        if settled != list(range(1, deals + 1)):
            wrong.append(f"{public_id}: {deals} hands were settled, and the books have {settled}")
        for revision in (
            Revision.objects.filter(deal__session=session).select_related("deal").prefetch_related("boards")
        ):
            boards = HANDS[revision.deal.number % len(HANDS)]
            for seat, rows in enumerate(boards, 1):
                entered = revision.entry["boards"][str(seat)] if revision.entry else {}
                if [_cards(entered.get(row, "")) for row in ROWS] != [_cards(row) for row in rows]:
                    wrong.append(f"{public_id}: hand {revision.deal.number}, seat {seat}: {entered} and not {rows}")
        wrong += [str(each) for each in audit.of_session(session.pk)]
    return wrong


def _cards(row: str) -> str:
    return "".join(row.split()).upper()


SIZES = """
SELECT relname, reltuples::bigint, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND starts_with(relname, 'scoring_') ORDER BY relname
"""


def sizes() -> dict[str, list[int]]:
    """The rows and the bytes of each of the app's tables, indexes included, and the position in the log of writes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute(SIZES)
        found = {name: [rows, size] for name, rows, size in cursor.fetchall()}
        cursor.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
        return {**found, "log": [0, int(cursor.fetchone()[0])]}


if __name__ == "__main__":
    django.setup()
    what, *rest = sys.argv[1:]
    done: Any = {
        "prepare": prepare,
        "make": lambda: make(int(rest[0])),
        "make-bare": lambda: make_bare(int(rest[0])),
        "check": lambda: check(json.load(sys.stdin)),
        "sizes": sizes,
    }[what]()
    json.dump(done, sys.stdout)
