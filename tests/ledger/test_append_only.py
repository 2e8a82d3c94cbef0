"""The database itself refuses to change or delete what was booked."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.transaction import TransactionManagementError

from scoring import ledger
from scoring.ledger import line_sums
from scoring.ledger.append_only import TABLES, erasing, expected, install, remove
from scoring.ledger.triggers import wrong
from scoring.models import BoardResult, Club, Deal, Event, PairResult, Revision, Session, TabPayment, Transfer
from tests.ledger.conftest import act, settle, start

MODELS = [Event, Revision, BoardResult, PairResult, Transfer, TabPayment]


@pytest.fixture
def evening(session: Session) -> Session:
    settle(session)
    ann, bob = session.club.players.order_by("pk")[:2]
    fields = {"club": session.club, "by": "host", "currency": "EUR", "minor_digits": 2, "amount": 1}
    TabPayment.objects.create(n=1, payer=ann.pk, payee=bob.pk, key="pay", **fields)
    TabPayment.objects.create(n=2, payer=bob.pk, payee=ann.pk, key="undo", undoes=1, **fields)
    act(ledger.void_deal, session, number=1)
    return session


def guards() -> dict[tuple[str, str], str]:
    return expected(connection) | line_sums.expected(connection)


def test_every_append_only_table_is_guarded(db):
    assert {model._meta.db_table for model in MODELS} == set(TABLES)
    assert wrong(connection, guards()) == {}
    assert {table for table, _ in expected(connection)} == set(TABLES)


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_changed(evening, model):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.update(id=1000)


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_deleted(evening, model):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table}")


def test_not_even_with_its_club(evening):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Club.objects.all().delete()


def test_a_club_is_erased_on_purpose_and_the_guard_is_up_again(evening):
    with transaction.atomic(), erasing(connection):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            Transfer.objects.update(amount=1)
        evening.delete()
        evening.club.delete()
    assert not Transfer.objects.exists()
    settle(start())
    test_nothing_is_deleted(evening, Transfer)


def test_a_failed_erasure_leaves_the_guard_up(evening):
    with pytest.raises(ZeroDivisionError), transaction.atomic(), erasing(connection):
        raise ZeroDivisionError
    test_nothing_is_deleted(evening, Transfer)
    assert Deal.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_nothing_is_erased_by_the_way():
    with pytest.raises(TransactionManagementError), erasing(connection):
        pass


@pytest.mark.django_db(transaction=True)
def test_flush_empties_the_database():
    settle(start())
    call_command("flush", interactive=False, verbosity=0)
    assert not Event.objects.exists()
    evening = start()
    settle(evening)
    test_nothing_is_deleted(evening, BoardResult)


def once(model: Any) -> list[tuple[str, ...]]:
    """The columns that no two rows of this table share, for each of its unique constraints."""
    fields = [(each.column,) for each in model._meta.concrete_fields if each.unique]
    together = [each.fields for each in model._meta.total_unique_constraints]
    return fields + [tuple(model._meta.get_field(name).column for name in names) for names in together]


@pytest.mark.parametrize(("model", "shared"), [(model, columns) for model in MODELS for columns in once(model)])
def test_nothing_is_replaced(evening, model, shared):
    """SQLite's REPLACE deletes the rows that are in the way without a word to the triggers that guard deletion."""
    act(ledger.undo, evening)
    taken = {f"{name}__isnull": False for name in shared}
    row = model.objects.filter(**taken).values().order_by("-pk")[0]
    table, free = model._meta.db_table, {"id": 10_000, "key": "free", "undoes": None, "reverses_id": None}
    for place, name in enumerate({name for columns in once(model) for name in columns} - set(shared)):
        row[name] = free.get(name, 9_000 + place)
    by_field = {each.column: each for each in model._meta.concrete_fields}
    values = [by_field[name].get_db_prep_save(value, connection) for name, value in row.items()]
    columns = ", ".join(f'"{name}"' for name in row)
    into = f"INTO {table} ({columns}) VALUES ({', '.join(['%s'] * len(row))})"
    over = ", ".join(f'"{name}"' for name in shared)
    replacing = (
        f"INSERT {into} ON CONFLICT ({over}) DO UPDATE SET id = {table}.id"
        if connection.vendor == "postgresql"
        else f"INSERT OR REPLACE {into}"
    )
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(replacing, values)


def test_guards_that_somebody_disabled_are_made_anew(evening):
    """As a migration does it, on the very database that needs it."""

    class Editor:
        def __init__(self) -> None:
            self.connection = connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE scoring_event DISABLE TRIGGER scoring_event_append_only")
        assert wrong(connection, guards())
    remove(None, Editor())
    install(None, Editor())
    assert wrong(connection, guards()) == {}
