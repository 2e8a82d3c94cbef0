"""What the scorer enters for one deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from scoring.rules.board import ROWS
from scoring.rules.houserules import HouseRules, resolve


@dataclass(frozen=True, slots=True)
class Rows:
    """One board as the scorer typed it, with the ruling on it, if any (``dead`` or ``surrendered``)."""

    front: str = ""
    middle: str = ""
    back: str = ""
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the scorer enters for one deal.

    An entry has ``boards`` by seat number. If the table scored the deal itself, it has ``points`` instead: (seat, seat,
    points that the first won). The other fields override the table for this deal alone, and are None where they do not:
    who was dealt in (``seats``), the ``button``, the number of cards dealt at once to each seat in Fantasyland
    (``fantasyland``), the stakes and the rules. ``note`` gives the reason for the overrides.
    """

    boards: Mapping[int, Rows] = field(default_factory=dict)
    points: tuple[tuple[int, int, int], ...] | None = None
    seats: tuple[int, ...] | None = None
    button: int | None = None
    fantasyland: Mapping[int, int] | None = None
    stake: int | None = None
    pair_stakes: Mapping[tuple[int, int], int] | None = None
    rules: HouseRules | None = None
    note: str = ""

    @property
    def overrides(self) -> bool:
        """True if the entry overrides anything that the table has from the deals before it."""
        return not (
            self.seats is None
            and self.button is None
            and self.fantasyland is None
            and self.stake is None
            and self.pair_stakes is None
            and self.rules is None
        )

    def as_document(self) -> dict[str, Any]:
        """The entry as JSON, which `read` reads back."""
        document: dict[str, Any] = {
            "boards": {
                str(seat): {name: value for name in (*ROWS, "ruling") if (value := getattr(rows, name))}
                for seat, rows in sorted(self.boards.items())
            }
        }
        if self.points is not None:
            document["points"] = [list(pair) for pair in self.points]
        if self.seats is not None:
            document["seats"] = list(self.seats)
        if self.fantasyland is not None:
            document["fantasyland"] = as_object(self.fantasyland)
        if self.pair_stakes is not None:
            document["pair_stakes"] = pair_stakes_as_list(self.pair_stakes)
        if self.rules is not None:
            document["rules"] = self.rules.as_document()
        document.update({name: value for name in ("button", "stake") if (value := getattr(self, name)) is not None})
        if self.note:
            document["note"] = self.note
        return document

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Read an entry that `as_document` wrote."""
        return cls(
            boards={int(seat): Rows(**rows) for seat, rows in stored["boards"].items()},
            points=tuple(tuple(pair) for pair in stored["points"]) if "points" in stored else None,
            seats=tuple(stored["seats"]) if "seats" in stored else None,
            button=stored.get("button"),
            fantasyland=as_mapping(stored["fantasyland"]) if "fantasyland" in stored else None,
            stake=stored.get("stake"),
            pair_stakes=pair_stakes_from_list(stored["pair_stakes"]) if "pair_stakes" in stored else None,
            rules=resolve(stored["rules"]) if "rules" in stored else None,
            note=stored.get("note", ""),
        )


def pair(one: int, other: int) -> tuple[int, int]:
    """The key of two seats' stake: the lower number comes first."""
    return (one, other) if one < other else (other, one)


def pair_stakes_as_list(stakes: Mapping[tuple[int, int], int]) -> list[list[int]]:
    """Pair stakes as JSON: lists of [lower seat, higher seat, minor units a point]."""
    return [[low, high, stake] for (low, high), stake in sorted(stakes.items())]


def pair_stakes_from_list(stored: Iterable[Sequence[int]]) -> dict[tuple[int, int], int]:
    """Read pair stakes that `pair_stakes_as_list` wrote."""
    return {pair(low, high): stake for low, high, stake in stored}


def as_object(mapping: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): value for seat, value in sorted(mapping.items())}


def as_mapping(stored: Mapping[str, int]) -> dict[int, int]:
    return {int(seat): value for seat, value in stored.items()}
