"""What the database itself holds rows to: the audit says which rows refer to nothing, and which constraint is gone."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from scoring.game.limits import BANK, HOUSE
from scoring.ledger import audit, schema
from scoring.models import Club, Player, SavedRules
from tests.ledger.conftest import settle, start
from tests.ledger.tampering import unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("taken_back")]


@pytest.fixture
def taken_back(db: None) -> Iterator[None]:
    """Whatever the test does to the database."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def findings() -> set[str]:
    return {str(each) for each in audit.of_database()}


def test_a_whole_database_has_nothing_to_say() -> None:
    settle(start())
    assert not list(schema.dangling())
    assert not list(schema.unconstrained(connection))


@pytest.mark.parametrize(
    ("table", "column"),
    [("scoring_player", "player_id"), ("scoring_club", "club_id"), ("scoring_revision", "revision_id")],
)
def test_a_row_whose_other_row_was_deleted_is_found(table: str, column: str) -> None:
    settle(start())
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE id = (SELECT MIN(id) FROM {table})")
        assert cursor.rowcount == 1
    found = findings()
    assert any(each.startswith("referred_to: row ") and f"its {column} leads to nothing" in each for each in found)


@pytest.mark.parametrize("number", [BANK, HOUSE, 2])
def test_a_seat_that_was_deleted_is_found(number: int) -> None:
    session = start()
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM scoring_seat WHERE session_id = %s AND number = %s", [session.pk, number])
        assert cursor.rowcount == 1
    assert f"seated: {session.public_id}: seat {number} is missing" in set(map(str, audit.of_session(session.pk)))


@pytest.mark.parametrize(
    ("table", "name"), [(Player, "player_once_per_club"), (SavedRules, "saved_rules_once_per_club")]
)
def test_a_constraint_that_was_dropped_is_found(table: type[Player | SavedRules], name: str) -> None:
    drop(table._meta.db_table, name)
    assert findings() == {f"constrained: the constraint {name} of {table._meta.db_table} is missing"}


def test_a_unique_column_that_is_unique_no_more_is_found() -> None:
    with connection.cursor() as cursor:
        now = connection.introspection.get_constraints(cursor, Club._meta.db_table)
    (name,) = (each for each, found in now.items() if found["unique"] and found["columns"] == ["public_id"])
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE scoring_club RENAME COLUMN public_id TO address")
            cursor.execute("ALTER TABLE scoring_club ADD COLUMN public_id varchar(22) NOT NULL DEFAULT ''")
    else:
        drop(Club._meta.db_table, name)
    assert (Club._meta.db_table, "public_id") in list(schema.unconstrained(connection))


def drop(table: str, name: str) -> None:
    """Takes a unique constraint away."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SELECT 1 FROM pg_constraint WHERE conname = %s", [name])
            if cursor.fetchone():  # one of expressions is an index alone, as all are on SQLite
                cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
                return
        cursor.execute(f"DROP INDEX {name}")
