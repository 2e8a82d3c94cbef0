"""A result in Russian. Players' names stand in the nominative, and verbs in the present, which has no gender."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language


class _RussianRank(NamedTuple):
    """The forms of a rank's name that the sentences need."""

    one: str
    of_one: str
    with_one: str
    many: str
    of_many: str
    with_many: str
    on_many: str


# Declined as in A. A. Zaliznyak, Grammatical Dictionary of the Russian Language (1977): feminine type 3*a for 2 to 10,
# masculine 1a (валет), feminine 1a (дама), masculine 2b (король) and 1b (туз).
_RANKS: Final = {
    2: _RussianRank("двойка", "двойки", "двойкой", "двойки", "двоек", "двойками", "двойках"),
    3: _RussianRank("тройка", "тройки", "тройкой", "тройки", "троек", "тройками", "тройках"),
    4: _RussianRank("четвёрка", "четвёрки", "четвёркой", "четвёрки", "четвёрок", "четвёрками", "четвёрках"),
    5: _RussianRank("пятёрка", "пятёрки", "пятёркой", "пятёрки", "пятёрок", "пятёрками", "пятёрках"),
    6: _RussianRank("шестёрка", "шестёрки", "шестёркой", "шестёрки", "шестёрок", "шестёрками", "шестёрках"),
    7: _RussianRank("семёрка", "семёрки", "семёркой", "семёрки", "семёрок", "семёрками", "семёрках"),
    8: _RussianRank("восьмёрка", "восьмёрки", "восьмёркой", "восьмёрки", "восьмёрок", "восьмёрками", "восьмёрках"),
    9: _RussianRank("девятка", "девятки", "девяткой", "девятки", "девяток", "девятками", "девятках"),
    10: _RussianRank("десятка", "десятки", "десяткой", "десятки", "десяток", "десятками", "десятках"),
    11: _RussianRank("валет", "валета", "валетом", "валеты", "валетов", "валетами", "валетах"),
    12: _RussianRank("дама", "дамы", "дамой", "дамы", "дам", "дамами", "дамах"),
    13: _RussianRank("король", "короля", "королём", "короли", "королей", "королями", "королях"),
    14: _RussianRank("туз", "туза", "тузом", "тузы", "тузов", "тузами", "тузах"),
}
_MASCULINE: Final = (11, 13, 14)
_HIGH: Final = (("старшая", "старшей"), ("старший", "старшего"))
"""Nominative and genitive of what stands before a rank's name, feminine and masculine."""
_ROWS: Final = {"front": "верхний", "middle": "средний", "back": "нижний"}
_OF_ROWS: Final = {"front": "верхнего", "middle": "среднего", "back": "нижнего"}

# Nominative and genitive.
_CLASSES: Final = {
    Kind.HIGH_CARD: ("старшая карта", "старшей карты"),
    Kind.PAIR: ("пара", "пары"),
    Kind.TWO_PAIR: ("две пары", "двух пар"),
    Kind.TRIPS: ("сет", "сета"),
    Kind.STRAIGHT: ("стрит", "стрита"),
    Kind.FLUSH: ("флеш", "флеша"),
    Kind.FULL_HOUSE: ("фулл-хаус", "фулл-хауса"),
    Kind.QUADS: ("каре", "каре"),
    Kind.STRAIGHT_FLUSH: ("стрит-флеш", "стрит-флеша"),
    Kind.ROYAL_FLUSH: ("роял-флеш", "роял-флеша"),
    Kind.FIVE_OF_A_KIND: ("пять одинаковых", "пяти одинаковых"),
}
_CALLS: Final = {
    Call.LEGAL: "Без фола.",
    Call.LEGAL_SO_FAR: "Пока без фола.",
    Call.FOUL: "Фол.",
    Call.DEAD: "Мёртвая рука.",
    Call.SURRENDERED: "Сдаётся.",
}
_NATURALS: Final = {
    "dragon": "дракон",
    "three_flushes": "три флеша",
    "three_straights": "три стрита",
    "six_pairs": "шесть пар",
}
_CAPS: Final = {
    Cap.ALL_IN: "в олл-ине",
    Cap.STACK: "может выиграть не больше своего стека",
    Cap.START: "может выиграть не больше, чем было в стеке к началу раздачи",
    Cap.BROKE: "без фишек и в следующих сравнениях ничего не выигрывает",
}


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


@cache
def _bare(hand: Held, *, genitive: bool = False) -> str:
    """A hand without its cards: ``пара дам``, in the genitive ``пары дам``."""
    top = _RANKS[hand.ranks[0]]
    if hand.low:
        return f"лоу до {top.of_one}"
    said = _CLASSES[hand.kind][genitive]
    match hand.kind:
        case Kind.HIGH_CARD:
            high = _HIGH[hand.ranks[0] in _MASCULINE]
            return f"{high[1]} {top.of_one}" if genitive else f"{high[0]} {top.one}"
        case Kind.PAIR | Kind.TRIPS | Kind.QUADS:
            return f"{said} {top.of_many}"
        case Kind.TWO_PAIR:
            second = _RANKS[hand.ranks[1]]
            both = (top.of_many, second.of_many) if genitive else (top.many, second.many)
            return f"{said}, {both[0]} и {both[1]}"
        case Kind.STRAIGHT | Kind.STRAIGHT_FLUSH:
            return f"{said} до {top.of_one}"
        case Kind.FLUSH:
            return f"{said} от {top.of_one}"
        case Kind.FULL_HOUSE:
            return f"{said} на {top.on_many} с {_RANKS[hand.ranks[1]].with_many}"
        case Kind.FIVE_OF_A_KIND:
            return f"{said.split()[0]} {top.of_many}"
    return said


@cache
def _part(hand: Held, *, genitive: bool = False) -> str:
    """A hand inside a sentence: ``пара дам (QQ7)``, in the genitive ``пары дам (QQ7)``."""
    return f"{_bare(hand, genitive=genitive)} ({hand.cards})"


def _bound(bound: Bound, *, genitive: bool = False) -> str:
    hand, kicker = bound
    if kicker is None:
        return _part(hand, genitive=genitive)
    comma = "," if hand.kind is Kind.TWO_PAIR else ""
    return f"{_bare(hand, genitive=genitive)}{comma} с {_RANKS[kicker].with_one} ({hand.cards})"


def _stronger(row: str, hand: Held, other: str, weaker: Held, because: str) -> str:
    against = f"{_part(hand)} против {_part(weaker, genitive=True)}"
    return f"{_ROWS[row]} ряд сильнее {_OF_ROWS[other]}: {against} — {because}"


def _no_low(hand: Held) -> str:
    return f"Средний ряд, {_part(hand)}, не годится как лоу 2-7, десятка или ниже"


class Russian(Language):
    """Russian. Hands and rows are сильнее or слабее, classes too; ranks are старше."""

    tag = "ru"

    def row_name(self, row: str) -> str:
        return f"{_capital(_ROWS[row])} ряд"

    def kind_name(self, kind: Kind) -> str:
        return _capital(_CLASSES[kind][0])

    def hand_name(self, hand: Held) -> str:
        if hand.low:
            return _capital(_part(hand))
        if hand.kind is Kind.HIGH_CARD:
            return f"Старшая карта — {_RANKS[hand.ranks[0]].one}"
        return _capital(_bare(hand))

    def bound_part(self, bound: Bound) -> str:
        return _bound(bound)

    def points(self, count: int) -> str:
        tens, ones = count // 10 % 10, count % 10
        if tens == 1 or ones == 0 or ones > 4:
            return f"{count} очков"
        return f"{count} очко" if ones == 1 else f"{count} очка"

    def call(self, call: Call) -> str:
        return _CALLS[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        return f"{_CLASSES[kind][0]} сильнее {_CLASSES[other][1]}"

    def ranks_beat(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank].many} старше {_RANKS[other].of_many}"

    def high_beats(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank].one} старше {_RANKS[other].of_one}"

    def card_beats(self, rank: int, other: int) -> str:
        return self.high_beats(rank, other)

    def one_more_kicker(self) -> str:
        return "три карты равны, но в ряду из пяти карт есть ещё кикер"

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        return f"{_capital(_stronger(row, hand, other, weaker, because))} ({rule})."

    def equal_is_legal(self, hand: Held) -> str:
        return f"Нижний и средний ряды равны: в обоих {_part(hand)}, это разрешено (R7)."

    def equal_is_foul(self, hand: Held) -> str:
        return f"Средний и нижний ряды равны: в обоих {_part(hand)}, а за этим столом равные ряды — фол (R8)."

    def no_low_by_class(self, hand: Held) -> str:
        return f"{_no_low(hand)}: в нём {_CLASSES[hand.kind][0]} (R52)."

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        return f"{_no_low(hand)}: {_RANKS[rank].one} старше десятки (R52)."

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return f"Средний ряд — {_part(middle)}, а {_stronger('back', back, 'front', front, because)} (R52)."

    def ruled_dead(self) -> str:
        return "По решению стола рука мёртвая и считается как фол (R62)."

    def surrendered(self) -> str:
        return "Игрок сдаётся: ряды не сравниваются (R61)."

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return f"{self.row_name(row)} должен быть не слабее {_bound(least, genitive=True)} ({rule})."

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return f"{self.row_name(row)} должен быть не сильнее {_bound(most, genitive=True)} ({rule})."

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        bounds = f"не слабее {_bound(least, genitive=True)} и не сильнее {_bound(most, genitive=True)}"
        return f"{self.row_name(row)} должен быть {bounds} ({rule})."

    def needs_low(self, worst: Held) -> str:
        return f"Средний ряд должен быть не хуже, чем {_part(worst)} (R52)."

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        *first, last = [_ROWS[row] for row in lacking]
        rows = f"{', '.join(first)} и {last} ряды" if first else f"{last} ряд"
        there = ", ".join([f"{_ROWS[row]} ряд — {_part(hand)}" for row, hand in whole])
        return f"Оставшимися картами уже не собрать {rows} по старшинству{there and ': '}{there} ({rule})."

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        return f"{self.row_name(row)} берёт {winner}: {_part(hand)} против {_part(weaker, genitive=True)}."

    def row_tied(self, row: str, hand: Held) -> str:
        return f"{self.row_name(row)} — ничья: с обеих сторон {_part(hand)} (R15)."

    def rows_even(self, each: int, rule: str) -> str:
        return f"По рядам {each}:{each}, без очков ({rule})."

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return f"{winner} выигрывает {won}:{lost} по рядам: +{won - lost} ({rule})."

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        return f"{winner} выигрывает {won}:{lost} по рядам: +{won - lost}, бонус +{bonus} ({rule})."

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return f"{winner} делает скуп: 3 + {bonus} ({rule})."

    def royalties_cancel(self, each: int) -> str:
        return f"Роялти по {each} взаимно гасятся (R22)."

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Роялти {more} против {less}: {winner} +{more - less} (R22)."

    def row_royalties_cancel(self, each: int) -> str:
        return f"Роялти за выигранные ряды по {each} взаимно гасятся (R23)."

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"Роялти за выигранные ряды {more} против {less}: {winner} +{more - less} (R23)."

    def both_fouled(self, first: str, second: str) -> str:
        return f"{first} и {second}: фол с обеих сторон, ни очков, ни роялти (R20)."

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} собирает фол: {winner} получает {self.points(points)} за скуп (R19)."

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler} с мёртвой рукой: {winner} получает {self.points(points)} за скуп (R19)."

    def royalties_of(self, winner: str, points: int) -> str:
        return f"{winner}, роялти: +{points}."

    def both_surrendered(self, first: str, second: str) -> str:
        return f"{first} и {second} сдаются (R61)."

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return f"{loser} сдаётся: {winner} получает {self.points(points)}, без рядов и роялти (R61)."

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return f"{first} и {second}: луна с обеих сторон, взаимно гасится (R59)."

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return f"{shooter} собирает луну, в нижнем ряду {_part(back)}: она идёт вместо обычного счёта (R59)."

    def moons_cancel(self) -> str:
        return "Луна с обеих сторон, взаимно гасится (R59)."

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return f"{shooter} собирает луну, в нижнем ряду {_part(back)}: +{points} (R59)."

    def naturals_cancel(self, first: str, second: str) -> str:
        return f"{first} и {second}: натуральная рука с обеих сторон, взаимно гасится (R60)."

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        return f"{winner} — дракон, {loser} — {_NATURALS[natural]}: дракон сильнее (R60)."

    def natural_wins(self, winner: str, natural: str) -> str:
        return f"{winner} — {_NATURALS[natural]}, натуральная рука: она выигрывает вместо обычного счёта (R60)."

    def entered_by_the_table(self) -> str:
        return "Очки введены по решению стола (R63)."

    def nobody_pays(self) -> str:
        return "Никто не платит."

    def wins_points(self, winner: str, points: int) -> str:
        return f"{winner} выигрывает {self.points(points)}."

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: платится только часть, остаток не считается долгом ({rule})."

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player} {_CAPS[cap]}: ничего не платится, и долга нет ({rule})."

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return f"{player} {_CAPS[cap]}: из {owed} платится {paid}, остаток {rest} не считается долгом."

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return f"{player} {_CAPS[cap]}: сумма {owed} не считается долгом."


LANGUAGE = Russian()
