"""The actions that raise and resolve the dispute of a settled deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class RaiseDispute(Action):
    """Somebody disputes a deal. Nothing else changes."""

    verb: ClassVar[str] = "dispute"
    idle: ClassVar[bool] = True

    number: int


@dataclass(frozen=True, slots=True)
class ResolveDispute(Action):
    """Resolves the dispute that event `raised` opened."""

    verb: ClassVar[str] = "resolve"
    idle: ClassVar[bool] = True

    raised: int
