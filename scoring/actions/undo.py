"""The last thing that was done is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Takes back the event number ``n``, whose verb was ``undone``. An undo is not undone but done again."""

    verb: ClassVar[str] = "undo"

    n: int
    undone: str

    def as_document(self) -> dict[str, Any]:
        """Events call the undone verb ``verb``."""
        return {"n": self.n, "verb": self.undone}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """The way back."""
        return cls(stored["n"], stored["verb"])
