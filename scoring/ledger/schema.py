"""What the database itself holds rows to: the references between them, and the constraints of our tables."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, ForeignKey, Model, OuterRef
from django.db.models.constraints import CheckConstraint, UniqueConstraint


def _models() -> list[type[Model]]:
    return list(apps.get_app_config("scoring").get_models())


def dangling() -> Iterator[tuple[str, int, str]]:
    """Every row that refers to one that is not there: its table, its primary key, and the column."""
    for model in _models():
        for field in model._meta.concrete_fields:
            if isinstance(field, ForeignKey):
                there = field.remote_field.model._base_manager.filter(pk=OuterRef(field.attname))
                lost = model._base_manager.filter(~Exists(there), **{f"{field.name}__isnull": False})
                for pk in lost.order_by("pk").values_list("pk", flat=True):
                    yield model._meta.db_table, pk, field.column


def unconstrained(connection: BaseDatabaseWrapper) -> Iterator[tuple[str, str]]:
    """The table and the name of each constraint that a table lacks; a unique column counts by its own name."""
    with connection.cursor() as cursor:
        for model in _models():
            meta = model._meta
            now = connection.introspection.get_constraints(cursor, meta.db_table)
            names = {name for name, found in now.items() if found["unique"] or found["check"]}
            for each in meta.constraints:
                if isinstance(each, CheckConstraint | UniqueConstraint) and each.name not in names:
                    yield meta.db_table, each.name
            unique = {tuple(found["columns"]) for found in now.values() if found["unique"] or found["primary_key"]}
            for field in meta.concrete_fields:
                if field.unique and (field.column,) not in unique:
                    yield meta.db_table, str(field.column)
