"""Boards in the form that pages draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.game.entry import Rows
from scoring.rules.board import ROW_SIZES
from scoring.rules.cards import RANK_SYMBOLS, UnreadableRowError, parse_row
from scoring.wording.figures import signed, signed_money

# How a row is drawn: five cards of 34 by 46, four apart.
_CARD_GAP: Final = 4
_CARD_STEP: Final = 38
_FELT_WIDTH: Final = 5 * _CARD_STEP - _CARD_GAP

ROW_LABELS = {"front": "Front", "middle": "Middle", "back": "Back"}


@dataclass(frozen=True, slots=True)
class CardShown:
    """One card as a tile; ``suit`` is empty if only the rank is known."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class RowShown:
    """One row of a board; ``spoken`` reads its cards aloud, ``name`` and ``royalty`` are empty until it is whole."""

    label: str
    cards: list[CardShown]
    spoken: str
    name: str
    royalty: str

    @property
    def drawn(self) -> list[tuple[int, CardShown | None]]:
        """Where each card of the row lies, None for a card that is missing; the front lies in the middle."""
        size = ROW_SIZES[self.label.lower()]
        left = (_FELT_WIDTH - size * _CARD_STEP + _CARD_GAP) // 2
        cards = [*self.cards, *[None] * size][:size]
        return [(left + _CARD_STEP * place, card) for place, card in enumerate(cards)]


@dataclass(frozen=True, slots=True)
class BoardShown:
    """One player's board. ``call`` is the word in bold that begins the sentence under it.

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
    def suits_unknown(self) -> bool:
        """True if any row of the board was entered by ranks alone."""
        return any(not card.suit for row in self.rows for card in row.cards)


def row_shown(label: str, text: str, result: Mapping[str, Any] | None) -> RowShown:
    """Show a typed row with its name and royalty from the score document; an unreadable row is shown empty."""
    try:
        row = parse_row(text)
    except UnreadableRowError:
        return RowShown(label, [], "", "", "")
    cards = [CardShown("10" if card.rank == 10 else RANK_SYMBOLS[card.rank], card.suit) for card in row.cards]
    spoken = ", ".join(card.name for card in row.cards)
    if row.flush and not row.suited:
        spoken += ", of one suit"
    if result is None:
        return RowShown(label, cards, spoken, "", "")
    return RowShown(label, cards, spoken, result["name"], signed(result["royalty"]) if result["royalty"] else "")


def board_shown(
    typed: Rows,
    player: Mapping[str, Any],
    *,
    ruling: str = "",
    fantasyland: int = 0,
    button: bool = False,
    digits: int | None = None,
    verdict: str = "",
) -> BoardShown:
    """Show a board with what the score document says of it. A ``verdict`` comes first, and replaces a foul's reason.

    ``fantasyland`` is the number of cards that the player was dealt at once, or 0 for an ordinary hand. The board shows
    totals only if ``digits``, the minor digits of the currency, are given.
    """
    results = player.get("rows") or {}
    rows = [row_shown(label, getattr(typed, row), results.get(row)) for row, label in ROW_LABELS.items()]
    call, sentence = _called(player, ruling, was_in_fantasyland=bool(fantasyland))
    if verdict:
        word, _, rest = verdict.partition(" ")
        call, sentence = word, rest if player["foul"] else f"{rest} {f'{call} {sentence}' if call else ''}".strip()
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
        return ("Dead hand." if ruling == "dead" else "Foul."), player["foul_reason"] or ""
    if ruling == "surrendered":
        return "Surrendered.", ""
    cards = player.get("fantasyland_next")
    if cards and was_in_fantasyland:
        return "Stays in Fantasyland", f"({cards} cards)."
    if cards:
        return "Fantasyland", f"next hand, with {cards} cards."
    return "", ""
