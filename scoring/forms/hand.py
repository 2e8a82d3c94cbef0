"""One hand as it is typed: rows or a ruling for each seat, or the points that the table counted itself."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from scoring.forms.boards import TypedBoard, by_field
from scoring.game.entry import Entry, Rows
from scoring.game.outcome import Outcome
from scoring.ledger import Later
from scoring.rules.errors import Problem
from scoring.rules.houserules import FANTASYLAND_CARDS

RULINGS = {"": "As the cards lie", "dead": "Ruled dead by the table", "surrendered": "Surrendered"}
MOST_DIGITS = 6


def prefix(seat: int) -> str:
    """The prefix of a seat's fields."""
    return f"p{seat}"


@dataclass(frozen=True, slots=True)
class PairPoints:
    """What the table counted for one pair, the lower seat ``first``: so many points to ``gainer``, as typed."""

    first: int
    second: int
    gainer: int
    text: str
    errors: list[str]

    @property
    def id(self) -> str:
        """Also the name of the field with the points; that of the gainer has ``-to`` after it."""
        return points_field(self.first, self.second)


def points_field(first: int, second: int) -> str:
    """The field of a pair's points, the same whoever is under the gun."""
    return f"points-{min(first, second)}-{max(first, second)}"


def seats_carried(data: Mapping[str, str], known: Iterable[int]) -> tuple[int, ...]:
    """Who was dealt in when the form was first shown, as `DealForm.carried` has it; empty where it does not say."""
    numbers = {str(seat): seat for seat in known}
    named = data.get("seats", "").split(",")
    believed = numbers.keys() >= set(named) and len(named) == len(set(named))
    return tuple(numbers[each] for each in named) if believed else ()


class DealForm:
    """The hand as typed. ``seats`` are those dealt in, under the gun first, as the score document has its players."""

    def __init__(self, data: Mapping[str, str], seats: Sequence[int]) -> None:
        self.seats = seats
        self.boards = {seat: TypedBoard.read(data, prefix(seat)) for seat in seats}
        self.rulings = {seat: _among(RULINGS, data.get(f"{prefix(seat)}-ruling", "")) for seat in seats}
        self.by_points = data.get("mode") == "points"
        self.errors: dict[str, list[str]] = {}
        pairs = list(combinations(sorted(seats), 2))
        self._gainers = {pair: _gainer(data.get(f"{points_field(*pair)}-to", ""), pair) for pair in pairs}
        self._points = {pair: data.get(points_field(*pair), "").strip() for pair in pairs}

    @classmethod
    def of(cls, entry: Entry, seats: Sequence[int]) -> "DealForm":
        """The form as it would have been typed to make this entry."""
        data = {
            f"{prefix(seat)}-{name}": getattr(rows, name)
            for seat, rows in entry.boards.items()
            for name in ("front", "middle", "back", "ruling")
        }
        for first, second, points in entry.points or ():
            gainer = first if points > 0 else second
            data |= {points_field(first, second): str(abs(points)), f"{points_field(first, second)}-to": str(gainer)}
        return cls({**data, "mode": "cards" if entry.points is None else "points"}, seats)

    @property
    def carried(self) -> str:
        """Who is dealt in, for the form to carry: read again by them, it is the same hand when the table has moved."""
        return ",".join(map(str, self.seats))

    @property
    def sent(self) -> bool:
        """True if anything was typed."""
        return any(self.boards.values()) or any(self.rulings.values()) or any(self._points.values())

    def entry(self) -> Entry | None:
        """What the ledger takes; None, and ``errors``, for points that are no numbers. Cards are the rules' to read."""
        if not self.by_points:
            boards = {
                seat: Rows(*board.rows(), ruling=self.rulings[seat])
                for seat, board in self.boards.items()
                if board or self.rulings[seat]
            }
            return Entry(boards=boards)
        points = []
        for pair, text in self._points.items():
            if not re.fullmatch(rf"[0-9]{{0,{MOST_DIGITS}}}", text):
                self._wrong(points_field(*pair), f"Points are a whole number of at most {MOST_DIGITS} digits.")
                continue
            sign = 1 if self._gainers[pair] == pair[0] else -1
            points.append((*pair, sign * int(text or 0)))
        return None if self.errors else Entry(points=tuple(points))

    def refused(self, problems: Iterable[Problem]) -> None:
        """Put the ledger's problems at the fields that caused them."""
        for field, messages in by_field(problems, [prefix(seat) for seat in self.seats]).items():
            self.errors.setdefault(field, []).extend(messages)

    def all_fields(self) -> dict[str, str]:
        """Everything typed by the names of its fields, to be carried from the preview to the button that settles."""
        found = {"mode": "points"} if self.by_points else {}
        for seat in self.seats:
            found |= {f"{prefix(seat)}-{row}": text for row, text in self.boards[seat].given().items()}
            if self.rulings[seat]:
                found[f"{prefix(seat)}-ruling"] = self.rulings[seat]
        for pair, text in self._points.items():
            if text:
                found |= {points_field(*pair): text, f"{points_field(*pair)}-to": str(self._gainers[pair])}
        return found

    def pair_points(self) -> list[PairPoints]:
        """The fields of a hand that the table counted itself."""
        return [
            PairPoints(*pair, self._gainers[pair], text, self.errors.get(points_field(*pair), []))
            for pair, text in self._points.items()
        ]

    def _wrong(self, field: str, message: str) -> None:
        self.errors.setdefault(field, []).append(message)


def _among(known: Mapping[str, str], text: str) -> str:
    return text if text in known else ""


def cards_dealt(text: str | None, otherwise: int) -> int:
    """Cards dealt at once as chosen from a list: 0 for none, ``otherwise`` where there was no such field."""
    if text is None:
        return otherwise
    return int(text) if text in map(str, FANTASYLAND_CARDS) else 0


def _gainer(text: str, pair: tuple[int, int]) -> int:
    return pair[1] if text == str(pair[1]) else pair[0]


class CorrectionForm(DealForm):
    """A settled hand typed anew: also who had the button, who was in Fantasyland, why, and what becomes of later hands.

    ``entry`` and ``outcome`` are the hand as it stands; what is not changed stays as it was entered.
    """

    def __init__(self, data: Mapping[str, str], stored: Entry, outcome: Outcome) -> None:
        self.stored, self.outcome = stored, outcome
        if not any(key.startswith(("p", "points-")) for key in data):
            data = {**DealForm.of(stored, outcome.seats).all_fields(), **data}
        super().__init__(data, outcome.seats)
        self.note = data.get("note", "").strip()
        self.later: Later = "as-played" if data.get("later") == "as-played" else "follow"
        self.dealt = {
            seat: player.get("fantasyland_cards", 0) if player.get("fantasyland") else 0
            for seat, player in zip(outcome.seats, outcome.document["players"], strict=True)
        }
        # The button deals without playing where there is one player more than the cards suffice for (R66).
        self.buttons = (*outcome.seats, *({outcome.button} - set(outcome.seats)))
        chosen = data.get("button", "")
        self.button = int(chosen) if chosen in map(str, self.buttons) else outcome.button
        self.cards = {seat: cards_dealt(data.get(f"{prefix(seat)}-cards"), self.dealt[seat]) for seat in outcome.seats}

    def entry(self) -> Entry | None:
        """The hand as it should have been entered."""
        typed = super().entry()
        if typed is None:
            return None
        changed: dict[str, Any] = {"boards": typed.boards, "points": typed.points}
        if self.button != self.outcome.button:
            changed["button"] = self.button
        if self.cards != self.dealt:
            changed["fantasyland"] = {seat: cards for seat, cards in self.cards.items() if cards}
        if changed.keys() & {"button", "fantasyland"}:
            changed["note"] = self.note
        return replace(self.stored, **changed)

    def all_fields(self) -> dict[str, str]:
        """As `DealForm.all_fields`, with what a correction adds."""
        found = super().all_fields()
        if self.button != self.outcome.button:
            found["button"] = str(self.button)
        changed = {seat: cards for seat, cards in self.cards.items() if cards != self.dealt[seat]}
        found |= {f"{prefix(seat)}-cards": str(cards) for seat, cards in changed.items()}
        return found
