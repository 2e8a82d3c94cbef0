"""A result in English, which is also what the ledger stores; see `scoring.rules.wording` for what each method says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scoring.rules.cards import RANK_NAMES
from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language

_ONE = {rank: name.capitalize() for rank, name in RANK_NAMES.items()}
_MANY = {rank: name + ("es" if name == "Six" else "s") for rank, name in _ONE.items()}
_CLASSES = {
    Kind.HIGH_CARD: "a high card",
    Kind.PAIR: "a pair",
    Kind.TWO_PAIR: "two pair",
    Kind.TRIPS: "trips",
    Kind.STRAIGHT: "a straight",
    Kind.FLUSH: "a flush",
    Kind.FULL_HOUSE: "a full house",
    Kind.QUADS: "quads",
    Kind.STRAIGHT_FLUSH: "a straight flush",
    Kind.ROYAL_FLUSH: "a royal flush",
    Kind.FIVE_OF_A_KIND: "five of a kind",
}
_CALLS = {
    Call.LEGAL: "Legal.",
    Call.LEGAL_SO_FAR: "Legal so far.",
    Call.FOUL: "Foul.",
    Call.DEAD: "Dead hand.",
    Call.SURRENDERED: "Surrendered.",
}
_NATURALS = {
    "dragon": "a dragon",
    "three_flushes": "three flushes",
    "three_straights": "three straights",
    "six_pairs": "six pairs",
}
_CAPS = {
    Cap.ALL_IN: "is all-in",
    Cap.STACK: "can win only what is in their stack",
    Cap.START: "can win only what they started the hand with",
    Cap.BROKE: "is broke and can't win from later matchups",
}


@cache
def _part(hand: Held) -> str:
    """A hand inside a sentence: ``a pair of Queens (QQ7)``."""
    return f"a{'n' * (hand.ranks[0] == 8)} {_name(hand)}" if hand.low else f"{_uncounted(hand)} ({hand.cards})"


@cache
def _uncounted(hand: Held) -> str:
    """The same without its cards: ``a pair of Queens``."""
    name = _name(hand)
    if hand.kind is Kind.HIGH_CARD:
        return name
    article = "a " if _CLASSES[hand.kind].startswith("a ") else ""
    return f"{article}{name[0].lower()}{name[1:]}"


def _name(hand: Held) -> str:
    top = hand.ranks[0]
    if hand.low:
        return f"{_ONE[top]}-high low, {hand.cards}"
    match hand.kind:
        case Kind.HIGH_CARD:
            return f"{_ONE[top]} high"
        case Kind.PAIR:
            return f"Pair of {_MANY[top]}"
        case Kind.TWO_PAIR:
            return f"Two pair, {_MANY[top]} and {_MANY[hand.ranks[1]]}"
        case Kind.FULL_HOUSE:
            return f"Full house, {_MANY[top]} over {_MANY[hand.ranks[1]]}"
        case Kind.STRAIGHT | Kind.FLUSH | Kind.STRAIGHT_FLUSH:
            return f"{_class_name(hand.kind)}, {_ONE[top]} high"
        case Kind.ROYAL_FLUSH:
            return "Royal flush"
    return f"{_class_name(hand.kind)}, {_MANY[top]}"


def _class_name(kind: Kind) -> str:
    return kind.code.replace("-", " ").capitalize()


class English(Language):
    """English: the reference for every other language."""

    tag = "en"

    def row_name(self, row: str) -> str:
        return row.capitalize()

    def kind_name(self, kind: Kind) -> str:
        return _class_name(kind)

    def hand_name(self, hand: Held) -> str:
        return _name(hand)

    def bound_part(self, bound: Bound) -> str:
        hand, kicker = bound
        if kicker is None:
            return _part(hand)
        return f"{_uncounted(hand)} with a{'n' * (kicker in (8, 14))} {_ONE[kicker]} ({hand.cards})"

    def points(self, count: int) -> str:
        return "1 point" if count == 1 else f"{count} points"

    def call(self, call: Call) -> str:
        return _CALLS[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        return f"{_CLASSES[kind]} {'beat' if kind in (Kind.TRIPS, Kind.QUADS) else 'beats'} {_CLASSES[other]}"

    def ranks_beat(self, rank: int, other: int) -> str:
        return f"{_MANY[rank]} beat {_MANY[other]}"

    def high_beats(self, rank: int, other: int) -> str:
        return f"{_ONE[rank]} high beats {_ONE[other]} high"

    def card_beats(self, rank: int, other: int) -> str:
        return f"the {_ONE[rank]} beats the {_ONE[other]}"

    def one_more_kicker(self) -> str:
        return "equal so far, but the five-card row has an extra kicker"

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        return f"The {row}, {_part(hand)}, outranks the {other}, {_part(weaker)}: {because} ({rule})."

    def equal_is_legal(self, hand: Held) -> str:
        return f"The back and the middle are equal, both {_part(hand)}, which is legal (R7)."

    def equal_is_foul(self, hand: Held) -> str:
        return (
            f"The middle and the back are equal, both {_part(hand)}, and this table counts equal rows as a foul (R8)."
        )

    def no_low_by_class(self, hand: Held) -> str:
        holds = _CLASSES[hand.kind]
        return f"The middle, {_part(hand)}, isn't a 2-7 low, ten-high or better: it holds {holds} (R52)."

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        return f"The middle, {_part(hand)}, isn't a 2-7 low, ten-high or better: the {_ONE[rank]} is too high (R52)."

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return (
            f"The middle is {_part(middle)}, and the back, {_part(back)}, "
            f"outranks the front, {_part(front)}: {because} (R52)."
        )

    def ruled_dead(self) -> str:
        return "Ruled dead by the table, scored as a foul (R62)."

    def surrendered(self) -> str:
        return "Surrendered: the rows are not compared (R61)."

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return f"The {row} needs at least {self.bound_part(least)} ({rule})."

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return f"The {row} can be at most {self.bound_part(most)} ({rule})."

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        return f"The {row} needs at least {self.bound_part(least)} and can be at most {self.bound_part(most)} ({rule})."

    def needs_low(self, worst: Held) -> str:
        return f"The middle needs {_part(worst)} or better (R52)."

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        rows = " and ".join(lacking)
        if not whole:
            return f"No cards that are left finish the {rows} in order ({rule})."
        there = ", and ".join([f"the {row}, {_part(hand)}" for row, hand in whole])
        return f"No cards that are left finish the {rows} in order with {there} ({rule})."

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        return f"{row.capitalize()} to {winner}: {_part(hand)} over {_part(weaker)}."

    def row_tied(self, row: str, hand: Held) -> str:
        return f"{row.capitalize()} tied: both {_part(hand)} (R15)."

    def rows_even(self, each: int, rule: str) -> str:
        return f"Rows {each} to {each}: no points ({rule})."

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return f"{winner} wins {won} {'row' if won == 1 else 'rows'} to {lost}: +{won - lost} ({rule})."

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        return f"{winner} wins {won} rows to {lost}: +{won - lost}, bonus +{bonus} ({rule})."

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return f"{winner} scoops: 3 + {bonus} ({rule})."

    def royalties_cancel(self, each: int) -> str:
        return f"Royalties {each} each cancel (R22)."

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royalties {more}–{less}: {winner} +{more - less} (R22)."

    def row_royalties_cancel(self, each: int) -> str:
        return f"Royalties on rows won {each} each cancel (R23)."

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royalties on rows won {more}–{less}: {winner} +{more - less} (R23)."

    def both_fouled(self, first: str, second: str) -> str:
        return f"{first} and {second} both fouled: no points and no royalties (R20)."

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} fouled: {winner} scoops for {points} (R19)."

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} has a dead hand: {winner} scoops for {points} (R19)."

    def royalties_of(self, winner: str, points: int) -> str:
        return f"{winner}'s royalties: +{points}."

    def both_surrendered(self, first: str, second: str) -> str:
        return f"{first} and {second} both surrendered (R61)."

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return f"{loser} surrendered and pays {winner} {self.points(points)}, without rows or royalties (R61)."

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return f"{first} and {second} both shot the moon, which cancels (R59)."

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return f"{shooter} shot the moon with {_part(back)} in the back, in place of the score (R59)."

    def moons_cancel(self) -> str:
        return "Both shot the moon, which cancels (R59)."

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return f"{shooter} shot the moon with {_part(back)} in the back: +{points} (R59)."

    def naturals_cancel(self, first: str, second: str) -> str:
        return f"{first} and {second} both have a natural, which cancels (R60)."

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        return f"{winner}'s dragon beats {loser}'s {_NATURALS[natural]} (R60)."

    def natural_wins(self, winner: str, natural: str) -> str:
        return f"{winner} has {_NATURALS[natural]}, a natural, which wins in place of the score (R60)."

    def entered_by_the_table(self) -> str:
        return "Points entered by the table (R63)."

    def nobody_pays(self) -> str:
        return "Nobody pays."

    def wins_points(self, winner: str, points: int) -> str:
        return f"{winner} wins {self.points(points)}."

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: only part is paid, and the rest is not owed ({rule})."

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: nothing is paid, and nothing is owed ({rule})."

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return f"{player} {_CAPS[cap]}: {paid} of {owed} paid, the other {rest} is not owed."

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return f"{player} {_CAPS[cap]}: the {owed} is not owed."


ENGLISH = English()
