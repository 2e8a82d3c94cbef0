"""The curve of a session in its workbook: a sheet with its figures, and charts of them, which Excel draws itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.formats import number_format

from scoring.exports.sheets import MONEY, TEXT, Cell, Formula, Sheet, fixed, letters
from scoring.texts import gettext as _
from scoring.texts import pgettext

COLOURS: Final = ("#1C5C9E", "#B03A0C", "#146C3A", "#7337A8", "#8A1D52", "#0B6A75", "#7A5606", "#4B5560")
"""Those of the curve on the pages, where they are light."""

DASHES: Final = (
    "solid", "dash", "round_dot", "dash_dot", "long_dash", "square_dot", "long_dash_dot_dot", "long_dash_dot",
)  # fmt: skip

MARKS: Final = ("circle", "square", "triangle", "diamond", "x", "plus", "star", "long_dash")

MOST_MARKED: Final = 60
"""After so many hands marks would cover the lines, and the dashes of eight people are told apart without them."""

_WIDTH, _HEIGHT, _ROWS = 1000, 520, 28
"""The size of a chart in pixels, and after how many rows of the sheet there is room for the next one."""

Totals = Mapping[int, Formula]
"""The formulas that refer to each player's running total, by seat."""


class Course:
    """The sheet Curve: what everyone was up or down after each hand that counts, as the ledger's page draws it.

    It begins with a row before the first hand. A player has figures from the row before the hand on in which anything
    first happened to them. What was won or lost after the last hand has a row of its own.
    """

    def __init__(self, sheet: Sheet, names: Mapping[int, str]) -> None:
        self.sheet, self.names = sheet, names
        self.after: list[int | str] = []
        self.points: list[list[int | None]] = [[] for _ in names]
        self.money: list[list[int | None]] = [[] for _ in names]
        """What is drawn of each player, row by row, for programs that do not calculate."""
        self._next: tuple[int | str, Totals, Totals] | None = None

    def add(self, deal: int | str, met: Collection[int], points: Totals, money: Totals) -> None:
        """Adds a hand and everyone's totals after it. ``met`` are all to whom anything has happened by then."""
        nothing = dict.fromkeys(self.names, Formula("", 0))
        self._next = self._next or (0, nothing, nothing)
        self._write(met)
        self._next = (deal, points, money)

    def end(self, met: Collection[int], points: Totals, money: Totals) -> None:
        """Ends it with what came after the last hand, if that changed the total of any player."""
        if self._next is None:
            return
        _, *before = self._next
        pairs = zip(before, (points, money), strict=True)
        if any(old[seat].value != new[seat].value for old, new in pairs for seat in self.names):
            self.add(pgettext("after the last hand", "end"), met, points, money)
        self._write(met)

    def _write(self, met: Collection[int]) -> None:
        """Writes the row that waited to know who begins with the next hand."""
        if self._next is None:
            return
        after, *totals = self._next
        cells: list[Cell] = [after]
        for of, drawn in zip(totals, (self.points, self.money), strict=True):
            for seat, line in zip(self.names, drawn, strict=True):
                total = of[seat] if seat in met else None
                line.append(int(total.value) if total else None)
                cells.append(total if total is None or total.text else 0)
        self.sheet.add(cells, kinds=[TEXT, *self.sheet.kinds[1:]] if isinstance(after, str) else ())
        self.after.append(after)


def draw(sheet: Sheet, course: Course, currency: str) -> None:
    """Draws the curve on the sheet Chart: in points, and in money if anybody won any."""
    if not course.after:
        sheet.add([_("No hands yet.")])
        return
    sheet.sheet.set_column(0, 0, 60)
    sheet.sheet.hide_gridlines(2)
    sheet.sheet.set_landscape()
    sheet.sheet.set_h_pagebreaks([_ROWS])
    sheet.sheet.fit_to_pages(1, 0)
    book = sheet.book
    _draw(
        sheet,
        course,
        _Plot(
            title=_("Points, hand by hand"),
            axis=_("Points won or lost so far"),
            said=_("Line chart: Points won or lost after each hand. At the end: {results}."),
            lines=course.points,
            first=1,
            number="+0;-0;0",
            decimals=0,
        ),
        currency,
    )
    if any(figure for line in course.money for figure in line):
        amounts = [[figure and figure / book.whole for figure in line] for line in course.money]
        amount = book.numbers[MONEY]
        first = 1 + len(course.names)
        _draw(
            sheet,
            course,
            _Plot(
                title=_("Money ({currency}), hand by hand").format(currency=currency),
                axis=_("Money ({currency}) won or lost so far").format(currency=currency),
                said=_("Line chart: Money ({currency}) won or lost after each hand. At the end: {results}."),
                lines=amounts,
                first=first,
                number=f"+{amount};-{amount};0",
                decimals=book.digits,
            ),
            currency,
        )


class _Plot(NamedTuple):
    """What one chart draws: ``lines`` are everyone's figures, which column ``first`` of Curve has of the first player.

    ``axis`` is what its figures are, and ``said`` the chart in a sentence. ``number`` is the format of its figures,
    which have so many ``decimals``.
    """

    title: str
    axis: str
    said: str
    lines: Sequence[Sequence[float | None]]
    first: int
    number: str
    decimals: int


def _draw(sheet: Sheet, course: Course, plot: _Plot, currency: str) -> None:
    """Draws one chart below those before it."""
    chart = sheet.book.book.add_chart({"type": "line"})
    figures, last = course.sheet, len(course.after) + 1
    for place, (name, line) in enumerate(zip(course.names.values(), plot.lines, strict=True)):
        if line[-1] is None:  # who was there, and neither played nor won or lost anything
            continue
        colour = COLOURS[place % len(COLOURS)]
        turn = place // len(COLOURS)
        colours = {"border": {"color": colour}, "fill": {"color": colour}}
        mark = {"type": MARKS[(place + turn) % len(MARKS)], "size": 6, **colours}
        chart.add_series(
            {
                # The name is that of a cell, because text that begins with = would be a formula here.
                "name": [figures.sheet.get_name(), 0, 1 + place],
                "name_data": [name],
                "categories": f"={fixed(figures, 'A', last)}",
                "categories_data": course.after,
                "values": f"={fixed(figures, letters(plot.first + place), last)}",
                "values_data": list(line),
                "line": {"color": colour, "width": 2, "dash_type": DASHES[place % len(DASHES)]},
                "marker": mark if last <= MOST_MARKED or len(course.names) > len(DASHES) else {"type": "none"},
            }
        )
    every = -(-last // 25)
    chart.set_title({"name": plot.title})
    chart.set_x_axis(
        {
            "name": _("After hand"),
            "label_position": "low",  # below the chart, and not at 0 in the midst of the lines
            "position_axis": "on_tick",
            "interval_unit": every,
            "major_tick_mark": "none",
        }
    )
    chart.set_y_axis(
        {
            "name": plot.axis,
            "num_format": plot.number,
            "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9", "width": 0.75}},
        }
    )
    chart.set_legend({"position": "bottom"})
    chart.show_blanks_as("gap")
    chart.set_size({"width": _WIDTH, "height": _HEIGHT})
    sheet.sheet.insert_chart(sheet.row, 0, chart, {"description": _said(course, plot, currency)})
    sheet.row += _ROWS


def _said(course: Course, plot: _Plot, currency: str) -> str:
    """A chart in a sentence, for people who listen: where everyone's line ends, the highest first."""
    lines = zip(course.names.values(), plot.lines, strict=True)
    ends = sorted(((line[-1], name) for name, line in lines if line[-1] is not None), key=lambda end: -end[0])
    results = ", ".join(f"{name} {_signed(end, plot.decimals)}" for end, name in ends)
    return plot.said.format(currency=currency, results=results)


def _signed(figure: float, decimals: int) -> str:
    if not figure:
        return "0"
    return ("+" if figure > 0 else "-") + number_format(abs(figure), decimals)
