"""Rows that were typed, as far as they read as cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoring.game.entry import Rows
from scoring.game.limits import ROW_LENGTH
from scoring.game.table import Table
from scoring.models import Draft
from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import Card, UnreadableRowError, parse_row

NOTHING: Final = Rows()


def rows_of(draft: Draft | None) -> Rows:
    """A draft's rows; empty ones for none."""
    return Rows(draft.front, draft.middle, draft.back, draft.ruling) if draft else NOTHING


def readable(rows: Rows) -> Rows:
    """The rows as cards are written here; what does not read as cards is left out, and stays with who typed it."""
    return replace(rows, **{row: _readable(getattr(rows, row)) for row in ROWS})


def whole(rows: Rows) -> dict[str, bool]:
    """Which rows have as many cards as they take."""
    return {row: len(cards_of(getattr(rows, row))) == ROW_SIZES[row] for row in ROWS}


def cards(rows: Rows) -> list[str]:
    """All cards that lie there, each as it is written: ``Qh``, or ``Q`` where the suit was not recorded."""
    return [str(card) for row in ROWS for card in cards_of(getattr(rows, row))]


def done(rows: Rows) -> bool:
    """There is nothing more to enter for this seat."""
    return bool(rows.ruling) or all(whole(rows).values())


def clashes(boards: Mapping[int, Rows], table: Table, secret: set[int]) -> dict[tuple[int, str], str]:
    """What to say at each row (of a seat) with a card that is somewhere else, too.

    Of a board that is ``secret`` it is not said in which row.
    """
    places = defaultdict(list)
    for seat, rows in boards.items():
        for row in ROWS:
            for card in cards_of(getattr(rows, row)):
                places[card].append((seat, row))
    found = {}
    for card, where in places.items():
        if not card.suit or len(where) <= table.rules.decks:
            continue
        for place in where:
            seat, row = next((other for other in where if other != place), place)
            found[place] = (
                f"The {card.name} is also in {table.name(seat)}'s {'Fantasyland' if seat in secret else row}."
            )
    return found


def _readable(text: str) -> str:
    try:
        found = str(parse_row(text))
    except UnreadableRowError:
        return ""
    return found if len(found) <= ROW_LENGTH else ""


def cards_of(text: str) -> tuple[Card, ...]:
    try:
        return parse_row(text).cards
    except UnreadableRowError:
        return ()
