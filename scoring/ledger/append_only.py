"""The tables whose rows nobody may change or delete, and how the database itself is made to refuse it.

A migration that changes one of these tables on SQLite rebuilds it, which drops its triggers: it has to end with
`install`, and the audit says so if it did not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import TransactionManagementError

TABLES: Final = tuple(f"scoring_{name}" for name in ("event", "revision", "board", "pairresult", "transfer"))


_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION scoring_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'UPDATE' AND current_setting('scoring.erasing', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


_POSTGRESQL_TRIGGERS = """
DROP TRIGGER IF EXISTS {table}_append_only ON {table};
CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION scoring_append_only();
DROP TRIGGER IF EXISTS {table}_append_only_whole ON {table};
CREATE TRIGGER {table}_append_only_whole BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION scoring_append_only()
"""


_SQLITE_GUARD = "CREATE TABLE IF NOT EXISTS scoring_erasing (allowed INTEGER PRIMARY KEY)"


_SQLITE_TRIGGERS = (
    """
CREATE TRIGGER IF NOT EXISTS {table}_append_only_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
""",
    """
CREATE TRIGGER IF NOT EXISTS {table}_append_only_delete BEFORE DELETE ON {table}
WHEN NOT EXISTS (SELECT 1 FROM scoring_erasing)
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
""",
)


def install(apps: Any, schema_editor: Any) -> None:
    """Put the triggers on every table of `TABLES`; a migration's RunPython, safe to repeat."""
    connection: BaseDatabaseWrapper = schema_editor.connection
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_FUNCTION)
            for table in TABLES:
                cursor.execute(_POSTGRESQL_TRIGGERS.format(table=table))
        else:
            cursor.execute(_SQLITE_GUARD)
            for table in TABLES:
                for trigger in _SQLITE_TRIGGERS:
                    cursor.execute(trigger.format(table=table))


def remove(apps: Any, schema_editor: Any) -> None:
    """The way back of `install`."""
    connection: BaseDatabaseWrapper = schema_editor.connection
    with connection.cursor() as cursor:
        for name, table in triggers(connection):
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")
        cursor.execute(
            "DROP FUNCTION scoring_append_only()" if connection.vendor == "postgresql" else "DROP TABLE scoring_erasing"
        )


def expected(connection: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    """The (trigger, table) pairs that `install` makes."""
    endings = ("", "_whole") if connection.vendor == "postgresql" else ("_update", "_delete")
    return {(f"{table}_append_only{ending}", table) for table in TABLES for ending in endings}


def triggers(connection: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    """The (trigger, table) pairs that guard these tables in this database now."""
    asked = (
        "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE NOT tgisinternal AND tgenabled <> 'D'"
        if connection.vendor == "postgresql"
        else "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return {(name, table) for name, table in cursor.fetchall() if name.startswith(f"{table}_append_only")}


@contextmanager
def erasing(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Let whole rows be deleted meanwhile, inside a transaction: on purpose, of a whole club or of a test's data.

    Changing a row stays refused. Nobody else has the permission, and it ends with the transaction if not before.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("Rows of the ledger are only erased inside a transaction.")
    postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('scoring.erasing', 'on', true)"
            if postgresql
            else "INSERT OR IGNORE INTO scoring_erasing VALUES (1)"
        )
    yield
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('scoring.erasing', 'off', true)" if postgresql else "DELETE FROM scoring_erasing"
        )
