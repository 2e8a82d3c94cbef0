"""A result in Spanish, in words that hold in Spain and in Latin America; see `docs/languages/es.md` for the terms.

Verbs stand in the present and nothing agrees with a player, so that a sentence is right with any name. Two names are
joined by "tanto … como …": after "y" a name that begins with the sound of "i" would need "e".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language

# The plurals of figures as nouns are those of the Diccionario panhispánico de dudas of the Spanish academies, "plural"
# and "cardinales": doses, treses, seises, dieces.
_ONE = {
    2: "dos",
    3: "tres",
    4: "cuatro",
    5: "cinco",
    6: "seis",
    7: "siete",
    8: "ocho",
    9: "nueve",
    10: "diez",
    11: "jota",
    12: "dama",
    13: "rey",
    14: "as",
}
_MANY = {
    2: "doses",
    3: "treses",
    4: "cuatros",
    5: "cincos",
    6: "seises",
    7: "sietes",
    8: "ochos",
    9: "nueves",
    10: "dieces",
    11: "jotas",
    12: "damas",
    13: "reyes",
    14: "ases",
}
_FEMININE = (11, 12)
_ROWS = {"front": "de arriba", "middle": "del medio", "back": "de abajo"}
_PLACES = {"front": "arriba", "middle": "en el medio", "back": "abajo"}
_KINDS = {
    Kind.HIGH_CARD: "carta alta",
    Kind.PAIR: "pareja",
    Kind.TWO_PAIR: "doble pareja",
    Kind.TRIPS: "trío",
    Kind.STRAIGHT: "escalera",
    Kind.FLUSH: "color",
    Kind.FULL_HOUSE: "full",
    Kind.QUADS: "póker",
    Kind.STRAIGHT_FLUSH: "escalera de color",
    Kind.ROYAL_FLUSH: "escalera real",
    Kind.FIVE_OF_A_KIND: "cinco iguales",
}
_ARTICLES = {
    Kind.HIGH_CARD: "",
    Kind.PAIR: "una ",
    Kind.TWO_PAIR: "una ",
    Kind.TRIPS: "un ",
    Kind.STRAIGHT: "una ",
    Kind.FLUSH: "un ",
    Kind.FULL_HOUSE: "un ",
    Kind.QUADS: "un ",
    Kind.STRAIGHT_FLUSH: "una ",
    Kind.ROYAL_FLUSH: "una ",
    Kind.FIVE_OF_A_KIND: "",
}
_CALLS = {
    Call.LEGAL: "Legal.",
    Call.LEGAL_SO_FAR: "Legal por ahora.",
    Call.FOUL: "Foul.",
    Call.DEAD: "Mano muerta.",
    Call.SURRENDERED: "Rendición.",
}
_NATURALS = {
    "dragon": "dragón",
    "three_flushes": "tres colores",
    "three_straights": "tres escaleras",
    "six_pairs": "seis parejas",
}
_CAPS = {
    Cap.ALL_IN: "va all-in",
    Cap.STACK: "solo puede ganar lo que tiene en su stack",
    Cap.START: "solo puede ganar lo que tenía al empezar la mano",
    Cap.BROKE: "ya no tiene fichas y no puede ganar nada en los duelos siguientes",
}


def _feminine(rank: int) -> bool:
    return rank in _FEMININE


def _the(rank: int) -> str:
    return f"{'la' if _feminine(rank) else 'el'} {_ONE[rank]}"


def _to_the(rank: int) -> str:
    """The preposition "a", which joins the masculine article: ``al rey``, ``a la dama``."""
    return f"{'a la' if _feminine(rank) else 'al'} {_ONE[rank]}"


def _one(rank: int) -> str:
    return f"{'una' if _feminine(rank) else 'un'} {_ONE[rank]}"


def _all(rank: int) -> str:
    return f"{'las' if _feminine(rank) else 'los'} {_MANY[rank]}"


def _high(rank: int) -> str:
    return f"{_ONE[rank]} {'alta' if _feminine(rank) else 'alto'}"


def _capitalised(text: str) -> str:
    """Unlike `str.capitalize`, it leaves the letters of cards and names as they are."""
    return text[0].upper() + text[1:]


@cache
def _name(hand: Held) -> str:
    """A hand's name in lower case, without an article and its cards: ``pareja de damas``."""
    top = hand.ranks[0]
    if hand.low:
        return f"jugada baja {_to_the(top)}"
    kind = _KINDS[hand.kind]
    match hand.kind:
        case Kind.HIGH_CARD:
            return _high(top)
        case Kind.TWO_PAIR | Kind.FULL_HOUSE:
            return f"{kind} de {_MANY[top]} y {_MANY[hand.ranks[1]]}"
        case Kind.STRAIGHT | Kind.FLUSH | Kind.STRAIGHT_FLUSH:
            return f"{kind} {_to_the(top)}"
        case Kind.ROYAL_FLUSH:
            return kind
        case Kind.FIVE_OF_A_KIND:
            return f"cinco {_MANY[top]}"
    return f"{kind} de {_MANY[top]}"


@cache
def _uncounted(hand: Held) -> str:
    """A hand inside a sentence, without its cards: ``una pareja de damas``, ``as alto``."""
    return f"{'una ' if hand.low else _ARTICLES[hand.kind]}{_name(hand)}"


@cache
def _part(hand: Held) -> str:
    """A hand inside a sentence: ``una pareja de damas (QQ7)``, ``una jugada baja al nueve (97542)``.

    The cards stand in brackets, which close: after a comma they would need another before "contra".
    """
    return f"{_uncounted(hand)} ({hand.cards})"


class Spanish(Language):
    """Spanish, the same for Spain and Latin America."""

    tag = "es"

    def row_name(self, row: str) -> str:
        return {"front": "Arriba", "middle": "Medio", "back": "Abajo"}[row]

    def kind_name(self, kind: Kind) -> str:
        return _capitalised(_KINDS[kind])

    def hand_name(self, hand: Held) -> str:
        name = _capitalised(_name(hand))
        return f"{name}, {hand.cards}" if hand.low else name

    def bound_part(self, bound: Bound) -> str:
        hand, kicker = bound
        return _part(hand) if kicker is None else f"{_uncounted(hand)} con {_one(kicker)} ({hand.cards})"

    def points(self, count: int) -> str:
        return "1 punto" if count == 1 else f"{count} puntos"

    def call(self, call: Call) -> str:
        return _CALLS[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        verb = "ganan" if kind is Kind.FIVE_OF_A_KIND else "gana"
        return f"{_KINDS[kind]} {verb} a {_KINDS[other]}"

    def ranks_beat(self, rank: int, other: int) -> str:
        return f"{_all(rank)} ganan a {_all(other)}"

    def high_beats(self, rank: int, other: int) -> str:
        return f"{_high(rank)} gana a {_high(other)}"

    def card_beats(self, rank: int, other: int) -> str:
        return f"{_the(rank)} gana {_to_the(other)}"

    def one_more_kicker(self) -> str:
        return "hasta ahí son iguales, pero la fila de cinco cartas tiene un kicker más"

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        return (
            f"La fila {_ROWS[row]}, con {_part(hand)}, supera a la {_ROWS[other]}, con {_part(weaker)}: "
            f"{because} ({rule})."
        )

    def equal_is_legal(self, hand: Held) -> str:
        return f"Las filas de abajo y del medio son iguales, ambas con {_part(hand)}, y eso es legal (R7)."

    def equal_is_foul(self, hand: Held) -> str:
        return (
            f"Las filas del medio y de abajo son iguales, ambas con {_part(hand)}, "
            "y en esta mesa las filas iguales son foul (R8)."
        )

    def no_low_by_class(self, hand: Held) -> str:
        holds = "cinco cartas iguales" if hand.kind is Kind.FIVE_OF_A_KIND else _ARTICLES[hand.kind] + _KINDS[hand.kind]
        return self._no_low(hand, f"tiene {holds}")

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        return self._no_low(hand, f"{_the(rank)} es demasiado {'alta' if _feminine(rank) else 'alto'}")

    def _no_low(self, hand: Held, because: str) -> str:
        return f"La fila del medio, con {_part(hand)}, no es una jugada baja 2-7 al diez o mejor: {because} (R52)."

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return (
            f"La fila del medio es {_part(middle)}, y la de abajo, con {_part(back)}, "
            f"supera a la de arriba, con {_part(front)}: {because} (R52)."
        )

    def ruled_dead(self) -> str:
        return "Mano muerta por decisión de la mesa: cuenta como foul (R62)."

    def surrendered(self) -> str:
        return "Rendición: no se comparan las filas (R61)."

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return f"La fila {_ROWS[row]} necesita al menos {self.bound_part(least)} ({rule})."

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return f"La fila {_ROWS[row]} puede tener como máximo {self.bound_part(most)} ({rule})."

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        return (
            f"La fila {_ROWS[row]} necesita al menos {self.bound_part(least)} "
            f"y puede tener como máximo {self.bound_part(most)} ({rule})."
        )

    def needs_low(self, worst: Held) -> str:
        return f"La fila del medio necesita {_part(worst)} o mejor (R52)."

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        *first, last = [_ROWS[row] for row in lacking]
        rows = f"las filas {', '.join(first)} y {last}" if first else f"la fila {last}"
        there = ", y ".join([f"la {_ROWS[row]} tiene {_part(hand)}" for row, hand in whole])
        condition = f" si {there}" if there else ""
        return f"Con las cartas que quedan es imposible completar en orden {rows}{condition} ({rule})."

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        return f"{_capitalised(_PLACES[row])} gana {winner}: {_part(hand)} contra {_part(weaker)}."

    def row_tied(self, row: str, hand: Held) -> str:
        return f"Empate {_PLACES[row]}: {_part(hand)} en ambos tableros (R15)."

    def rows_even(self, each: int, rule: str) -> str:
        return f"Filas {each} a {each}: sin puntos ({rule})."

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return f"{self._rows_to(winner, won, lost)} ({rule})."

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        return f"{self._rows_to(winner, won, lost)}, bonus +{bonus} ({rule})."

    def _rows_to(self, winner: str, won: int, lost: int) -> str:
        return f"{winner} gana por {won} {'fila' if won == 1 else 'filas'} a {lost}: +{won - lost}"

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return f"{winner} hace scoop: 3 + {bonus} ({rule})."

    def royalties_cancel(self, each: int) -> str:
        return f"Royalties {each} a {each}: se anulan (R22)."

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royalties {more}–{less}: {winner} +{more - less} (R22)."

    def row_royalties_cancel(self, each: int) -> str:
        return f"Royalties de las filas ganadas {each} a {each}: se anulan (R23)."

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Royalties de las filas ganadas {more}–{less}: {winner} +{more - less} (R23)."

    def both_fouled(self, first: str, second: str) -> str:
        return f"Tanto {first} como {second} hacen foul: sin puntos ni royalties (R20)."

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} hace foul: scoop para {winner}, +{points} (R19)."

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} tiene la mano muerta: scoop para {winner}, +{points} (R19)."

    def royalties_of(self, winner: str, points: int) -> str:
        return f"Royalties de {winner}: +{points}."

    def both_surrendered(self, first: str, second: str) -> str:
        return f"Tanto {first} como {second} se rinden (R61)."

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return f"{loser} se rinde y paga {self.points(points)} a {winner}, sin filas ni royalties (R61)."

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return f"Tanto {first} como {second} logran la luna, y se anulan (R59)."

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return f"{shooter} logra la luna abajo con {_part(back)}, y eso sustituye al resultado (R59)."

    def moons_cancel(self) -> str:
        return "Luna en ambos tableros: se anulan (R59)."

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return f"{shooter} logra la luna abajo con {_part(back)}: +{points} (R59)."

    def naturals_cancel(self, first: str, second: str) -> str:
        return f"Tanto {first} como {second} tienen una jugada natural, y se anulan (R60)."

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        article = "los" if natural == "three_flushes" else "las"
        return f"El dragón de {winner} gana a {article} {_NATURALS[natural]} de {loser} (R60)."

    def natural_wins(self, winner: str, natural: str) -> str:
        holds = f"{'un ' if natural == 'dragon' else ''}{_NATURALS[natural]}"
        return f"{winner} tiene {holds}, una jugada natural: gana, y eso sustituye al resultado (R60)."

    def entered_by_the_table(self) -> str:
        return "Puntos anotados por la mesa (R63)."

    def nobody_pays(self) -> str:
        return "Nadie paga."

    def wins_points(self, winner: str, points: int) -> str:
        return f"{winner} gana {self.points(points)}."

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: se paga solo una parte, y el resto no se debe ({rule})."

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: no se paga nada y no se debe nada ({rule})."

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return f"{player} {_CAPS[cap]}: se paga {paid} de {owed}; el resto, {rest}, no se debe."

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return f"{player} {_CAPS[cap]}: la suma de {owed} no se debe."


LANGUAGE = Spanish()
