"""A result in Finnish.

Names of players stand in the nominative everywhere: they are subjects, or stand behind a comma. Most hands do, too,
since the sentences are built so: of a passive ("tarvitaan vähintään kutospari") and of "vahvempi kuin".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language


class _FinnishRank(NamedTuple):
    """A rank in the cases that the sentences need."""

    one: str
    """Nominative."""
    stem: str
    """The first part of a compound: ``kutospari``, ``kuningashai``."""
    of: str
    """Genitive, which is also the object of "voittaa"."""
    into: str
    """Illative: ``suora ysiin``."""
    counted: str
    """Partitive after a numeral: ``viisi kutosta``."""
    many: str
    """Nominative plural."""
    some: str
    """Partitive plural: ``kuninkaita ja kolmosia``."""


# The everyday words of Kielitoimiston sanakirja, which players use: kutonen, seiska, kasi, ysi, kymppi. Their cases
# follow its types of inflection: 38 nainen (kutonen), 5 risti (ysi), 9 kala (seiska), 10 koira (rouva), 41 vieras
# (kuningas).
_RANKS: Final = {
    2: _FinnishRank("kakkonen", "kakkos", "kakkosen", "kakkoseen", "kakkosta", "kakkoset", "kakkosia"),
    3: _FinnishRank("kolmonen", "kolmos", "kolmosen", "kolmoseen", "kolmosta", "kolmoset", "kolmosia"),
    4: _FinnishRank("nelonen", "nelos", "nelosen", "neloseen", "nelosta", "neloset", "nelosia"),
    5: _FinnishRank("vitonen", "vitos", "vitosen", "vitoseen", "vitosta", "vitoset", "vitosia"),
    6: _FinnishRank("kutonen", "kutos", "kutosen", "kutoseen", "kutosta", "kutoset", "kutosia"),
    7: _FinnishRank("seiska", "seiska", "seiskan", "seiskaan", "seiskaa", "seiskat", "seiskoja"),
    8: _FinnishRank("kasi", "kasi", "kasin", "kasiin", "kasia", "kasit", "kaseja"),
    9: _FinnishRank("ysi", "ysi", "ysin", "ysiin", "ysiä", "ysit", "ysejä"),
    10: _FinnishRank("kymppi", "kymppi", "kympin", "kymppiin", "kymppiä", "kympit", "kymppejä"),
    11: _FinnishRank("jätkä", "jätkä", "jätkän", "jätkään", "jätkää", "jätkät", "jätkiä"),
    12: _FinnishRank("rouva", "rouva", "rouvan", "rouvaan", "rouvaa", "rouvat", "rouvia"),
    13: _FinnishRank("kuningas", "kuningas", "kuninkaan", "kuninkaaseen", "kuningasta", "kuninkaat", "kuninkaita"),
    14: _FinnishRank("ässä", "ässä", "ässän", "ässään", "ässää", "ässät", "ässiä"),
}

# Each class in the nominative and as the object of "voittaa", where a numeral and a plural are as in the nominative
# (Iso suomen kielioppi, on the cases of the object).
_CLASSES: Final = {
    Kind.HIGH_CARD: ("korkein kortti", "korkeimman kortin"),
    Kind.PAIR: ("pari", "parin"),
    Kind.TWO_PAIR: ("kaksi paria", "kaksi paria"),
    Kind.TRIPS: ("kolmoset", "kolmoset"),
    Kind.STRAIGHT: ("suora", "suoran"),
    Kind.FLUSH: ("väri", "värin"),
    Kind.FULL_HOUSE: ("täyskäsi", "täyskäden"),
    Kind.QUADS: ("neloset", "neloset"),
    Kind.STRAIGHT_FLUSH: ("värisuora", "värisuoran"),
    Kind.ROYAL_FLUSH: ("kuningasvärisuora", "kuningasvärisuoran"),
    Kind.FIVE_OF_A_KIND: ("viisi samaa", "viisi samaa"),
}
_ROWS: Final = {"front": "etu", "middle": "keski", "back": "taka"}
_CALLS: Final = {
    Call.LEGAL: "Pätevä.",
    Call.LEGAL_SO_FAR: "Toistaiseksi pätevä.",
    Call.FOUL: "Foul.",
    Call.DEAD: "Kuollut käsi.",
    Call.SURRENDERED: "Luovutettu.",
}
# Each natural as the object of "sai".
_NATURALS: Final = {
    "dragon": "dragonin",
    "three_flushes": "kolme väriä",
    "three_straights": "kolme suoraa",
    "six_pairs": "kuusi paria",
}
_CAPS: Final = {
    Cap.ALL_IN: "on all-in",
    Cap.STACK: "voi voittaa enintään sen, mitä omassa stäkissä on",
    Cap.START: "voi voittaa enintään sen, mitä omassa stäkissä oli jaon alussa",
    Cap.BROKE: "on nollilla eikä voi enää voittaa seuraavista vertailuista",
}


@cache
def _name(hand: Held) -> str:
    """A hand without its cards: ``rouvapari``."""
    top = _RANKS[hand.ranks[0]]
    if hand.low:
        return f"{top.stem}-low"
    match hand.kind:
        case Kind.HIGH_CARD:
            return f"{top.stem}hai"
        case Kind.PAIR:
            return f"{top.stem}pari"
        case Kind.TWO_PAIR:
            return f"kaksi paria, {top.some} ja {_RANKS[hand.ranks[1]].some}"
        case Kind.TRIPS:
            # Not "kolmosneloset" or "neloskolmoset": nobody knows at a glance which word is the rank.
            return f"kolme {top.counted}"
        case Kind.FLUSH:
            return f"{top.stem}väri"
        case Kind.FULL_HOUSE:
            return f"täyskäsi, {top.many} täynnä {_RANKS[hand.ranks[1]].some}"
        case Kind.QUADS:
            return f"neljä {top.counted}"
        case Kind.ROYAL_FLUSH:
            return "kuningasvärisuora"
        case Kind.FIVE_OF_A_KIND:
            return f"viisi {top.counted}"
    return f"{_CLASSES[hand.kind][0]} {top.into}"


@cache
def _part(hand: Held) -> str:
    """A hand inside a sentence, in the nominative: ``rouvapari (QQ7)``."""
    return f"{_name(hand)} ({hand.cards})"


def _heading(text: str) -> str:
    return text[0].upper() + text[1:]


def _row(row: str) -> str:
    return f"{_ROWS[row]}rivi"


def _won(count: int) -> str:
    """A number of points as the object of "saa" and "voittaa"."""
    return "1 pisteen" if count == 1 else f"{count} pistettä"


class Finnish(Language):
    """Finnish as it is spoken at a poker table: kutospari, ässähai, foul, scoop."""

    tag = "fi"

    def row_name(self, row: str) -> str:
        return _heading(_row(row))

    def kind_name(self, kind: Kind) -> str:
        return _heading(_CLASSES[kind][0])

    def hand_name(self, hand: Held) -> str:
        return _heading(f"{_name(hand)}, {hand.cards}" if hand.low else _name(hand))

    def bound_part(self, bound: Bound) -> str:
        hand, kicker = bound
        if kicker is None:
            return _part(hand)
        return f"{_name(hand)} {_RANKS[kicker].stem}kikkerillä ({hand.cards})"

    def points(self, count: int) -> str:
        return "1 piste" if count == 1 else f"{count} pistettä"

    def call(self, call: Call) -> str:
        return _CALLS[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        verb = "voittavat" if kind in (Kind.TRIPS, Kind.QUADS) else "voittaa"
        return f"{_CLASSES[kind][0]} {verb} {_CLASSES[other][1]}"

    def ranks_beat(self, rank: int, other: int) -> str:
        # "Neloset voittavat kolmoset" would say that quads beat trips.
        return f"{_RANKS[rank].many} ovat suurempia kuin {_RANKS[other].many}"

    def high_beats(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank].stem}hai voittaa {_RANKS[other].stem}hain"

    def card_beats(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank].one} voittaa {_RANKS[other].of}"

    def one_more_kicker(self) -> str:
        return "muuten tasan, mutta viiden kortin rivissä on yksi kikkeri enemmän"

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        first, second = f"{_heading(_row(row))}, {_part(hand)}", f"{_row(other)}, {_part(weaker)}"
        return f"{first}, on vahvempi kuin {second}: {because} ({rule})."

    def equal_is_legal(self, hand: Held) -> str:
        return f"Takarivi ja keskirivi ovat tasan, molemmissa {_part(hand)}, mikä on sallittua (R7)."

    def equal_is_foul(self, hand: Held) -> str:
        return f"Keskirivi ja takarivi ovat tasan, molemmissa {_part(hand)}, mikä on tässä pöydässä foul (R8)."

    def no_low_by_class(self, hand: Held) -> str:
        return self._no_low(hand, f"siinä on {_CLASSES[hand.kind][0]}")

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        return self._no_low(hand, f"{_RANKS[rank].one} on liian suuri")

    def _no_low(self, hand: Held, because: str) -> str:
        return f"Keskirivi, {_part(hand)}, ei ole 2-7-low (kymppi-low tai parempi): {because} (R52)."

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return (
            f"Keskirivi on {_part(middle)}, ja takarivi, {_part(back)}, "
            f"on vahvempi kuin eturivi, {_part(front)}: {because} (R52)."
        )

    def ruled_dead(self) -> str:
        return "Pöytä tuomitsi käden kuolleeksi, ja se lasketaan fouliksi (R62)."

    def surrendered(self) -> str:
        return "Luovutettu: rivejä ei vertailla (R61)."

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return f"{_heading(_row(row))}lle tarvitaan vähintään {self.bound_part(least)} ({rule})."

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return f"{_heading(_row(row))}ssä saa olla enintään {self.bound_part(most)} ({rule})."

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        return (
            f"{_heading(_row(row))}lle tarvitaan vähintään {self.bound_part(least)}, "
            f"ja siinä saa olla enintään {self.bound_part(most)} ({rule})."
        )

    def needs_low(self, worst: Held) -> str:
        return f"Keskiriville tarvitaan {_part(worst)} tai parempi (R52)."

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        *first, last = (_ROWS[row] for row in lacking)
        rows = f"{', '.join(f'{row}-' for row in first)} ja {last}riviä" if first else f"{last}riviä"
        there = " ja ".join(f"{_row(row)}nä on {_part(hand)}" for row, hand in whole)
        when = f", kun {there}" if whole else ""
        return f"Jäljellä olevilla korteilla ei saa {rows} oikeaan järjestykseen{when} ({rule})."

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        return f"{_heading(_row(row))}n voittaa {winner}: {_part(hand)}, vastassa {_part(weaker)}."

    def row_tied(self, row: str, hand: Held) -> str:
        return f"{_heading(_row(row))} tasan: molemmilla {_part(hand)} (R15)."

    def rows_even(self, each: int, rule: str) -> str:
        return f"Rivit {each}–{each}: ei pisteitä ({rule})."

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return f"{winner} voittaa rivit {won}–{lost}: +{won - lost} ({rule})."

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        return f"{winner} voittaa rivit {won}–{lost}: +{won - lost}, bonus +{bonus} ({rule})."

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return f"{winner} scooppaa: 3 + {bonus} ({rule})."

    def royalties_cancel(self, each: int) -> str:
        return f"Royaltit {each}–{each} kumoavat toisensa (R22)."

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royaltit {more}–{less}: {winner} +{more - less} (R22)."

    def row_royalties_cancel(self, each: int) -> str:
        return f"Voitettujen rivien royaltit {each}–{each} kumoavat toisensa (R23)."

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Voitettujen rivien royaltit {more}–{less}: {winner} +{more - less} (R23)."

    def both_fouled(self, first: str, second: str) -> str:
        return f"{first} ja {second} tekivät molemmat foulin: ei pisteitä eikä royalteja (R20)."

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} teki foulin: {winner} scooppaa ja saa {_won(points)} (R19)."

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} sai kuolleen käden: {winner} scooppaa ja saa {_won(points)} (R19)."

    def royalties_of(self, winner: str, points: int) -> str:
        return f"{winner} saa myös royaltit: +{points}."

    def both_surrendered(self, first: str, second: str) -> str:
        return f"{first} ja {second} luovuttivat molemmat (R61)."

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return f"{loser} luovutti ja maksaa: {winner} saa {_won(points)}, ei rivejä eikä royalteja (R61)."

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return f"{first} ja {second} tekivät molemmat moonin: moonit kumoavat toisensa (R59)."

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return f"{shooter} teki moonin, takarivissä {_part(back)}: se korvaa tavallisen pistelaskun (R59)."

    def moons_cancel(self) -> str:
        return "Molemmat tekivät moonin: moonit kumoavat toisensa (R59)."

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return f"{shooter} teki moonin, takarivissä {_part(back)}: +{points} (R59)."

    def naturals_cancel(self, first: str, second: str) -> str:
        return f"{first} ja {second} saivat molemmat naturalin: naturalit kumoavat toisensa (R60)."

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        return f"{winner} sai dragonin ja {loser} {_NATURALS[natural]}: dragon voittaa (R60)."

    def natural_wins(self, winner: str, natural: str) -> str:
        return f"{winner} sai {_NATURALS[natural]}: natural voittaa ja korvaa tavallisen pistelaskun (R60)."

    def entered_by_the_table(self) -> str:
        return "Pisteet on kirjannut pöytä (R63)."

    def nobody_pays(self) -> str:
        return "Kukaan ei maksa."

    def wins_points(self, winner: str, points: int) -> str:
        return f"{winner} voittaa {_won(points)}."

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: vain osa maksetaan, eikä loppu jää velaksi ({rule})."

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: mitään ei makseta, eikä mitään jää velaksi ({rule})."

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return f"{player} {_CAPS[cap]}: summasta {owed} maksetaan {paid}, eivätkä loput {rest} jää velaksi."

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return f"{player} {_CAPS[cap]}: summa {owed} ei jää velaksi."


LANGUAGE = Finnish()
