"""Boards in the form that pages draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import lazy

from scoring.game.entry import Rows
from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import RANK_SYMBOLS, Card, UnreadableRowError, parse_row
from scoring.rules.wording import Call, Verdict
from scoring.texts import cached_by_language, ngettext, pgettext
from scoring.texts import gettext as _
from scoring.wording.figures import joined, signed, signed_money
from scoring.wording.languages import of_reader
from scoring.wording.phrases import translated

# How a row is drawn: five cards of 34 by 46, four apart.
_CARD_GAP: Final = 4
_CARD_STEP: Final = 38
_FELT_WIDTH: Final = 5 * _CARD_STEP - _CARD_GAP


def row_label(row: str) -> str:
    """The name of a row as a heading, in the reader's language."""
    return of_reader().row_name(row)


_label_when_shown = lazy(row_label, str)
ROW_LABELS: Final[dict[str, str]] = {row: _label_when_shown(row) for row in ROWS}
"""The heading of each row, in the language of the reader to whom it is shown."""


@dataclass(frozen=True, slots=True)
class CardShown:
    """One card as a tile; ``suit`` is empty if only the rank is known."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class RowShown:
    """One row of a board; ``spoken`` reads its cards aloud, ``name`` and ``royalty`` are empty until it is whole."""

    row: str
    cards: list[CardShown]
    spoken: str
    name: str
    royalty: str

    @property
    def label(self) -> str:
        """The row's name as a heading."""
        return row_label(self.row)

    @property
    def drawn(self) -> list[tuple[int, CardShown | None]]:
        """Where each card of the row lies, None for a card that is missing; the front lies in the middle."""
        size = ROW_SIZES[self.row]
        left = (_FELT_WIDTH - size * _CARD_STEP + _CARD_GAP) // 2
        cards = [*self.cards, *[None] * size][:size]
        return [(left + _CARD_STEP * place, card) for place, card in enumerate(cards)]


@dataclass(frozen=True, slots=True)
class BoardShown:
    """One player's board. ``call`` is in bold and begins the sentence under it, after a ``gap`` comes the rest.

    ``correct`` is the address where this board is corrected, on a page that offers it.
    """

    name: str
    rows: list[RowShown]
    foul: bool
    dead: bool
    call: str
    sentence: str
    fantasyland: int = 0
    button: bool = False
    points: str = ""
    money: str = ""
    correct: str = ""

    @property
    def gap(self) -> str:
        """What parts two words of the reader's language."""
        return of_reader().space

    @property
    def suits_unknown(self) -> bool:
        """True if any row of the board was entered by ranks alone."""
        return any(not card.suit for row in self.rows for card in row.cards)


def row_shown(row: str, text: str, result: Mapping[str, Any] | None) -> RowShown:
    """Show a typed row with its name and royalty from the score document; an unreadable row is shown empty."""
    try:
        read = parse_row(text)
    except UnreadableRowError:
        return RowShown(row, [], "", "", "")
    cards = [CardShown("10" if card.rank == 10 else RANK_SYMBOLS[card.rank], card.suit) for card in read.cards]
    spoken = joined(map(_card_spoken, read.cards))
    if read.flush and not read.suited:
        spoken = _("{cards}, of one suit").format(cards=spoken)
    if result is None:
        return RowShown(row, cards, spoken, "", "")
    return RowShown(row, cards, spoken, result["name"], signed(result["royalty"]) if result["royalty"] else "")


@cached_by_language
def _card_spoken(card: Card) -> str:
    return translated(card.name)


def board_shown(
    typed: Rows,
    player: Mapping[str, Any],
    *,
    ruling: str = "",
    fantasyland: int = 0,
    button: bool = False,
    digits: int | None = None,
    verdict: Verdict | None = None,
) -> BoardShown:
    """Show a board with what the score document says of it. A ``verdict`` comes first, and replaces a foul's reason.

    ``fantasyland`` is the number of cards that the player was dealt at once, or 0 for an ordinary hand. The board shows
    totals only if ``digits``, the minor digits of the currency, are given.
    """
    results = player.get("rows") or {}
    rows = [row_shown(row, getattr(typed, row), results.get(row)) for row in ROWS]
    call, sentence = _called(player, ruling, was_in_fantasyland=bool(fantasyland))
    if verdict is not None:
        language = of_reader()
        more = [] if verdict.call is Call.FOUL else [language.space.join(filter(None, [call, sentence]))]
        call, sentence = language.call(verdict.call), language.space.join(filter(None, [*verdict.sentences, *more]))
    return BoardShown(
        name=player["name"],
        rows=rows if any(row.cards for row in rows) else [],
        foul=player.get("foul", False),
        dead=ruling == "dead",
        call=call,
        sentence=sentence,
        fantasyland=fantasyland,
        button=button,
        points="" if digits is None else signed(player["points"]),
        money="" if digits is None else signed_money(player["money"], digits),
    )


def _called(player: Mapping[str, Any], ruling: str, *, was_in_fantasyland: bool) -> tuple[str, str]:
    if player.get("foul"):
        return of_reader().call(Call.DEAD if ruling == "dead" else Call.FOUL), player["foul_reason"] or ""
    if ruling == "surrendered":
        return of_reader().call(Call.SURRENDERED), ""
    cards = player.get("fantasyland_next")
    if cards and was_in_fantasyland:
        stays = ngettext("({count} card).", "({count} cards).", cards)
        return pgettext("call", "Stays in Fantasyland"), stays.format(count=cards)
    if cards:
        comes = ngettext("next hand, with {count} card.", "next hand, with {count} cards.", cards)
        return pgettext("call", "Fantasyland"), comes.format(count=cards)
    return "", ""
