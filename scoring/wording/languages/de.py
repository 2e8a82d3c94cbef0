"""A result in German; see `scoring.rules.wording` for what each method says.

Front, Middle and Back are feminine, short for die Front-Hand, die Middle-Hand and die Back-Hand. A clause after a colon
is a whole sentence, so that it begins with a capital letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language

# Each rank in the nominative singular, in the plural, in the dative plural, and in the accusative and dative singular,
# where only the weak noun Bube changes: den Buben. Ass is neuter, König and Bube are masculine, all else is feminine.
# Sources: bilalhassan-deutschlernen.com/de/n-deklination-im-deutschen-regeln-und-beispielen (der Bube, des Buben), and
# for plurals poker.bwin.com/de-at/how-to-play/poker-school/handranking (ein Paar Könige, vier Siebenen, drei Neunen).
_ONE = {
    2: "Zwei",
    3: "Drei",
    4: "Vier",
    5: "Fünf",
    6: "Sechs",
    7: "Sieben",
    8: "Acht",
    9: "Neun",
    10: "Zehn",
    11: "Bube",
    12: "Dame",
    13: "König",
    14: "Ass",
}
_MANY = {
    2: "Zweien",
    3: "Dreien",
    4: "Vieren",
    5: "Fünfen",
    6: "Sechsen",
    7: "Siebenen",
    8: "Achten",
    9: "Neunen",
    10: "Zehnen",
    11: "Buben",
    12: "Damen",
    13: "Könige",
    14: "Asse",
}
_MANY_DATIVE = {**_MANY, 13: "Königen", 14: "Assen"}
_ONE_OBLIQUE = {**_ONE, 11: "Buben"}
_THE = {rank: "der" if rank in (11, 13) else "das" if rank == 14 else "die" for rank in _ONE}
_THE_ACCUSATIVE = {rank: "den" if rank in (11, 13) else _THE[rank] for rank in _ONE}
_WITH = {rank: f"mit {'einer' if _THE[rank] == 'die' else 'einem'} {_ONE_OBLIQUE[rank]}" for rank in _ONE}
_UP_TO = {rank: f"bis {'zur' if _THE[rank] == 'die' else 'zum'} {_ONE_OBLIQUE[rank]}" for rank in _ONE}
_LOWS = {7: "Siebener-Low", 8: "Achter-Low", 9: "Neuner-Low", 10: "Zehner-Low"}

_KINDS = {
    Kind.HIGH_CARD: "High Card",
    Kind.PAIR: "Paar",
    Kind.TWO_PAIR: "Zwei Paare",
    Kind.TRIPS: "Drilling",
    Kind.STRAIGHT: "Straße",
    Kind.FLUSH: "Flush",
    Kind.FULL_HOUSE: "Full House",
    Kind.QUADS: "Vierling",
    Kind.STRAIGHT_FLUSH: "Straight Flush",
    Kind.ROYAL_FLUSH: "Royal Flush",
    Kind.FIVE_OF_A_KIND: "Fünfling",
}
_FEMININE = (Kind.HIGH_CARD, Kind.STRAIGHT)
_NEUTER = (Kind.PAIR, Kind.FULL_HOUSE)
_CALLS = {
    Call.LEGAL: "Gültig.",
    Call.LEGAL_SO_FAR: "Bisher gültig.",
    Call.FOUL: "Foul.",
    Call.DEAD: "Tote Hand.",
    Call.SURRENDERED: "Aufgegeben.",
}
_NATURALS_ACCUSATIVE = {
    "three_flushes": "die drei Flushes",
    "three_straights": "die drei Straßen",
    "six_pairs": "die sechs Paare",
}
_NATURALS_DATIVE = {
    "dragon": "einem Dragon",
    "three_flushes": "drei Flushes",
    "three_straights": "drei Straßen",
    "six_pairs": "sechs Paaren",
}
_CAPS = {
    Cap.ALL_IN: "ist all-in",
    Cap.STACK: "kann nur so viel gewinnen, wie im eigenen Stack liegt",
    Cap.START: "kann nur so viel gewinnen, wie zu Beginn der Hand im eigenen Stack lag",
    Cap.BROKE: "ist pleite und gewinnt in späteren Duellen nichts mehr",
}


def _class(kind: Kind, masculine: str) -> str:
    """A class with its article, ``ein Flush``, or in the accusative, ``einen Flush``; zwei Paare have none."""
    if kind is Kind.TWO_PAIR:
        return "zwei Paare"
    return f"{'eine' if kind in _FEMININE else 'ein' if kind in _NEUTER else masculine} {_KINDS[kind]}"


@cache
def _bare(hand: Held, masculine: str) -> str:
    """A hand inside a sentence without its cards: ``ein Paar Damen``."""
    top = hand.ranks[0]
    classed = _class(hand.kind, masculine)
    match hand.kind:
        case Kind.HIGH_CARD:
            return f"{_ONE[top]} hoch"
        case Kind.TWO_PAIR:
            return f"{classed} mit {_MANY_DATIVE[top]} und {_MANY_DATIVE[hand.ranks[1]]}"
        case Kind.FULL_HOUSE:
            return f"{classed} aus {_MANY_DATIVE[top]} und {_MANY_DATIVE[hand.ranks[1]]}"
        case Kind.STRAIGHT | Kind.STRAIGHT_FLUSH:
            return f"{classed} {_UP_TO[top]}"
        case Kind.FLUSH:
            return f"{classed} mit {_ONE[top]} hoch"
        case Kind.ROYAL_FLUSH:
            return classed
    return f"{classed} {_MANY[top]}"


def _low(hand: Held) -> str:
    return f"{_LOWS[hand.ranks[0]]}, {hand.cards}"


@cache
def _part(hand: Held, masculine: str = "ein") -> str:
    """A hand inside a sentence, in the nominative: ``ein Paar Damen (QQ7)``."""
    return f"ein {_low(hand)}" if hand.low else f"{_bare(hand, masculine)} ({hand.cards})"


def _accusative(hand: Held) -> str:
    return _part(hand, "einen")


def _bound(bound: Bound, masculine: str = "ein") -> str:
    hand, kicker = bound
    if kicker is None:
        return _part(hand, masculine)
    bare = _bare(hand, masculine)
    if hand.kind is Kind.TWO_PAIR:
        return f"{bare.replace(' und ', ', ')} und {_WITH[kicker].removeprefix('mit ')} ({hand.cards})"
    return f"{bare} {_WITH[kicker]} ({hand.cards})"


def _lie(hand: Held) -> str:
    return "liegen" if hand.kind is Kind.TWO_PAIR else "liegt"


def _begun(text: str) -> str:
    return text[0].upper() + text[1:]


def _all(words: Sequence[str]) -> str:
    """``Front``, ``Front und Back``, ``Front, Middle und Back``."""
    *first, last = words
    return f"{', '.join(first)} und {last}" if first else last


class German(Language):
    """German, which speaks of players without an article and leaves their names as they are."""

    tag = "de"

    def row_name(self, row: str) -> str:
        return row.capitalize()

    def kind_name(self, kind: Kind) -> str:
        return _KINDS[kind]

    def hand_name(self, hand: Held) -> str:
        top = hand.ranks[0]
        name = _KINDS[hand.kind]
        if hand.low:
            return _low(hand)
        match hand.kind:
            case Kind.HIGH_CARD:
                return f"{_ONE[top]} hoch"
            case Kind.TWO_PAIR:
                return f"{name}, {_MANY[top]} und {_MANY[hand.ranks[1]]}"
            case Kind.FULL_HOUSE:
                return f"{name}, {_MANY[top]} mit {_MANY_DATIVE[hand.ranks[1]]}"
            case Kind.STRAIGHT | Kind.STRAIGHT_FLUSH:
                return f"{name} {_UP_TO[top]}"
            case Kind.FLUSH:
                return f"{name}, {_ONE[top]} hoch"
            case Kind.ROYAL_FLUSH:
                return name
        return f"{name} {_MANY[top]}"

    def bound_part(self, bound: Bound) -> str:
        return _bound(bound)

    def points(self, count: int) -> str:
        return "1 Punkt" if count == 1 else f"{count} Punkte"

    def call(self, call: Call) -> str:
        return _CALLS[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        beats = "schlagen" if kind is Kind.TWO_PAIR else "schlägt"
        return f"{_begun(_class(kind, 'ein'))} {beats} {_class(other, 'einen')}"

    def ranks_beat(self, rank: int, other: int) -> str:
        return f"{_MANY[rank]} schlagen {_MANY[other]}"

    def high_beats(self, rank: int, other: int) -> str:
        return f"{_ONE[rank]} hoch schlägt {_ONE[other]} hoch"

    def card_beats(self, rank: int, other: int) -> str:
        return f"{_begun(_THE[rank])} {_ONE[rank]} schlägt {_THE_ACCUSATIVE[other]} {_ONE_OBLIQUE[other]}"

    def one_more_kicker(self) -> str:
        return "Bis dahin sind sie gleich, aber die Reihe mit fünf Karten hat einen Kicker mehr"

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        return (
            f"Die {_begun(row)}, {_part(hand)}, ist stärker als die {_begun(other)}, {_part(weaker)}: "
            f"{because} ({rule})."
        )

    def equal_is_legal(self, hand: Held) -> str:
        return f"Back und Middle, jeweils {_part(hand)}, sind gleich stark, und das ist erlaubt (R7)."

    def equal_is_foul(self, hand: Held) -> str:
        return (
            f"Middle und Back, jeweils {_part(hand)}, sind gleich stark, "
            f"und an diesem Tisch zählen gleiche Reihen als Foul (R8)."
        )

    def no_low_by_class(self, hand: Held) -> str:
        holds = _class(hand.kind, "einen")
        return f"Die Middle, {_part(hand)}, ist kein 2-7-Low mit Zehn hoch oder besser: Sie enthält {holds} (R52)."

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        too_high = f"{_begun(_THE[rank])} {_ONE[rank]} ist zu hoch"
        return f"Die Middle, {_part(hand)}, ist kein 2-7-Low mit Zehn hoch oder besser: {too_high} (R52)."

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return (
            f"Die Middle ist {_part(middle)}, und die Back, {_part(back)}, "
            f"ist stärker als die Front, {_part(front)}: {because} (R52)."
        )

    def ruled_dead(self) -> str:
        return "Der Tisch hat die Hand für tot erklärt; sie zählt als Foul (R62)."

    def surrendered(self) -> str:
        return "Aufgegeben: Die Reihen werden nicht verglichen (R61)."

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return f"Die {_begun(row)} braucht mindestens {_bound(least, 'einen')} ({rule})."

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return f"Die {_begun(row)} darf höchstens {_bound(most, 'einen')} haben ({rule})."

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        return (
            f"Die {_begun(row)} braucht mindestens {_bound(least, 'einen')} "
            f"und darf höchstens {_bound(most, 'einen')} haben ({rule})."
        )

    def needs_low(self, worst: Held) -> str:
        return f"Die Middle braucht {_part(worst)}, oder besser (R52)."

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        rows = _all([_begun(row) for row in lacking])
        verb, article = ("lassen", "") if len(lacking) > 1 else ("lässt", "die ")
        way = f"Mit den übrigen Karten {verb} sich {article}{rows} nicht mehr gültig vervollständigen ({rule})."
        if not whole:
            return way
        there = ", und ".join([f"in der {_begun(row)} {_lie(hand)} {_part(hand)}" for row, hand in whole])
        return f"{_begun(there)}: {way}"

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        beats = "schlagen" if hand.kind is Kind.TWO_PAIR else "schlägt"
        comma = "," * hand.low
        return f"{_begun(row)} an {winner}: {_begun(_part(hand))}{comma} {beats} {_accusative(weaker)}."

    def row_tied(self, row: str, hand: Held) -> str:
        return f"{_begun(row)} unentschieden: jeweils {_part(hand)} (R15)."

    def rows_even(self, each: int, rule: str) -> str:
        return f"Reihen {each} zu {each}: keine Punkte ({rule})."

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return f"{winner} gewinnt die Reihen {won} zu {lost}: +{won - lost} ({rule})."

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        return f"{winner} gewinnt die Reihen {won} zu {lost}: +{won - lost}, Bonus +{bonus} ({rule})."

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return f"{winner} scoopt: 3 + {bonus} ({rule})."

    def royalties_cancel(self, each: int) -> str:
        return f"Die Royalties, je {each}, heben sich auf (R22)."

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royalties {more} zu {less}: {winner} +{more - less} (R22)."

    def row_royalties_cancel(self, each: int) -> str:
        return f"Die Royalties gewonnener Reihen, je {each}, heben sich auf (R23)."

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royalties gewonnener Reihen {more} zu {less}: {winner} +{more - less} (R23)."

    def both_fouled(self, first: str, second: str) -> str:
        return f"{first} und {second} haben beide gefoult: keine Punkte und keine Royalties (R20)."

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} hat gefoult: {winner} scoopt für {points} (R19)."

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} hat eine tote Hand: {winner} scoopt für {points} (R19)."

    def royalties_of(self, winner: str, points: int) -> str:
        return f"Royalties für {winner}: +{points}."

    def both_surrendered(self, first: str, second: str) -> str:
        return f"{first} und {second} haben beide aufgegeben (R61)."

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return (
            f"{loser} hat aufgegeben und zahlt {self.points(points)} an {winner}, ohne Reihen und ohne Royalties (R61)."
        )

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return f"{first} und {second} haben beide den Moon; das hebt sich auf (R59)."

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return f"{shooter} hat den Moon mit {_part(back)} in der Back; er zählt statt der üblichen Wertung (R59)."

    def moons_cancel(self) -> str:
        return "Beide haben den Moon; das hebt sich auf (R59)."

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return f"{shooter} hat den Moon mit {_part(back)} in der Back: +{points} (R59)."

    def naturals_cancel(self, first: str, second: str) -> str:
        return f"{first} und {second} haben beide ein Natural; das hebt sich auf (R60)."

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        return f"Der Dragon von {winner} schlägt {_NATURALS_ACCUSATIVE[natural]} von {loser} (R60)."

    def natural_wins(self, winner: str, natural: str) -> str:
        return (
            f"{winner} hat mit {_NATURALS_DATIVE[natural]} ein Natural, das statt der üblichen Wertung gewinnt (R60)."
        )

    def entered_by_the_table(self) -> str:
        return "Der Tisch hat die Punkte eingegeben (R63)."

    def nobody_pays(self) -> str:
        return "Niemand zahlt."

    def wins_points(self, winner: str, points: int) -> str:
        return f"{winner} gewinnt {self.points(points)}."

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: Nur ein Teil wird gezahlt, der Rest verfällt ({rule})."

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: Nichts wird gezahlt, und nichts bleibt offen ({rule})."

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return f"{player} {_CAPS[cap]}: {paid} von {owed} gezahlt, die übrigen {rest} verfallen."

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return f"{player} {_CAPS[cap]}: Die {owed} verfallen."


LANGUAGE = German()
