"""Everything that can happen in a session, one small object each.

Every module of this package is searched, so an action that is written is an action that is known: history, undo, the
books and the audit read `ACTIONS`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from typing import Any, Final

from scoring.actions.base import Action, TableAction


def _found() -> dict[str, type[Action]]:
    found: dict[str, type[Action]] = {}
    for each in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{each.name}")
        for _, action in inspect.getmembers(module, inspect.isclass):
            if issubclass(action, Action) and action.__module__ == module.__name__ and action.verb:
                if action.verb in found:
                    raise TypeError(f"{action.__name__} and {found[action.verb].__name__} have one verb")
                found[action.verb] = action
    return found


ACTIONS: Final[Mapping[str, type[Action]]] = _found()
"""Each action by its verb, the word under which events store it."""


TABLE_ACTIONS: Final[Mapping[str, type[TableAction]]] = {
    verb: action for verb, action in ACTIONS.items() if issubclass(action, TableAction)
}
"""Those that change the table between two deals."""


def read_table_action(verb: str, stored: Mapping[str, Any]) -> TableAction:
    """A stored event's action as the object that it was. Raises `LookupError` for a verb that changes no table."""
    return TABLE_ACTIONS[verb].read(stored)
