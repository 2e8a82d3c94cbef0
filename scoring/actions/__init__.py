"""Everything that can happen in a session, one small object each.

Every module here is imported, so a new action registers itself. History, undo, the books and the audit read `ACTIONS`.
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
"""The actions that change the table between two deals, by verb."""


BESIDE_RECORD: Final = frozenset(verb for verb, action in ACTIONS.items() if action.beside_record)
"""The verbs of actions that the head which people are shown leaves out."""


def read_table_action(verb: str, stored: Mapping[str, Any]) -> TableAction:
    """Reads the action of a stored event. Raises `LookupError` if actions with this verb do not change the table."""
    return TABLE_ACTIONS[verb].read(stored)
