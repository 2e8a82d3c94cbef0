"""House rules: one frozen set of choices, each beside the number of its sentence in ``docs/rules.md``.

A variant is data: this module holds the choices, and the scoring code reads them. The keys, values and defaults are
those of the score document.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from scoring.rules.cards import RANK_SYMBOLS, RANKS, quote, shown
from scoring.rules.errors import Problem, RulesError
from scoring.rules.phrase import Phrase
from scoring.rules.rows import Kind

MOST_ENTERED_POINTS: Final = 999_999
"""The most points that a rule may name, or the table may enter at once.

Six digits exceed any real table and keep sums within 64 bits.
"""

DECK_SIZE: Final = 52
BOARD_SIZE: Final = 13
FANTASYLAND_CARDS: Final = range(13, 18)

# --- Royalty charts (R25 to R29) ------------------------------------------------------------------------------------

PAYING_KINDS: Final = (
    Kind.TRIPS,
    Kind.STRAIGHT,
    Kind.FLUSH,
    Kind.FULL_HOUSE,
    Kind.QUADS,
    Kind.STRAIGHT_FLUSH,
    Kind.ROYAL_FLUSH,
    Kind.FIVE_OF_A_KIND,
)
LOW_HANDS: Final = ("9", "8", "7", "75432")
PAIR_NAMES: Final = {rank: 2 * RANK_SYMBOLS[rank] for rank in RANKS}
TRIPS_NAMES: Final = {rank: 3 * RANK_SYMBOLS[rank] for rank in RANKS}


@dataclass(frozen=True, slots=True)
class Chart:
    """A royalty chart: what each hand pays, in points from each opponent.

    ``front`` is keyed by `PAIR_NAMES` and `TRIPS_NAMES`, ``middle`` and ``back`` by the codes of `PAYING_KINDS`, and
    ``low`` (the middle in 2-7) by `LOW_HANDS`. All four are tuples of pairs, so that a chart can be compared and
    hashed. ``name`` is empty for a table's own chart.
    """

    name: str
    front: tuple[tuple[str, int], ...]
    middle: tuple[tuple[str, int], ...]
    back: tuple[tuple[str, int], ...]
    low: tuple[tuple[str, int], ...]

    def as_document(self) -> str | dict[str, dict[str, int]]:
        """The chart's name, or the whole chart if it has no name."""
        return self.name or self.tables()

    def tables(self) -> dict[str, dict[str, int]]:
        """The chart as dictionaries: row -> hand -> points."""
        return {row: dict(getattr(self, row)) for row in ("front", "middle", "back", "low")}


def _chart(name: str, *, front_trips: tuple[int, ...], middle: tuple[int, ...], back: tuple[int, ...]) -> Chart:
    """Build a published chart; ``middle`` and ``back`` list the points from trips to royal flush.

    On all published charts front pairs pay from 1 for 66 to 9 for AA, the 2-7 middle pays the same (R54), and five of a
    kind pays as a straight flush (R57).
    """
    pairs = tuple((PAIR_NAMES[rank], max(0, rank - 5)) for rank in RANKS)
    trips = tuple((TRIPS_NAMES[rank], points) for rank, points in zip(RANKS, front_trips, strict=True))
    codes = tuple(kind.code for kind in PAYING_KINDS)
    return Chart(
        name,
        front=pairs + trips,
        middle=tuple(zip(codes, (*middle, middle[5]), strict=True)),
        back=tuple(zip(codes, (*back, back[5]), strict=True)),
        low=(("9", 1), ("8", 2), ("7", 4), ("75432", 8)),
    )


_RISING_TRIPS = tuple(range(10, 23))
CHARTS: Final = {
    chart.name: chart
    for chart in (
        # R25
        _chart("modern", front_trips=_RISING_TRIPS, middle=(2, 4, 8, 12, 20, 30, 50), back=(0, 2, 4, 6, 10, 15, 25)),
        # R26
        _chart("flat-20", front_trips=(20,) * 13, middle=(2, 4, 8, 12, 16, 20, 40), back=(0, 2, 4, 6, 8, 10, 20)),
        # R27
        _chart(
            "hybrid-2012", front_trips=_RISING_TRIPS, middle=(0, 4, 8, 12, 16, 20, 40), back=(0, 2, 4, 6, 8, 10, 20)
        ),
        # R28
        _chart("aria-2013", front_trips=_RISING_TRIPS, middle=(0, 4, 8, 12, 20, 30, 50), back=(0, 2, 4, 6, 10, 15, 25)),
    )
}


class Naturals(NamedTuple):
    """Points that each natural wins from every opponent; the table does not play a natural worth 0 (R60)."""

    dragon: int = 13
    three_flushes: int = 6
    three_straights: int = 6
    six_pairs: int = 6


# --- The choices ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HouseRules:
    """One complete set of choices, with a field for each key of the score document's ``rules``.

    `CHOICES` lists the values of every field that has a fixed list.
    """

    preset: str = "regular"
    game: str = "regular"  # R50
    middle: str = "high"  # R52
    decks: int = 1  # R56
    scoring: str = "1-6"  # R14, R17, R18
    royalties: Chart = CHARTS["modern"]  # R25 to R29
    royalty_payment: str = "all"  # R22, R23
    row_order: str = "at-least"  # R7, R8
    fantasyland_entry: str = "QQ"  # R30, R31
    fantasyland_cards: int = 13  # R32
    fantasyland_progressive: bool = False  # R33
    fantasyland_stay: str = "standard"  # R34, R35
    fantasyland_repeat: str = "base"  # R36
    button_in_fantasyland: str = "stays"  # R39
    five_of_a_kind: str = "above-royal"  # R57
    moon: str = "off"  # R59
    moon_points: int = 20
    naturals: Naturals | None = None  # R60
    surrender_points: int = 0  # R61
    loss_cap: bool = True  # R45
    win_cap: str = "running"  # R46
    settlement_order: str = "pairs"  # R43, R44
    busted_collects: bool = False  # R48

    @property
    def lowball(self) -> bool:
        """True where the middle is a deuce-to-seven low (R52)."""
        return self.middle == "2-7"

    def as_document(self) -> dict[str, Any]:
        """The score document's ``rules`` with every key resolved, in the order of the fields."""
        return dict(self._document)

    @cached_property
    def _document(self) -> dict[str, Any]:
        document = {field.name: getattr(self, field.name) for field in fields(self)}
        document["royalties"] = self.royalties.as_document()
        document["naturals"] = "off" if self.naturals is None else self.naturals._asdict()
        return document


CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "game": ("regular", "pineapple"),
    "middle": ("high", "2-7"),
    "decks": (1, 2),
    "scoring": ("1-6", "2-4", "1-4"),
    "royalty_payment": ("all", "row-winner"),
    "row_order": ("at-least", "strict"),
    "fantasyland_entry": ("QQ", "KK", "AA", "trips", "none"),
    "fantasyland_cards": tuple(FANTASYLAND_CARDS),
    "fantasyland_progressive": (False, True),
    "fantasyland_stay": ("standard", "full-house", "ten-point", "lowball"),
    "fantasyland_repeat": ("base", "same", "recompute"),
    "button_in_fantasyland": ("stays", "moves"),
    "five_of_a_kind": ("above-royal", "below-royal", "below-straight-flush"),
    "moon": ("off", "replace", "add"),
    "loss_cap": (True, False),
    "win_cap": ("running", "start", "none"),
    "settlement_order": ("pairs", "debtors"),
    "busted_collects": (False, True),
}
"""The values of every key that has a fixed list. Other keys hold a preset, a chart, naturals or points."""

POINTS_RULES: Final = ("moon_points", "surrender_points")

_KEYS: Final = frozenset(field.name for field in fields(HouseRules))

_PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "regular": {},
    "pineapple": {"game": "pineapple"},
    "progressive-pineapple": {"game": "pineapple", "fantasyland_progressive": True},
    "2-7-pineapple": {"game": "pineapple", "middle": "2-7"},
    "double-deck": {"decks": 2},
    "cardplayer": {"royalties": "flat-20"},
    "bga": {"game": "pineapple", "fantasyland_stay": "full-house", "button_in_fantasyland": "moves"},
}


def max_players(rules: HouseRules) -> int:
    """The most players that the decks can serve: 4 regular or 3 Pineapple with one deck, 8 or 6 with two (R51)."""
    return rules.decks * DECK_SIZE // _cards_dealt(rules)


def fantasyland_capacity(rules: HouseRules, players: int) -> int:
    """The most cards that one Fantasyland hand can have while the other ``players`` all play ordinary hands (R41).

    ``players`` counts everyone who is dealt in, the player in Fantasyland included.
    """
    left = rules.decks * DECK_SIZE - (players - 1) * _cards_dealt(rules)
    return max(BOARD_SIZE, min(FANTASYLAND_CARDS[-1], left))


def _cards_dealt(rules: HouseRules) -> int:
    return 17 if rules.game == "pineapple" else BOARD_SIZE


# --- Reading them ---------------------------------------------------------------------------------------------------


def resolve(spec: object, where: str = "rules") -> HouseRules:
    """Read house rules from the score document's ``rules``: a preset's name, or an object of overrides on a preset.

    Raises `RulesError` with every problem at once: ``unknown-rule`` for a preset or key that does not exist,
    ``bad-value`` for a value that its key does not allow, and ``missing`` for an incomplete chart or naturals.
    """
    if isinstance(spec, str):
        if spec in PRESETS:
            return PRESETS[spec]
        raise RulesError([_unknown_preset(spec, where)])
    if not isinstance(spec, Mapping):
        raise RulesError(
            [Problem("bad-value", where, Phrase("The rules are a preset's name or an object of choices."))]
        )
    problems: list[Problem] = []
    preset = spec.get("preset")
    if preset is None:
        preset = "regular"
    elif not isinstance(preset, str) or preset not in _PRESETS:
        problems.append(_unknown_preset(preset, f"{where}.preset"))
        preset = "regular"
    problems += _unknown(spec, _KEYS, where, lambda key: Phrase("There is no house rule called {key}.", key=key))
    given = {key: value for key, value in spec.items() if value is not None and key in _KEYS}
    choices = {**_PRESETS[preset], **given}
    choices.pop("preset", None)
    read: dict[str, Any] = {"preset": preset}
    for key, value in choices.items():
        place = f"{where}.{key}"
        if key in CHOICES:
            # In Python `True == 1`, so the value's type must match as well.
            if any(type(value) is type(choice) and value == choice for choice in CHOICES[key]):
                read[key] = value
            else:
                listed = ", ".join(_as_json(choice) for choice in CHOICES[key])
                message = Phrase("{key} is one of {choices}.", key=key, choices=listed)
                problems.append(Problem("bad-value", place, message))
        elif key in POINTS_RULES:
            read[key] = _points(value, place, problems)
        elif key == "royalties":
            read[key] = _read_chart(value, place, problems)
        else:
            read[key] = _read_naturals(value, place, problems)
    if problems:
        raise RulesError(problems)
    if read.get("game") == "pineapple":
        read.setdefault("fantasyland_cards", 14)  # R32
    if read.get("middle") == "2-7":
        read.setdefault("fantasyland_entry", "KK")  # R55
    return HouseRules(**read)


def same_rules(one: object, other: object) -> bool:
    """Whether two specs resolve to the same rules today.

    Stored specs differ in their keys and chart names because each was written with those known at the time.
    """
    return one == other or resolve(one) == resolve(other)


def _unknown(given: Iterable[str], known: Container[str], where: str, say: Callable[[str], Phrase]) -> list[Problem]:
    """A problem for each unknown key, for at most the first fifty, because a request may hold thousands."""
    keys = [key for key in given if key not in known]
    # The key comes from the user: it may be of any length and hold any character.
    return [Problem("unknown-rule", f"{where}.{shown(key, 40)}", say(quote(key))) for key in keys[:50]]


def _unknown_preset(preset: object, where: str) -> Problem:
    known = ", ".join(_PRESETS)
    message = Phrase("There are no house rules called that; there are {known}.", known=known)
    if isinstance(preset, str):
        name = quote(preset)
        message = Phrase("There are no house rules called {name}; there are {known}.", name=name, known=known)
    return Problem("unknown-rule", where, message)


def _as_json(choice: object) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _points(value: object, where: str, problems: list[Problem]) -> int:
    if type(value) is int and 0 <= value <= MOST_ENTERED_POINTS:
        return value
    message = Phrase("Points are a whole number from 0 to {most}.", most=MOST_ENTERED_POINTS)
    problems.append(Problem("bad-value", where, message))
    return 0


def _read_points_table(
    value: object, where: str, problems: list[Problem], *, defaults: Mapping[str, int | None]
) -> dict[str, int]:
    """Read points by name. Only the names in ``defaults`` are allowed, and those whose default is None are required."""
    if not isinstance(value, Mapping):
        problems.append(Problem("bad-value", where, Phrase("This is an object of points, one for each hand.")))
        return {}
    problems += _unknown(value, defaults, where, lambda key: Phrase("No hand called {key} is paid here.", key=key))
    table: dict[str, int] = {}
    for name, default in defaults.items():
        given = value.get(name)
        if given is not None:
            table[name] = _points(given, f"{where}.{name}", problems)
        elif default is not None:
            table[name] = default
        else:
            message = Phrase("The points for {hand} are missing.", hand=name)
            problems.append(Problem("missing", f"{where}.{name}", message))
    return table


_FRONT_HANDS: Final[Mapping[str, int | None]] = {
    **{PAIR_NAMES[rank]: 0 if rank < 6 else None for rank in RANKS},
    **dict.fromkeys(TRIPS_NAMES.values(), None),
}
_MIDDLE_HANDS: Final[Mapping[str, int | None]] = {kind.code: None for kind in PAYING_KINDS}
_BACK_HANDS: Final[Mapping[str, int | None]] = {**_MIDDLE_HANDS, Kind.TRIPS.code: 0}
_LOW_HANDS: Final[Mapping[str, int | None]] = dict(CHARTS["modern"].low)


_CHART_LACKS: Final = {
    "front": Phrase("The chart's front is missing."),
    "middle": Phrase("The chart's middle is missing."),
    "back": Phrase("The chart's back is missing."),
}


def _read_chart(value: object, where: str, problems: list[Problem]) -> Chart:
    modern = CHARTS["modern"]
    if isinstance(value, str) and value in CHARTS:
        return CHARTS[value]
    if not isinstance(value, Mapping):
        known = ", ".join(CHARTS)
        message = Phrase("royalties is one of {known}, or a whole chart.", known=known)
        problems.append(Problem("bad-value", where, message))
        return modern
    rows_known = ("front", "middle", "back", "low")
    problems += _unknown(value, rows_known, where, lambda key: Phrase("A chart has no row called {key}.", key=key))
    problems += [
        Problem("missing", f"{where}.{row}", message) for row, message in _CHART_LACKS.items() if value.get(row) is None
    ]
    tables: dict[str, dict[str, int]] = {}
    for row, defaults in (
        ("front", _FRONT_HANDS),
        ("middle", _MIDDLE_HANDS),
        ("back", _BACK_HANDS),
        ("low", _LOW_HANDS),
    ):
        given = value.get(row)
        if given is None and row == "low":
            given = {}
        elif given is None:
            continue
        # Five of a kind pays as a straight flush unless the chart says otherwise (R57).
        as_straight_flush = given.get(Kind.STRAIGHT_FLUSH.code) if isinstance(given, Mapping) else None
        five_of_a_kind = as_straight_flush if type(as_straight_flush) is int else 0
        hands = {
            hand: five_of_a_kind if hand == Kind.FIVE_OF_A_KIND.code else default for hand, default in defaults.items()
        }
        tables[row] = _read_points_table(given, f"{where}.{row}", problems, defaults=hands)
    if problems:
        return modern
    rows = {row: tuple(table.items()) for row, table in tables.items()}
    return next((chart for chart in CHARTS.values() if replace(chart, name="") == Chart("", **rows)), Chart("", **rows))


def _read_naturals(value: object, where: str, problems: list[Problem]) -> Naturals | None:
    if value == "off":
        return None
    if not isinstance(value, Mapping):
        names = ", ".join(Naturals._fields)
        message = Phrase("naturals is off, or an object with points for {names}.", names=names)
        problems.append(Problem("bad-value", where, message))
        return None
    before = len(problems)
    table = _read_points_table(value, where, problems, defaults=dict.fromkeys(Naturals._fields, None))
    return Naturals(**table) if len(problems) == before else None


PRESETS: Final = {name: resolve({"preset": name}) for name in _PRESETS}
"""The rules of every published way to play, by name."""
