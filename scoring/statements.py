"""Statements that are made once and asked often, by the ledger, the drafts, and the gate of every page.

Django makes the SQL of every query and of every `bulk_create` anew. That took more than half of the time of settling a
hand, although its statements are always the same. Here Django makes a query once, and its fields prepare the values;
PostgreSQL takes the rows of an insert as one text, of which it makes the values itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Final, Generic, Self, TypeVar

import orjson
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, QuerySet, TextField
from django.db.models.expressions import Col

M = TypeVar("M", bound=Model)


class Prepared(Generic[M]):
    """A query of a model's whole rows whose SQL is made once for each kind of database and number of arguments.

    The ``query`` takes positional arguments, which are never None. They have to be the statement's parameters, in their
    order; if they are not, the first use raises `ValueError`.
    """

    def __init__(self, model: type[M], query: Callable[..., QuerySet[M]]) -> None:
        self.model, self.query = model, query
        self.made: dict[tuple[str, int], _Query] = {}

    def __call__(self, *values: int | str) -> list[M]:
        """The rows that it finds."""
        made = self.made.get((connection.vendor, len(values)))
        if made is None:
            rows = self.query(*values)
            statement, parameters = rows.query.sql_with_params()
            if parameters != values:
                raise ValueError(f"The statement has the parameters {parameters}, and not {values}: {statement}")
            if len(set(values)) < len(values):  # whose order nobody can tell
                return list(rows)
            made = self.made[connection.vendor, len(values)] = _Query.of(self.model, statement)
        with connection.cursor() as cursor:
            cursor.execute(made.statement, values)
            found = cursor.fetchall()
        return [self.model.from_db(connection.alias, made.names, made.read(row)) for row in found]


@dataclass(frozen=True, slots=True)
class _Query:
    """The statement of a query, the fields that it loads, and those whose values the database does not give as such."""

    statement: str
    names: Sequence[str]
    converted: Sequence[tuple[int, Col]]

    @classmethod
    def of(cls, model: type[Model], statement: str) -> Self:
        fields = model._meta.concrete_fields
        columns = [(place, field.get_col(model._meta.db_table)) for place, field in enumerate(fields)]
        return cls(
            statement=statement,
            names=[field.attname for field in fields],
            converted=[(place, column) for place, column in columns if any(_converters(column))],
        )

    def read(self, row: Sequence[Any]) -> list[Any]:
        """The values of a row as the model has them."""
        values = list(row)
        for place, column in self.converted:
            for convert in _converters(column):
                values[place] = convert(values[place], column, connection)
        return values


def _converters(column: Col) -> list[Callable[..., Any]]:
    return [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]


def insert_rows(rows: Sequence[Model]) -> None:
    """Insert rows of one model and set their primary keys. No signal is sent.

    A row may point to rows that have been saved since it was made, but raises `ValueError` if one of them was not.
    """
    if not rows:
        return
    shape = _shape(type(rows[0]), connection.vendor)
    size = connection.ops.bulk_batch_size(shape.fields, rows)
    database = connections[connection.alias]  # `connection` would look it up for each of thousands of values
    with transaction.atomic(savepoint=False), database.cursor() as cursor:
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            cursor.execute(*shape.insert(batch, database))
            for row, (pk,) in zip(batch, cursor.fetchall(), strict=True):
                row.pk = pk
                row._state.adding, row._state.db = False, database.alias


UNPREPARED: Final = (BooleanField, CharField, ForeignKey, IntegerField, TextField)
"""Fields whose values every driver takes as they are."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the rows of one model are inserted: the parts of the statement, and the fields behind its ``columns``."""

    table: str
    columns: str
    returning: str
    fields: Sequence[Field[Any, Any]]
    relations: Sequence[ForeignKey[Any, Any]]
    prepared: Sequence[tuple[int, Callable[..., Any]]]
    read: Callable[[Model], tuple[Any, ...]]

    def insert(self, rows: Sequence[Model], database: BaseDatabaseWrapper) -> tuple[str, Sequence[Any]]:
        """The statement that inserts the rows, and its parameters."""
        values = [self._values(row) for row in rows]
        if database.vendor == "postgresql":
            source, parameters = self._as_json(values)
        else:
            source, parameters = self._one_by_one(values, database)
        return f"INSERT INTO {self.table} ({self.columns}) {source} {self.returning}", parameters

    def _values(self, row: Model) -> tuple[Any, ...]:
        """The row's values in the order of its columns."""
        for field in self.relations:
            if getattr(row, field.attname) is None and (to := field.get_cached_value(row, default=None)):
                if to.pk is None:
                    raise ValueError(f"The {field.name} of a {row._meta.model_name} was not saved.")
                setattr(row, field.attname, to.pk)
        return self.read(row)

    def _as_json(self, rows: Sequence[Sequence[Any]]) -> tuple[str, Sequence[Any]]:
        """All rows as one parameter, which takes a third of the time that one parameter for each value takes."""
        names = [field.column for field in self.fields]
        objects = [dict(zip(names, row, strict=True)) for row in rows]
        parameter = orjson.dumps(objects, option=orjson.OPT_NON_STR_KEYS).decode()
        rows_of = f"json_populate_recordset(NULL::{self.table}, %s)"
        return f"SELECT {self.columns} FROM {rows_of}", [parameter]  # noqa: S608 - no name comes from outside

    def _one_by_one(self, rows: Sequence[Sequence[Any]], database: BaseDatabaseWrapper) -> tuple[str, Sequence[Any]]:
        """Each value as a parameter, as its driver takes it."""
        parameters = [value for row in rows for value in row]
        for start in range(0, len(parameters), len(self.fields)):
            for place, prepare in self.prepared:
                parameters[start + place] = prepare(parameters[start + place], database)
        row = f"({', '.join(['%s'] * len(self.fields))})"
        return f"VALUES {', '.join([row] * len(rows))}", parameters


@cache
def _shape(model: type[Model], vendor: str) -> _Shape:
    """The shape of a model's rows, whose primary keys the database gives."""
    quote = connection.ops.quote_name
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    return _Shape(
        table=quote(model._meta.db_table),
        columns=", ".join(quote(str(field.column)) for field in fields),
        returning=f"RETURNING {quote(str(model._meta.pk.column))}",
        fields=fields,
        relations=[field for field in fields if isinstance(field, ForeignKey)],
        prepared=[
            (place, field.get_db_prep_save) for place, field in enumerate(fields) if not isinstance(field, UNPREPARED)
        ],
        read=attrgetter(*(field.attname for field in fields)),
    )
