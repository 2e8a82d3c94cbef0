"""Reads what a verdict says, sentence by sentence, as somebody does who knows the glossary of its language alone.

A reader is given text and a `Glossary`. They know neither the cards nor the rules engine, so that what they say is what
the sentence says.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tests.wording.glossaries import Glossary

_SENTENCE: Final = re.compile(r".+?[(（](R\d+(?:, R\d+)*)[)）][.。]")
_CALL: Final = re.compile(r"[^.。]+[.。]")
_CARDS: Final = re.compile(r"(?<![A-Za-z\d-])[2-9TJQKA]{3}(?:[2-9TJQKA]{2})?(?![A-Za-z\d])")
_BECAUSE: Final = re.compile(r"[:：]|—(?!.*—)")


class Hand(NamedTuple):
    """A hand as it is written: its name, the ranks that the name holds, and the cards."""

    name: str
    ranks: tuple[int, ...]
    cards: str


class Reading(NamedTuple):
    """What a sentence says."""

    hands: dict[str, Hand]
    """The hand of each row that the sentence names, in its order."""
    stronger: str
    """The row that it says is the stronger of two; ``=`` if they are equal, and empty if it compares none."""
    because: tuple[str | int, ...]
    """What decides: two names of hands or two ranks, the stronger first, or the one that a middle cannot have."""
    foul: bool | None
    """Whether it says that this is a foul; None if it does not say."""
    rules: str


class UnreadableError(AssertionError):
    """A sentence says too little, or two things at once."""


def sentences(text: str) -> tuple[str, list[str]]:
    """The call of a verdict, and its sentences."""
    call = _CALL.match(text)
    if call is None:
        raise UnreadableError(text)
    return call[0], [found[0].strip() for found in _SENTENCE.finditer(text, call.end())]


def says_foul(call: str, glossary: Glossary) -> bool:
    """Whether a call says foul."""
    found = [bool(_found(pattern, call)) for pattern in (glossary.legal, glossary.foul)]
    if sum(found) != 1:
        raise UnreadableError(call)
    return found[1]


def read(sentence: str, glossary: Glossary) -> Reading:
    """What the sentence says."""
    found = _SENTENCE.fullmatch(sentence)
    if found is None:
        raise UnreadableError(f"{sentence}: no rule")
    text = sentence[: found.start(1) - 1]
    equal = bool(_found(glossary.equal, text))
    no_low = bool(_found(glossary.no_low, text))
    head, clause = (text, "") if equal else _parted(text)
    hands = _hands(head, glossary, both=equal)
    if equal:
        return Reading(hands, "=", (), says_foul(text, glossary), found[1])
    if no_low:
        return Reading(hands, "", _mentioned(clause, glossary)[:1], None, found[1])
    *_, first, second = hands
    ahead = _first_is_stronger(head, glossary)
    if _found(glossary.kicker, clause):
        because: tuple[str | int, ...] = ("kicker",)
    else:
        because = _mentioned(clause, glossary)
        if len(because) != 2 or type(because[0]) is not type(because[1]):
            raise UnreadableError(f"{sentence}: {because}")
        if not _first_is_stronger(clause, glossary):
            because = because[::-1]
    return Reading(hands, first if ahead else second, because, None, found[1])


def _found(pattern: str, text: str) -> list[re.Match[str]]:
    return [*re.finditer(pattern, text, re.IGNORECASE)]


def _parted(text: str) -> tuple[str, str]:
    """What is said, and the reason after the last colon or dash."""
    marks = [*_BECAUSE.finditer(text)]
    if not marks:
        raise UnreadableError(f"{text}: no reason")
    return text[: marks[-1].start()], text[marks[-1].end() :]


def _first_is_stronger(text: str, glossary: Glossary) -> bool:
    stronger, weaker = (len(_found(pattern, text)) for pattern in (glossary.stronger, glossary.weaker))
    if stronger + weaker != 1:
        raise UnreadableError(f"{text}: compares {stronger} + {weaker} times")
    return bool(stronger)


def _hands(text: str, glossary: Glossary, *, both: bool) -> dict[str, Hand]:
    """Each row with its hand, in their order; ``both`` if two rows hold the same."""
    rows = sorted(
        (found.start(), found.end(), row) for row, pattern in glossary.rows.items() for found in _found(pattern, text)
    )
    hands, begins = [], 0
    for cards in _CARDS.finditer(text):
        since = max((end for _, end, _ in rows if end <= cards.start()), default=0)
        hands.append(_hand(text[max(begins, since) : cards.start()], cards[0], glossary))
        begins = cards.end()
    names = [row for *_, row in rows]
    if both and len(hands) == 1:
        hands *= 2
    if len(names) != len(hands) or len(set(names)) != len(names):
        raise UnreadableError(f"{text}: {names} hold {hands}")
    return dict(zip(names, hands, strict=True))


def _hand(text: str, cards: str, glossary: Glossary) -> Hand:
    for name, pattern in glossary.hands.items():
        said = _found(pattern, text)
        if said:
            rest = f"{text[: said[0].start()]} {text[said[0].end() :]}"
            return Hand(name, tuple(rank for _, rank in _ranks(rest, glossary)), cards)
    raise UnreadableError(f"{text}: no hand")


def _ranks(text: str, glossary: Glossary) -> list[tuple[int, int]]:
    """Where the text names which ranks, in their order."""
    return sorted((found.start(), rank) for rank, pattern in glossary.ranks.items() for found in _found(pattern, text))


def _mentioned(clause: str, glossary: Glossary) -> tuple[str | int, ...]:
    """The ranks or the classes of a clause, in their order."""
    found: list[tuple[int, str | int]] = []
    if not _found(glossary.of_ranks, clause):
        for name in glossary.hands:
            for said in _found(glossary.classes.get(name, glossary.hands[name]), clause):
                found.append((said.start(), name))
                clause = clause[: said.start()] + " " * (said.end() - said.start()) + clause[said.end() :]
    found += _ranks(clause, glossary)
    return tuple(each for _, each in sorted(found, key=lambda one: one[0]))
