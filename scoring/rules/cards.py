"""Cards, and rows of cards as people type them: ``Qs Qh 7d``, ``QQ7``, ``10♠, 9♠``, ``KJ987f``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase

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

# Each name is written out, since other languages do not put a card's name together from rank and suit.
_NAMES = {
    2: (
        Phrase("two"),
        Phrase("two of clubs"),
        Phrase("two of diamonds"),
        Phrase("two of hearts"),
        Phrase("two of spades"),
    ),
    3: (
        Phrase("three"),
        Phrase("three of clubs"),
        Phrase("three of diamonds"),
        Phrase("three of hearts"),
        Phrase("three of spades"),
    ),
    4: (
        Phrase("four"),
        Phrase("four of clubs"),
        Phrase("four of diamonds"),
        Phrase("four of hearts"),
        Phrase("four of spades"),
    ),
    5: (
        Phrase("five"),
        Phrase("five of clubs"),
        Phrase("five of diamonds"),
        Phrase("five of hearts"),
        Phrase("five of spades"),
    ),
    6: (
        Phrase("six"),
        Phrase("six of clubs"),
        Phrase("six of diamonds"),
        Phrase("six of hearts"),
        Phrase("six of spades"),
    ),
    7: (
        Phrase("seven"),
        Phrase("seven of clubs"),
        Phrase("seven of diamonds"),
        Phrase("seven of hearts"),
        Phrase("seven of spades"),
    ),
    8: (
        Phrase("eight"),
        Phrase("eight of clubs"),
        Phrase("eight of diamonds"),
        Phrase("eight of hearts"),
        Phrase("eight of spades"),
    ),
    9: (
        Phrase("nine"),
        Phrase("nine of clubs"),
        Phrase("nine of diamonds"),
        Phrase("nine of hearts"),
        Phrase("nine of spades"),
    ),
    10: (
        Phrase("ten"),
        Phrase("ten of clubs"),
        Phrase("ten of diamonds"),
        Phrase("ten of hearts"),
        Phrase("ten of spades"),
    ),
    11: (
        Phrase("jack"),
        Phrase("jack of clubs"),
        Phrase("jack of diamonds"),
        Phrase("jack of hearts"),
        Phrase("jack of spades"),
    ),
    12: (
        Phrase("queen"),
        Phrase("queen of clubs"),
        Phrase("queen of diamonds"),
        Phrase("queen of hearts"),
        Phrase("queen of spades"),
    ),
    13: (
        Phrase("king"),
        Phrase("king of clubs"),
        Phrase("king of diamonds"),
        Phrase("king of hearts"),
        Phrase("king of spades"),
    ),
    14: (
        Phrase("ace"),
        Phrase("ace of clubs"),
        Phrase("ace of diamonds"),
        Phrase("ace of hearts"),
        Phrase("ace of spades"),
    ),
}
CARD_NAMES = {
    (rank, suit): name for rank, names in _NAMES.items() for suit, name in zip(("", *SUIT_NAMES), names, strict=True)
}

# A row is looked up by the sum of its ranks' keys. All sums of five keys, repeats allowed, are distinct, and therefore
# all sums of three are too. The keys were found by search as the smallest numbers with that property, which the tests
# check.
RANK_SUMS = dict(zip(RANKS, (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545), strict=True))
FLUSH = 1 << 19
"""This is added to the key of five cards of one suit; it is larger than any sum of rank keys."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card, or a bare rank with an empty ``suit`` in a row that was given by ranks alone.

    Every card is created once, in this module, so that cards can be compared and hashed cheaply by identity.
    """

    rank: int
    suit: str
    key: int  # that of its rank, from `RANK_SUMS`

    def __str__(self) -> str:
        return RANK_SYMBOLS[self.rank] + self.suit

    @property
    def name(self) -> Phrase:
        """The card's name for people: ``queen of hearts``, or ``queen`` where no suit was given."""
        return CARD_NAMES[self.rank, self.suit]


BARE_RANKS = {rank: Card(rank, "", key) for rank, key in RANK_SUMS.items()}
DECK = tuple(Card(rank, suit, key) for rank, key in RANK_SUMS.items() for suit in SUIT_NAMES)

# Every spelling of a single card, for the fast path of `parse_row`.
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
_PAIRS = frozenset(text for text in _BY_TEXT if len(text) == 2)
_TOKEN = re.compile(r"10[cdhsCDHS♣♧♦♢♥♡♠♤]?|[2-9TJQKAtjqka][cdhsCDHS♣♧♦♢♥♡♠♤]?|[fF](?= ?$)")
_GAP = re.compile(r"[\s,\ufe0e\ufe0f]+")  # the last two only choose how a suit symbol is drawn


class Row(NamedTuple):
    """One row's cards, in the order given. `scoring.rules.rows` looks the row up by its ``key``.

    ``flush`` is true for five cards of one suit, whether the suits were given or the row was marked with ``f``.
    """

    cards: tuple[Card, ...]
    key: int
    flush: bool = False

    @property
    def suited(self) -> bool:
        """True if the row was given with suits, false if it was given by ranks alone."""
        return bool(self.cards) and self.cards[0].suit != ""

    def __str__(self) -> str:
        if self.suited:
            return " ".join(map(str, self.cards))
        return "".join(map(str, self.cards)) + ("f" if self.flush else "")


class UnreadableRowError(Exception):
    """A row cannot be read or cannot exist; ``code`` and the message become those of the reported `Problem`."""

    def __init__(self, code: str, message: Phrase) -> None:
        self.code = code
        self.message = message
        super().__init__(message)

    def at(self, where: str) -> Problem:
        """The `Problem` to report at the path ``where``."""
        return Problem(self.code, where, self.message)


def parse_row(text: str | Sequence[str]) -> Row:
    """Read a row of any number of cards from one text or from a list of card texts.

    Raises `UnreadableRowError` if any part of it is not a card, or if some cards have suits and others do not. The
    caller checks the number of cards and whether a marked flush is possible.
    """
    try:
        cards = tuple(map(_BY_TEXT.__getitem__, text.split() if isinstance(text, str) else text))
        marked = False
    except KeyError:
        cards, marked = _parse_slowly(text)
    # Nearly every row that is read is whole and has suits, so this case has a fast path without loops.
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
        message = Phrase("The flush mark f goes with ranks alone; these cards have suits.")
        raise UnreadableRowError("unreadable-card", message)
    if "" in suits and len(suits) > 1:
        bare = next(card for card in cards if not card.suit)
        message = Phrase("The {card} has no suit; give every card of a row its suit, or none of them.", card=bare.name)
        raise UnreadableRowError("unreadable-card", message)
    return Row(cards, sum([card.key for card in cards]) + FLUSH * marked, marked)


def _parse_slowly(text: str | Sequence[str]) -> tuple[tuple[Card, ...], bool]:
    """Read the spellings in which cards touch, are separated by commas or end in a flush mark."""
    if not isinstance(text, str):
        for item in text:
            if len(_split(item)) != 1:
                raise UnreadableRowError("unreadable-card", Phrase("{typed} is not one card.", typed=quote(item)))
        text = " ".join(text)
    tokens = _split(text)
    marked = bool(tokens) and tokens[-1] in "fF"
    if marked:
        tokens.pop()
    return tuple([_BY_TEXT[token] for token in tokens]), marked


def _split(text: str) -> list[str]:
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    if _PAIRS.issuperset(pairs):  # most rows that the ledger keeps
        return pairs
    text = _GAP.sub(" ", text).strip()
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            typed = quote(text[position:].split(" ")[0])
            raise UnreadableRowError("unreadable-card", Phrase("{typed} is not a card.", typed=typed))
        tokens.append(match.group())
        position = match.end()
        # A gap ends a card: "Q ♠" is a queen and a stray spade, which is reported instead of joined to the queen.
        position += text.startswith(" ", position)
    return tokens


def shown(text: str, length: int) -> str:
    """Make a user's text safe to show in a message: cut to ``length`` characters, unprintable ones replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:length])


def quote(text: str) -> Phrase:
    """Quote the first twelve characters of a user's text, for a message."""
    return Phrase("“{typed}”", typed=shown(text, 12) + ("…" if len(text) > 12 else ""))
