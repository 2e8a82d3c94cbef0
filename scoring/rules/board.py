"""One player's thirteen cards in three rows, and its text form: ``QQ7 / AA44J / 89TJQ``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scoring.rules.cards import Card, Row, UnreadableRowError, parse_row
from scoring.rules.errors import Problem, RulesError
from scoring.rules.phrase import Names, Phrase

ROWS = ("front", "middle", "back")
ROW_SIZES = {"front": 3, "middle": 5, "back": 5}
_BETWEEN_ROWS = re.compile(r"[/|;\n\r]")


class Board(NamedTuple):
    """Three whole rows (R1). ``Board.parse(str(board)) == board``."""

    front: Row
    middle: Row
    back: Row

    def __str__(self) -> str:
        return " / ".join(map(str, self))

    @property
    def keys(self) -> tuple[int, int, int]:
        """The keys of front, middle and back, which `scoring.rules.score.judge` takes."""
        return self.front.key, self.middle.key, self.back.key

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a board from one text: front, middle and back, separated by a slash, bar, semicolon or line break.

        Raises `RulesError` with one problem for each bad row, at ``front``, ``middle`` or ``back``, or with one at
        ``""`` if there are not three rows. Duplicate cards are not checked here, because they concern the whole deal.
        """
        rows = split_rows(text)
        if len(rows) != 3:
            message = Phrase.plural(
                "A board is front, middle and back, parted by / or on three lines; here is one row.",
                "A board is front, middle and back, parted by / or on three lines; here is {count} rows.",
                len(rows),
            )
            raise RulesError([Problem("wrong-count", "", message)])
        problems: list[Problem] = []
        read = [read_row(row, name, problems) for name, row in zip(ROWS, rows, strict=True)]
        if problems:
            raise RulesError(problems)
        return cls(*(row for row in read if row is not None))


def split_rows(text: str) -> list[str]:
    """Split a pasted board into the texts of its rows, ignoring blank ones."""
    return [row for each in _BETWEEN_ROWS.split(text) if (row := each.strip())]


def read_row(
    value: object,
    name: str,
    problems: list[Problem],
    *,
    of: str = "",
    decks: int = 1,
    ruled: bool = False,
    whole: bool = True,
) -> Row | None:
    """Read one row, given as a text or a list of card texts, and append what is wrong with it to ``problems``.

    Returns the row even if it has too few or too many cards, or None if it cannot be read. ``of`` is the path of the
    board that the row belongs to. On a board that was ``ruled`` on, a row may be missing or have the wrong
    number of cards, which is no problem (R62). A row that need not be ``whole`` may lack cards, or be missing: it then
    has none.
    """
    if value is None and ruled:
        return None
    if value is None and not whole:
        return Row((), 0)
    row = None
    try:
        if value is None:
            raise UnreadableRowError("missing", _MISSING[name])
        if not (type(value) is str or (type(value) is list and all(type(card) is str for card in value))):
            raise UnreadableRowError("bad-value", _NO_ROW[name])
        row = parse_row(value)
        if len(row.cards) > ROW_SIZES[name] or (len(row.cards) < ROW_SIZES[name] and whole):
            if not ruled:
                raise UnreadableRowError("wrong-count", _wrong_count(name, len(row.cards)))
        elif row.flush and not row.suited:
            _check_marked_flush(row, name, decks)
    except UnreadableRowError as error:
        problems.append(error.at(f"{of}.{name}" if of else name))
    # A row longer than a whole board is reported as too long and not looked at any further.
    return row if row is not None and len(row.cards) <= sum(ROW_SIZES.values()) else None


def _check_marked_flush(row: Row, name: str, decks: int) -> None:
    if name == "front":
        raise UnreadableRowError("impossible-flush", Phrase("Three cards are no flush; the mark f is for five."))
    ranks = [card.rank for card in row.cards]
    too_many = next((card for card in row.cards if ranks.count(card.rank) > decks), None)
    if too_many is not None:
        once = Phrase("These cards cannot be a flush: each suit holds the {card} only once.", card=too_many.name)
        twice = Phrase("These cards cannot be a flush: each suit holds the {card} only twice.", card=too_many.name)
        message = once if decks == 1 else twice
        raise UnreadableRowError("impossible-flush", message)


def _wrong_count(name: str, cards: int) -> Phrase:
    if name == "front":
        return Phrase.plural(
            "The front takes three cards; here is {count} card.",
            "The front takes three cards; here are {count} cards.",
            cards,
        )
    if name == "middle":
        return Phrase.plural(
            "The middle takes five cards; here is {count} card.",
            "The middle takes five cards; here are {count} cards.",
            cards,
        )
    return Phrase.plural(
        "The back takes five cards; here is {count} card.", "The back takes five cards; here are {count} cards.", cards
    )


_MISSING = {
    "front": Phrase("The front is missing."),
    "middle": Phrase("The middle is missing."),
    "back": Phrase("The back is missing."),
}
_NO_ROW = {
    "front": Phrase("The front is a text of cards or a list of card texts."),
    "middle": Phrase("The middle is a text of cards or a list of card texts."),
    "back": Phrase("The back is a text of cards or a list of card texts."),
}


def also_in(card: Card, holders: Sequence[tuple[str, str]]) -> Phrase:
    """The sentence that says in whose rows else the card is; ``holders`` are (name, row), at least one."""
    places = [_PLACES[row](name) for name, row in holders]
    return Phrase("The {card} is also in {places}.", card=card.name, places=Names(places))


_PLACES: Mapping[str, Callable[[str], Phrase]] = {
    "front": lambda name: Phrase("{name}'s front", name=name),
    "middle": lambda name: Phrase("{name}'s middle", name=name),
    "back": lambda name: Phrase("{name}'s back", name=name),
}
