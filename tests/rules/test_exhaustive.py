"""Every possible hand: classes are counted, and the order is compared with another evaluator and the slow scorer."""

from collections import Counter
from collections.abc import Iterator
from functools import cmp_to_key
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any

import phevaluator
import pytest

from scoring.rules.cards import DECK, FLUSH, RANK_SUMS, RANK_SYMBOLS, parse_row
from scoring.rules.rows import FIVES, FRONTS, KINDS, LOWS, hand_at

from . import naive

ONE_DECK = FIVES["above-royal"]


def every_five_card_hand() -> Iterator[int]:
    """The key of each of the 2,598,960 hands, in the order of `combinations(DECK, 5)`."""
    cards = [(card.key, card.suit) for card in DECK]
    for (v, a), (w, b), (x, c), (y, d), (z, e) in combinations(cards, 5):
        yield v + w + x + y + z + (FLUSH if a == b == c == d == e else 0)


def test_the_key_of_a_row_is_the_sum_of_its_ranks_and_its_flush() -> None:
    """The counts below rely on this; it is checked for hands of two suits and for every marked flush."""
    for cards in combinations(DECK[:36:2], 5):
        suits = {card.suit for card in cards}
        row = parse_row(" ".join(map(str, cards)))
        assert row.key == sum(RANK_SUMS[card.rank] for card in cards) + FLUSH * (len(suits) == 1)
    for ranks in combinations(RANK_SYMBOLS.values(), 5):
        assert parse_row("".join(ranks) + "f").key == parse_row("".join(ranks)).key + FLUSH


def test_no_two_sets_of_ranks_have_the_same_key() -> None:
    for size, different in ((3, 455), (5, 6188)):
        sums = {sum(keys) for keys in combinations_with_replacement(RANK_SUMS.values(), size)}
        assert len(sums) == different
        assert max(sums) < FLUSH


def test_every_three_card_hand() -> None:
    strengths = Counter(FRONTS[a.key + b.key + c.key] for a, b, c in combinations(DECK, 3))
    kinds: Counter[str] = Counter()
    for strength, hands in strengths.items():
        kinds[KINDS[strength].code] += hands
    assert kinds == {"trips": 52, "pair": 3_744, "high-card": 18_304}
    assert len(strengths) == 455
    assert not set(strengths) & set(ONE_DECK.values()), "three cards never equal five"


@pytest.mark.slow
def test_every_five_card_hand_by_class() -> None:
    hands = Counter(every_five_card_hand())
    kinds: Counter[str] = Counter()
    for key, count in hands.items():
        kinds[KINDS[ONE_DECK[key]].code] += count
    assert kinds == {
        "royal-flush": 4,
        "straight-flush": 36,
        "quads": 624,
        "full-house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "trips": 54_912,
        "two-pair": 123_552,
        "pair": 1_098_240,
        "high-card": 1_302_540,
    }
    assert kinds.total() == 2_598_960
    assert len({ONE_DECK[key] for key in hands}) == 7_462
    assert sum(count for key, count in hands.items() if key in LOWS) == 123_420, "legal 2-7 middles"


@pytest.mark.slow
def test_every_five_card_order_against_phevaluator() -> None:
    """Its ranks run from 1, the royal flush, to 7462, so our strengths must fall as its ranks rise."""
    theirs: dict[int, set[int]] = {}
    numbers = range(52)  # phevaluator and `DECK` number cards alike: c, d, h, s in each rank, deuce first
    assert [str(card) for card in DECK] == [rank + suit for rank in RANK_SYMBOLS.values() for suit in "cdhs"]
    for key, cards in zip(every_five_card_hand(), combinations(numbers, 5), strict=True):
        theirs.setdefault(ONE_DECK[key], set()).add(phevaluator.evaluate_cards(*cards))
    assert all(len(ranks) == 1 for ranks in theirs.values()), "one strength, two hands that are not equal"
    in_order = [next(iter(theirs[strength])) for strength in sorted(theirs, reverse=True)]
    assert in_order == list(range(1, 7_463))


def every_row_of_two_decks() -> Iterator[tuple[int, str]]:
    """(key, text) of each row that two decks can make: three cards, five cards, and five of one suit."""
    for text in map("".join, combinations_with_replacement(RANK_SYMBOLS.values(), 3)):
        yield parse_row(text).key, text
    for text in map("".join, combinations_with_replacement(RANK_SYMBOLS.values(), 5)):
        yield parse_row(text).key, text
        if max(Counter(text).values()) <= 2:
            yield parse_row(text + "f").key, text + "f"


@pytest.mark.slow
@pytest.mark.parametrize("place", FIVES)
def test_every_order_of_two_decks_against_the_slow_scorer(place: str) -> None:
    """One order covers three and five cards, paired flushes and five of a kind, because the foul check needs one."""
    rules = {"five_of_a_kind": place}
    rows: list[tuple[int, Any]] = []
    for key, text in every_row_of_two_decks():
        row = naive.read_row(text)
        if len(row[0]) == 3:
            rows.append((FRONTS[key], row))
        else:
            rows.append((FIVES[place][key], row))

    def in_order(one, other):
        return naive.compare(one[1], other[1], rules)

    rows.sort(key=cmp_to_key(in_order))
    strengths = [strength for strength, _ in rows]
    assert len(rows) == 455 + 6_188 + 1_287 + 2_860 + 858
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(rows)
    for strength, row in rows:
        assert KINDS[strength].code == naive.kind(row)
        ranks = hand_at(strength).ranks
        assert ranks[0] == naive.deciding_ranks(row)[0]


def test_every_low_against_the_slow_scorer() -> None:
    legal = {}
    for ranks in combinations(RANK_SYMBOLS.values(), 5):
        row = naive.read_row("".join(ranks))
        key = parse_row("".join(ranks)).key
        assert (key in LOWS) == naive.is_low(row)
        if key in LOWS:
            legal[LOWS[key]] = row
    in_order = [legal[worth] for worth in sorted(legal)]
    assert len(in_order) == 121
    for worse, better in pairwise(in_order):
        assert naive.compare_low(better, worse) == 1
