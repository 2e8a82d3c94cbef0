"""The triggers that guard and sum the ledger's rows, as the database has them now; and whether its file is whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

Trigger = tuple[str, str]
"""The table and the name of a trigger."""

_STORED: Final = {
    "sqlite": "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'",
    # What each does, and not its text, which depends on the server's release.
    "postgresql": """
SELECT relname, tgname, concat_ws(' ', CASE WHEN fires THEN 'on' ELSE 'off' END, tgtype, tgattr, prosrc)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid,
LATERAL (SELECT tgqual IS NULL AND proconfig IS NULL AND (tgenabled = 'A'
    OR (tgenabled = 'O' AND current_setting('session_replication_role') <> 'replica'))) AS state(fires)
WHERE NOT tgisinternal AND pg_table_is_visible(pg_class.oid)
""",
}


NOTICE: Final = ("scoring_session", "scoring_session_moved")
"""On PostgreSQL it tells open pages that a session has moved; it belongs to `scoring.live` and changes no row."""


def stored(connection: BaseDatabaseWrapper) -> dict[Trigger, str]:
    """The definition of each trigger, in the form of `written` and `on_postgresql`."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED[connection.vendor])
        return {(table, name): written(definition) for table, name, definition in cursor.fetchall()}


def rules(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """The table and the name of each rule on our tables. PostgreSQL does what a rule says in place of a statement."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(r"""
SELECT relname, rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
WHERE relkind IN ('r', 'p') AND relname LIKE 'scoring\_%' AND pg_table_is_visible(pg_class.oid) ORDER BY 1, 2
""")
        return list(cursor.fetchall())


def wrong(connection: BaseDatabaseWrapper, expected: Mapping[Trigger, str]) -> dict[Trigger, str]:
    """What is wrong with the triggers of our tables, which are to be the ``expected`` ones with these definitions."""
    now = stored(connection)
    found = {
        trigger: "is missing" if trigger not in now else "does not do what it should"
        for trigger, definition in expected.items()
        if now.get(trigger) != definition
    }
    ours = {NOTICE, *expected}
    more = [trigger for trigger in now if trigger[0].startswith("scoring_") and trigger not in ours]
    return found | dict.fromkeys(more, "is not one of the ledger's")


def written(statement: str) -> str:
    """A statement that creates a trigger, as SQLite keeps it but for white space."""
    return " ".join(statement.split()).replace(" IF NOT EXISTS", "", 1)


def on_postgresql(when: int, body: str) -> str:
    """The definition of a trigger for all rows: the bits of ``pg_trigger.tgtype``, and the body of its function."""
    return written(f"on {when} {body}")


def damages(connection: BaseDatabaseWrapper) -> list[str]:
    """What SQLite says is wrong with its file, at most ten things. PostgreSQL does not look at its files so."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(10)")
        return [message for (message,) in cursor.fetchall() if message != "ok"]
