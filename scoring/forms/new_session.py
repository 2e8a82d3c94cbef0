"""Sitting down: who, where, for what stakes, by which rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

from scoring.forms.amounts import CURRENCIES, AmountError, parse_amount
from scoring.game.limits import NAME_LENGTH
from scoring.game.text import fold
from scoring.rules.houserules import PRESETS

MAX_SEATS = 8
FIRST_LINES = 3


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One line of the form; ``number`` is its place on the page."""

    number: int
    name: str
    button: bool
    errors: list[str]


@dataclass(frozen=True, slots=True)
class PairLine:
    """The stake of one pair of lines; an empty ``value`` means the stake of all."""

    id: str
    first: str
    second: str
    value: str
    errors: list[str]


class NewSessionForm:
    """The form as typed. Once `is_valid` has said yes, ``seats`` to ``pair_stakes`` are what the ledger takes.

    Lines without a name are nobody's: the seats are the named lines in their order, counted from 1.
    """

    seats: list[str]
    button: int
    stake: int
    pair_stakes: dict[tuple[int, int], int]

    def __init__(self, data: Mapping[str, str], saved: Collection[str] = ()) -> None:
        """``saved`` are the names of the house rules that the club keeps, which may be chosen beside the presets."""
        self.data = data
        self.saved = saved
        self.errors: dict[str, list[str]] = {}
        last = max((n for n in range(1, MAX_SEATS + 1) if f"name-{n}" in data), default=FIRST_LINES)
        self.names = [data.get(f"name-{n}", "").strip() for n in range(1, last + 1)]
        self.button_line = _line(data.get("button"), len(self.names)) or len(self.names)
        self.stake_text = data.get("stake", "1").strip()
        pairs = combinations(range(1, MAX_SEATS + 1), 2)
        self.pair_texts = {pair: data.get(_pair_field(pair), "").strip() for pair in pairs}
        self.currency = data.get("currency", "EUR")
        self.rules = data.get("rules", "regular")  # a preset, or one that is kept: see `kept`

    # --- What the form's small buttons do; nothing is stored --------------------------------

    def rearrange(self) -> bool:
        """Add a line, move one up or refresh the pairs, if one of those buttons was pressed."""
        if "more" in self.data and len(self.names) < MAX_SEATS:
            self.names.append("")
        elif up := _line(self.data.get("up"), len(self.names)):
            self._swap(up - 1, up)
        elif "pairs" not in self.data:
            return False
        return True

    def _swap(self, upper: int, lower: int) -> None:
        if not upper:
            return
        moved = {upper: lower, lower: upper}
        self.names[upper - 1], self.names[lower - 1] = self.names[lower - 1], self.names[upper - 1]
        self.button_line = moved.get(self.button_line, self.button_line)
        self.pair_texts = {_pair(moved.get(a, a), moved.get(b, b)): text for (a, b), text in self.pair_texts.items()}

    # --- Reading it -------------------------------------------------------------------------

    def is_valid(self) -> bool:
        """Read everything; every fault is in ``errors`` under the name of its field."""
        lines = [n for n, name in enumerate(self.names, start=1) if name]
        self._read_names(lines)
        self.seats = [self.names[n - 1] for n in lines]
        if lines and self.button_line > lines[-1]:
            self.button_line = lines[-1]  # it lay on the last line before anybody wrote anything
        if self.button_line in lines:
            self.button = lines.index(self.button_line) + 1
        else:
            self._wrong(f"name-{self.button_line}", "The button is here, but nobody sits here.")
        self._read_stakes(lines)
        if self.rules not in PRESETS and self.rules not in map(kept, self.saved):
            self._wrong("rules", "Choose one of these.")
        return not self.errors

    def _read_names(self, lines: list[int]) -> None:
        seen: dict[str, int] = {}
        for n in lines:
            name = self.names[n - 1]
            if len(name) > NAME_LENGTH:
                self._wrong(f"name-{n}", f"A name has at most {NAME_LENGTH} letters.")
            if not name.isprintable():
                self._wrong(f"name-{n}", "This name contains signs that cannot be shown.")
            if fold(name) in seen:
                self._wrong(f"name-{n}", f"{name} already sits in line {seen[fold(name)]}.")
            seen.setdefault(fold(name), n)
        if len(lines) < 2:
            blank = next((n for n, name in enumerate(self.names, start=1) if not name), 1)
            self._wrong(f"name-{blank}", "It takes two to play.")

    def _read_stakes(self, lines: list[int]) -> None:
        self.stake, self.pair_stakes = 0, {}
        if self.currency not in CURRENCIES:
            self._wrong("currency", "Choose one of these.")
            return
        digits = CURRENCIES[self.currency][1]
        self.stake = self._amount("stake", self.stake_text, digits)
        for (one, other), text in self.pair_texts.items():
            # A stake between somebody and nobody is left over from a seat that was emptied.
            if text and one in lines and other in lines:
                amount = self._amount(_pair_field((one, other)), text, digits)
                self.pair_stakes[lines.index(one) + 1, lines.index(other) + 1] = amount

    def _amount(self, field: str, text: str, digits: int) -> int:
        try:
            return parse_amount(text, digits)
        except AmountError as error:
            self._wrong(field, str(error))
            return 0

    def _wrong(self, field: str, message: str) -> None:
        self.errors.setdefault(field, []).append(message)

    # --- Drawing it -------------------------------------------------------------------------

    @property
    def minor_digits(self) -> int:
        """Decimals of the currency chosen."""
        return CURRENCIES[self.currency][1]

    @property
    def seat_lines(self) -> list[SeatLine]:
        """The lines with what is wrong at each."""
        return [
            SeatLine(n, name, n == self.button_line, self.errors.get(f"name-{n}", []))
            for n, name in enumerate(self.names, start=1)
        ]

    @property
    def pair_lines(self) -> list[PairLine]:
        """Every pair of lines that may be seated."""
        named = any(self.names)
        lines = [n for n, name in enumerate(self.names, start=1) if name or not named]
        called = {n: self.names[n - 1] or f"Seat {n}" for n in lines}
        return [
            PairLine(field, called[one], called[other], self.pair_texts[one, other], self.errors.get(field, []))
            for one, other in combinations(lines, 2)
            for field in [_pair_field((one, other))]
        ]

    @property
    def has_room(self) -> bool:
        """Another seat could be added."""
        return len(self.names) < MAX_SEATS


def kept(name: str) -> str:
    """House rules of the club's own as a choice beside the presets, whose names have no such mark."""
    return f"kept:{name}"


def _line(text: str | None, lines: int) -> int:
    """A line's number, 0 for anything else."""
    return int(text) if text and text in map(str, range(1, lines + 1)) else 0


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _pair_field(pair: tuple[int, int]) -> str:
    return f"pair-{pair[0]}-{pair[1]}"
