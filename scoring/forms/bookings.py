"""Finds every `BookingForm` of this package."""

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from typing import Final

import scoring.forms
from scoring.forms.booking import BookingForm


def _found() -> dict[str, type[BookingForm]]:
    found: dict[str, type[BookingForm]] = {}
    for each in pkgutil.iter_modules(scoring.forms.__path__):
        if each.name != "bookings":
            module = importlib.import_module(f"scoring.forms.{each.name}")
            for _, form in inspect.getmembers(module, inspect.isclass):
                if issubclass(form, BookingForm) and form.ACTIONS:
                    found[form.ACTIONS[0].verb] = form
    return dict(sorted(found.items()))


BOOKINGS: Final[Mapping[str, type[BookingForm]]] = _found()
"""The forms by verb. The verb is also their page's address and URL name."""
