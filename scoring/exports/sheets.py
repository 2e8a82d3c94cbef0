"""Writes the sheets of a workbook: cells of a few kinds, and formulas with the figures that they give.

What people typed is written as text, never as a formula, and stays text when someone edits the cell. No formula has
any of it: they name cells, whole numbers and words of our own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from django.utils import timezone
from django.utils.functional import Promise
from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from scoring.texts import gettext as _

WHOLE, TEXT, MONEY, WHEN, RATE, SHARE = "whole", "text", "money", "when", "rate", "share"

_SIGNS: Final = frozenset("=+-@")
"""What a formula can begin with, when it is typed."""

_WIDTHS: Final = {WHOLE: 8, TEXT: 18, MONEY: 14, WHEN: 17, RATE: 11, SHARE: 8}

_WIDEST: Final = 20
"""As wide as this a column is made for its heading; longer names are cut off."""

WORDS_WIDTH: Final = 46
"""How wide a column is that has the six words of a head."""

_NAME: Final = 31
"""The most characters of a sheet's name."""
_NOT_IN_NAMES: Final = re.compile(r"[\[\]:*?/\\]|^'+|'+$")

Text = str | Promise


class Formula(NamedTuple):
    """A formula without its ``=``, and the figure that it gives, for programs that do not calculate.

    The figure of a cell with money is in minor units, that of a rate in tenths, that of a share in percent. If it is
    over ``few`` hands, the cell says so.
    """

    text: str
    value: int | str
    few: bool = False


Cell = Formula | int | str | datetime | None
"""What a cell of a sheet shows; None is an empty one."""


def at(column: int, row: int) -> str:
    """The name of a cell. Columns count from 0, rows from 1."""
    return f"{letters(column)}{row}"


def down(column: int, first: int, last: int) -> str:
    """The cells of a column from row to row. With no rows it is the heading cell, which sums ignore."""
    of = letters(column)
    return f"{of}{first}:{of}{last}" if first <= last else f"{of}1:{of}1"


def quoted(text: str) -> str:
    """A text as a formula holds it."""
    return '"' + text.replace('"', '""') + '"'


def fixed(sheet: Sheet, column: str, last: int) -> str:
    """The cells of a column of another sheet from row 2 on, as a condition of ``SUMIFS`` needs them."""
    return f"{sheet.called}!${column}$2:${column}${max(last, 2)}"


def across(first: int, last: int, row: int) -> str:
    """The cells of a row from column to column."""
    return f"{letters(first)}{row}:{letters(last)}{row}"


letters = cache(xl_col_to_name)
"""The letters of a column, counted from 0."""


class Book:
    """A workbook that is being written. ``digits`` is how many decimals its money has."""

    def __init__(self, book: Workbook, digits: int) -> None:
        self.book = book
        self.digits = digits
        self.whole = 10**digits
        self.numbers = shown = {
            WHOLE: "0",
            TEXT: "General",
            MONEY: _amount(digits),
            WHEN: "yyyy-mm-dd hh:mm",
            RATE: "0.0",
            SHARE: "0%",
        }
        below = {"bold": True, "top": 1}
        self.parts = {WHOLE: 1, MONEY: self.whole, RATE: 10, SHARE: 100, TEXT: 0, WHEN: 0}
        """How many parts of a figure are 1, by kind: minor units, tenths, percent; 0 of what is no figure."""
        self.formats = {kind: book.add_format({"num_format": number}) for kind, number in shown.items()}
        self.sums = {kind: book.add_format({"num_format": number, **below}) for kind, number in shown.items()}
        # It follows a figure that is over few hands. The cell holds the bare number.
        few = _("(few)").replace('"', "")
        self.few_said = f'" {few}"'
        self.few = {
            kind: book.add_format({"num_format": shown[kind] + self.few_said, "align": "right"})
            for kind in (MONEY, RATE)
        }
        self.head = book.add_format({"bold": True, "bottom": 1})
        as_text = {"num_format": "@", "quote_prefix": True}
        self.as_text = book.add_format(as_text)
        self.head_as_text = book.add_format({"bold": True, "bottom": 1, **as_text})

    def money(self, digits: int) -> str:
        """The kind of cells with money of a currency with so many decimals."""
        if digits == self.digits:
            return MONEY
        kind = f"{MONEY} {digits}"
        if kind not in self.formats:
            self.parts[kind] = 10**digits
            self.formats[kind] = self.book.add_format({"num_format": _amount(digits)})
            self.few[kind] = self.book.add_format({"num_format": _amount(digits) + self.few_said, "align": "right"})
        return kind

    def sheet(self, name: str, columns: Sequence[tuple[Text, str]]) -> Sheet:
        """Adds a sheet. ``columns`` has the heading and the kind of each.

        Excel refuses long names and certain signs, so both are replaced.
        """
        name = _NOT_IN_NAMES.sub("", name)[:_NAME]
        return Sheet(self, name, columns)

    def cells(self, kinds: Sequence[str], *, total: bool = False) -> list[tuple[str, Any, int]]:
        """What a row of cells of these kinds is written with: kind, format, and how many parts of a figure are 1."""
        formats = self.sums if total else self.formats
        return [(kind, formats[kind], self.parts[kind]) for kind in kinds]

    def rounded(self, sum_: str) -> str:
        """A sum of money, rounded to its decimals, which binary fractions miss by a hair."""
        return f"ROUND({sum_},{self.digits})" if self.digits else sum_


def _amount(digits: int) -> str:
    return f"0.{'0' * digits}" if digits else "0"


def _wide(text: str) -> int:
    """How many letters wide a text is; a Chinese or Japanese one takes the room of two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


class Bare(Worksheet):  # type: ignore[misc]  # XlsxWriter ships no types
    """A worksheet that does not look in each formula for some forty functions that Excel got later.

    None of ours has one, and looking takes most of the time of writing a formula. Without this method, which is not
    public, the workbook would be the same.
    """

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")


class Sheet:
    """A sheet to which rows are added. ``row`` is the last one, counted from 1; row 1 has the headings.

    ``called`` is its name as formulas of other sheets have it.
    """

    def __init__(self, book: Book, name: str, columns: Sequence[tuple[Text, str]]) -> None:
        self.book = book
        self.called = name if re.fullmatch("[A-Za-z]+", name) else "'" + name.replace("'", "''") + "'"
        self.kinds = [kind for _, kind in columns]
        self.columns = book.cells(self.kinds)
        self.row = 1
        self.zone = timezone.get_current_timezone()
        self.sheet = book.book.add_worksheet(name, Bare)
        self.sheet.freeze_panes(1, 0)
        for column, (text, kind) in enumerate(columns):
            heading = str(text)
            width = max(_WIDTHS.get(kind, _WIDTHS[MONEY]), min(_wide(heading) + 1, _WIDEST))
            self.sheet.set_column(column, column, width)
            self.sheet.write_string(0, column, heading, book.head_as_text if heading[0] in _SIGNS else book.head)

    def add(self, cells: Sequence[Any], *, total: bool = False, kinds: Sequence[str] = ()) -> int:
        """Adds a row with a cell for every column, or None, and returns its number. A ``total`` stands below a rule.

        ``kinds`` are those of its cells, if they are others than those of the columns.
        """
        row, sheet = self.row, self.sheet
        columns = self.book.cells(kinds or self.kinds, total=total) if kinds or total else self.columns
        for column, ((kind, format_, parts), cell) in enumerate(zip(columns, cells, strict=True)):
            if cell is None or cell == "":
                continue
            if type(cell) is Formula:
                text, value, few = cell
                shown = value if parts == 1 or isinstance(value, str) else value / parts
                sheet.write_formula(row, column, f"={text}", self.book.few[kind] if few else format_, shown)
            elif parts == 1:
                sheet.write_number(row, column, cell, format_)
            elif parts:
                sheet.write_number(row, column, cell / parts, format_)
            elif kind == TEXT:
                # Never `write`, which would turn text that begins with = into a formula, and a URL into a hyperlink.
                of_text = self.book.as_text if cell[0] in _SIGNS else format_ if total else None
                sheet.write_string(row, column, cell, of_text)
            else:
                moment: datetime = cell.astimezone(self.zone).replace(tzinfo=None)  # cells have no time zone
                sheet.write_datetime(row, column, moment, format_)
        self.row += 1
        return self.row

    def title(self, text: str) -> None:
        """Adds a row with a title for those that follow."""
        self.sheet.write_string(self.row, 0, text, self.book.head)
        self.row += 1

    def picture(self, row: int, description: str, png: BytesIO) -> None:
        """Adds a picture below a row."""
        self.sheet.insert_image(row, 1, "code.png", {"image_data": png, "description": description})
