"""Brings a form that came too late up to date, so that what its host did not touch takes nobody's change back."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import eq
from typing import Generic, TypeVar

from scoring.wording.figures import facts
from scoring.wording.phrases import later as _

Field = TypeVar("Field")
Value = TypeVar("Value")

UNTOUCHED = _("Your changes are still here; everything else is as it is now.")
_TOUCHED = _("This was changed as well: {changes}. What you typed is below and would replace it.")


@dataclass(frozen=True, slots=True)
class Rebased(Generic[Field, Value]):
    """A form brought up to date: its ``values``, and the fields that were changed ``here``, ``there``, and in ``both``.

    Fields that were changed to the same value are not in ``both``.
    """

    values: dict[Field, Value]
    here: set[Field]
    there: set[Field]
    both: set[Field]


def rebased(
    typed: Mapping[Field, Value],
    was: Mapping[Field, Value],
    now: Mapping[Field, Value],
    same: Callable[[Value, Value], bool] = eq,
) -> Rebased[Field, Value]:
    """What was ``typed`` over what the page ``was``, over what the page would be ``now``."""

    def changed(values: Mapping[Field, Value]) -> set[Field]:
        return {field for field, value in values.items() if field not in was or not same(value, was[field])}

    here, there = changed(typed), changed(now)
    both = {field for field in here & there if not same(typed[field], now[field])}
    values = {**typed, **{field: value for field, value in now.items() if field not in here}}
    return Rebased(values, here, there, both)


def news(late: Rebased[Field, Value], both: Iterable[str]) -> list[str]:
    """What the host has to know of a form that was brought up to date, if anything was changed elsewhere.

    ``both`` says of each field that was changed here, too, what it is there.
    """
    return [str(UNTOUCHED), *touched_by_both(both)] if late.there else []


def touched_by_both(changes: Iterable[str]) -> list[str]:
    """The sentence on what was changed here and there, given what it says there; none if there is nothing."""
    said = facts(changes)
    return [str(_TOUCHED).format(changes=said)] if said else []
