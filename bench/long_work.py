"""Measures what takes long, beside the least that it could take: exports, the preview of a correction, and its writing.

Run it with ``python -m bench.long_work``, on SQLite or on the server that ``DATABASE_URL`` names.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from bench.ledger import opened, scratch, settle, unique
from bench.timing import line, rates

HANDS: Final = 2_000
HANDS_WITH_CHIPS: Final = 600
ROUNDS: Final = 7
"""The best of so many counts, because the disk and other programs slow some of them down."""


def run() -> None:
    """Prints the figures."""
    with scratch() as vendor:
        print(f"Long work on {vendor}:")
        session = opened()
        settle(session, HANDS)
        chaining(session)
        exporting(session)
        correcting()


def chaining(session: Any) -> None:
    """Compares making and hashing the content of an event with settling a hand."""
    from scoring.ledger import chain

    spent = 0.0

    def timed(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal spent
            started = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                spent += time.perf_counter() - started

        return call

    with (
        patch("scoring.ledger.turn.new_content", timed(chain.new_content)),
        patch("scoring.ledger.turn.hash_of", timed(chain.hash_of)),
    ):
        started = time.perf_counter()
        settle(session, 300)
        whole = time.perf_counter() - started
    line("a hash / the rest of settling a hand, in time", spent / (whole - spent), "<= 0.05")


def exporting(session: Any) -> None:
    """Compares each export with the least that reads and writes the same."""
    from xlsxwriter.worksheet import Worksheet

    from scoring.exports import making
    from scoring.exports.sheets import Bare

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export"

        def export(kind: str, public_id: str) -> Callable[[], None]:
            return lambda: making.MAKERS[kind](public_id, file, "http://localhost/verify/", lambda _: None)

        cells = cells_of(session, file)
        jobs = {
            "record": export("record", session.public_id),
            "club": export("club", session.club.public_id),
            "rows": lambda: rows_of(session, file),
            "spreadsheet": export("spreadsheet", session.public_id),
            "cells": lambda: write_cells(cells, file, Worksheet),
            "bare": lambda: write_cells(cells, file, Bare),
        }
        seconds = {name: 1 / rate for name, rate in rates(jobs, 1, rounds=ROUNDS).items()}
    line(f"record of {HANDS:,} hands / its rows bare by orjson", seconds["record"] / seconds["rows"], "<= 3.00")
    # A club's export has each row twice: in its deals, to be read, and in its events, to be checked.
    line("export of a club / twice the rows bare by orjson", seconds["club"] / seconds["rows"] / 2, "<= 3.00")
    line("spreadsheet / its cells bare by XlsxWriter", seconds["spreadsheet"] / seconds["cells"], "<= 1.50")
    line("the same, beside our worksheets, which are quicker", seconds["spreadsheet"] / seconds["bare"])


def rows_of(session: Any, file: Path) -> None:
    """Reads every row that the session's events wrote, and writes them as JSON."""
    import orjson
    from django.db import connection

    from scoring.models import BoardResult, Event, PairResult, Revision, Transfer

    deals = f"IN (SELECT id FROM scoring_deal WHERE session_id = {session.pk})"
    revisions = f"IN (SELECT id FROM scoring_revision WHERE deal_id {deals})"
    tables: list[tuple[Any, str]] = [
        (Event, f"session_id = {session.pk}"),
        (Revision, f"deal_id {deals}"),
        (BoardResult, f"revision_id {revisions}"),
        (PairResult, f"revision_id {revisions}"),
        (Transfer, f"session_id = {session.pk}"),
    ]
    with connection.cursor() as cursor, file.open("wb") as to:
        for model, which in tables:
            columns = list(model._meta.concrete_fields)
            cursor.execute(f"SELECT * FROM {model._meta.db_table} WHERE {which}")
            names = [column[0] for column in cursor.description]
            in_json = [at for at, name in enumerate(names) if is_json(columns, name)]
            for row in cursor.fetchall():
                values = list(row)
                for at in in_json:
                    values[at] = orjson.loads(values[at]) if isinstance(values[at], str) else values[at]
                to.write(orjson.dumps(dict(zip(names, values, strict=True)), default=str))


def is_json(columns: list[Any], name: str) -> bool:
    return any(column.column == name and column.get_internal_type() == "JSONField" for column in columns)


def cells_of(session: Any, file: Path) -> list[tuple[str, int, int, Any]]:
    """The cells of a session's spreadsheet: sheet, row, column, value."""
    from openpyxl import load_workbook

    from scoring.exports import workbook

    workbook.of_session(session, file, "http://localhost/verify/", lambda: None)
    with file.open("rb") as stored:
        book = load_workbook(stored, read_only=True)
        return [
            (sheet.title, row, column, cell)
            for sheet in book
            for row, cells in enumerate(sheet.iter_rows(values_only=True))
            for column, cell in enumerate(cells)
            if cell is not None
        ]


def write_cells(cells: list[tuple[str, int, int, Any]], file: Path, worksheet: type) -> None:
    """Writes the cells with XlsxWriter and this kind of worksheet, with nothing else around."""
    from xlsxwriter import Workbook

    with Workbook(file, {"constant_memory": True, "default_date_format": "yyyy-mm-dd"}) as book:
        money = book.add_format({"num_format": "0.00"})
        sheets: dict[str, Any] = {}
        for title, row, column, cell in cells:
            sheet = sheets.get(title)
            if sheet is None:
                sheet = sheets[title] = book.add_worksheet(title, worksheet)
            if isinstance(cell, str) and cell.startswith("="):
                sheet.write_formula(row, column, cell, money)
            elif isinstance(cell, str):
                sheet.write_string(row, column, cell)
            elif isinstance(cell, int | float):
                sheet.write_number(row, column, cell, money)
            else:
                sheet.write_datetime(row, column, cell, money)


def correcting() -> None:
    """Corrects hand 1 of an evening with chips, on which every later hand depends."""
    from scoring import ledger
    from scoring.actions.chips import BuyIn
    from scoring.game.entry import Entry
    from scoring.ledger.turn import Turn
    from scoring.models import Revision
    from scoring.rules.document import score

    session = opened(rules={"win_cap": "none"})
    for seat in (1, 2, 3):
        ledger.record(session=session, action=BuyIn(seat, 10**9), key=unique(), by="bench")
    settle(session, HANDS_WITH_CHIPS)
    entry = Entry(points=((1, 2, 3),))
    documents = [
        revision.document
        for revision in Revision.objects.filter(deal__session=session, deal__number__gt=1)
        if revision.document
    ]

    def preview() -> None:
        changes = ledger.preview_correction(session=session, number=1, entry=entry).changes
        if len(changes) != HANDS_WITH_CHIPS:
            raise RuntimeError(f"{len(changes)} hands would change")

    def scored() -> None:
        for document in documents:
            score(document)

    measured = rates({"preview": preview, "scored": scored}, HANDS_WITH_CHIPS, rounds=ROUNDS)
    line("preview of correcting hand 1 / scoring its hands", measured["scored"] / measured["preview"], "<= 3.00")

    locked = [0.0]
    real = Turn.record

    def record(*given: Any, **named: Any) -> Any:
        started = time.perf_counter()
        recorded = real(*given, **named)
        locked[0] = time.perf_counter() - started
        return recorded

    best = {"written": float("inf"), "bare": float("inf")}
    with patch.object(Turn, "record", record):
        for won in range(1, ROUNDS + 1):
            entry = Entry(points=((1, 2, won),))
            ledger.correct_deal(session=session, number=1, entry=entry, note="so", key=unique(), by="bench")
            best["written"] = min(best["written"], locked[0])
            with bare_rows(session, won) as insert:
                started = time.perf_counter()
                insert()
                best["bare"] = min(best["bare"], time.perf_counter() - started)
    line("writing that correction / bulk inserts of its rows", best["written"] / best["bare"], "<= 1.50")


@contextmanager
def bare_rows(session: Any, attempt: int) -> Iterator[Callable[[], None]]:
    """Yields a job that inserts once more what the last event wrote, and takes it back afterwards."""
    from django.db import transaction

    from scoring.models import BoardResult, Event, PairResult, Revision, Transfer
    from scoring.transactions import writing

    event = Event.objects.filter(session=session).latest("n")
    revisions = list(Revision.objects.filter(event=event))
    parts: list[tuple[Any, list[Any]]] = [
        (model, list(model.objects.filter(revision__event=event))) for model in (BoardResult, PairResult)
    ]
    lines = list(Transfer.objects.filter(event=event))
    by_pk = {revision.pk: revision for revision in revisions}
    for rows in (*(rows for _, rows in parts), lines):
        for row in rows:
            row.pk = None
    for each in lines:
        each.reverses = None
    for revision in revisions:
        revision.pk, revision.n = None, revision.n + 10_000 + attempt

    def insert() -> None:
        event.pk, event.n, event.key = None, event.n + 10_000, unique()
        event.save(force_insert=True)
        for revision in revisions:
            revision.event = event
        Revision.objects.bulk_create(revisions)
        for model, rows in parts:
            for row in rows:
                row.revision = by_pk[row.revision_id]
            model.objects.bulk_create(rows)
        for each in lines:
            each.event, each.revision = event, by_pk[each.revision_id or 0]
        Transfer.objects.bulk_create(lines)

    with writing():
        mark = transaction.savepoint()
        yield insert
        transaction.savepoint_rollback(mark)


if __name__ == "__main__":
    run()
