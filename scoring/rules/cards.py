"""Cards, and rows of cards as people type them: ``Qs Qh 7d``, ``QQ7``, ``10♠, 9♠``, ``KJ987f``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.rules.errors import Problem

RANKS = range(2, 15)
RANK_SYMBOLS = {
    2: "2",
    3: "3",
    4: "4",
    5: "5",
    6: "6",
    7: "7",
    8: "8",
    9: "9",
    10: "T",
    11: "J",
    12: "Q",
    13: "K",
    14: "A",
}
RANK_NAMES = {
    2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
    11: "jack", 12: "queen", 13: "king", 14: "ace",
}  # fmt: skip
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SUIT_SYMBOLS = {"♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}

# Additive keys: a row is looked up by the sum of its ranks' keys. All sums of five of them, repeats allowed, differ
# (hence all sums of three as well); they are the smallest such numbers, found by search, and the tests check the
# property.
RANK_SUMS = dict(zip(RANKS, (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545), strict=True))
FLUSH = 1 << 19
"""Added to the key of five cards of one suit: more than any sum of rank keys."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card, or a bare rank (``suit`` is then empty) in a row given by ranks alone.

    Cards are made once, here: the same card is the same object, so that identity and hash are cheap.
    """

    rank: int
    suit: str
    key: int  # its rank's

    def __str__(self) -> str:
        return RANK_SYMBOLS[self.rank] + self.suit

    @property
    def name(self) -> str:
        """For people: ``queen of hearts``, or ``queen`` where no suit was given."""
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}" if self.suit else RANK_NAMES[self.rank]


BARE_RANKS = {rank: Card(rank, "", key) for rank, key in RANK_SUMS.items()}
DECK = tuple(Card(rank, suit, key) for rank, key in RANK_SUMS.items() for suit in SUIT_NAMES)

# Every text of a card, in the spellings that need no thought: the quick way of `parse_row`.
_RANK_TEXTS = [(text, rank) for rank, symbol in RANK_SYMBOLS.items() for text in {symbol, symbol.lower()}]
_RANK_TEXTS.append(("10", 10))
_BY_TEXT = {text: BARE_RANKS[rank] for text, rank in _RANK_TEXTS}
_BY_TEXT |= {
    text + suit: card
    for text, rank in _RANK_TEXTS
    for card in DECK
    if card.rank == rank
    for suit in (card.suit, card.suit.upper(), *(s for s, letter in SUIT_SYMBOLS.items() if letter == card.suit))
}
_TOKEN = re.compile(r"10[cdhsCDHS♣♧♦♢♥♡♠♤]?|[2-9TJQKAtjqka][cdhsCDHS♣♧♦♢♥♡♠♤]?|[fF](?= ?$)")
_GAP = re.compile(r"[\s,\ufe0e\ufe0f]+")  # the last two only choose how a suit symbol is drawn


class Row(NamedTuple):
    """Three or five cards as they lie. ``key`` is what `scoring.rules.rows` looks them up by.

    ``flush`` is true for five cards of one suit, whether the suits were given or the row was marked with ``f``.
    """

    cards: tuple[Card, ...]
    key: int
    flush: bool = False

    @property
    def suited(self) -> bool:
        """True if the row was given with suits, false if by ranks alone."""
        return bool(self.cards) and self.cards[0].suit != ""

    def __str__(self) -> str:
        if self.suited:
            return " ".join(map(str, self.cards))
        return "".join(map(str, self.cards)) + ("f" if self.flush else "")


class UnreadableRowError(Exception):
    """The row cannot be read or cannot exist; ``code`` and the message are those of the problem to report."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)

    def at(self, where: str) -> Problem:
        """The problem, placed."""
        return Problem(self.code, where, str(self))


def parse_row(text: str | Sequence[str]) -> Row:
    """Read a row of any number of cards from one text or from a list of card texts.

    Raises `UnreadableRowError` if any of it is not a card, or if it mixes cards with suits and cards without. How many
    cards there should be, and whether the flush mark can be true, is for the caller to check.
    """
    try:
        cards = tuple(map(_BY_TEXT.__getitem__, text.split() if isinstance(text, str) else text))
        marked = False
    except KeyError:
        cards, marked = _parse_slowly(text)
    # Whole rows with suits are most of what is ever read, so they get straight code.
    if len(cards) == 5 and not marked:
        a, b, c, d, e = cards
        if a.suit and b.suit and c.suit and d.suit and e.suit:
            flush = a.suit == b.suit == c.suit == d.suit == e.suit
            key = a.key + b.key + c.key + d.key + e.key
            return Row(cards, key + FLUSH if flush else key, flush)
    elif len(cards) == 3 and not marked:
        a, b, c = cards
        if a.suit and b.suit and c.suit:
            return Row(cards, a.key + b.key + c.key, False)
    suits = {card.suit for card in cards}
    if marked and suits != {""}:
        raise UnreadableRowError("unreadable-card", "The flush mark f goes with ranks alone; these cards have suits.")
    if "" in suits and len(suits) > 1:
        bare = next(card for card in cards if not card.suit)
        raise UnreadableRowError(
            "unreadable-card", f"The {bare.name} has no suit; give every card of a row its suit, or none of them."
        )
    return Row(cards, sum([card.key for card in cards]) + FLUSH * marked, marked)


def _parse_slowly(text: str | Sequence[str]) -> tuple[tuple[Card, ...], bool]:
    """The forms in which cards touch, are parted by commas or end in a flush mark."""
    if not isinstance(text, str):
        for item in text:
            if len(_split(item)) != 1:
                raise UnreadableRowError("unreadable-card", f"{quote(item)} is not one card.")
        text = " ".join(text)
    tokens = _split(text)
    marked = bool(tokens) and tokens[-1] in "fF"
    if marked:
        tokens.pop()
    return tuple([_BY_TEXT[token] for token in tokens]), marked


def _split(text: str) -> list[str]:
    text = _GAP.sub(" ", text).strip()
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise UnreadableRowError("unreadable-card", f"{quote(text[position:].split(' ')[0])} is not a card.")
        tokens.append(match.group())
        position = match.end()
        # A gap ends a card: "Q ♠" is a queen and a stray spade, which is reported, not adopted.
        position += text.startswith(" ", position)
    return tokens


def shown(text: str, length: int) -> str:
    """Somebody's text as it may stand in a message: cut to ``length``, and nothing in it that does not print."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:length])


def quote(text: str) -> str:
    """The beginning of somebody's text in quotation marks."""
    return f"“{shown(text, 12)}…”" if len(text) > 12 else f"“{shown(text, 12)}”"
