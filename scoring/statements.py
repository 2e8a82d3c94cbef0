"""Statements that are made once and asked often, by the ledger, the drafts, and the gate of every page.

Django makes the SQL of every query and of every `bulk_create` anew. That took more than half of the time of settling a
hand, although its statements are always the same. Here Django makes a query once, and prepares values as always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, Self, TypeVar

from django.db import connection, transaction
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, QuerySet, TextField
from django.db.models.expressions import Col

Row = TypeVar("Row", bound=Model)


class Prepared(Generic[Row]):
    """A query of a model's whole rows whose SQL is made once for each kind of database and number of arguments.

    The ``query`` takes positional arguments, which are never None. They have to be the statement's parameters, in their
    order; if they are not, the first use raises `ValueError`.
    """

    def __init__(self, model: type[Row], query: Callable[..., QuerySet[Row]]) -> None:
        self.model, self.query = model, query
        self.made: dict[tuple[str, int], _Query] = {}

    def __call__(self, *values: int | str) -> list[Row]:
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
    model = type(rows[0])
    if len(rows) > MOST_AT_ONCE.get(connection.vendor, len(rows)):
        model._base_manager.bulk_create(rows)
        return
    shape = _shape(model, connection.vendor)
    size = connection.ops.bulk_batch_size(shape.fields, rows)
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            cursor.execute(shape.statement(len(batch)), [value for row in batch for value in shape.values(row)])
            for row, (pk,) in zip(batch, cursor.fetchall(), strict=True):
                row.pk = pk
                row._state.adding, row._state.db = False, connection.alias


MOST_AT_ONCE: Final = {"postgresql": 20}
"""Django inserts more rows than so many faster, as PostgreSQL takes them column by column."""


UNPREPARED: Final = (BooleanField, CharField, ForeignKey, IntegerField, TextField)
"""Fields whose values every driver takes as they are."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the rows of one model are inserted."""

    fields: Sequence[Field[Any, Any]]
    relations: Sequence[ForeignKey[Any, Any]]
    into: str
    row: str
    returning: str
    columns: Sequence[tuple[str, Callable[..., Any] | None]]

    def statement(self, rows: int) -> str:
        return self.into + ", ".join([self.row] * rows) + self.returning

    def values(self, row: Model) -> Iterator[Any]:
        """The row's values as the driver takes them, in the order of its columns."""
        for field in self.relations:
            if getattr(row, field.attname) is None and (to := field.get_cached_value(row, default=None)):
                if to.pk is None:
                    raise ValueError(f"The {field.name} of a {row._meta.model_name} was not saved.")
                setattr(row, field.attname, to.pk)
        for name, prepare in self.columns:
            value = getattr(row, name)
            yield value if prepare is None else prepare(value, connection)


@cache
def _shape(model: type[Model], vendor: str) -> _Shape:
    """The shape of a model's rows, whose primary keys the database gives."""
    quote = connection.ops.quote_name
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    names = ", ".join(quote(str(field.column)) for field in fields)
    return _Shape(
        fields=fields,
        into=f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ",  # noqa: S608 - no name comes from outside
        row=f"({', '.join(['%s'] * len(fields))})",
        returning=f" RETURNING {quote(str(model._meta.pk.column))}",
        relations=[field for field in fields if isinstance(field, ForeignKey)],
        columns=[
            (field.attname, None if isinstance(field, UNPREPARED) else field.get_db_prep_save) for field in fields
        ],
    )
