"""Hands, fouls and pairs in sentences that both players accept, each with its rule's number in ``docs/rules.md``.

Cards speak (R69): these sentences follow from the cards and never from what a player called.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from scoring.rules.cards import RANK_SYMBOLS, Row
from scoring.rules.deal import JudgedPlayer, PairScore
from scoring.rules.houserules import HouseRules
from scoring.rules.rows import FIVES, FRONTS, LOW_RANKS, LOWS, Kind, hand_at
from scoring.rules.settle import PaidDebt
from scoring.rules.specials import NATURAL_NAMES
from scoring.rules.unfinished import Range, SoFar

ONE = {
    2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine", 10: "Ten",
    11: "Jack", 12: "Queen", 13: "King", 14: "Ace",
}  # fmt: skip
MANY = {rank: name + ("es" if name == "Six" else "s") for rank, name in ONE.items()}

_CLASS_NOUNS = {
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
# How many times a hand holds each of its leading ranks; it holds every other rank once.
_REPEATS = {
    Kind.PAIR: (2,),
    Kind.TWO_PAIR: (2, 2),
    Kind.TRIPS: (3,),
    Kind.FULL_HOUSE: (3, 2),
    Kind.QUADS: (4,),
    Kind.FIVE_OF_A_KIND: (5,),
}


@cache
def hand_name(strength: int) -> str:
    """Name a row, for example ``Two pair, Kings and Threes``."""
    kind, ranks = hand_at(strength)
    top = ranks[0]
    match kind:
        case Kind.HIGH_CARD:
            return f"{ONE[top]} high"
        case Kind.PAIR:
            return f"Pair of {MANY[top]}"
        case Kind.TWO_PAIR:
            return f"Two pair, {MANY[top]} and {MANY[ranks[1]]}"
        case Kind.FULL_HOUSE:
            return f"Full house, {MANY[top]} over {MANY[ranks[1]]}"
        case Kind.STRAIGHT | Kind.FLUSH | Kind.STRAIGHT_FLUSH:
            return f"{_class_name(kind)}, {ONE[top]} high"
        case Kind.ROYAL_FLUSH:
            return "Royal flush"
    return f"{_class_name(kind)}, {MANY[top]}"


def _class_name(kind: Kind) -> str:
    return kind.code.replace("-", " ").capitalize()


@cache
def hand_phrase(strength: int) -> str:
    """Name a row inside a sentence, with its ranks in the order of comparison: ``a pair of Queens (QQ7)``."""
    kind = hand_at(strength).kind
    name = hand_name(strength)
    if kind is not Kind.HIGH_CARD:
        name = name[0].lower() + name[1:]
    article = "a " if _CLASS_NOUNS[kind].startswith("a ") and kind is not Kind.HIGH_CARD else ""
    return f"{article}{name} ({_in_order(strength)})"


def _in_order(strength: int) -> str:
    return "".join(RANK_SYMBOLS[rank] for rank in hand_at(strength).cards)


@cache
def low_name(worth: int) -> str:
    """Name a legal 2-7 middle by its worth, for example ``Nine-high low, 97542``."""
    ranks = LOW_RANKS[worth]
    return f"{ONE[ranks[0]]}-high low, " + "".join(RANK_SYMBOLS[rank] for rank in ranks)


@cache
def why_stronger(stronger: int, weaker: int) -> str:
    """Say which class or which card decides between two unequal strengths: ``the Nine beats the Seven``."""
    (kind, ranks), (other_kind, other_ranks) = hand_at(stronger), hand_at(weaker)
    if kind is not other_kind:
        return f"{_CLASS_NOUNS[kind]} {_beats(_CLASS_NOUNS[kind])} {_CLASS_NOUNS[other_kind]}"
    for place, (rank, other) in enumerate(zip(ranks, other_ranks, strict=False)):
        if rank != other:
            if place < len(_REPEATS.get(kind, ())):
                return f"{MANY[rank]} beat {MANY[other]}"
            if kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH) or (place == 0 and kind in (Kind.HIGH_CARD, Kind.FLUSH)):
                return f"{ONE[rank]} high beats {ONE[other]} high"
            return f"the {ONE[rank]} beats the {ONE[other]}"
    return "equal so far, but the five-card row has an extra kicker"


def _beats(noun: str) -> str:
    return "beat" if noun in ("trips", "quads") else "beats"


_WHEEL = (5, 4, 3, 2, 14)


def foul_reason(standing: JudgedPlayer, rules: HouseRules) -> str | None:
    """Explain why this board is a foul, with both rows and the deciding card; None if it is not a foul."""
    if not standing.foul:
        return None
    if standing.board is None or standing.ruling == "dead":
        return "Ruled dead by the table, scored as a foul (R62)."
    return " ".join(_out_of_order(*standing.board, rules))


def _out_of_order(front: Row | None, middle: Row | None, back: Row | None, rules: HouseRules) -> list[str]:
    """Every reason for a foul that these rows give; a row that is not whole yet is None and gives none."""
    fives = FIVES[rules.five_of_a_kind]
    first = None if front is None else FRONTS[front.key]
    second, third = (None if row is None else fives[row.key] for row in (middle, back))
    reasons = []
    if rules.lowball:
        if middle is not None and second is not None and middle.key not in LOWS:
            phrase = _not_low_phrase(second)
            reasons.append(f"The middle, {phrase}, isn't a 2-7 low, ten-high or better: {_why_no_low(second)} (R52).")
        if first is not None and third is not None and first > third:
            reasons.append(_outranks("front", first, "back", third, "R52"))
        return reasons
    if first is not None and second is not None and first > second:
        reasons.append(_outranks("front", first, "middle", second, "R9"))
    if first is not None and second is None and third is not None and first > third:
        reasons.append(_outranks("front", first, "back", third, "R7, R9"))
    if second is not None and third is not None and second > third:
        reasons.append(_outranks("middle", second, "back", third, "R7"))
    elif second is not None and second == third and rules.row_order == "strict":
        reasons.append(
            f"The middle and the back are equal, both {hand_phrase(second)}, "
            "and this table counts equal rows as a foul (R8)."
        )
    return reasons


def _outranks(one: str, stronger: int, other: str, weaker: int, rule: str) -> str:
    return (
        f"The {one}, {hand_phrase(stronger)}, outranks the {other}, {hand_phrase(weaker)}: "
        f"{why_stronger(stronger, weaker)} ({rule})."
    )


def not_low_name(strength: int) -> str:
    """Name a 2-7 middle that is not a low, like any row except that A-2-3-4-5 is ace-high, not a straight (R52)."""
    kind, ranks = hand_at(strength)
    if ranks == _WHEEL:
        return "Flush, Ace high" if kind is Kind.STRAIGHT_FLUSH else "Ace high"
    return hand_name(strength)


def _not_low_phrase(strength: int) -> str:
    kind, ranks = hand_at(strength)
    if ranks == _WHEEL:
        return f"{'a flush, ' if kind is Kind.STRAIGHT_FLUSH else ''}Ace high (A5432)"
    return hand_phrase(strength)


def _why_no_low(strength: int) -> str:
    kind, ranks = hand_at(strength)
    if kind is not Kind.HIGH_CARD and 14 not in ranks:
        return f"it holds {_CLASS_NOUNS[kind]}"
    return f"the {ONE[14 if 14 in ranks else ranks[0]]} is too high"


def verdict(standing: JudgedPlayer, rules: HouseRules) -> str:
    """Rule on one board in words: why it is a foul, or why each row outranks or equals the one in front of it."""
    reason = foul_reason(standing, rules)
    if reason is not None:
        return f"Foul. {reason}"
    if standing.board is None or standing.ruling == "surrendered":
        return "Surrendered: the rows are not compared (R61)."
    _, front, middle, back, _ = standing.judged
    if rules.lowball:
        return (
            f"Legal. The middle is {_low_phrase(middle)}, and the back, {hand_phrase(back)}, "
            f"outranks the front, {hand_phrase(front)}: {why_stronger(back, front)} (R52)."
        )
    if middle == back:
        lower = f"The back and the middle are equal, both {hand_phrase(back)}, which is legal (R7)."
    else:
        lower = _outranks("back", back, "middle", middle, "R7")
    return f"Legal. {lower} {_outranks('middle', middle, 'front', front, 'R9')}"


def so_far(board: SoFar, rules: HouseRules) -> str:
    """Rule on a board that lacks cards: why it is a foul already, or what the rows that lack cards need."""
    if board.needs is None:
        return f"Foul. {' '.join(_out_of_order(*board.whole, rules)) or _no_way(board, rules)}"
    bounded = {name: needs for name, needs in board.needs.items() if needs != (None, None)}
    return " ".join(["Legal so far.", *(_needs(name, needs, rules) for name, needs in bounded.items())])


def _needs(name: str, needs: Range, rules: HouseRules) -> str:
    if rules.lowball and name == "middle":
        return f"The middle needs {_low_phrase(needs.weakest or 1)} or better (R52)."
    least = "" if needs.weakest is None else f"needs at least {_with_kicker(needs.weakest)}"
    most = "" if needs.strongest is None else f"can be at most {_with_kicker(needs.strongest)}"
    rule = "R52" if rules.lowball else "R9" if name == "front" else "R7"
    return f"The {name} {' and '.join(filter(None, (least, most)))} ({rule})."


def _with_kicker(strength: int) -> str:
    """Name a row inside a sentence with the card that decides next: ``a pair of Sixes with a King (66KT9)``."""
    kind, ranks = hand_at(strength)
    phrase, cards = hand_phrase(strength).rsplit(" ", 1)
    grouped = len(_REPEATS.get(kind, ()))
    if not 0 < grouped < len(ranks) or kind is Kind.FULL_HOUSE:
        return f"{phrase} {cards}"
    kicker = ONE[ranks[grouped]]
    return f"{phrase} with {'an' if kicker in ('Ace', 'Eight') else 'a'} {kicker} {cards}"


def _no_way(board: SoFar, rules: HouseRules) -> str:
    """Say that no cards that are left make the other rows fit those that are whole, which are in order themselves."""
    front, middle, back = board.whole
    fives = FIVES[rules.five_of_a_kind]
    whole = {
        "front": front and hand_phrase(FRONTS[front.key]),
        "middle": middle and (_low_phrase(LOWS[middle.key]) if rules.lowball else hand_phrase(fives[middle.key])),
        "back": back and hand_phrase(fives[back.key]),
    }
    lacking = " and ".join(name for name, phrase in whole.items() if not phrase)
    there = ", and ".join(f"the {name}, {phrase}" for name, phrase in whole.items() if phrase)
    rule = "R52" if rules.lowball else "R8" if rules.row_order == "strict" else "R7"
    return f"No cards that are left finish the {lacking} in order{f' with {there}' if there else ''} ({rule})."


def points(number: int) -> str:
    """Write a number of points with its noun: ``1 point``, ``4 points``."""
    return "1 point" if number == 1 else f"{number} points"


_SCORING_RULE = {"1-6": "R14", "2-4": "R17", "1-4": "R18"}


def why(a: JudgedPlayer, b: JudgedPlayer, pair: PairScore, rules: HouseRules) -> str:
    """Give the reason for every point of one pair, and end with who wins how much."""
    if pair.rows is not None:
        sentences = _why_rows(a, b, pair, pair.rows, rules)
    elif pair.decided == "foul":
        sentences = _why_foul(a, b, pair, rules)
    elif pair.decided == "surrender":
        sentences = _why_surrender(a, b, rules)
    elif pair.decided == "moon":
        sentences = _why_moon(a, b)
    else:
        sentences = _why_natural(a, b, rules)
    if not pair.points:
        return f"{sentences} Nobody pays."
    return f"{sentences} {a.name if pair.points > 0 else b.name} wins {points(abs(pair.points))}."


def _why_rows(a: JudgedPlayer, b: JudgedPlayer, pair: PairScore, rows: tuple[int, int, int], rules: HouseRules) -> str:
    parts = []
    for place, (name, won) in enumerate(zip(("Front", "Middle", "Back"), rows, strict=True), start=1):
        phrase = _low_phrase if rules.lowball and name == "Middle" else hand_phrase
        mine, theirs = phrase(a.judged[place]), phrase(b.judged[place])
        if won > 0:
            parts.append(f"{name} to {a.name}: {mine} over {theirs}.")
        elif won < 0:
            parts.append(f"{name} to {b.name}: {theirs} over {mine}.")
        else:
            parts.append(f"{name} tied: both {mine} (R15).")
    moon = _moon_points(a, b, rules)
    parts.append(_why_row_points(a.name, b.name, rows, abs(pair.bonus - moon), _SCORING_RULE[rules.scoring]))
    if rules.royalty_payment == "row-winner":
        won_a = sum(pay for pay, won in zip(a.royalties, rows, strict=True) if won > 0)
        won_b = sum(pay for pay, won in zip(b.royalties, rows, strict=True) if won < 0)
        if won_a or won_b:
            parts.append(f"Royalties on rows won {_why_royalties(a.name, b.name, won_a, won_b)} (R23).")
    elif a.judged[4] or b.judged[4]:
        parts.append(f"Royalties {_why_royalties(a.name, b.name, a.judged[4], b.judged[4])} (R22).")
    if rules.moon == "add" and (a.moon or b.moon):
        parts.append(_moon_added(a, b, rules))
    return " ".join(parts)


def _low_phrase(worth: int) -> str:
    return f"{'an' if LOW_RANKS[worth][0] == 8 else 'a'} {low_name(worth)}"


def _moon_points(a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> int:
    """Points that ``a`` wins from ``b`` by a moon that is added to the pair's score; 0 under other rules."""
    return rules.moon_points * (a.moon - b.moon) if rules.moon == "add" else 0


def _why_row_points(a: str, b: str, rows: tuple[int, int, int], extra: int, rule: str) -> str:
    won, lost = rows.count(1), rows.count(-1)
    if won == lost:
        return f"Rows {won} to {lost}: no points ({rule})."
    winner = a if won > lost else b
    won, lost = max(won, lost), min(won, lost)
    if won == 3:
        return f"{winner} scoops: 3 + {extra} ({rule})."
    more = f", bonus +{extra}" if extra else ""
    return f"{winner} wins {won} {'row' if won == 1 else 'rows'} to {lost}: +{won - lost}{more} ({rule})."


def _why_royalties(a: str, b: str, mine: int, theirs: int) -> str:
    if mine == theirs:
        return f"{mine} each cancel"
    winner, more, less = (a, mine, theirs) if mine > theirs else (b, theirs, mine)
    return f"{more}–{less}: {winner} +{more - less}"


def _why_foul(a: JudgedPlayer, b: JudgedPlayer, pair: PairScore, rules: HouseRules) -> str:
    if a.foul and b.foul:
        sentence = f"{a.name} and {b.name} both fouled: no points and no royalties (R20)."
    else:
        winner, fouler = (b, a) if a.foul else (a, b)
        units = abs(pair.row_points + pair.bonus - _moon_points(a, b, rules))
        how = "has a dead hand" if fouler.ruling == "dead" else "fouled"
        sentence = f"{fouler.name} {how}: {winner.name} scoops for {units} (R19)."
        if pair.royalties:
            sentence += f" {winner.name}'s royalties: +{abs(pair.royalties)}."
    if rules.moon == "add" and (a.moon or b.moon):
        sentence += " " + _moon_added(a, b, rules)
    return sentence


def _why_surrender(a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> str:
    if a.ruling == b.ruling:
        return f"{a.name} and {b.name} both surrendered (R61)."
    loser, winner = (a, b) if a.ruling == "surrendered" else (b, a)
    return (
        f"{loser.name} surrendered and pays {winner.name} {points(rules.surrender_points)}, "
        "without rows or royalties (R61)."
    )


def _why_moon(a: JudgedPlayer, b: JudgedPlayer) -> str:
    if a.moon and b.moon:
        return f"{a.name} and {b.name} both shot the moon, which cancels (R59)."
    shooter = a if a.moon else b
    return (
        f"{shooter.name} shot the moon with {hand_phrase(shooter.judged[3])} in the back, in place of the score (R59)."
    )


def _moon_added(a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> str:
    if a.moon and b.moon:
        return "Both shot the moon, which cancels (R59)."
    shooter = a if a.moon else b
    jack_high = hand_phrase(shooter.judged[3])
    return f"{shooter.name} shot the moon with {jack_high} in the back: +{rules.moon_points} (R59)."


def _why_natural(a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> str:
    if a.natural and b.natural:
        if (a.natural == "dragon") == (b.natural == "dragon"):
            sentence = f"{a.name} and {b.name} both have a natural, which cancels (R60)."
        else:
            winner, loser = (a, b) if a.natural == "dragon" else (b, a)
            sentence = f"{winner.name}'s dragon beats {loser.name}'s {_natural(loser)} (R60)."
    else:
        winner = a if a.natural else b
        sentence = f"{winner.name} has {_natural(winner)}, a natural, which wins in place of the score (R60)."
    if rules.moon == "add" and (a.moon or b.moon):
        sentence += " " + _moon_added(a, b, rules)
    return sentence


def _natural(standing: JudgedPlayer) -> str:
    return NATURAL_NAMES[standing.natural or ""]


def why_less(payment: PaidDebt, payer: str, payee: str, rules: HouseRules) -> str:
    """Explain, after the pair's `why`, why ``payer`` paid less than they owed."""
    reason = unpaid_reason(payment.cap, payer, payee, win_cap=rules.win_cap)
    paid = "only part is paid, and the rest is not" if payment.paid else "nothing is paid, and nothing is"
    return f"{reason}: {paid} owed ({_CAP_RULES[payment.cap]})."


_CAP_RULES: Final = {"loss": "R45, R49", "win": "R46, R49", "busted": "R48, R49"}


def unpaid_reason(cap: str, payer: str, payee: str, *, win_cap: str) -> str:
    """Say why a cap (`PaidDebt.cap`) left a debt unpaid: the beginning of a sentence, which goes on with how much."""
    stack = "they started the hand with" if win_cap == "start" else "is in their stack"
    return {
        "loss": f"{payer} is all-in",
        "win": f"{payee} can win only what {stack}",
        "busted": f"{payee} is broke and can't win from later matchups",
    }[cap]
