"""Verdicts read back: somebody who knows a language's glossary alone can say which row is the stronger, and why."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from scoring.rules.rows import FIVES, FRONTS, KINDS, LOW_RANKS, Kind, hand_at
from scoring.rules.wording import Bound, Held, Language, held, low
from scoring.wording.languages import LANGUAGES
from tests.rules.verdicts import verdicts
from tests.wording.glossaries import GLOSSARIES
from tests.wording.reading import Hand, Reading, UnreadableError, read, says_foul, sentences

SEED = 20130713
OF_EACH_SHAPE = 3
FIVE = sorted(set(FIVES["above-royal"].values()))
FRONT = sorted(set(FRONTS.values()))
FLUSHES = (Kind.FLUSH, Kind.STRAIGHT_FLUSH, Kind.ROYAL_FLUSH)
NAMED = {Kind.TWO_PAIR: 2, Kind.FULL_HOUSE: 2, Kind.ROYAL_FLUSH: 0}
"""How many ranks the name of a hand has; that of every other has one."""

every_language = pytest.mark.parametrize("tag", LANGUAGES)


# --- Boards of every shape --------------------------------------------------------------------------------


def place(stronger: int, weaker: int) -> str:
    """What decides between two hands: their classes, or the place of the first rank that differs."""
    (kind, ranks), (other_kind, other_ranks) = hand_at(stronger), hand_at(weaker)
    if kind is not other_kind:
        return f"{kind.code} over {other_kind.code}"
    for at, (rank, other) in enumerate(zip(ranks, other_ranks, strict=False)):
        if rank != other:
            return f"{kind.code} by rank {at}"
    return f"{kind.code} by one more card"


def pairs(rng: random.Random, ahead: Sequence[int], behind: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Two rows of which the first is the stronger, some of every shape that there is."""
    of_kind: dict[Kind, list[int]] = {}
    begun: dict[tuple[Kind, tuple[int, ...]], list[int]] = {}
    for strength in behind:
        kind, ranks = hand_at(strength)
        of_kind.setdefault(kind, []).append(strength)
        for length in range(len(ranks) + 1):
            begun.setdefault((kind, ranks[:length]), []).append(strength)
    for kind in Kind:
        own = [strength for strength in ahead if KINDS[strength] is kind]
        for other in of_kind if own else ():
            if other < kind:
                for _ in range(OF_EACH_SHAPE):
                    yield rng.choice(own), rng.choice(of_kind[other])
        found: Counter[str] = Counter()
        for strength in rng.sample(own, min(len(own), 200)):
            ranks = hand_at(strength).ranks
            for length in range(len(ranks) + 1):
                alike = begun.get((kind, ranks[:length]), [])
                weaker = alike[: bisect_left(alike, strength)]
                chosen = rng.choice(weaker) if weaker else strength
                if weaker and found[place(strength, chosen)] < OF_EACH_SHAPE:
                    found[place(strength, chosen)] += 1
                    yield strength, chosen


def typed(hand: Held) -> str:
    return hand.cards + "f" * (hand.kind in FLUSHES)


def rules_for(board: Sequence[Held]) -> str:
    """Rules by whose decks there can be such a board; empty if there are none."""
    most = max(Counter("".join(hand.cards for hand in board)).values())
    paired_flush = any(hand.kind is Kind.FLUSH and len(set(hand.cards)) < 5 for hand in board)
    if most <= 4 and not paired_flush:
        return "regular"
    return "double-deck" if most <= 8 else ""


def boards() -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Boards, with the rules by which they were played: each shape of two rows beside a third that is anything."""
    rng = random.Random(SEED)

    def whole(front: int | None, middle: int | None, back: int | None) -> Iterator[tuple[str, tuple[int, int, int]]]:
        for _ in range(20):  # two decks cannot hold every two rows
            board = (
                rng.choice(FRONT) if front is None else front,
                rng.choice(FIVE) if middle is None else middle,
                rng.choice(FIVE) if back is None else back,
            )
            if rules := rules_for([held(strength) for strength in board]):
                yield rules, board
                return

    for front, middle in pairs(rng, FRONT, FIVE):
        yield from whole(front, middle, None)
    for middle, front in pairs(rng, FIVE, FRONT):
        yield from whole(front, middle, None)
    for stronger, weaker in pairs(rng, FIVE, FIVE):
        yield from whole(None, stronger, weaker)
        yield from whole(None, weaker, stronger)
    for kind in Kind:
        same = rng.choice([strength for strength in FIVE if KINDS[strength] is kind])
        yield from whole(None, same, same)


@cache
def all_boards() -> list[tuple[str, tuple[int, int, int]]]:
    return list(boards())


# --- What the engine knows --------------------------------------------------------------------------------


def named(hand: Held) -> Hand:
    kind = "low" if hand.low else hand.kind.code
    return Hand(kind, hand.ranks[: NAMED.get(hand.kind, 1)], hand.cards)


def decides(stronger: Held, weaker: Held) -> tuple[str | int, ...]:
    if stronger.kind is not weaker.kind:
        return stronger.kind.code, weaker.kind.code
    differing = [both for both in zip(stronger.ranks, weaker.ranks, strict=False) if both[0] != both[1]]
    return differing[0] if differing else ("kicker",)


def compared(rows: Mapping[str, Held], stronger: str, weaker: str, rule: str) -> Reading:
    hands = {row: named(rows[row]) for row in (stronger, weaker)}
    return Reading(hands, stronger, decides(rows[stronger], rows[weaker]), None, rule)


def due(board: tuple[int, int, int], *, strict: bool) -> list[Reading]:
    """What has to be said of a board without a 2-7 middle."""
    front, middle, back = board
    rows = dict(zip(("front", "middle", "back"), map(held, board), strict=True))
    both = {row: named(rows["middle"]) for row in ("middle", "back")}
    fouls = [compared(rows, "front", "middle", "R9")] if front > middle else []
    if middle > back:
        fouls.append(compared(rows, "middle", "back", "R7"))
    elif middle == back and strict:
        fouls.append(Reading(both, "=", (), True, "R8"))
    if fouls:
        return fouls
    lower = Reading(both, "=", (), False, "R7") if middle == back else compared(rows, "back", "middle", "R7")
    return [lower, compared(rows, "middle", "front", "R9")]


def said(tag: str, rules: dict[str, Any], rows: Sequence[str]) -> str:
    player = {"name": "Zoë", **dict(zip(("front", "middle", "back"), rows, strict=True))}
    document = {"language": tag, "rules": rules, "players": [player]}
    return verdicts(document, LANGUAGES)[0]


def agrees(tag: str, text: str, expected: list[Reading], *, foul: bool) -> str:
    """How what is read differs from what is due; empty if it does not."""
    glossary = GLOSSARIES[tag]
    call, told = sentences(text)
    try:
        readings = [read(sentence, glossary) for sentence in told]
        called = says_foul(call, glossary)
    except UnreadableError as error:
        return f"cannot be read: {error}"
    if called == foul and readings == expected:
        return ""
    return f"{text}\n  read: {called} {readings}\n  due:  {foul} {expected}"


# --- The tests --------------------------------------------------------------------------------------------


def test_there_are_boards_of_every_shape() -> None:
    fouls: set[tuple[str, str]] = set()
    legal: set[tuple[str, str]] = set()
    for _, (front, middle, back) in all_boards():
        (fouls if front > middle else legal).add(("middle", place(*sorted((front, middle), reverse=True))))
        if middle != back:
            (fouls if middle > back else legal).add(("back", place(*sorted((middle, back), reverse=True))))
    classes = len(Kind) * (len(Kind) - 1) // 2
    assert len([shape for row, shape in fouls if row == "back" and " over " in shape]) == classes
    assert len([shape for row, shape in legal if row == "back" and " over " in shape]) == classes
    for shapes in fouls, legal:
        for shape in ("high-card by rank 4", "flush by rank 4", "pair by rank 3", "two-pair by rank 2"):
            assert ("back", shape) in shapes
        assert ("back", "trips by rank 2") in shapes
        assert ("back", "quads by rank 1") in shapes
    assert {shape for row, shape in legal if row == "middle" and "one more" in shape} == {
        "high-card by one more card",
        "pair by one more card",
        "trips by one more card",
    }
    assert {shape for row, shape in fouls if row == "middle"} >= {
        *("pair over high-card", "trips over high-card", "trips over pair", "trips over two-pair"),
        *("high-card by rank 0", "high-card by rank 1", "high-card by rank 2"),
        *("pair by rank 0", "pair by rank 1", "trips by rank 0"),
    }
    assert len(all_boards()) > 400


@every_language
@pytest.mark.parametrize("strict", [False, True], ids=["at-least", "strict"])
def test_every_verdict_reads_as_the_engine_rules(tag: str, strict: bool) -> None:
    wrong: list[str] = []
    for preset, board in all_boards():
        expected = due(board, strict=strict)
        rules = {"preset": preset, "row_order": "strict" if strict else "at-least"}
        text = said(tag, rules, [typed(held(strength)) for strength in board])
        foul = board[0] > board[1] or board[1] > board[2] or (strict and board[1] == board[2])
        wrong += filter(None, [agrees(tag, text, expected, foul=foul)])
    assert not wrong, f"{len(wrong)} of {len(all_boards())}\n" + "\n".join(wrong[:5])


def lowball_boards() -> Iterator[tuple[tuple[Held, Held, Held], list[Reading], bool]]:
    """Boards of the 2-7 game: what each must be called, and why."""
    rng = random.Random(SEED)
    lows = [low(worth) for worth in range(1, len(LOW_RANKS))]
    order = [*pairs(rng, FIVE, FRONT), *((back, front) for front, back in pairs(rng, FRONT, FIVE))]
    for number, (back, front) in enumerate(order):
        rows = {"front": held(front), "back": held(back)}
        middle, reading = rng.choice(lows), None
        if number % 3 == 0:
            middle = held(rng.choice([strength for strength in FIVE if KINDS[strength] is Kind(number % 10)]))
            if middle.kind is Kind.HIGH_CARD and middle.ranks[0] <= 10:
                continue
            shown = middle
            if middle.ranks == (5, 4, 3, 2, 14):
                kind = Kind.FLUSH if middle.kind is Kind.STRAIGHT_FLUSH else Kind.HIGH_CARD
                shown = Held(kind, (14, 5, 4, 3, 2), "A5432")
            by_rank = shown.kind is Kind.HIGH_CARD or 14 in shown.ranks
            cause = (14 if 14 in shown.ranks else shown.ranks[0]) if by_rank else shown.kind.code
            reading = Reading({"middle": named(shown)}, "", (cause,), None, "R52")
        board = (rows["front"], middle, rows["back"])
        if rules_for(board) != "regular":
            continue
        if front > back or reading:
            fouls = [reading] if reading else []
            yield board, fouls + ([compared(rows, "front", "back", "R52")] if front > back else []), True
        else:
            told = compared(rows, "back", "front", "R52")
            yield board, [told._replace(hands={"middle": named(middle), **told.hands})], False


@every_language
def test_every_verdict_of_the_2_7_game_reads_as_the_engine_rules(tag: str) -> None:
    wrong: list[str] = []
    seen = Counter[bool]()
    for board, expected, foul in lowball_boards():
        text = said(tag, {"preset": "2-7-pineapple"}, [typed(hand) for hand in board])
        wrong += filter(None, [agrees(tag, text, expected, foul=foul)])
        seen[foul] += 1
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:5])
    assert min(seen[False], seen[True]) > 20


@every_language
def test_every_class_of_hands_has_a_name_of_its_own(tag: str) -> None:
    """7,462 of five cards and 455 of three: the hand with its cards, as it stands in a sentence."""
    language = LANGUAGES[tag]
    single = [strength for strength in FIVE if rules_for([held(strength)]) == "regular"]
    assert (len(single), len(FRONT)) == (7462, 455)
    for strengths in single, FRONT:
        names = [language.bound_part(Bound(held(strength), None)) for strength in strengths]
        assert len(set(names)) == len(names)
        assert all(held(strength).cards in name for strength, name in zip(strengths, names, strict=True))


# --- A reader who notices nothing would prove nothing -----------------------------------------------------


def mistaken(language: Language, mistake: str) -> Language:
    """The language with a mistake in what it says of two rows."""
    own: Any = type(language)

    class Mistaken(own):  # type: ignore[misc]  # which language it is, is known only when the test runs
        def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
            if mistake == "rows swapped":
                row, hand, other, weaker = other, weaker, row, hand
            elif mistake == "hands swapped":
                hand, weaker = weaker, hand
            elif mistake == "another rule":
                rule = {"R7": "R9", "R9": "R7"}[rule]
            return str(super().outranks(row, hand, other, weaker, because=because, rule=rule))

        def card_beats(self, rank: int, other: int) -> str:
            if mistake == "ranks swapped":
                rank, other = other, rank
            elif mistake == "another rank":
                other = 3 if other == 2 else other - 1
            elif mistake == "no kicker":
                return str(self.row_name("front"))
            return str(super().card_beats(rank, other))

        def class_beats(self, kind: Kind, other: Kind) -> str:
            if mistake == "another class":
                other = Kind.PAIR if other is Kind.HIGH_CARD else Kind(other - 1)
            return str(super().class_beats(kind, other))

    made: Language = Mistaken()
    return made


MISTAKES = {
    **dict.fromkeys(("rows swapped", "hands swapped", "another rule"), ("QQ7", "55K32", "66K32")),
    **dict.fromkeys(("ranks swapped", "another rank", "no kicker"), ("432", "AAK82", "AAK72")),
    "another class": ("QQQ", "AAK82", "KKKA2"),
}


@every_language
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_noticed(tag: str, mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = MISTAKES[mistake]
    board = tuple(next(each for each in (*FRONT, *FIVE) if typed(held(each)) == row) for row in rows)
    expected = due((board[0], board[1], board[2]), strict=False)
    assert agrees(tag, said(tag, {}, rows), expected, foul=True) == ""
    monkeypatch.setitem(LANGUAGES, tag, mistaken(LANGUAGES[tag], mistake))
    assert agrees(tag, said(tag, {}, rows), expected, foul=True) != ""
