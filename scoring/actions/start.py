"""The start of a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from scoring.actions.base import Action
from scoring.game.entry import pair_stakes_from_list
from scoring.game.table import Chair, Table
from scoring.rules.houserules import resolve


@dataclass(frozen=True, slots=True)
class Start(Action):
    """The first event of a session. It has the players in their seats and the terms of the first deal.

    What the ledger fills in says which session it is, so that the chain of its events cannot be passed off as that of
    another one. Earlier releases did not store it: then it has its defaults.
    """

    verb: ClassVar[str] = "start"
    decided: ClassVar[frozenset[str]] = frozenset({"session", "number", "name", "currency", "minor_digits", "players"})

    seats: list[list[Any]]
    """[seat number, name] of each player, in clockwise order."""
    button: int
    stake: int
    pair_stakes: list[list[int]]
    rules: dict[str, Any]
    session: str = ""
    """The session's public id."""
    number: int = 0
    """The session's number in its club."""
    name: str = ""
    currency: str = ""
    minor_digits: int = 0
    players: list[list[int]] = field(default_factory=list)
    """[seat number, player] for each seat; the player's number is its primary key."""

    def table(self) -> Table:
        """Returns the table before the first deal."""
        return Table(
            chairs=tuple(Chair(number, name) for number, name in self.seats),
            button=self.button,
            stake=self.stake,
            rules=resolve(self.rules),
            pair_stakes=pair_stakes_from_list(self.pair_stakes),
            names=dict(self.seats),
        )
