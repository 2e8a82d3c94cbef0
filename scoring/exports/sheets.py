"""Writes the sheets of a workbook: cells of four kinds, and formulas with the figures that they give.

What people typed is written as text, never as a formula, and stays text when someone edits the cell. No formula has
any of it: they name cells, whole numbers and words of our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from django.utils import timezone
from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

WHOLE, TEXT, MONEY, WHEN = "whole", "text", "money", "when"

_SIGNS: Final = frozenset("=+-@")
"""What a formula can begin with, when it is typed."""

_WIDTHS: Final = {WHOLE: 8, TEXT: 18, MONEY: 14, WHEN: 17}


class Formula(NamedTuple):
    """A formula without its ``=``, and the figure that it gives, for programs that do not calculate.

    The figure of a cell with money is in minor units.
    """

    text: str
    value: int | str


def at(column: int, row: int) -> str:
    """The name of a cell. Columns count from 0, rows from 1."""
    return f"{letters(column)}{row}"


def down(column: int, first: int, last: int) -> str:
    """The cells of a column from row to row. Where there are none it is the heading, which no sum counts."""
    of = letters(column)
    return f"{of}{first}:{of}{last}" if first <= last else f"{of}1:{of}1"


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
        shown = {
            WHOLE: "0",
            TEXT: "General",
            MONEY: f"0.{'0' * digits}" if digits else "0",
            WHEN: "yyyy-mm-dd hh:mm",
        }
        below = {"bold": True, "top": 1}
        self.formats = {kind: book.add_format({"num_format": number}) for kind, number in shown.items()}
        self.sums = {kind: book.add_format({"num_format": number, **below}) for kind, number in shown.items()}
        self.head = book.add_format({"bold": True, "bottom": 1})
        as_text = {"num_format": "@", "quote_prefix": True}
        self.as_text = book.add_format(as_text)
        self.head_as_text = book.add_format({"bold": True, "bottom": 1, **as_text})

    def sheet(self, name: str, columns: Sequence[tuple[str, str]]) -> Sheet:
        """Adds a sheet. ``columns`` has the heading and the kind of each."""
        return Sheet(self, name, columns)

    def rounded(self, sum_: str) -> str:
        """A sum of money, rounded to its decimals, which binary fractions miss by a hair."""
        return f"ROUND({sum_},{self.digits})" if self.digits else sum_


class Bare(Worksheet):  # type: ignore[misc]  # XlsxWriter ships no types
    """A worksheet that does not look in each formula for some forty functions that Excel got later.

    None of ours has one, and looking takes most of the time of writing a formula. Without this method, which is not
    public, the workbook would be the same.
    """

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")


class Sheet:
    """A sheet to which rows are added. ``row`` is the last one, counted from 1; row 1 has the headings."""

    def __init__(self, book: Book, name: str, columns: Sequence[tuple[str, str]]) -> None:
        self.book = book
        self.kinds = [kind for _, kind in columns]
        self.row = 1
        self.sheet = book.book.add_worksheet(name, Bare)
        self.sheet.freeze_panes(1, 0)
        for column, (heading, kind) in enumerate(columns):
            self.sheet.set_column(column, column, _WIDTHS[kind])
            self.sheet.write_string(0, column, heading, book.head_as_text if heading[0] in _SIGNS else book.head)

    def add(self, cells: Sequence[Any], *, total: bool = False) -> int:
        """Adds a row with a cell for every column, or None, and returns its number. A ``total`` stands below a rule."""
        row, sheet, whole = self.row, self.sheet, self.book.whole
        formats = self.book.sums if total else self.book.formats
        for column, (kind, cell) in enumerate(zip(self.kinds, cells, strict=True)):
            if cell is None or cell == "":
                continue
            if type(cell) is Formula:
                text, value = cell
                shown = value if kind != MONEY or isinstance(value, str) else value / whole
                sheet.write_formula(row, column, f"={text}", formats[kind], shown)
            elif kind == MONEY:
                sheet.write_number(row, column, cell / whole, formats[kind])
            elif kind == WHOLE:
                sheet.write_number(row, column, cell, formats[kind])
            elif kind == TEXT:
                # Never `write`, which would turn text that begins with = into a formula, and a URL into a hyperlink.
                format_ = self.book.as_text if cell[0] in _SIGNS else formats[kind] if total else None
                sheet.write_string(row, column, cell, format_)
            else:
                moment: datetime = timezone.localtime(cell).replace(tzinfo=None)  # cells have no time zone
                sheet.write_datetime(row, column, moment, formats[kind])
        self.row += 1
        return self.row

    def picture(self, row: int, description: str, png: BytesIO) -> None:
        """Adds a picture below a row."""
        self.sheet.insert_image(row, 1, "code.png", {"image_data": png, "description": description})
