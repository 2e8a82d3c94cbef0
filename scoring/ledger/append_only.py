"""The tables whose rows nobody may change or delete, and the triggers that make the database itself refuse it.

On SQLite, a migration that changes one of these tables rebuilds it, which drops its triggers. Such a migration must end
with `install`; the audit reports triggers that are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import TransactionManagementError

from scoring.ledger.triggers import Trigger, on_postgresql, stored, written

TABLES: Final = tuple(
    f"scoring_{name}" for name in ("event", "revision", "board", "pairresult", "transfer", "tabpayment")
)


_POSTGRESQL_BODY = """
BEGIN
    IF TG_OP <> 'UPDATE' AND current_setting('scoring.erasing', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
"""


_POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION scoring_append_only() RETURNS trigger LANGUAGE plpgsql AS $${_POSTGRESQL_BODY}$$
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
    """
CREATE TRIGGER IF NOT EXISTS {table}_append_only_insert BEFORE INSERT ON {table}
WHEN {taken}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
""",
)
"""The last one is for REPLACE, which deletes the rows that are in the way of a new one without firing any trigger."""


_SQLITE_TAKEN = "EXISTS (SELECT 1 FROM {table} WHERE {same})"


_SQLITE_UNIQUE = """
SELECT names.name, columns.name FROM pragma_index_list(%s) AS names, pragma_index_info(names.name) AS columns
WHERE names."unique" UNION ALL SELECT '', name FROM pragma_table_info(%s) WHERE pk
"""
"""The columns of each unique index of a table, by the index's name, and its primary key, under no name.

Django's introspection parses all of the table's SQL, which took a third of the time of all migrations.
"""


def install(apps: Any, schema_editor: Any) -> None:
    """Create the triggers on every table in `TABLES`, for a migration's RunPython; safe to repeat.

    Tables that a later migration creates are left out; it installs their triggers.
    """
    connection: BaseDatabaseWrapper = schema_editor.connection
    with connection.cursor() as cursor:
        tables = sorted(set(TABLES).intersection(connection.introspection.table_names(cursor)))
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_FUNCTION)
            for table in tables:
                cursor.execute(_POSTGRESQL_TRIGGERS.format(table=table))
        else:
            cursor.execute(_SQLITE_GUARD)
            for table in tables:
                taken = _taken(cursor, table)
                for trigger in _SQLITE_TRIGGERS:
                    cursor.execute(trigger.format(table=table, taken=taken))


def _taken(cursor: Any, table: str) -> str:
    """The condition that a row in the table has the new row's primary key, or all columns of a unique constraint.

    It names the columns that the table has now, since a migration installs the triggers on the tables of its time.
    """
    cursor.execute(_SQLITE_UNIQUE, [table, table])
    columns: dict[str, list[str]] = {}
    for index, column in cursor.fetchall():
        columns.setdefault(index, []).append(column)
    once = sorted(set(map(tuple, columns.values())))
    same = [" AND ".join(f'"{name}" = NEW."{name}"' for name in columns) for columns in once]
    return " OR ".join(_SQLITE_TAKEN.format(table=table, same=each) for each in same)


def remove(apps: Any, schema_editor: Any) -> None:
    """Reverse `install`."""
    connection: BaseDatabaseWrapper = schema_editor.connection
    with connection.cursor() as cursor:
        for table, name in stored(connection):
            if name.startswith(f"{table}_append_only"):
                cursor.execute(f"DROP TRIGGER {name}{f' ON {table}' if connection.vendor == 'postgresql' else ''}")
        cursor.execute(
            "DROP FUNCTION scoring_append_only()" if connection.vendor == "postgresql" else "DROP TABLE scoring_erasing"
        )


def expected(connection: BaseDatabaseWrapper) -> dict[Trigger, str]:
    """The definition, as `triggers.stored` has it, of each trigger that `install` creates."""
    if connection.vendor == "postgresql":
        return {
            (table, f"{table}_append_only{ending}"): on_postgresql(when, _POSTGRESQL_BODY)
            for table in TABLES
            for ending, when in _POSTGRESQL_WHEN.items()
        }
    with connection.cursor() as cursor:
        return {
            (table, f"{table}_append_only_{event}"): written(trigger.format(table=table, taken=_taken(cursor, table)))
            for table in TABLES
            for event, trigger in zip(("update", "delete", "insert"), _SQLITE_TRIGGERS, strict=True)
        }


_POSTGRESQL_WHEN: Final = {"": 1 | 2 | 8 | 16, "_whole": 2 | 32}
"""Each row, before it is deleted or updated; and before the whole table is truncated."""


def is_erasing(connection: BaseDatabaseWrapper) -> bool:
    """Whether the database lets rows be deleted now, as it does only inside `erasing`."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('scoring.erasing', true) = 'on'"
            if connection.vendor == "postgresql"
            else "SELECT EXISTS (SELECT 1 FROM scoring_erasing)"
        )
        return bool(cursor.fetchone()[0])


@contextmanager
def erasing(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Allow rows to be deleted inside this block, for erasing idle sessions, a whole club or a test's data.

    The database still refuses to change a row. Other connections do not get the permission, and it ends with the
    transaction at the latest. Raises `TransactionManagementError` outside a transaction.
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
