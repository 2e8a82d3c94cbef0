"""Whether two entries, or an entry and what is in a form, are the same deal: nothing but the cards says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from scoring import drafts, reads
from scoring.forms.hand import DealForm
from scoring.game.entry import Entry, Rows
from scoring.models import Session
from scoring.rules.board import ROWS
from scoring.rules.cards import UnreadableRowError, parse_row

LATEST: Final = 20
"""With so many of the latest deals a hand is compared."""


def same_deal(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two entries are equal, in whichever order the cards lie in their rows."""
    return {**one, "boards": _unordered(one)} == {**other, "boards": _unordered(other)}


def same_cards(session: Session, entry: Entry, *, apart_from: int = 0, most: int = LATEST) -> int:
    """The number of a deal, ``apart_from`` one, that counts with a whole board of this entry; 0 for none.

    No two deals share one, so this is probably the same deal. It is looked for among the latest ``most`` that count.
    """
    boards = _whole_boards(entry.as_document())
    latest = reads.settled_since(session, 0, most=most) if boards else []
    found = (each.number for each in latest if _shares_a_board(boards, _whole_boards(each.now)))
    return next((number for number in found if number != apart_from), 0)


def same_points(session: Session, entry: Entry, *, apart_from: int) -> int:
    """The number of a deal, ``apart_from`` one, that counts with the same points; 0 for none, or if it has cards."""
    points = entry.as_document().get("points")
    every = reads.settled_since(session, 0, most=session.deals) if points else []
    found = (each.number for each in every if each.now.get("points") == points)
    return next((number for number in found if number != apart_from), 0)


def _whole_boards(entry: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The boards with all their rows, by seat."""
    if "points" in entry:
        return {}
    boards = {seat: tuple(rows.get(row, "") for row in ROWS) for seat, rows in _unordered(entry).items()}
    return {seat: rows for seat, rows in boards.items() if all(rows)}


def _shares_a_board(ours: Mapping[str, tuple[str, ...]], theirs: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether one board is the same, at any seat and in either way to write it: with suits, or by ranks alone."""
    return any(
        all(one == other or _same_ranks(one, other) for one, other in zip(*boards, strict=True))
        for boards in product(ours.values(), theirs.values())
    )


def probably_same(one: Mapping[str, Any], other: Entry) -> bool:
    """Whether ``one``, in JSON, and ``other`` are the same entry, or share a row. Points have to be equal."""
    typed = other.as_document()
    if "points" in one or "points" in typed:
        return one.get("points") == typed.get("points")
    return same_deal(one, typed) or shares_a_row(one, typed)


def seats_of_deal(form: DealForm, entries: Sequence[Mapping[str, Any]]) -> list[int]:
    """The seats whose board on this form has a row of any of these ``entries`` of one deal, in JSON."""
    found = []
    for seat, board in form.boards.items():
        rows = drafts.readable(Rows(*board.rows()))
        typed = {"boards": {str(seat): {row: text for row in ROWS if (text := getattr(rows, row))}}}
        if any(shares_a_row(each, typed) for each in entries if "points" not in each):
            found.append(seat)
    return found


def shares_a_row(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two entries are probably the same deal: they have the same row, which two deals hardly share.

    It may lie at another seat, as somebody may have entered the boards at the wrong ones. If one of them was typed by
    ranks alone, five of them at the same seat are enough; three are not, because two deals often share those. The rows
    of a board may also be mixed up.
    """
    ours, theirs = _unordered(one), _unordered(other)
    rows = {(name, row) for each in theirs.values() for name, row in each.items() if drafts.identifies(name, row)}
    return any(drafts.mixed_up(*pair) for pair in product(_long_rows(ours), _long_rows(theirs))) or any(
        (name, row) in rows or (name != "front" and _same_ranks(row, theirs.get(seat, {}).get(name, "")))
        for seat, each in ours.items()
        for name, row in each.items()
        if name != "ruling"
    )


def _long_rows(boards: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str]]:
    """The middle and the back of each board."""
    return [(rows.get("middle", ""), rows.get("back", "")) for rows in boards.values()]


def _same_ranks(row: str, other: str) -> bool:
    """Whether two rows have the same ranks, and both or neither is a flush, as far as one of them has no suits."""
    try:
        one, two = parse_row(row), parse_row(other)
    except UnreadableRowError:
        return False
    return one.key == two.key and not (one.suited and two.suited)


def _unordered(entry: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    return {seat: {name: drafts.unordered(row) for name, row in rows.items()} for seat, rows in entry["boards"].items()}
