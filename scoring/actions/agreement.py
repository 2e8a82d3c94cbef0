"""The action by which a player agrees to the record of a closed session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Agree(Action):
    """A player agrees to everything up to event number ``event``, whose hash is ``head``."""

    verb: ClassVar[str] = "agree"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    beside_record: ClassVar[bool] = True

    seat: int
    event: int
    head: str
