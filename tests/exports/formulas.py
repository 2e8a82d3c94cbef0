"""Calculates the formulas of a workbook, in the few forms in which the app writes them, and shares no code with it."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from openpyxl.utils import column_index_from_string

TOKEN = re.compile(
    r"""\s*(?:(?P<place>(?:'(?P<quoted>[^']+)'!|(?P<bare>\w+)!)?\$?(?P<column>[A-Z]+)\$?(?P<row>\d+)
        (?::\$?(?P<last_column>[A-Z]+)\$?(?P<last_row>\d+))?)
      |(?P<number>\d+)|"(?P<text>[^"]*)"|(?P<name>[A-Z]+)(?=\()|(?P<sign>[-+=(),/]))""",
    re.VERBOSE,
)


class Calculator:
    """Figures of a workbook whose cells openpyxl has read as formulas. `changed` cells have another value."""

    def __init__(self, book: Any, changed: dict[tuple[str, str], Any] | None = None) -> None:
        self.book = book
        self.known: dict[tuple[str, int, int], Any] = {}
        for (sheet, cell), value in (changed or {}).items():
            found = book[sheet][cell]
            self.known[sheet, found.column, found.row] = value

    def value(self, sheet: str, column: int, row: int) -> Any:
        """What a cell shows: a `Decimal`, text, a time, or None if it is empty."""
        place = (sheet, column, row)
        if place not in self.known:
            cell = self.book[sheet].cell(row, column)
            if cell.data_type == "f":
                self.known[place] = _Formula(self, sheet, cell.value).result()
            else:
                number = isinstance(cell.value, int | float)
                self.known[place] = Decimal(str(cell.value)) if number else cell.value
        return self.known[place]


class _Formula:
    """One formula, read from left to right."""

    def __init__(self, calculator: Calculator, sheet: str, text: str) -> None:
        self.calculator, self.sheet = calculator, sheet
        self.tokens: list[re.Match[str]] = []
        at = 1
        while at < len(text):
            found = TOKEN.match(text, at)
            assert found, f"{text} is written in a form that is not known here"
            self.tokens.append(found)
            at = found.end()
        self.tokens.reverse()

    def result(self) -> Any:
        value = _one(self.sum_())
        assert not self.tokens
        return Decimal(0) if value is None else value  # so does a formula that only names an empty cell

    def sign(self, *signs: str) -> str:
        """Takes the next token if it is one of these signs."""
        return self.tokens.pop()["sign"] if self.tokens and self.tokens[-1]["sign"] in signs else ""

    def sum_(self) -> Any:
        value = self.quotient()
        while sign := self.sign("+", "-", "="):
            other = self.quotient()
            if sign == "=":
                value = _number(_one(value)) == _number(_one(other))
            else:
                value = _number(_one(value)) + (1 if sign == "+" else -1) * _number(_one(other))
        return value

    def quotient(self) -> Any:
        value = self.part()
        while self.sign("/"):
            value = _number(_one(value)) / _number(_one(self.part()))
        return value

    def part(self) -> Any:
        if self.sign("-"):
            return -_number(_one(self.part()))
        token = self.tokens.pop()
        if token["number"]:
            return Decimal(token["number"])
        if token["text"] is not None:
            return token["text"]
        if token["place"]:
            return self.cells(token)
        name, arguments = token["name"], []
        assert self.sign("(")
        while not self.sign(")"):
            arguments.append(self.sum_())
            self.sign(",")
        return getattr(self, f"do_{name.lower()}")(*arguments)

    def cells(self, token: re.Match[str]) -> list[Any]:
        sheet = token["quoted"] or token["bare"] or self.sheet
        columns = [column_index_from_string(each) for each in (token["column"], token["last_column"]) if each]
        rows = [int(each) for each in (token["row"], token["last_row"]) if each]
        return [
            self.calculator.value(sheet, column, row)
            for row in range(rows[0], rows[-1] + 1)
            for column in range(columns[0], columns[-1] + 1)
        ]

    def do_sum(self, cells: list[Any]) -> Decimal:
        return sum((each for each in cells if isinstance(each, Decimal)), Decimal(0))

    def do_sumif(self, keys: list[Any], key: Decimal, cells: list[Any]) -> Decimal:
        return self.do_sumifs(cells, keys, key)

    def do_sumifs(self, cells: list[Any], *conditions: Any) -> Decimal:
        chosen = cells
        for keys, key in zip(conditions[::2], conditions[1::2], strict=True):
            assert len(keys) == len(cells)
            chosen = [each if _meets(of, key) else None for of, each in zip(keys, chosen, strict=True)]
        return self.do_sum(chosen)

    def do_countifs(self, *conditions: Any) -> Decimal:
        return self.do_sumifs([Decimal(1) for _ in conditions[0]], *conditions)

    def do_max(self, cells: list[Any]) -> Decimal:
        return max((each for each in cells if isinstance(each, Decimal)), default=Decimal(0))

    def do_round(self, value: Any, digits: Decimal) -> Decimal:
        return Decimal(_number(_one(value))).quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP)

    def do_if(self, condition: bool, yes: str, no: str) -> str:
        return yes if condition else no


def _meets(value: Any, condition: Any) -> bool:
    """Whether a cell meets a condition, which is a number or ``>0``."""
    if isinstance(condition, Decimal):
        return bool(value == condition)
    assert condition == ">0"
    return isinstance(value, Decimal) and value > 0


def _one(value: Any) -> Any:
    if isinstance(value, list):
        (value,) = value
    return value


def _number(value: Any) -> Decimal:
    """An empty cell counts as 0; text is an error, as in a spreadsheet."""
    assert value is None or isinstance(value, Decimal), value
    return value or Decimal(0)
