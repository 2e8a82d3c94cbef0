"""The figures of players in a workbook, as `docs/statistics.md` defines them.

A rate is a formula over the sum and the count that stand beside it, and so is a share. Whoever writes a sheet says
what these are made of themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise

from scoring.exports.sheets import MONEY, RATE, SHARE, TEXT, WHOLE, Cell, Formula
from scoring.reads import FEW, ROWS, Currency, Figures, Pair, PlayedDeal, Result, Run, rounded
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy
from scoring.wording.statistics import place_said

_PARTS: Final = {RATE: (10, 1), SHARE: (100, 2)}
"""By how much a quotient of a kind is multiplied to be a whole number, and the decimals to which it is rounded."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a person's. ``key`` is its name, and ``per`` the names of the sum and the count that it divides.

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
class FigureGroup:
    """Figures of one kind, as they stand together on a page of statistics."""

    title: str
    figures: Sequence[Figure]


def _number(cell: Cell) -> int:
    value = cell.value if isinstance(cell, Formula) else cell
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


# --- Which there are ------------------------------------------------------------------------------


WON_AND_LOST: Final[Mapping[str, Promise]] = {
    "front_won": gettext_lazy("Front won"),
    "front_lost": gettext_lazy("Front lost"),
    "middle_won": gettext_lazy("Middle won"),
    "middle_lost": gettext_lazy("Middle lost"),
    "back_won": gettext_lazy("Back won"),
    "back_lost": gettext_lazy("Back lost"),
}
"""How often each row was won and lost."""


def groups(currencies: Sequence[Currency], places: Sequence[int], *, titled: bool = False) -> list[FigureGroup]:
    """All figures; ``places`` are those after the button. Hands are ``titled`` where they are of several sessions."""
    return [
        FigureGroup(_("Results"), _results(currencies)),
        FigureGroup(_("Rows won and lost"), _rows()),
        FigureGroup(_("Royalties and fouls"), _royalties()),
        FigureGroup(_("Fantasyland"), _fantasyland(currencies, titled=titled)),
        FigureGroup(_("Best and worst hand, streaks"), _best(currencies, titled=titled)),
        FigureGroup(_("By place after the button"), [each for place in places for each in _place(place)]),
    ]


def _results(currencies: Sequence[Currency]) -> list[Figure]:
    found = [Figure("deals", _("Hands")), Figure("points", _("Points")), _rate("points", _("Points per hand"), "deals")]
    for place, (code, digits) in enumerate(currencies):
        deals = "deals"
        if len(currencies) > 1:  # the hands of the others are none of this one
            deals = f"deals_{place}"
            found.append(Figure(deals, _("Hands for {currency}").format(currency=code)))
        key = f"money_{place}"
        found.append(Figure(key, _("Money ({currency})").format(currency=code), MONEY, digits=digits))
        rate = _("Money per hand ({currency})").format(currency=code)
        found.append(Figure(f"{key}_rate", rate, MONEY, (key, deals), digits=digits))
    return found


def _rows() -> list[Figure]:
    return [
        Figure("compared", _("Opponents whose rows were compared")),
        *(Figure(key, str(label)) for key, label in WON_AND_LOST.items()),
        Figure("scored", _("Opponents in hands with boards")),
        Figure("taken", _("Scoops taken")),
        _share("taken", _("Scoops taken, share of opponents"), "scored", "boards"),
        Figure("given", _("Scoops given")),
        _share("given", _("Scoops given, share of opponents"), "scored", "boards"),
    ]


def _royalties() -> list[Figure]:
    labels = {
        "front": (_("Royalties, front"), _("Royalties per hand, front")),
        "middle": (_("Royalties, middle"), _("Royalties per hand, middle")),
        "back": (_("Royalties, back"), _("Royalties per hand, back")),
        "all rows": (_("Royalties, all rows"), _("Royalties per hand, all rows")),
    }
    found = [Figure("boards", _("Hands with boards"))]
    for row, (label, rate) in labels.items():
        key = f"{row}_royalties"
        made = "" if row in ROWS else "+".join(f"{{{one}_royalties}}" for one in ROWS)
        found += [Figure(key, label, made=made), _rate(key, rate, "boards")]
    return [*found, Figure("fouls", _("Fouls")), _share("fouls", _("Fouls, share of hands with boards"), "boards")]


def _fantasyland(currencies: Sequence[Currency], *, titled: bool) -> list[Figure]:
    return [
        Figure("inside", _("Hands in Fantasyland")),
        Figure("entered", _("Fantasyland entered")),
        _share("entered", _("Fantasyland entered, share of hands"), "deals"),
        Figure("stayed", _("Fantasyland stayed"), made="{inside}-{entered}"),
        Figure("longest", _("Longest Fantasyland, in hands")),
        *_deal(
            "longest_first",
            _("Longest Fantasyland: first hand"),
            _("Longest Fantasyland: session of the first hand"),
            titled=titled,
        ),
        *_deal(
            "longest_last",
            _("Longest Fantasyland: last hand"),
            _("Longest Fantasyland: session of the last hand"),
            titled=titled,
        ),
        Figure("inside_points", _("Points in Fantasyland")),
        _rate("inside_points", _("Points per hand in Fantasyland"), "inside"),
        *_money("inside_money", _("Money in Fantasyland ({currency})"), currencies),
        Figure("against", _("Hands against Fantasyland")),
        Figure("against_points", _("Points against Fantasyland")),
        _rate("against_points", _("Points per hand against Fantasyland"), "against"),
        *_money("against_money", _("Money against Fantasyland ({currency})"), currencies),
    ]


def _best(currencies: Sequence[Currency], *, titled: bool) -> list[Figure]:
    return [
        Figure("best", _("Best hand: points")),
        *_money("best_money", _("Best hand: money ({currency})"), currencies),
        *_deal("best_at", _("Best hand: number"), _("Best hand: session"), titled=titled),
        Figure("worst", _("Worst hand: points")),
        *_money("worst_money", _("Worst hand: money ({currency})"), currencies),
        *_deal("worst_at", _("Worst hand: number"), _("Worst hand: session"), titled=titled),
        Figure("won_in_a_row", _("Most hands won in a row")),
        *_deal(
            "won_in_a_row_first",
            _("Most hands won in a row: first hand"),
            _("Most hands won in a row: session of the first hand"),
            titled=titled,
        ),
        *_deal(
            "won_in_a_row_last",
            _("Most hands won in a row: last hand"),
            _("Most hands won in a row: session of the last hand"),
            titled=titled,
        ),
        Figure("lost_in_a_row", _("Most hands lost in a row")),
        *_deal(
            "lost_in_a_row_first",
            _("Most hands lost in a row: first hand"),
            _("Most hands lost in a row: session of the first hand"),
            titled=titled,
        ),
        *_deal(
            "lost_in_a_row_last",
            _("Most hands lost in a row: last hand"),
            _("Most hands lost in a row: session of the last hand"),
            titled=titled,
        ),
    ]


def _place(place: int) -> list[Figure]:
    key, said = f"place_{place}", place_said(place)
    return [
        Figure(key, _("{place} after the button: hands").format(place=said)),
        Figure(f"{key}_points", _("{place} after the button: points").format(place=said)),
        _rate(f"{key}_points", _("{place} after the button: points per hand").format(place=said), key),
    ]


def _rate(key: str, label: str, count: str) -> Figure:
    return Figure(f"{key}_rate", label, RATE, (key, count))


def _share(key: str, label: str, count: str, few: str = "") -> Figure:
    return Figure(f"{key}_share", label, SHARE, (key, count), few)


def _money(key: str, label: str, currencies: Sequence[Currency]) -> Iterator[Figure]:
    for place, (code, digits) in enumerate(currencies):
        yield Figure(f"{key}_{place}", label.format(currency=code), MONEY, digits=digits)


def _deal(key: str, label: str, session: str, *, titled: bool) -> Iterator[Figure]:
    if titled:
        yield Figure(f"{key}_session", session, TEXT)
    yield Figure(key, label)


# --- What they are of a person ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Values:
    """Finds a person's figures by key, except rates and shares. ``called`` are the sessions, by primary key."""

    currencies: Sequence[Currency]
    of_session: Mapping[int, Currency]
    called: Mapping[int, str]

    def of(self, found: Figures, rows: Pair) -> dict[str, Cell]:
        """Every figure that is no rate and no share; a best hand, and where a run was, only if there is one."""
        return {
            "deals": found.result.deals,
            **{f"deals_{at}": found.result.deals_for.get(each, 0) for at, each in enumerate(self.currencies)},
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
        return {key: result.deals, f"{key}_points": result.points, **self._money(f"{key}_money", result)}

    def _deal(self, key: str, session: int, number: int) -> dict[str, Cell]:
        return {f"{key}_session": self.called[session], key: number}

    def _run(self, key: str, run: Run | None) -> dict[str, Cell]:
        if run is None:
            return {key: 0}
        return {key: run.length, **self._deal(f"{key}_first", *run.first), **self._deal(f"{key}_last", *run.last)}

    def _best(self, key: str, deal: PlayedDeal | None) -> dict[str, Cell]:
        if deal is None:
            return {}
        money = f"{key}_money_{self.currencies.index(self.of_session[deal.session])}"
        return {key: deal.points, money: deal.money, **self._deal(f"{key}_at", deal.session, deal.number)}


def of_pair(pair: Pair) -> dict[str, int]:
    """What somebody did against another, or against all others, by key."""
    found: dict[str, int] = {key: getattr(pair, key) for key in ("compared", "scored", "taken", "given")}
    for how, rows in (("won", pair.won), ("lost", pair.lost)):
        found |= {f"{row}_{how}": number for row, number in zip(ROWS, rows, strict=True)}
    return found
