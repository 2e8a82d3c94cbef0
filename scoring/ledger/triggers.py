"""The triggers that guard and sum the ledger's rows, as the database has them now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

_STORED: Final = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    # What each does, and not its text, which depends on the server's release. 'O' and 'A' are those that fire.
    "postgresql": """
SELECT tgname, concat_ws(' ', tgtype, tgattr, tgqual IS NULL, prosrc) FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND pg_table_is_visible(pg_class.oid)
""",
}


def stored(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The definition of each trigger by its name, in the form of `written` and `on_postgresql`."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED[connection.vendor])
        return {name: written(definition) for name, definition in cursor.fetchall()}


def wrong(connection: BaseDatabaseWrapper, expected: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with those of the ``expected`` triggers that the database lacks, or has with another definition."""
    now = stored(connection)
    return {
        name: "is missing" if name not in now else "does something else"
        for name, definition in expected.items()
        if now.get(name) != definition
    }


def written(statement: str) -> str:
    """A statement that creates a trigger, as SQLite keeps it but for white space."""
    return " ".join(statement.split()).replace(" IF NOT EXISTS", "", 1)


def on_postgresql(when: int, body: str) -> str:
    """The definition of a trigger for all rows: the bits of ``pg_trigger.tgtype``, and the body of its function."""
    return written(f"{when} t {body}")
