"""Outcomes: deals settled on paper, before the ledger records them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.game.entry import Entry
from scoring.game.lines import Line, LineKind
from scoring.rules.houserules import resolve, same_rules
from scoring.rules.settle import Debt, settle


class Gain(NamedTuple):
    """What one deal did to one seat: the minor units it won, and the cards that Fantasyland deals it next, or 0."""

    money: int
    fantasyland_next: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One deal settled on paper: the score ``document`` that the engine was asked, and the ``result`` it answered.

    ``seats`` are the seat numbers of the document's players, in the same order: clockwise from under the gun.
    """

    seats: tuple[int, ...]
    button: int
    entry: Entry
    note: str
    document: dict[str, Any]
    result: dict[str, Any]

    def gains(self) -> dict[int, Gain]:
        """What each seat won, and its Fantasyland in the next deal."""
        players = self.result["players"]
        return {
            seat: Gain(player["money"], player.get("fantasyland_next", 0))
            for seat, player in zip(self.seats, players, strict=True)
        }

    def pairs(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Each pair in the order of payment: its two seats, and the pair as the score document has it."""
        seat_of = {player["name"]: seat for seat, player in zip(self.seats, self.result["players"], strict=True)}
        for pair in self.result["pairs"]:
            first, second = pair["players"]
            yield seat_of[first], seat_of[second], pair

    def caps(self) -> dict[tuple[str, str], str]:
        """The cap (`PaidDebt.cap`) that left part of a debt unpaid, by the pair's two names; empty while on credit."""
        players = self.document["players"]
        if any("stack" not in player for player in players):
            return {}
        names = [player["name"] for player in players]
        debts = sorted(
            Debt(names.index(first), names.index(second), pair["points"], pair["stake"])
            for pair in self.result["pairs"]
            for first, second in [pair["players"]]
        )
        paid, _ = settle(debts, [player["stack"] for player in players], resolve(self.document["rules"]))
        return {(names[each.debt.first], names[each.debt.second]): each.cap for each in paid if each.cap}

    def lines(self) -> list[Line]:
        """The lines of this deal, one for each pair that won or lost points."""
        in_play = any(player["stack"] is not None for player in self.result["players"])
        booked = []
        for first, second, pair in self.pairs():
            payer, payee = (second, first) if pair["points"] > 0 else (first, second)
            if pair["points"]:
                booked.append(Line(payer, payee, abs(pair["points"]), pair["paid"], LineKind.DEAL, in_play))
        return booked


def same_document(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two score documents ask the engine the same thing; their rules need only resolve to the same choices."""
    without = [{key: value for key, value in each.items() if key != "rules"} for each in (one, other)]
    return without[0] == without[1] and same_rules(one["rules"], other["rules"])
