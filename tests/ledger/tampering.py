"""Changes what the database refuses to change, as anyone who holds its password could."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection

from scoring.ledger import append_only, chain
from scoring.models import Event, Session


@contextmanager
def unguarded() -> Iterator[None]:
    """Removes the triggers and puts them back afterwards."""
    with (_set_aside if connection.vendor == "sqlite" else _removed)():
        yield


@contextmanager
def _set_aside() -> Iterator[None]:
    """To put SQLite's triggers back takes a tenth of the time that making them anew takes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_append_only_%'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        try:
            yield
        finally:
            for _, sql in triggers:
                cursor.execute(sql)


@contextmanager
def _removed() -> Iterator[None]:
    class Editor:
        """The part of a migration's schema editor that `append_only` uses."""

        def __init__(self) -> None:
            self.connection = connection

    append_only.remove(apps, Editor())
    try:
        yield
    finally:
        append_only.install(apps, Editor())


@contextmanager
def unconstrained(table: str, constraint: str) -> Iterator[None]:
    """Lets rows in that a check constraint of the table refuses. SQLite takes them if it is told to look at none."""
    with unguarded(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
            yield
            return
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        try:
            yield
        finally:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


def write(sql: str, *values: Any) -> None:
    """Run raw SQL without the triggers, and assert that it changes exactly one row."""
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount == 1


def chain_again(session: Session) -> None:
    """Give every event the hash of what is stored now, so that only a head seen before can tell."""
    head = ""
    with unguarded():
        for content, _ in list(chain.contents(session)):
            head = chain.hash_of({**content, "previous": head})
            Event.objects.filter(session=session, n=content["n"]).update(hash=head)
    Session.objects.filter(pk=session.pk).update(head=head)
    session.refresh_from_db()
