"""Undo: the last event is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Takes back the event number ``n``, whose verb was ``undone``.

    An undo cannot be undone; repeat the original action.
    """

    verb: ClassVar[str] = "undo"
    takes_back: ClassVar[bool] = True

    n: int
    undone: str

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON. Events store ``undone`` as ``verb``."""
        return {"n": self.n, "verb": self.undone}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Reads ``verb`` back as ``undone``."""
        return cls(stored["n"], stored["verb"])
