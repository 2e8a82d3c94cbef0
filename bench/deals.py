"""Random deals to score, always the same, and the documents that ask for their scores."""

from __future__ import annotations

import random
from collections.abc import Sequence

from scoring.exports.json_text import dumps
from scoring.rules.cards import DECK, parse_row
from scoring.rules.houserules import PRESETS
from scoring.rules.score import scale

SCALE = scale(PRESETS["regular"])

Rows = tuple[list[int], list[int], list[int]]  # front, middle and back; a card is its index in `DECK`


def deals(number: int) -> list[list[Rows]]:
    """Makes so many random deals of three players.

    Most boards are legal, since the better five-card row becomes the back.
    """
    chance = random.Random(20261120)
    made = []
    for _ in range(number):
        cards = chance.sample(range(52), 39)
        hands = [cards[start : start + 13] for start in (0, 13, 26)]
        boards = []
        for hand in hands:
            middle, back = sorted((hand[3:8], hand[8:]), key=lambda row: SCALE.backs[key(row)])
            boards.append((hand[:3], middle, back))
        made.append(boards)
    return made


def key(cards: Sequence[int]) -> int:
    """The key of a row in this engine's tables."""
    return parse_row([str(DECK[card]) for card in cards]).key


def documents(made: list[list[Rows]], language: str = "en") -> list[bytes]:
    """Writes the same deals as score documents that ask for sentences in a language."""
    return [
        dumps(
            {
                "rules": "regular",
                "language": language,
                "players": [
                    dict(
                        zip(
                            ("front", "middle", "back"),
                            (" ".join(str(DECK[card]) for card in row) for row in board),
                            strict=True,
                        ),
                        name=name,
                    )
                    for name, board in zip(("Ann", "Bob", "Cyd"), deal, strict=True)
                ],
            }
        )
        for deal in made
    ]
