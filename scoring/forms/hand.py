"""One hand as it is typed: rows or a ruling for each seat, or the points that the table counted itself."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, Self

from scoring.forms.boards import TypedBoard, by_field
from scoring.game.entry import Entry, Rows
from scoring.game.outcome import Outcome
from scoring.rules.board import ROWS
from scoring.rules.errors import Problem
from scoring.rules.houserules import FANTASYLAND_CARDS
from scoring.texts import ngettext
from scoring.wording.notes import REASONS
from scoring.wording.phrases import later as _

RULINGS = {"": _("Cards speak"), "dead": _("Dead hand"), "surrendered": _("Surrendered")}
MOST_DIGITS = 6


Part = tuple[str, ...]
"""The names of the fields that say one thing of a hand: a row, a ruling, or the points of a pair and who won them."""


class Parts(NamedTuple):
    """What stands in each part of a hand: how it was dealt, and what is said of it by boards and by points."""

    dealt: Mapping[Part, tuple[str, ...]]
    boards: Mapping[Part, tuple[str, ...]]
    points: Mapping[Part, tuple[str, ...]]


def prefix(seat: int) -> str:
    """The prefix of a seat's field names."""
    return f"p{seat}"


@dataclass(frozen=True, slots=True)
class PairPoints:
    """The points that the table counted for one pair, as typed. ``first`` is the lower seat."""

    first: int
    second: int
    gainer: int
    text: str
    errors: list[str]

    @property
    def id(self) -> str:
        """The name of the points field; the gainer's field has ``-to`` appended."""
        return points_field(self.first, self.second)

    @property
    def fields(self) -> Part:
        """The points and whose they are. Neither says anything without the other."""
        return self.id, f"{self.id}-to"


def points_field(first: int, second: int) -> str:
    """The name of a pair's points field, for the two seats in either order."""
    return f"points-{min(first, second)}-{max(first, second)}"


def seats_carried(data: Mapping[str, str], known: Iterable[int]) -> tuple[int, ...]:
    """Reads the seats that `DealForm.carried` wrote into a form. Empty if they are missing or not credible."""
    numbers = {str(seat): seat for seat in known}
    named = data.get("seats", "").split(",")
    believed = numbers.keys() >= set(named) and len(named) == len(set(named))
    return tuple(numbers[each] for each in named) if believed else ()


class DealForm:
    """The hand as typed. ``seats`` are those dealt in, from under the gun, as in the score document."""

    def __init__(
        self, data: Mapping[str, str], seats: Sequence[int], *, initial: Mapping[str, str] | None = None
    ) -> None:
        """``initial`` has the fields that ``data`` does not: the rows that phones have sent."""
        data = {**(initial or {}), **{name: data[name] for name in data}}
        self.seats = seats
        self.boards = {seat: TypedBoard.read(data, prefix(seat)) for seat in seats}
        self.rulings = {seat: _among(RULINGS, data.get(f"{prefix(seat)}-ruling", "")) for seat in seats}
        # The button between cards and points says which of them to show next.
        self.by_points = (data["edit"] if data.get("edit") in {"cards", "points"} else data.get("mode")) == "points"
        self.errors: dict[str, list[str]] = {}
        pairs = list(combinations(sorted(seats), 2))
        self._gainers = {pair: _gainer(data.get(f"{points_field(*pair)}-to", ""), pair) for pair in pairs}
        self._points = {pair: data.get(points_field(*pair), "").strip() for pair in pairs}

    @classmethod
    def of(cls, entry: Entry, seats: Sequence[int]) -> "DealForm":
        """The form that would have to be typed to make this entry."""
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
        """The seats dealt in, for a hidden field: with them the form stays the same hand after the table has moved."""
        return ",".join(map(str, self.seats))

    @property
    def sent(self) -> bool:
        """Whether anything was typed."""
        return any(self.boards.values()) or any(self.rulings.values()) or any(self._points.values())

    def entry(self) -> Entry | None:
        """The entry for the ledger. None, with ``errors``, if points are not numbers. The rules check the cards."""
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
                self._wrong(points_field(*pair), _wrong_points(text))
                continue
            sign = 1 if self._gainers[pair] == pair[0] else -1
            points.append((*pair, sign * int(text or 0)))
        return None if self.errors else Entry(points=tuple(points))

    def refused(self, problems: Iterable[Problem]) -> None:
        """Put each of the ledger's problems at the field that caused it."""
        for field, messages in by_field(problems, [prefix(seat) for seat in self.seats]).items():
            self.errors.setdefault(field, []).extend(messages)

    def all_fields(self) -> dict[str, str]:
        """Everything typed, by field name, for the hidden fields of the preview.

        A board is all there, its empty rows and its lack of a ruling, too, so that nothing is added to it of what
        another phone has sent since.
        """
        return {**({"mode": "points"} if self.by_points else {}), **self.board_fields(), **self.points_fields()}

    def board_fields(self) -> dict[str, str]:
        """The rows and rulings typed, by field name."""
        fields: dict[str, str] = {}
        for seat, board in self.boards.items():
            if board or self.rulings[seat]:
                fields |= {f"{prefix(seat)}-{row}": text for row, text in zip(ROWS, board.rows(), strict=True)}
                fields[f"{prefix(seat)}-ruling"] = self.rulings[seat]
        return fields

    def points_fields(self) -> dict[str, str]:
        """The points typed and who won them, by field name."""
        fields: dict[str, str] = {}
        for pair, text in self._points.items():
            if text or self._gainers[pair] != pair[0]:
                fields |= {points_field(*pair): text, f"{points_field(*pair)}-to": str(self._gainers[pair])}
        return fields

    def pair_points(self) -> list[PairPoints]:
        """The fields of a hand whose points the table counted itself."""
        return [
            PairPoints(*pair, self._gainers[pair], text, self.errors.get(points_field(*pair), []))
            for pair, text in self._points.items()
        ]

    def _wrong(self, field: str, message: str) -> None:
        self.errors.setdefault(field, []).append(message)


def _wrong_points(text: str) -> str:
    if re.fullmatch(r"[-\u2010-\u2015\u2212\uff0d] ?[0-9]+", text):
        return str(_("Type points without a minus sign, and choose who won them."))
    said = ngettext(
        "Points are a whole number of at most {count} digit.",
        "Points are a whole number of at most {count} digits.",
        MOST_DIGITS,
    )
    return said.format(count=MOST_DIGITS)


def _among(known: Mapping[str, str], text: str) -> str:
    return text if text in known else ""


def cards_dealt(text: str | None, otherwise: int) -> int:
    """Reads a number of cards dealt at once: 0 for none, ``otherwise`` if the field was not sent."""
    if text is None:
        return otherwise
    return int(text) if text in map(str, FANTASYLAND_CARDS) else 0


def _gainer(text: str, pair: tuple[int, int]) -> int:
    return pair[1] if text == str(pair[1]) else pair[0]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hand is changed: one of the `REASONS`, words of the host's own, or both. As a text it is the note."""

    ready: str
    words: str

    @classmethod
    def read(cls, data: Mapping[str, str]) -> Self:
        """The reason as it was sent."""
        ready = data.get("reason", "")
        return cls(ready if ready in REASONS else "", data.get("note", "").strip())

    def __str__(self) -> str:
        return ": ".join(part for part in (self.ready, self.words) if part)


class CorrectionForm(DealForm):
    """A settled hand retyped, with its button, its Fantasyland and the reason.

    ``stored`` and ``outcome`` are the hand as it stands. Whatever the form does not change stays as it was entered.
    """

    def __init__(self, data: Mapping[str, str], stored: Entry, outcome: Outcome) -> None:
        self.stored, self.outcome = stored, outcome
        if not any(re.match(r"p[0-9]+-|points-", key) for key in data):
            # A query unpacked with ** would give lists, so its texts are read one by one.
            data = DealForm.of(stored, outcome.seats).all_fields() | {key: data[key] for key in data}
        super().__init__(data, outcome.seats)
        self.reason = Reason.read(data)
        self.dealt = {
            seat: player.get("fantasyland_cards", 0) if player.get("fantasyland") else 0
            for seat, player in zip(outcome.seats, outcome.document["players"], strict=True)
        }
        # A button that dealt without playing (R66) cannot move: any other player with it would have had no cards.
        sat_out = outcome.button not in outcome.seats and stored.seats is None
        self.buttons = (outcome.button,) if sat_out else (*outcome.seats, *({outcome.button} - set(outcome.seats)))
        chosen = data.get("button", "")
        self.button = int(chosen) if chosen in map(str, self.buttons) else outcome.button
        self.cards = {seat: cards_dealt(data.get(f"{prefix(seat)}-cards"), self.dealt[seat]) for seat in outcome.seats}

    @property
    def overrides(self) -> bool:
        """Whether the corrected hand departs from what followed from the hand before, which takes a note (R70)."""
        changed = self.button != self.outcome.button or self.cards != self.dealt
        return changed or bool(self.stored.overrides)

    def entry(self) -> Entry | None:
        """The entry that the hand should have had."""
        typed = super().entry()
        if typed is None:
            return None
        changed: dict[str, Any] = {"boards": typed.boards, "points": typed.points}
        if self.button != self.outcome.button:
            changed["button"] = self.button
        if self.cards != self.dealt:
            changed["fantasyland"] = {seat: cards for seat, cards in self.cards.items() if cards}
        if changed.keys() & {"button", "fantasyland"}:
            changed["note"] = str(self.reason)
        return replace(self.stored, **changed)

    def all_fields(self) -> dict[str, str]:
        """As `DealForm.all_fields`, with the changed button and Fantasyland.

        Points that were emptied are named, too: a form without any rows or points is read as the hand as it stands.
        """
        fields = super().all_fields()
        if self.by_points:
            fields |= {points_field(*pair): text for pair, text in self._points.items()}
        if self.button != self.outcome.button:
            fields["button"] = str(self.button)
        changed = {seat: cards for seat, cards in self.cards.items() if cards != self.dealt[seat]}
        fields |= {f"{prefix(seat)}-cards": str(cards) for seat, cards in changed.items()}
        return fields

    def parts(self) -> Parts:
        """What stands in the fields of each part of the hand; without the reason."""
        dealt: dict[Part, tuple[str, ...]] = {("button",): (str(self.button),)}
        boards: dict[Part, tuple[str, ...]] = {}
        for seat in self.seats:
            dealt[(f"{prefix(seat)}-cards",)] = (str(self.cards[seat]),)
            rows = zip(ROWS, self.boards[seat].rows(), strict=True)
            boards |= {(f"{prefix(seat)}-{row}",): (text,) for row, text in rows}
            boards[(f"{prefix(seat)}-ruling",)] = (self.rulings[seat],)
        return Parts(dealt, boards, {each.fields: (each.text, str(each.gainer)) for each in self.pair_points()})
