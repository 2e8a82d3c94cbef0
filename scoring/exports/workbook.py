"""Exports one session as an Excel workbook: totals, hands, pairs, every line of the ledger, and the record's head.

Rows are written as they are read, so that only the compressed workbook of a long history must fit into memory. What
people typed is written as text, never as a formula, and stays text when someone edits the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

from django.db.models import F
from django.utils import timezone
from xlsxwriter import Workbook

from scoring import reads
from scoring.exports.code import png
from scoring.ledger.load import seats_of, totals_of
from scoring.models import Revision, Session, Transfer

TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


AT_ONCE = 1000
"""Rows that are fetched into memory at once."""


WHOLE, TEXT, MONEY, WHEN = "whole", "text", "money", "when"


_WIDTHS = {WHOLE: 8, TEXT: 18, MONEY: 14, WHEN: 17}


def of_session(session: Session, file: Path, verifier: str, count: Callable[[], None]) -> None:
    """Writes the workbook to a file. All its sheets agree only if the caller reads from one snapshot.

    ``verifier`` is the address to which the QR code of the record's head leads; ``count`` is called for each row.
    """
    with Workbook(file, {"constant_memory": True}) as book:
        sheets = _Sheets(book, session.minor_digits, count)
        money, head = f"Money ({session.currency})", reads.head(session)
        sheets.add(
            "Totals", {"Player": TEXT, "Hands": WHOLE, "Points": WHOLE, money: MONEY, "Fees": MONEY}, _totals(session)
        )
        sheets.add(
            "Hands",
            {
                "Hand": WHOLE,
                "Player": TEXT,
                "Front": TEXT,
                "Middle": TEXT,
                "Back": TEXT,
                "Points": WHOLE,
                money: MONEY,
                "Remark": TEXT,
                "Note": TEXT,
            },
            _hands(session),
        )
        sheets.add("Pairs", {"Player": TEXT, "Against": TEXT, "Points": WHOLE, money: MONEY}, _pairs(session))
        sheets.add(
            "Transfers",
            {
                "When": WHEN,
                "After hand": WHOLE,
                "Payer": TEXT,
                "Payee": TEXT,
                "Points": WHOLE,
                money: MONEY,
                "Kind": TEXT,
                "Reversal": TEXT,
                "By": TEXT,
                "Note": TEXT,
            },
            _transfers(session),
        )
        sheets.add("Record", {"Record": WHOLE, "Words": TEXT, "Hash": TEXT}, [(head.event, head.words, head.hash)])
        sheets.picture("Record", "The record's head as a QR code", png(head.address(verifier)))


def _totals(session: Session) -> Iterable[Sequence[Any]]:
    seats = seats_of(session)
    names = {seat.player_id: seat.name for seat in seats}
    for total in totals_of(session, seats):
        yield names[total.player_id], total.deals, total.points, total.money, total.fees


def _hands(session: Session) -> Iterable[Sequence[Any]]:
    """Yields a row for each player of a deal as it counts now, and a single row for a void deal."""
    counts = Revision.objects.filter(deal__session=session, n=F("deal__revision"))
    boards = ("seat__name", "front", "middle", "back", "points", "money", "foul", "ruling")
    lines = counts.order_by("deal__number", "boards__order").values_list(
        "deal__number", "kind", "note", *(f"boards__{field}" for field in boards)
    )
    for number, kind, note, *cells, foul, ruling in lines.iterator(AT_ONCE):
        remark = "void" if kind == Revision.Kind.VOID else ruling or ("foul" if foul else "")
        yield number, *cells, remark, note


def _pairs(session: Session) -> Iterable[Sequence[Any]]:
    """Yields each pair twice, once from either side, so that the columns sum to zero."""
    state = reads.state(session)
    for (seat, other), balance in sorted(state.matrix.items()):
        yield state.seats[seat].name, state.seats[other].name, balance.points, balance.money


def _transfers(session: Session) -> Iterable[Sequence[Any]]:
    lines = Transfer.objects.filter(session=session).order_by("pk")
    found = lines.values_list(
        "event__at", "deal_number", "payer__name", "payee__name", "points", "amount", "kind",
        "reverses", "event__by", "event__note",
    )  # fmt: skip
    for *cells, reverses, by, note in found.iterator(AT_ONCE):
        yield *cells, "reversal" if reverses else "", by, note


class _Sheets:
    def __init__(self, book: Workbook, digits: int, count: Callable[[], None]) -> None:
        self.book = book
        self.count = count
        self.unit = Decimal(1).scaleb(-digits)
        self.head = book.add_format({"bold": True, "bottom": 1})
        self.as_text = book.add_format({"num_format": "@", "quote_prefix": True})
        self.formats = {
            WHOLE: book.add_format({"num_format": "0"}),
            MONEY: book.add_format({"num_format": f"0.{'0' * digits}" if digits else "0"}),
            WHEN: book.add_format({"num_format": "yyyy-mm-dd hh:mm"}),
        }

    def add(self, name: str, columns: dict[str, str], lines: Iterable[Sequence[Any]]) -> None:
        """Adds a sheet. ``columns`` maps headings to kinds of cell; each line has a cell for every one, or None."""
        sheet = self.book.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        for column, (heading, kind) in enumerate(columns.items()):
            sheet.set_column(column, column, _WIDTHS[kind])
            sheet.write_string(0, column, heading, self.head)
        kinds = list(columns.values())
        for row, line in enumerate(lines, 1):
            self.count()
            for column, (kind, cell) in enumerate(zip(kinds, line, strict=True)):
                if cell is not None and cell != "":
                    self._write(sheet, row, column, kind, cell)

    def picture(self, sheet: str, description: str, png: BytesIO) -> None:
        """Adds a picture below the first rows of a sheet."""
        options = {"image_data": png, "description": description}
        self.book.get_worksheet_by_name(sheet).insert_image(3, 1, "code.png", options)

    def _write(self, sheet: Any, row: int, column: int, kind: str, cell: Any) -> None:
        if kind == TEXT:
            # Never `write`, which would turn text that begins with = into a formula, and a URL into a hyperlink.
            formula = cell.startswith(("=", "+", "-", "@"))
            sheet.write_string(row, column, cell, self.as_text if formula else None)
        elif kind == WHEN:
            moment: datetime = timezone.localtime(cell).replace(tzinfo=None)  # cells have no time zone
            sheet.write_datetime(row, column, moment, self.formats[WHEN])
        else:
            sheet.write_number(row, column, cell * self.unit if kind == MONEY else cell, self.formats[kind])
