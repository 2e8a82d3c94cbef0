"""The trigger that keeps `LineSum`: the database adds each transfer to its sum in the statement that inserts it."""

from __future__ import annotations

from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.ledger.triggers import Trigger, on_postgresql, stored, written

_PLACE: Final = ("scoring_transfer", "scoring_transfer_summed")

_ALL: Final = """
INSERT INTO scoring_linesum (session_id, payer_id, payee_id, kind, in_play, points, amount)
SELECT session_id, payer_id, payee_id, kind, in_play, sum(points), sum(amount)
FROM scoring_transfer GROUP BY session_id, payer_id, payee_id, kind, in_play
"""

_ON_SQLITE: Final = """
CREATE TRIGGER scoring_transfer_summed AFTER INSERT ON scoring_transfer
BEGIN
    INSERT INTO scoring_linesum (session_id, payer_id, payee_id, kind, in_play, points, amount)
    VALUES (NEW.session_id, NEW.payer_id, NEW.payee_id, NEW.kind, NEW.in_play, NEW.points, NEW.amount)
    ON CONFLICT (session_id, payer_id, payee_id, kind, in_play)
    DO UPDATE SET points = points + excluded.points, amount = amount + excluded.amount;
END
"""

_POSTGRESQL_BODY: Final = """
BEGIN
    INSERT INTO scoring_linesum AS kept (session_id, payer_id, payee_id, kind, in_play, points, amount)
    SELECT session_id, payer_id, payee_id, kind, in_play, sum(points), sum(amount)
    FROM inserted GROUP BY session_id, payer_id, payee_id, kind, in_play
    ON CONFLICT (session_id, payer_id, payee_id, kind, in_play)
    DO UPDATE SET points = kept.points + excluded.points, amount = kept.amount + excluded.amount;
    RETURN NULL;
END"""

# Once for each statement, since a correction inserts thousands of lines by one.
_ON_POSTGRESQL: Final = f"""
CREATE OR REPLACE FUNCTION scoring_transfer_summed() RETURNS trigger LANGUAGE plpgsql AS $${_POSTGRESQL_BODY} $$;
CREATE TRIGGER scoring_transfer_summed AFTER INSERT ON scoring_transfer
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION scoring_transfer_summed();
"""

_DROP_ON_POSTGRESQL: Final = """
DROP TRIGGER scoring_transfer_summed ON scoring_transfer;
DROP FUNCTION scoring_transfer_summed();
"""

_INSTALL: Final = {"sqlite": _ON_SQLITE, "postgresql": _ON_POSTGRESQL}
_REMOVE: Final = {"sqlite": "DROP TRIGGER scoring_transfer_summed", "postgresql": _DROP_ON_POSTGRESQL}
_NOTHING_SUMMED: Final = "DELETE FROM scoring_linesum"


def install(apps: Any, schema_editor: Any) -> None:
    """Sum the lines that are there, and create the trigger for those to come; for a migration's RunPython."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(_ALL)
    restore(apps, schema_editor)


def restore(apps: Any, schema_editor: Any) -> None:
    """Create the trigger if it is missing, as it is once a migration has rebuilt its table on SQLite."""
    connection: BaseDatabaseWrapper = schema_editor.connection
    if _PLACE not in stored(connection):
        with connection.cursor() as cursor:
            cursor.execute(_INSTALL[connection.vendor])


def remove(apps: Any, schema_editor: Any) -> None:
    """Reverse `install`."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(_REMOVE[schema_editor.connection.vendor])
        cursor.execute(_NOTHING_SUMMED)


def expected(connection: BaseDatabaseWrapper) -> dict[Trigger, str]:
    """The definition of the trigger, as `triggers.stored` has it. On PostgreSQL it fires once an INSERT is done."""
    on_insert = 4
    return {
        _PLACE: on_postgresql(on_insert, _POSTGRESQL_BODY) if connection.vendor == "postgresql" else written(_ON_SQLITE)
    }
