"""The start of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.actions.base import Action
from scoring.game.entry import pair_stakes_from_list
from scoring.game.table import Chair, Table
from scoring.rules.houserules import resolve


@dataclass(frozen=True, slots=True)
class Start(Action):
    """The first event of a session. It has the players in their seats and the terms of the first deal."""

    verb: ClassVar[str] = "start"

    seats: list[list[Any]]
    """[seat number, name] of each player, in clockwise order."""
    button: int
    stake: int
    pair_stakes: list[list[int]]
    rules: dict[str, Any]

    def table(self) -> Table:
        """Returns the table before the first deal."""
        return Table(
            chairs=tuple(Chair(number, name) for number, name in self.seats),
            button=self.button,
            stake=self.stake,
            rules=resolve(self.rules),
            pair_stakes=pair_stakes_from_list(self.pair_stakes),
        )
