"""The figures of players in a workbook, as `docs/statistics.md` defines them.

A rate is a formula over the sum and the count that stand beside it, and so is a share. Whoever writes a sheet says
what these are made of themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.exports.sheets import MONEY, RATE, SHARE, TEXT, WHOLE, Cell, Formula
from scoring.reads import FEW, ROWS, Currency, Figures, Hand, Pair, Result, Run, ordinal, rounded

_PARTS: Final = {RATE: (10, 1), SHARE: (100, 2)}
"""By how much a quotient of a kind is multiplied to be a whole number, and the decimals to which it is rounded."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. ``key`` names it among those of a person; what it is ``per`` names a sum and a count.

    ``few`` names the hands of which there may be too few, if they are not that count: then a rate says so, and a share
    is left out. ``made`` is the formula of a sum, with keys in braces. ``digits`` are the decimals of money.
    """

    key: str
    label: str
    kind: str = WHOLE
    per: tuple[str, str] | None = None
    few: str = ""
    made: str = ""
    digits: int = 0

    def cell(self, values: Mapping[str, Cell], places: Mapping[str, str]) -> Cell:
        """The cell of a person whose figures have these values, and stand in these places."""
        if self.made:
            return Formula(self.made.format_map(places), _number(values[self.key]))
        if self.per is None:
            return values.get(self.key)
        sum_, count = self.per
        of, few = _number(values[count]), _number(values[self.few or count]) < FEW
        if not of or (few and self.kind == SHARE):
            return None
        parts, decimals = _PARTS.get(self.kind, (1, self.digits))
        value = rounded(parts * _number(values[sum_]), of)
        return Formula(f"ROUND({places[sum_]}/{places[count]},{decimals})", value, few)


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of one kind, as they stand together on a page of statistics."""

    title: str
    figures: Sequence[Figure]


def _number(cell: Cell) -> int:
    value = cell.value if isinstance(cell, Formula) else cell
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


# --- Which there are ------------------------------------------------------------------------------


def groups(currencies: Sequence[Currency], places: Sequence[int], *, titled: bool = False) -> list[Group]:
    """All figures; ``places`` are those after the button. Hands are ``titled`` where they are of several sessions."""
    return [
        Group("Results", _results(currencies)),
        Group("Rows won and lost", _rows()),
        Group("Royalties and fouls", _royalties()),
        Group("Fantasyland", _fantasyland(currencies, titled=titled)),
        Group("Best and worst hand, streaks", _best(currencies, titled=titled)),
        Group("By place after the button", [each for place in places for each in _place(place)]),
    ]


def _results(currencies: Sequence[Currency]) -> list[Figure]:
    found = [Figure("hands", "Hands"), Figure("points", "Points"), _rate("points", "Points per hand", "hands")]
    for place, (code, digits) in enumerate(currencies):
        hands = "hands"
        if len(currencies) > 1:  # the hands of the others are none of this one
            hands = f"hands_{place}"
            found.append(Figure(hands, f"Hands for {code}"))
        key = f"money_{place}"
        found.append(Figure(key, f"Money ({code})", MONEY, digits=digits))
        found.append(Figure(f"{key}_rate", f"Money per hand ({code})", MONEY, (key, hands), digits=digits))
    return found


def _rows() -> list[Figure]:
    return [
        Figure("compared", "Opponents whose rows were compared"),
        *(Figure(f"{row}_{how}", f"{row.capitalize()} {how}") for row in ROWS for how in ("won", "lost")),
        Figure("scored", "Opponents in hands with boards"),
        Figure("taken", "Scoops taken"),
        _share("taken", "Scoops taken, share of opponents", "scored", "boards"),
        Figure("given", "Scoops given"),
        _share("given", "Scoops given, share of opponents", "scored", "boards"),
    ]


def _royalties() -> list[Figure]:
    found = [Figure("boards", "Hands with boards")]
    for row in (*ROWS, "all rows"):
        key = f"{row}_royalties"
        made = "" if row in ROWS else "+".join(f"{{{one}_royalties}}" for one in ROWS)
        found += [
            Figure(key, f"Royalties, {row}", made=made),
            _rate(key, f"Royalties per hand, {row}", "boards"),
        ]
    return [*found, Figure("fouls", "Fouls"), _share("fouls", "Fouls, share of hands with boards", "boards")]


def _fantasyland(currencies: Sequence[Currency], *, titled: bool) -> list[Figure]:
    return [
        Figure("inside", "Hands in Fantasyland"),
        Figure("entered", "Fantasyland entered"),
        _share("entered", "Fantasyland entered, share of hands", "hands"),
        Figure("stayed", "Fantasyland stayed", made="{inside}-{entered}"),
        *_run("longest", "Longest Fantasyland, in hands", "Longest Fantasyland", titled=titled),
        *_result("inside", "in Fantasyland", currencies),
        Figure("against", "Hands against Fantasyland"),
        *_result("against", "against Fantasyland", currencies),
    ]


def _result(key: str, label: str, currencies: Sequence[Currency]) -> Iterator[Figure]:
    yield Figure(f"{key}_points", f"Points {label}")
    yield _rate(f"{key}_points", f"Points per hand {label}", key)
    yield from _money(f"{key}_money", f"Money {label}", currencies)


def _best(currencies: Sequence[Currency], *, titled: bool) -> list[Figure]:
    found = []
    for key, label in (("best", "Best hand"), ("worst", "Worst hand")):
        found.append(Figure(key, f"{label}: points"))
        found += _money(f"{key}_money", f"{label}: money", currencies)
        found += _hand(f"{key}_at", f"{label}: number", f"{label}: session", titled=titled)
    for key, label in (("won_in_a_row", "Most hands won in a row"), ("lost_in_a_row", "Most hands lost in a row")):
        found += _run(key, label, label, titled=titled)
    return found


def _place(place: int) -> list[Figure]:
    key, label = f"place_{place}", f"{ordinal(place)} after the button"
    return [
        Figure(key, f"{label}: hands"),
        Figure(f"{key}_points", f"{label}: points"),
        _rate(f"{key}_points", f"{label}: points per hand", key),
    ]


def _rate(key: str, label: str, count: str) -> Figure:
    return Figure(f"{key}_rate", label, RATE, (key, count))


def _share(key: str, label: str, count: str, few: str = "") -> Figure:
    return Figure(f"{key}_share", label, SHARE, (key, count), few)


def _money(key: str, label: str, currencies: Sequence[Currency]) -> Iterator[Figure]:
    for place, (code, digits) in enumerate(currencies):
        yield Figure(f"{key}_{place}", f"{label} ({code})", MONEY, digits=digits)


def _run(key: str, label: str, of: str, *, titled: bool) -> Iterator[Figure]:
    yield Figure(key, label)
    for end in ("first", "last"):
        yield from _hand(f"{key}_{end}", f"{of}: {end} hand", f"{of}: session of the {end} hand", titled=titled)


def _hand(key: str, label: str, session: str, *, titled: bool) -> Iterator[Figure]:
    if titled:
        yield Figure(f"{key}_session", session, TEXT)
    yield Figure(key, label)


# --- What they are of a person ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Values:
    """Finds the figures of a person by key, but rates and shares. ``called`` are the sessions, by primary key."""

    currencies: Sequence[Currency]
    of_session: Mapping[int, Currency]
    called: Mapping[int, str]

    def of(self, found: Figures, rows: Pair) -> dict[str, Cell]:
        """Every figure that is no rate and no share; a best hand, and where a run was, only if there is one."""
        return {
            "hands": found.result.hands,
            **{f"hands_{at}": found.result.hands_for.get(each, 0) for at, each in enumerate(self.currencies)},
            "points": found.result.points,
            **self._money("money", found.result),
            **of_pair(rows),
            "boards": found.boards,
            **{f"{row}_royalties": sum_ for row, sum_ in zip(ROWS, found.royalties, strict=True)},
            "all rows_royalties": sum(found.royalties),
            "fouls": found.fouls,
            "entered": found.entered,
            "stayed": found.stayed,
            **self._run("longest", found.longest),
            **self._result("inside", found.in_fantasyland),
            **self._result("against", found.against),
            **self._best("best", found.best),
            **self._best("worst", found.worst),
            **self._run("won_in_a_row", found.won_in_a_row),
            **self._run("lost_in_a_row", found.lost_in_a_row),
        }

    def of_places(self, found: Figures, places: Sequence[int]) -> dict[str, Cell]:
        """The figures by place after the button; `Values.of` has the others."""
        return {
            key: cell
            for place in places
            for key, cell in self._result(f"place_{place}", found.places.get(place, Result())).items()
        }

    def _money(self, key: str, result: Result) -> dict[str, Cell]:
        return {f"{key}_{at}": result.money.get(each, 0) for at, each in enumerate(self.currencies)}

    def _result(self, key: str, result: Result) -> dict[str, Cell]:
        return {key: result.hands, f"{key}_points": result.points, **self._money(f"{key}_money", result)}

    def _hand(self, key: str, session: int, number: int) -> dict[str, Cell]:
        return {f"{key}_session": self.called[session], key: number}

    def _run(self, key: str, run: Run | None) -> dict[str, Cell]:
        if run is None:
            return {key: 0}
        return {key: run.length, **self._hand(f"{key}_first", *run.first), **self._hand(f"{key}_last", *run.last)}

    def _best(self, key: str, hand: Hand | None) -> dict[str, Cell]:
        if hand is None:
            return {}
        money = f"{key}_money_{self.currencies.index(self.of_session[hand.session])}"
        return {key: hand.points, money: hand.money, **self._hand(f"{key}_at", hand.session, hand.number)}


def of_pair(pair: Pair) -> dict[str, int]:
    """What somebody did against another, or against all others, by key."""
    found: dict[str, int] = {key: getattr(pair, key) for key in ("compared", "scored", "taken", "given")}
    for how, rows in (("won", pair.won), ("lost", pair.lost)):
        found |= {f"{row}_{how}": number for row, number in zip(ROWS, rows, strict=True)}
    return found
