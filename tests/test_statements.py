"""Statements that are made once do what those do that Django makes anew."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, QuerySet

from scoring import ledger
from scoring.actions.people import SitOut
from scoring.game.entry import Entry, Rows
from scoring.game.lines import LineKind
from scoring.models import BoardResult, Deal, Event, PairResult, Revision, Seat, Session, Transfer
from scoring.statements import Prepared, insert_rows

pytestmark = pytest.mark.django_db

TAKEN = object()
BOARDS = {1: Rows("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs"), 2: Rows("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s")}


@pytest.fixture
def session() -> Session:
    names = ["Ann", "Bob", "Cat"]
    made = ledger.start_session(names=names, stake=100, currency="EUR", key="evening", by="Ann")
    ledger.record(session=made, action=SitOut(3), key="out", by="Ann")
    for number in (1, 2):
        entry = Entry(boards=BOARDS)
        ledger.settle_deal(session=made, entry=entry, number=number, key=f"hand {number}", by="Ann")
    return made


def another(model: Any, **changes: object) -> Any:
    """An unsaved copy of the model's first row, with these changes."""
    row = model._base_manager.order_by("pk").first()
    row.pk, row._state.adding = None, True
    for name, value in changes.items():
        setattr(row, name, value)
    return row


def lies_there(model: type[Model], insert: Callable[[], object]) -> list[dict[str, object]]:
    """What this inserts, as it lies in the database before Django reads anything into it. It is taken back."""
    with transaction.atomic():
        last = model._base_manager.order_by("pk").last()
        insert()
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {model._meta.db_table} WHERE id > %s ORDER BY id", [last.pk if last else 0])
            columns = [column[0] for column in cursor.description]
            rows = [dict(zip(columns, values, strict=True)) for values in cursor.fetchall()]
        transaction.set_rollback(True)
    return [{name: value for name, value in row.items() if name != "id"} for row in rows]


@pytest.mark.parametrize(
    ("model", "unique"),
    [
        (Event, {"n": 90, "key": "90", "undoes": 7, "chained": {"at": "before"}}),
        (Deal, {"number": 90}),
        (Revision, {"n": 90, "kind": Revision.Kind.CORRECT, "event": TAKEN}),
        (Revision, {"n": 90, "kind": Revision.Kind.VOID, "event": TAKEN, "document": None}),
        (BoardResult, {"order": 90, "seat": TAKEN, "rows": None, "busted": True}),
        (PairResult, {"order": 90, "first": TAKEN}),
        (Transfer, {"kind": LineKind.DEAL, "in_play": True}),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_rows_lie_in_the_database_as_django_puts_them_there(
    session: Session, model: Any, unique: dict[str, Any]
) -> None:
    # Where the first row's place is taken, another one stands: the evening's first event, or the seat of Cat.
    cat = Seat.objects.get(name="Cat")
    others = {"event": Event.objects.get(n=1), "seat": cat, "first": cat}
    unique = {name: others[name] if value is TAKEN else value for name, value in unique.items()}
    ours = lies_there(model, lambda: insert_rows([another(model, **unique)]))
    assert ours == lies_there(model, lambda: model._base_manager.bulk_create([another(model, **unique)]))
    assert len(ours) == 1


def test_rows_have_their_keys_and_count_as_saved(session: Session) -> None:
    first, second = another(Deal, number=90), another(Deal, number=91)
    insert_rows([first, second])
    assert [Deal.objects.get(number=90), Deal.objects.get(number=91)] == [first, second]
    assert not first._state.adding
    first.revision = 2
    first.save()
    assert Deal.objects.get(number=90).revision == 2


def test_a_row_points_to_one_that_was_saved_after_it_was_made(session: Session) -> None:
    deal = Deal(session=session, number=90)
    revision = another(Revision, deal=deal, event=Event.objects.get(n=1))
    insert_rows([deal])
    insert_rows([revision])
    assert Revision.objects.get(pk=revision.pk).deal == deal


def test_a_row_that_points_to_one_that_is_not_saved_is_refused(session: Session) -> None:
    with pytest.raises(ValueError, match="The deal of a revision was not saved"), transaction.atomic():
        insert_rows([another(Revision, deal=Deal(session=session, number=90))])
    with pytest.raises(ValueError, match="The reverses of a transfer was not saved"), transaction.atomic():
        insert_rows([another(Transfer, reverses=Transfer())])


def test_nothing_is_kept_of_a_transaction_in_which_an_insert_failed(session: Session) -> None:
    with transaction.atomic():
        insert_rows([another(Deal, number=90)])
        with suppress(IntegrityError):
            insert_rows([another(Deal, number=91), another(Deal, number=90)])
    assert not Deal.objects.filter(number=90).exists()


def test_nothing_is_no_statement(session: Session, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        insert_rows([])


def test_more_rows_than_one_statement_takes(session: Session) -> None:
    rows = [another(Deal, number=number) for number in range(100, 1500)]
    insert_rows(rows)
    found = dict(Deal.objects.filter(number__gte=100).values_list("number", "pk"))
    assert found == {row.number: row.pk for row in rows}


SEATS = Prepared(Seat, lambda session: Seat.objects.filter(session=session).order_by("-number"))


def test_a_query_answers_with_what_its_values_ask_for(session: Session) -> None:
    other = ledger.start_session(names=["Cat", "Dan"], stake=1, currency="EUR", key="other", by="Cat")
    for one in (session, other, session):
        found, expected = SEATS(one.pk), list(Seat.objects.filter(session=one).order_by("-number"))
        assert [vars(seat) | {"_state": None} for seat in found] == [vars(seat) | {"_state": None} for seat in expected]
    assert SEATS(0) == []


def test_a_query_reads_what_a_json_column_and_a_time_hold(session: Session) -> None:
    events = Prepared(Event, lambda session: Event.objects.filter(session=session).order_by("n"))
    assert [(event.at, event.action, event.chained) for event in events(session.pk)] == list(
        Event.objects.order_by("n").values_list("at", "action", "chained")
    )


def test_a_query_is_made_once(session: Session) -> None:
    asked: list[int] = []

    def query(session: int) -> QuerySet[Seat]:
        asked.append(session)
        return Seat.objects.filter(session=session)

    seats = Prepared(Seat, query)
    assert len(seats(session.pk)) == len(seats(session.pk)) > 0
    assert asked == [session.pk]


def test_a_query_whose_values_are_in_another_order_is_refused(session: Session) -> None:
    events = Prepared(Event, lambda session, key: Event.objects.filter(session=session, key=key))
    with pytest.raises(ValueError, match="has the parameters"):
        events(session.pk, "hand 1")


def test_values_that_are_alike_cannot_hide_their_order(session: Session) -> None:
    asked: list[int] = []

    def query(number: int, session: int) -> QuerySet[Deal]:
        asked.append(session)
        return Deal.objects.filter(session=session, number=number)

    deals = Prepared(Deal, query)
    deals(session.pk, session.pk)
    assert deals(1, session.pk + 1) == []
    assert len(asked) == 2


def test_a_query_takes_any_number_of_values(session: Session) -> None:
    deals = Prepared(Deal, lambda *numbers: Deal.objects.filter(number__in=numbers))
    for numbers in [(1,), (2, 1), (2,), (1, 2), (2, 3)]:
        assert {deal.number for deal in deals(*numbers)} == {*numbers} & {1, 2}
