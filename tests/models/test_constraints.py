"""The database enforces every invariant of a single row, no matter which code writes the row."""

from typing import Any

import pytest
from django.db import DataError, IntegrityError, transaction

from scoring.game.limits import BANK
from scoring.models import (
    BoardResult,
    Deal,
    Event,
    PairResult,
    PairStake,
    PayAddress,
    Player,
    Revision,
    Seat,
    Session,
    Transfer,
)
from tests.ledger.conftest import settle


@pytest.fixture
def rows(session):
    """The values of one row of each table, for a test to write again with one value wrong."""
    settle(session)
    seats = {seat.number: seat for seat in Seat.objects.all()}
    PairStake.objects.create(session=session, low=seats[1], high=seats[2], stake=5)
    return {model: _values(model.objects.order_by("pk")[0]) for model in TABLES} | {"seats": seats}


TABLES: list[Any] = [Session, Player, Seat, PairStake, Event, Deal, Revision, BoardResult, PairResult, Transfer]


def _values(row):
    return {each.attname: getattr(row, each.attname) for each in row._meta.concrete_fields if not each.primary_key}


NEW = {"key": "new", "public_id": "new", "n": 9, "number": 9, "name": "Eve", "folded": "eve"}
WRONG = [
    (Session, {"stake": -1}),
    (Session, {"stake": 10**16}),
    (Session, {"minor_digits": 5}),
    (Session, {"button": 0}),
    (Session, {"currency": ""}),
    (Player, {"name": ""}),
    (PairStake, {"stake": -1}),
    (Event, {"n": 0}),
    (Event, {"undoes": 9}),
    (Deal, {"number": 0}),
    (Deal, {"revision": 0}),
    (Revision, {"kind": "void"}),
    (Revision, {"document": None, "kind": "correct"}),
    (Revision, {"kind": "settle"}),
    (BoardResult, {"fantasyland_cards": 12}),
    (BoardResult, {"fantasyland_cards": 18}),
    (BoardResult, {"stack_before": 5, "stack_after": None}),
    (BoardResult, {"stack_before": None, "stack_after": 5}),
    (BoardResult, {"stack_before": 5, "stack_after": 4}),
    (PairResult, {"stake": -1}),
    (PairResult, {"owed": -1, "paid": -1}),
    (PairResult, {"paid": 10**15}),
    (PairResult, {"paid": -1}),
    (Transfer, {"amount": -1}),
    (Transfer, {"amount": 10**16}),
    (Transfer, {"points": -1}),
    (Transfer, {"points": 0, "amount": 0}),
    (Transfer, {"kind": "fee"}),
    (Transfer, {"revision_id": None}),
]


@pytest.mark.parametrize(("model", "wrong"), WRONG)
def test_a_row_that_cannot_be_is_refused(rows, model, wrong):
    values = {**rows[model], **{name: value for name, value in NEW.items() if name in rows[model]}}
    if model is Revision:
        values.update(event_id=Event.objects.get(n=1).pk, kind="correct")
    if model in (BoardResult, PairResult):
        values.update(order=9, revision_id=_other_revision(rows).pk)
    if model is Deal:
        values.update(revision=1)
    if model is PairStake:
        values.update(high_id=rows["seats"][3].pk)
    with transaction.atomic():
        right = model.objects.create(**values)  # without the wrong value the database accepts the row
        transaction.set_rollback(True)
    assert right.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(**{**values, **wrong})


def _other_revision(rows):
    values = {**rows[Revision], "n": 5, "kind": "correct", "event_id": Event.objects.get(n=1).pk}
    return Revision.objects.create(**values)


SEATS = [
    {"number": 0},
    {"number": BANK},
    {"kind": "bank"},
    {"player_id": None},
    {"fantasyland_cards": 12},
    {"fantasyland_cards": 13, "sitting_out": True},
    {"fantasyland_cards": 13, "position": None},
]


@pytest.mark.parametrize("wrong", SEATS)
def test_a_seat_that_cannot_be_is_refused(session, wrong):
    player = Player.objects.create(club=session.club, name="Dan", folded="dan")
    right = {"session": session, "player": player, "number": 4, "name": "Dan", "position": 4}
    with transaction.atomic():
        assert Seat.objects.create(**right).pk
        transaction.set_rollback(True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(**{**right, **wrong})


TWINS = [
    (Session, {"public_id"}),
    (Session, {"key"}),
    (Player, {"folded"}),
    (PairStake, set()),
    (Event, {"n"}),
    (Event, {"key"}),
    (Deal, {"number"}),
    (Revision, {"n"}),
    (BoardResult, {"order"}),
    (PairResult, {"order"}),
]


@pytest.mark.parametrize(("model", "same"), TWINS)
def test_there_is_one_of_each(rows, model, same):
    values = {**rows[model], **{name: value for name, value in NEW.items() if name in rows[model] and name not in same}}
    if model is Revision:
        values.update(event_id=Event.objects.get(n=1).pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(**values)


def test_a_line_is_reversed_once_and_has_two_sides(rows):
    line = Transfer.objects.order_by("pk")[0]
    other = {**rows[Transfer], "payer_id": line.payee_id, "payee_id": line.payer_id, "reverses_id": line.pk}
    Transfer.objects.create(**other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(**other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(**{**rows[Transfer], "payer_id": line.payee_id})


PAY_ADDRESSES = [{"kind": "cheque"}, {"kind": ""}, {"value": ""}, {"value": "x" * 201}]


@pytest.mark.parametrize("wrong", PAY_ADDRESSES)
def test_an_address_to_pay_to_that_cannot_be_is_refused(session, wrong):
    right = {"player": Player.objects.get(name="Ann"), "kind": "text", "value": "x" * 200}
    with transaction.atomic():
        assert PayAddress.objects.create(**right).pk
        transaction.set_rollback(True)
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():  # PostgreSQL has a length of its own
        PayAddress.objects.create(**{**right, **wrong})


def test_a_player_has_one_address_of_a_kind(session):
    right = {"player": Player.objects.get(name="Ann"), "kind": "text"}
    PayAddress.objects.create(**right, value="Cash")
    with pytest.raises(IntegrityError), transaction.atomic():
        PayAddress.objects.create(**right, value="Coffee")


def test_a_seat_is_taken_once(session):
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(number=2).update(position=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(number=2).update(number=1)
