"""A settled deal is disputed, and the dispute decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class RaiseDispute(Action):
    """Somebody disputes a deal; nothing else changes."""

    verb: ClassVar[str] = "dispute"
    idle: ClassVar[bool] = True

    number: int


@dataclass(frozen=True, slots=True)
class ResolveDispute(Action):
    """The dispute that the event number ``raised`` opened is resolved."""

    verb: ClassVar[str] = "resolve"
    idle: ClassVar[bool] = True

    raised: int
