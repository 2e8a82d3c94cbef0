"""Typed rows, parsed as far as they read as cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

from scoring.game.entry import Rows
from scoring.game.limits import ROW_LENGTH
from scoring.game.table import Table
from scoring.models import Draft
from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import Card, UnreadableRowError, parse_row
from scoring.rules.document import repeated
from scoring.rules.phrase import Phrase

NOTHING: Final = Rows()


def rows_of(draft: Draft | None) -> Rows:
    """A draft's rows; `NOTHING` without a draft."""
    return Rows(draft.front, draft.middle, draft.back, draft.ruling) if draft else NOTHING


def line(rows: Rows) -> str:
    """Rows and any ruling as one text, such as ``QQ7/AA44J/89TJQ``, as drafts keep and compare them."""
    return "/".join([rows.front, rows.middle, rows.back, *filter(None, [rows.ruling])])


def unordered(row: str) -> str:
    """A row's text with its cards in one order and one spelling, to compare it with; any other text as it is."""
    try:
        found = parse_row(row)
    except UnreadableRowError:
        return row
    return "".join(sorted(map(str, found.cards))) + "f" * (found.flush and not found.suited)


def identifies(name: str, row: str) -> bool:
    """Whether a row tells one deal from another, since both hardly ever have it. Three ranks alone do not."""
    return name in ROWS and (name != "front" or not set("shdc").isdisjoint(row))


def mixed_up(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two boards have the same ten cards in ``middle`` and ``back`` together, as two deals hardly have.

    So one of them is the other with cards moved from row to row, or with these rows the wrong way round. Ranks count
    where a suit is not known.
    """
    ours, theirs = ([card for row in rows for card in cards_of(row)] for rows in (one, other))
    if len(ours) != len(theirs) or len(ours) != sum(ROW_SIZES[row] for row in ("middle", "back")):
        return False
    named: Callable[[Card], Any] = str if all(card.suit for card in [*ours, *theirs]) else attrgetter("rank")
    return sorted(map(named, ours)) == sorted(map(named, theirs))


def ruling_of(line: str) -> str:
    """The ruling alone of a text of `line`, empty if there is none."""
    return "".join(line.split("/")[len(ROWS) :])


def without_ruling(line: str) -> str:
    """The rows alone of a text of `line`."""
    return "/".join(line.split("/")[: len(ROWS)])


def same(one: str, other: str) -> bool:
    """Whether two texts of `line` have the same cards in each row, in whichever order, and the same ruling."""
    return [*map(unordered, one.split("/"))] == [*map(unordered, other.split("/"))]


def readable(rows: Rows) -> Rows:
    """The rows in standard notation. Unreadable ones become empty; only the phone that typed them keeps the text."""
    return replace(rows, **{row: _readable(getattr(rows, row)) for row in ROWS})


def whole(rows: Rows) -> dict[str, bool]:
    """By row, whether it has all its cards."""
    return {row: len(cards_of(getattr(rows, row))) == ROW_SIZES[row] for row in ROWS}


def cards(rows: Rows) -> list[str]:
    """All the cards in the rows, each as text: ``Qh``, or ``Q`` where the suit was not recorded."""
    return [str(card) for row in ROWS for card in cards_of(getattr(rows, row))]


def done(rows: Rows) -> bool:
    """Whether nothing is left to enter for this seat."""
    return bool(rows.ruling) or all(whole(rows).values())


def clashes(boards: Mapping[int, Rows], table: Table) -> dict[tuple[int, str], Phrase]:
    """A message for each (seat, row) that holds a card which is in these boards more often than in the deck.

    What a phone may not see is not among its boards, or it could ask for one hidden card after the other.
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
            others = [(table.name(seat), row) for seat, row in where if (seat, row) != place]
            found[place] = repeated(card, others[:1])
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
