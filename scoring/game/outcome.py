"""One deal settled on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.game.entry import Entry
from scoring.game.lines import Line, LineKind


class Gain(NamedTuple):
    """What one deal did to one seat: minor units won, and the cards it gets at once in the next deal (0: none)."""

    money: int
    fantasyland_next: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One deal settled on paper: what the engine was asked and what it answered.

    ``seats`` are the seat numbers of the document's players, in its order: clockwise, under the gun first.
    """

    seats: tuple[int, ...]
    button: int
    entry: Entry
    note: str
    document: dict[str, Any]
    result: dict[str, Any]

    def gains(self) -> dict[int, Gain]:
        """What each seat won, and its Fantasyland."""
        players = self.result["players"]
        return {
            seat: Gain(player["money"], player.get("fantasyland_next", 0))
            for seat, player in zip(self.seats, players, strict=True)
        }

    def pairs(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Each pair in the order of settlement: the two seats, and the score document's pair."""
        seat_of = {player["name"]: seat for seat, player in zip(self.seats, self.result["players"], strict=True)}
        for pair in self.result["pairs"]:
            first, second = pair["players"]
            yield seat_of[first], seat_of[second], pair

    def lines(self) -> list[Line]:
        """The transfers that this deal makes, one for each pair that is worth something."""
        in_play = any(player["stack"] is not None for player in self.result["players"])
        found = []
        for first, second, pair in self.pairs():
            payer, payee = (second, first) if pair["points"] > 0 else (first, second)
            if pair["points"]:
                found.append(Line(payer, payee, abs(pair["points"]), pair["paid"], LineKind.DEAL, in_play))
        return found
