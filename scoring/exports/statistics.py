"""The sheet Statistics of a session's workbook: everyone's figures, one below the other.

What counts or sums hands is a formula over the sheet Hands, and what was done against opponents one over Pairs. Both
look for the number of a player's seat, never for a name, since a name such as ``>0`` would be a condition itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring import reads
from scoring.exports.figures import WON_AND_LOST, Values, groups
from scoring.exports.sheets import TEXT, Cell, Formula, Sheet, at, fixed, letters
from scoring.models import Session
from scoring.reads import FEW, ROWS, Figures, Pair
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, pgettext_lazy

OF_DEALS: Final = (
    gettext_lazy("Seat"),
    gettext_lazy("Place after the button"),
    gettext_lazy("With boards"),
    pgettext_lazy("head", "Foul"),
    gettext_lazy("Fantasyland, cards"),
    gettext_lazy("Against Fantasyland"),
    gettext_lazy("Royalties, front"),
    gettext_lazy("Royalties, middle"),
    gettext_lazy("Royalties, back"),
)
"""The last columns of Hands, from column J on: numbers, and 1 for what is so."""

OF_PAIRS: Final[Mapping[str, Promise]] = {
    "deals": gettext_lazy("Hands"),
    "compared": gettext_lazy("Rows compared"),
    **WON_AND_LOST,
    "scored": gettext_lazy("With boards"),
    "taken": gettext_lazy("Scoops taken"),
    "given": gettext_lazy("Scoops given"),
    "seat": gettext_lazy("Player’s seat"),
}
"""The last columns of Pairs, from column E on, by key."""

_POINTS, _MONEY, _SEAT, _PLACE, _BOARDS, _FOUL, _INSIDE, _AGAINST = "FGJKLMNO"
_ROYALTIES: Final = dict(zip(ROWS, "PQR", strict=True))
"""Columns of Hands."""

_WIDTHS: Final = (46, 18)
"""Of the figures' names, and of the players' columns, where "(few)" stands beside an amount."""


def few_said() -> str:
    """What "(few)" means beside a figure."""
    return _(
        "“(few)” stands where a rate is over fewer than {count} hands, and says little. A share of so few is left out."
    ).format(count=FEW)


def write(session: Session, sheet: Sheet, *, deals: Sheet, pairs: Sheet) -> None:
    """Writes everyone's figures, after Hands, and after Pairs with its last row of sums."""
    found, names = reads.session_statistics(session), reads.present(session)
    sheet.sheet.set_column(0, 0, _WIDTHS[0])
    sheet.sheet.set_column(1, max(len(names), 1), _WIDTHS[1])
    sheet.sheet.freeze_panes(1, 1)
    if not found.figures:
        sheet.add([_("No hands yet."), *(None for _ in names)])
        return
    places = sorted({place for each in found.figures.values() for place in each.places})
    shown = groups([found.currency], places)
    of = Values([found.currency], {session.pk: found.currency}, {session.pk: ""})
    sums = _sums(places, deals, pairs, session.minor_digits)
    people: list[dict[str, Cell]] = []
    for seat in names:
        figures = found.figures.get(seat, Figures())
        values = of.of(figures, found.rows.get(seat, Pair())) | of.of_places(figures, places)
        people.append(values | {key: Formula(sum_.format(seat=seat), _int(values[key])) for key, sum_ in sums.items()})
    rows, row = {}, sheet.row
    for group in shown:
        row += 1
        for figure in group.figures:
            row += 1
            rows[figure.key] = row
    named = [{key: at(column, row) for key, row in rows.items()} for column in range(1, len(names) + 1)]
    for group in shown:
        sheet.title(group.title)
        for figure in group.figures:
            cells = [figure.cell(values, places) for values, places in zip(people, named, strict=True)]
            sheet.add([figure.label, *cells], kinds=[TEXT, *(figure.kind for _ in cells)])
    sheet.add([few_said(), *(None for _ in names)])


def _int(cell: Cell) -> int:
    if not isinstance(cell, int):
        raise TypeError(f"{cell!r} is no figure")
    return cell


def _sums(places: list[int], deals: Sheet, pairs: Sheet, digits: int) -> Mapping[str, str]:
    """The formulas of what is counted and summed, by key, with ``{seat}`` for the number of a seat."""

    def column(letter: str) -> str:
        return fixed(deals, letter, deals.row)

    def where(*conditions: tuple[str, str]) -> str:
        return ",".join(f"{column(letter)},{value}" for letter, value in ((_SEAT, "{seat}"), *conditions))

    def counted(*conditions: tuple[str, str]) -> str:
        return f"COUNTIFS({where(*conditions)})"

    def summed(letter: str, *conditions: tuple[str, str]) -> str:
        return f"SUMIFS({column(letter)},{where(*conditions)})"

    def amount(*conditions: tuple[str, str]) -> str:
        return f"ROUND({summed(_MONEY, *conditions)},{digits})"

    parts = {
        "inside": (_INSIDE, '">0"'),
        "against": (_AGAINST, "1"),
        **{f"place_{place}": (_PLACE, str(place)) for place in places},
    }
    of_pairs = {key: letters(4 + place) for place, key in enumerate(OF_PAIRS)}
    seats, last = fixed(pairs, of_pairs["seat"], pairs.row - 1), pairs.row - 1
    return {
        "deals": counted(),
        "points": summed(_POINTS),
        "money_0": amount(),
        "boards": counted((_BOARDS, "1")),
        "fouls": counted((_FOUL, "1")),
        **{f"{row}_royalties": summed(letter) for row, letter in _ROYALTIES.items()},
        **{key: counted(part) for key, part in parts.items()},
        **{f"{key}_points": summed(_POINTS, part) for key, part in parts.items()},
        **{f"{key}_money_0": amount(part) for key, part in parts.items()},
        **{
            key: f"SUMIFS({fixed(pairs, letter, last)},{seats},{{seat}})"
            for key, letter in of_pairs.items()
            if key not in {"deals", "seat"}
        },
    }
