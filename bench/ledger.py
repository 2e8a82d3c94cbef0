"""Measures the ledger: what an action costs over its bare rows, and what must not grow with an evening or over years.

It runs in a scratch database: a SQLite file, or one on the server that ``DATABASE_URL`` names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import django

from bench.timing import line, rates

HANDS = (10, 1_000, 10_000)
SESSIONS = 10_000
SETTLED = 200


@contextmanager
def scratch() -> Iterator[str]:
    """Creates an empty database with the app's schema, and yields its vendor's name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    from ofcscore import serving

    made = setup_databases(verbosity=0, interactive=False)
    serving.spare_what_is_loaded()  # as a server does
    try:
        yield connection.vendor
    finally:
        teardown_databases(made, verbosity=0)


def run() -> None:
    """Prints the figures of the ledger."""
    with scratch() as vendor:
        print(f"The ledger on {vendor}:")
        settling()
        growing()
        correcting()
        standing()


def opened(**terms: Any) -> Any:
    from scoring import ledger

    given = {"names": ["Ann", "Bob", "Cat"], "stake": 100, "currency": "EUR", "key": unique(), "by": "bench", **terms}
    return ledger.start_session(**given)


def unique() -> str:
    from scoring.models import new_public_id

    return new_public_id()


def settle(session: Any, times: int) -> None:
    from bench.urls import entry
    from scoring import ledger

    for _ in range(times):
        ledger.settle_deal(session=session, entry=entry(), number=session.next_number, key=unique(), by="bench")


def settling() -> None:
    """Compares settling a deal with a transaction that writes the same rows with raw SQL."""
    from django.db import connection

    session = opened()
    settle(session, 1)
    statements: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        settle(session, 1)
    measured = rates({"ledger": lambda: settle(session, SETTLED), "raw": raw(session)}, SETTLED, rounds=5)
    print(f"  {measured['ledger']:,.0f} hands settled a second, bare rows {measured['raw']:,.0f}")
    line("settling a hand / the same rows with raw SQL, in time", measured["raw"] / measured["ledger"], "<= 6.00")
    line("statements of settling, in 12", len(statements) / 12, "<= 1.00")


def raw(session: Any) -> Callable[[], None]:
    """Returns a job that writes the rows of a settled deal again and again with raw SQL."""
    from django.db import connection, transaction

    from scoring.models import BoardResult, Deal, Event, PairResult, Revision, Transfer

    event = Event.objects.filter(session=session, verb="settle").latest("n")
    revision = Revision.objects.get(event=event)
    started = opened()
    rows: list[tuple[Any, list[Any]]] = [
        (Event, [event]),
        (Deal, [revision.deal]),
        (Revision, [revision]),
        (BoardResult, list(revision.boards.all())),
        (PairResult, list(revision.pairs.all())),
        (Transfer, list(revision.transfers.all())),
    ]

    def columns(row: Any) -> list[tuple[str, Any]]:
        return [
            (each.column, each.get_db_prep_save(getattr(row, each.attname), connection))
            for each in row._meta.concrete_fields
            if not each.primary_key
        ]

    def insert(model: Any, row: Any) -> str:
        names = [name for name, _ in columns(row)]
        quoted = ", ".join(map(connection.ops.quote_name, names))
        return f"INSERT INTO {model._meta.db_table} ({quoted}) VALUES ({', '.join(['%s'] * len(names))}) RETURNING id"

    prepared = [(insert(model, kept[0]), [dict(columns(row)) for row in kept]) for model, kept in rows]
    count = 0

    def job() -> None:
        nonlocal count
        for _ in range(SETTLED):
            count += 1
            with transaction.atomic(), connection.cursor() as cursor:
                made: dict[str, int] = {"session_id": started.pk}
                for (statement, kept), key in zip(
                    prepared, ("event_id", "deal_id", "revision_id", "", "", ""), strict=True
                ):
                    for values in kept:
                        now = {**values, **{name: made[name] for name in values.keys() & made.keys()}}
                        if key == "event_id":
                            now.update(n=1_000 + count, key=f"raw {count}")
                        if key == "deal_id":
                            now.update(number=count)
                        cursor.execute(statement, list(now.values()))
                        made[key] = cursor.fetchone()[0]
                cursor.execute("UPDATE scoring_session SET deals = %s WHERE id = %s", [count, started.pk])

    return job


def growing() -> None:
    """Loads the table and the ledger page in a host's browser, of evenings of three lengths in turn."""
    from django.test import Client
    from django.urls import reverse

    from scoring.access import links

    pages: dict[tuple[str, int], Callable[[], object]] = {}
    for hands in HANDS:
        session = opened()
        browser = Client(SERVER_NAME="localhost")
        _, secret = links.issue(club=session.club, role=links.Role.HOST, key="bench")
        browser.get(reverse("come-in", args=[secret]))
        settle(session, hands)
        for name in ("table", "ledger"):
            pages[name, hands] = partial(page, browser, reverse(name, args=[session.public_id]))
    measured = rates(pages, 1, rounds=15)
    asked = {each: statements_of(job) for each, job in pages.items()}
    for name in ("table", "ledger"):
        print(f"  {name}: " + ", ".join(f"{1e3 / measured[name, hands]:.1f} ms at {hands:,}" for hands in HANDS))
        line(f"{name}, queries at 10,000 hands / at 10", asked[name, HANDS[2]] / asked[name, HANDS[0]], "== 1.00")
        if name == "table":  # the ledger draws a curve through every hand, so its time grows with them
            grown = measured[name, HANDS[1]] / measured[name, HANDS[2]]
            line(f"{name}, time at 10,000 hands / at 1,000", grown, "<= 1.20")


def page(browser: Any, address: str) -> None:
    """Loads a page with an empty cache, as for the first phone that requests it."""
    from scoring import reads

    reads.forget_cached()
    answer = browser.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answered {answer.status_code}")


def statements_of(job: Callable[[], object]) -> int:
    """Counts the SQL statements of a job."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        job()
    return len(captured)


def correcting() -> None:
    """Corrects deal 3 of 200 with chips, which settles every later deal again."""
    from scoring import ledger
    from scoring.actions.chips import BuyIn
    from scoring.game.entry import Entry

    session = opened(rules={"win_cap": "none"})
    for seat in (1, 2, 3):
        ledger.record(session=session, action=BuyIn(seat, 10**8), key=unique(), by="bench")
    settle(session, 200)
    best = float("inf")
    for won in range(1, 6):
        started = time.perf_counter()
        ledger.correct_deal(
            session=session, number=3, entry=Entry(points=((1, 2, won),)), note="so", key=unique(), by="bench"
        )
        best = min(best, time.perf_counter() - started)
    line("correcting hand 3 of 200 with chips, in seconds", best, "<= 1.00")


def standing() -> None:
    """Computes the all-time standings of a club with 10,000 closed sessions."""
    from django.db import connection
    from django.utils import timezone

    from scoring import reads
    from scoring.models import Club, Player, Session, Total

    club = Club.objects.create()
    players = Player.objects.bulk_create(Player(club=club, name=f"P{n}", folded=f"p{n}") for n in range(12))
    rules: dict[str, Any] = {}
    sessions = Session.objects.bulk_create(
        Session(
            club=club,
            key=unique(),
            number=number,
            currency="EUR",
            minor_digits=2,
            stake=1,
            rules=rules,
            button=1,
            closed_at=timezone.now(),
        )
        for number in range(1, SESSIONS + 1)
    )
    Total.objects.bulk_create(
        Total(
            club=club,
            session=session,
            player=players[(at + step) % 12],
            currency="EUR",
            minor_digits=2,
            deals=40,
            points=step,
            money=100 * step,
            fees=0,
        )
        for at, session in enumerate(sessions)
        for step in range(4)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    best = float("inf")
    for _ in range(9):
        started = time.perf_counter()
        reads.standings(club)
        best = min(best, time.perf_counter() - started)
    line(f"standings over {SESSIONS:,} sessions, whole, in 20 ms", best / 0.020, "<= 1.00")


if __name__ == "__main__":
    run()
