"""The evening as a whole: what it is called, and its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Rename(Action):
    """The session is called ``name``; without one it is called by its day."""

    verb: ClassVar[str] = "rename"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"was"})

    name: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Close(Action):
    """Nothing changes any more until the session is reopened."""

    verb: ClassVar[str] = "close"


@dataclass(frozen=True, slots=True)
class Reopen(Action):
    """A closed session goes on."""

    verb: ClassVar[str] = "reopen"
    on_closed: ClassVar[bool] = True
