"""Boards that lack cards, against every way in which the cards that are left could finish them.

To try more boards, run `OFC_BOARDS=100 pytest tests/rules/test_unfinished.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from scoring.rules import document, unfinished
from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import DECK, FLUSH, Card, Row
from scoring.rules.english import ENGLISH
from scoring.rules.errors import RulesError
from scoring.rules.houserules import HouseRules, resolve
from scoring.rules.score import Judged, judge, scale
from scoring.rules.unfinished import so_far

HOUSES: list[object] = [
    "regular",
    {"row_order": "strict"},
    "2-7-pineapple",
    "double-deck",
    {"decks": 2, "row_order": "strict"},
]


def row(cards: Sequence[Card]) -> Row:
    flush = len(cards) == 5 and len({card.suit for card in cards}) == 1
    return Row(tuple(cards), sum(card.key for card in cards) + FLUSH * flush, flush)


def finished(rows: Sequence[Sequence[Card]], left: Sequence[Card]) -> Iterator[list[tuple[Card, ...]]]:
    """Every board that the cards that are left can make of these rows."""
    if len(rows) == 0:
        yield []
        return
    first, *others = rows
    for drawn in combinations(range(len(left)), ROW_SIZES[ROWS[3 - len(rows)]] - len(first)):
        then = [card for place, card in enumerate(left) if place not in drawn]
        for behind in finished(others, then):
            yield [(*first, *(left[place] for place in drawn)), *behind]


def legal(rows: Sequence[Sequence[Card]], left: Sequence[Card], rules: HouseRules) -> list[Judged]:
    tables = scale(rules)
    judged = [judge((row(a).key, row(b).key, row(c).key), tables) for a, b, c in finished(rows, left)]
    return [each for each in judged if each[0]]


def dealt(
    chance: random.Random, rules: HouseRules, sizes: tuple[int, int, int], left: int
) -> tuple[list[list[Card]], list[Card]]:
    """Rows of these sizes from a few ranks of the deck, so that all sorts of hands occur, and ``left`` unseen cards."""
    ranks = range(2, 11) if rules.lowball else chance.sample(range(2, 15), chance.choice((4, 6, 9, 13)))
    cards = [card for card in DECK for _ in range(rules.decks) if card.rank in ranks]
    cards = chance.sample(cards, min(sum(sizes) + left, len(cards)))
    rows: list[list[Card]] = []
    for size in sizes:
        rows.append(cards[:size])
        cards = cards[size:]
    return rows, cards


def check(rows: list[list[Card]], left: list[Card], rules: HouseRules) -> bool:
    """Compare the verdict on these rows with every way to finish them. Gives whether it is a foul."""
    front, middle, back = map(row, rows)
    seen = list(DECK) * rules.decks
    for card in left:
        seen.remove(card)
    verdict = so_far((front, middle, back), seen, rules)
    found = legal(rows, left, rules)
    at = f"{rows} {left} {rules}"
    assert (verdict.needs is None) == (not found), at
    for name, needs in (verdict.needs or {}).items():
        strengths = [each[1 + ROWS.index(name)] for each in found]
        assert needs.weakest in (None, min(strengths)), at
        assert needs.strongest in (None, max(strengths)), at
    return not found


SHAPES = [
    ((3, 5, 0), 9, 4),
    ((3, 0, 5), 9, 4),
    ((0, 5, 5), 9, 4),
    ((3, 5, 3), 20, 3),
    ((2, 4, 5), 9, 2),
    ((3, 3, 4), 9, 2),
    ((3, 0, 2), 9, 1),
    ((0, 2, 5), 8, 1),
    ((1, 4, 3), 7, 1),
]
"""How many cards front, middle and back have, how many cards are left, and how many of `BOARDS` are such boards."""
BOARDS = int(os.environ.get("OFC_BOARDS", "10"))


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_foul_is_called_if_and_only_if_nothing_that_is_left_makes_the_board_legal(house: object) -> None:
    rules = resolve(house)
    chance = random.Random(str(house))
    fouls = [
        check(*dealt(chance, rules, sizes, left), rules) for sizes, left, share in SHAPES for _ in range(share * BOARDS)
    ]
    assert len(fouls) / 10 < sum(fouls) < len(fouls) * 9 / 10


NAMED = {str(card): card for card in DECK}
TWICE = {"decks": 2, "row_order": "strict"}


@pytest.mark.parametrize(
    ("house", "board", "left"),
    [
        # The back takes the five of spades, but the cards that it has are no longer left.
        ("double-deck", "Ts As Js / 5s 7s Qs / 9s Ks", "Js 5s 2s 4s 7s"),
        # Four clubs become no flush, although an eight and a six that are left have one suit each.
        (TWICE, "6c / 8c Kc 8c 6c / Kh 6d Kh Ks Kc", "8h 6s 6s 8h 8d"),
        # The weakest front of all is a front, too.
        ("regular", "4c 3d / 5c 5d 6h 7h 8c / Kc Kd 9h 9c Ts", "2h"),
        # The card that makes the back a flush is gone for the front, and one for the middle is gone for the back.
        ("regular", "9c Qc / 5c 7c 3c 8d Kd / Qd 4d 3d 7d", "5d 9d"),
        ("double-deck", "Tc 4c / Ts 3s Js 4s / 9c 8c Tc 4c", "Js 3s 3c"),
        # Either both rows become a flush and are out of order, or neither does and they are as well.
        ("regular", "6c 8h 5h / 2c Qc 8c 5c / 4h 2h 6h Qh", "9h 9c"),
        ("double-deck", "Tc / Ac 2c Kc 6c / 2d Ad 3d 6d", "6c 6d Kc 3c"),
    ],
)
def test_few_cards_of_few_suits_are_left(house: object, board: str, left: str) -> None:
    rows = [[NAMED[card] for card in row.split()] for row in board.split(" / ")]
    check(rows, [NAMED[card] for card in left.split()], resolve(house))


def said(asked: dict[str, Any]) -> list[str]:
    return [ENGLISH.said(verdict) for _, verdict in document.so_far(asked)]


SENTENCES = [
    # The front decides, whatever the back is.
    ("regular", "AAQ/66KT9/", "Foul. The front, a pair of Aces (AAQ), outranks the middle, a pair of Sixes (66KT9): "
     "Aces beat Sixes (R9)."),
    ("regular", "AAQ//66KT9", "Foul. The front, a pair of Aces (AAQ), outranks the back, a pair of Sixes (66KT9): "
     "Aces beat Sixes (R7, R9)."),
    ("regular", "/KK339/QQ88J", "Foul. The middle, two pair, Kings and Threes (KK339), outranks the back, two pair, "
     "Queens and Eights (QQ88J): Kings beat Queens (R7)."),
    ("regular", "AA/66KT9/", "Foul. No cards that are left finish the front and back in order with the middle, a "
     "pair of Sixes (66KT9) (R7)."),
    # A row that is missing, and a row that lacks two cards.
    ("regular", "Q74/66KT9/", "Legal so far. The back needs at least a pair of Sixes with a King (66KT9) (R7)."),
    ("regular", "Q74/66KT9/A", "Legal so far. The back needs at least a pair of Sixes with an Ace (66A32) (R7)."),
    ("regular", "/66KT9/QQ88J", "Legal so far. The front can be at most a pair of Sixes with a King (66K) (R9)."),
    ("regular", "QQ7//KK6T9", "Legal so far. The middle needs at least a pair of Queens with a Seven (QQ732) and can "
     "be at most a pair of Kings with a Ten (KKT96) (R7)."),
    ("regular", "QQ8//KK6T9", "Legal so far. The middle needs at least a pair of Queens with an Eight (QQ832) and can "
     "be at most a pair of Kings with a Ten (KKT96) (R7)."),
    # A row that is marked as a flush stays one.
    ("regular", "QQ4/KJ98f/", "Legal so far. The middle needs at least a flush, King high (KJ982) (R7). "
     "The back needs at least a flush, King high (KJ982) (R7)."),
    # One row alone. The aces that the front holds are not left for the back.
    ("regular", "AAQ//", "Legal so far. The middle needs at least a pair of Aces with a Queen (AAQ32) (R7). "
     "The back needs at least two pair, Threes and Twos with a Four (33224) (R7)."),
    # Equal rows are legal but for strict tables, and no hand is stronger than a royal flush.
    ("regular", "/AhKhQhJhTh/", "Legal so far. The front can be at most trips, Nines (999) (R9). "
     "The back needs at least a royal flush (AKQJT) (R7)."),
    ({"row_order": "strict"}, "987/AhKhQhJhTh/", "Foul. No cards that are left finish the back in order with the "
     "front, Nine high (987), and the middle, a royal flush (AKQJT) (R8)."),
    # A 2-7 middle is compared with neither of the others.
    ("2-7-pineapple", "KKA/T9875/", "Legal so far. The back needs at least a pair of Kings with an Ace (KKA32) (R52)."),
    ("2-7-pineapple", "KKA//", "Legal so far. The middle needs a Ten-high low, T9875 or better (R52). "
     "The back needs at least a pair of Kings with an Ace (KKA32) (R52)."),
    ("2-7-pineapple", "/432/", "Legal so far. The middle needs a Ten-high low, T9432 or better (R52)."),
    ("2-7-pineapple", "AA/97542/66KT9", "Foul. No cards that are left finish the front in order with the middle, a "
     "Nine-high low, 97542, and the back, a pair of Sixes (66KT9) (R52)."),
    ("2-7-pineapple", "/T987A/", "Foul. The middle, Ace high (AT987), isn't a 2-7 low, "
     "ten-high or better: the Ace is too high (R52)."),
    # Boards whose open rows leave each other little: trying every pair of hands would take minutes.
    ("regular", "/AA/KK", "Legal so far. The back needs at least two pair, Kings and Twos with a Three (KK223) (R7)."),
    ("regular", "K/AA/QQ", "Legal so far. The middle needs at least a pair of Aces with a Four (AA432) (R7). "
     "The back needs at least two pair, Queens and Twos with a Three (QQ223) (R7)."),
    ("regular", "/AAAA/KKKK", "Foul. No cards that are left finish the front and middle and back in order (R7)."),
    ("regular", "/6/", "Legal so far. The back needs at least Seven high (76432) (R7)."),
    ("regular", "//", "Legal so far."),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "board", "verdict"), SENTENCES)
def test_the_verdict_on_a_board_that_lacks_cards(rules: object, board: str, verdict: str) -> None:
    rows = {name: text for name, text in zip(ROWS, board.split("/"), strict=True) if text}
    assert said({"rules": rules, "players": [{"name": "A", **rows}]})[0] == verdict


def test_cards_of_other_boards_are_not_left() -> None:
    others = [{"name": "B", "front": "Ah Kh 2c", "back": "3c 3d 4c 4d 5c"}, {"name": "C", "middle": "As Ks Js Ts 2s"}]
    assert said({"players": [{"name": "A", "middle": "Ac Kc Qc Jc Tc"}, *others]})[0].endswith(
        "The back needs at least a royal flush (AKQJT) (R7)."
    )
    # Nor are those that were given by ranks alone: no suit has both the ten that is left and these four.
    royal = {"name": "A", "middle": "As Ks Qs Js Ts", "back": "AKQJ"}
    assert said({"players": [royal, {"name": "B", "front": "Ah Kd Qc"}]})[0].startswith("Foul.")
    others[1] = {"name": "C", "middle": "Ad Kd As Ks 2d"}
    so_far = document.so_far({"players": [{"name": "A", "middle": "Ac Kc Qc Jc Tc"}, *others]})
    assert so_far[0][0]["foul"]
    # Neither a two nor a seven is left, so that the middle stays trips, which is less than the front.
    trips = {"name": "A", "front": "AAA", "middle": "2227"}
    assert said({"players": [trips, {"name": "B", "front": "277", "back": "7"}]})[0] == (
        "Foul. No cards that are left finish the middle and back in order with the front, trips, Aces (AAA) (R7)."
    )


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        ({"front": "QsQhQdQc"}, ["players[0].front"]),
        ({"front": "QsQh", "back": "Qs"}, ["players[0].back"]),
        ({"front": "QQf"}, ["players[0].front"]),
        ({"middle": "QQf"}, ["players[0].middle"]),
        ({"back": "Q X"}, ["players[0].back"]),
    ],
)
def test_what_is_wrong_is_refused_also_while_cards_are_missing(rows: dict[str, str], where: list[str]) -> None:
    with pytest.raises(RulesError) as refused:
        document.so_far({"players": [{"name": "A", **rows}]})
    assert [problem.where for problem in refused.value.problems] == where


def test_what_would_take_too_long_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is never called a foul, or told what it needs, on a guess."""
    asked = {"players": [{"name": "A", "front": "AA", "middle": "KK", "back": "QQ"}]}
    assert "needs" in said(asked)[0]
    monkeypatch.setattr(unfinished, "MOST_HANDS", 1)
    [(found, _)] = document.so_far(asked)
    assert (found["foul"], found["needs"], said(asked)) == (None, {}, ["Legal so far."])
