"""Fills an empty database from a backup, by the migrations of the release that made it and then by today's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, Final

from django.apps import apps as installed
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field, Model

from scoring.backup.archive import TOTALS, Archive, BackupError
from scoring.backup.tables import tables, totals
from scoring.ledger import audit
from scoring.transactions import is_disk_full

ROWS_AT_ONCE = 500

READ_ONLY: Final = "25006"
"""What PostgreSQL calls a transaction that may not write."""

ODD: Final = (Error, ValidationError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
"""What values raise that somebody has put in, and that no release has written."""


def is_empty() -> bool:
    """Whether the database has no row that a backup would hold. An SQLite file that is not there is not made."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return True
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
    models = tables(installed)  # type: ignore[arg-type]  # the same, as far as it is used
    return not any(model._meta.db_table in there and _any_row(model._meta.db_table) for model in models.values())


def restore(path: Path) -> Archive:
    """Fills the database from the backup at ``path``. Raises `BackupError`; then the database is as it was.

    It ends with the audit of everything, and with the comparison of every total with what the backup says it was.
    """
    with Archive(path) as archive:
        _refuse_later(archive)
        archive.verify()
        _refuse_rows()
        place: AbstractContextManager[None] = _new_file() if connection.vendor == "sqlite" else _all_or_nothing()
        try:
            with place:
                _fill(archive)
                _compare(archive)
        except ODD as error:
            if is_disk_full(error) or getattr(error.__cause__, "sqlstate", "") == READ_ONLY:
                raise  # the backup may be whole
            what = next(iter(str(error).splitlines()), "")
            raise BackupError(f"This backup cannot be restored: {type(error).__name__}, {what}") from error
        return archive


def _refuse_rows() -> None:
    if not is_empty():
        raise BackupError(
            "The database is not empty. Restore into a new one, and keep this one until you are sure."
            " If there is only the demo in it, `demo` deletes that with DEMO=0."
        )


# --- A place that holds all of it or nothing ------------------------------------------------------------------


@contextmanager
def _new_file() -> Iterator[None]:
    """On SQLite: another file, which takes the place of the database's when all has gone well."""
    final = Path(connection.settings_dict["NAME"])
    unfinished = final.with_name(f"{final.name}.unfinished")
    _forget_file(unfinished)
    connection.close()
    connection.settings_dict["NAME"] = str(unfinished)
    try:
        yield
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=DELETE")  # all of it is in the one file then
        connection.close()
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        _forget_file(final)
        unfinished.rename(final)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = str(final)
        _forget_file(unfinished)


def _forget_file(path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """On PostgreSQL: one transaction. Tables that an earlier start has made, and that are empty, are made anew."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            there = connection.introspection.table_names(cursor)
            ours = {model._meta.db_table for model in installed.get_models(include_auto_created=True)}
            names = [connection.ops.quote_name(each) for each in ours.union({"django_migrations"}).intersection(there)]
            if names:
                cursor.execute(f"LOCK TABLE {', '.join(names)}")
                _refuse_rows()  # nobody has written anything meanwhile, and nobody can now
                cursor.execute(f"DROP TABLE {', '.join(names)} CASCADE")
        yield


def _any_row(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608 - a name of Django's
        return cursor.fetchone() is not None


# --- Filling it -----------------------------------------------------------------------------------------------


def _refuse_later(archive: Archive) -> None:
    known = set(MigrationLoader(None).disk_migrations)  # it does not open the database, which would make its file
    ours = {app for app, _ in known}
    later = sorted(name for app, name in archive.manifest.migrations if app in ours and (app, name) not in known)
    if later:
        raise BackupError(f"A later release made this backup ({later[-1]}). Restore it with that release.")


def _fill(archive: Archive) -> None:
    executor = MigrationExecutor(connection)
    applied = set(archive.manifest.migrations)
    nodes = executor.loader.graph.node_map
    last = [node for node in applied if not any(child.key in applied for child in nodes[node].children)]
    then = executor.migrate(last).apps
    models = tables(then)
    missing = models.keys() ^ (archive.manifest.members.keys() - {TOTALS})
    if missing:
        raise BackupError(f"This backup is damaged: {sorted(missing)[0]} does not belong in it, or is missing.")
    with transaction.atomic(), _no_triggers(sorted(model._meta.db_table for model in models.values())):
        for name, model in models.items():
            _load(model, archive.lines(name))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models.values())):
            cursor.execute(statement)
    call_command("migrate", verbosity=0)


@contextmanager
def _no_triggers(names: Sequence[str]) -> Iterator[None]:
    """Lets rows be loaded as they were: triggers would count the sums of the lines again, and tell of each session.

    Rows may point to rows that come later. Afterwards all are checked, and every trigger is back.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            for name in names:
                cursor.execute(f"ALTER TABLE {connection.ops.quote_name(name)} DISABLE TRIGGER USER")
            yield
            # It stays so until the end, because a migration can change no table that waits for a check.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for name in names:
                cursor.execute(f"ALTER TABLE {connection.ops.quote_name(name)} ENABLE TRIGGER USER")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}")
        yield
        connection.check_constraints()
        for _, made in triggers:
            cursor.execute(made)


def _load(model: type[Model], lines: Iterator[Any]) -> None:
    columns: Sequence[str] = next(lines, [])
    fields: dict[str, Field[Any, Any]] = {field.attname: field for field in model._meta.concrete_fields}
    if sorted(columns) != sorted(fields):
        raise BackupError(f"This backup is damaged: {model._meta.label_lower} has other columns.")
    while rows := list(islice(lines, ROWS_AT_ONCE)):
        model._base_manager.bulk_create(
            model(**{name: fields[name].to_python(value) for name, value in zip(columns, row, strict=True)})
            for row in rows
        )


def _compare(archive: Archive) -> None:
    """Raises `BackupError` if the audit finds anything, or a total is not what it was."""
    finding = next(iter(audit.of_everything()), None)
    if finding is not None:
        raise BackupError(f"The ledger in this backup has been changed: {finding}")
    now = totals(installed)  # type: ignore[arg-type]
    for was, found in zip_longest(archive.lines(TOTALS), now):
        if was != found:
            raise BackupError(f"A total is not what it was: {was} in the backup, {found} in what was restored.")
