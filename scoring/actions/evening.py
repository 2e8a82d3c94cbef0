"""The actions on the session as a whole: rename, close, reopen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Rename(Action):
    """The session gets a name. If ``name`` is empty, pages call the session by its date."""

    verb: ClassVar[str] = "rename"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"was"})

    name: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Close(Action):
    """The session is closed. Until it is reopened, only its name can change."""

    verb: ClassVar[str] = "close"


@dataclass(frozen=True, slots=True)
class Reopen(Action):
    """A closed session is opened again."""

    verb: ClassVar[str] = "reopen"
    on_closed: ClassVar[bool] = True
