"""A result in Japanese: what of it is said when, `scoring.rules.wording` describes; the terms are in its glossary.

A card comes before the hand that it names (クイーンのワンペア). Ranks are said as players say them, so that a digit is
always a figure. A player's name begins a sentence, or stands after punctuation or between names, where a name in
hiragana cannot run into the word before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language

_ROWS = {"front": "フロント", "middle": "ミドル", "back": "バック"}
# Players call the two デュース, as in the name of 2-7, デュース・トゥ・セブン. No word here changes its form.
_RANKS = {
    2: "デュース",
    3: "スリー",
    4: "フォー",
    5: "ファイブ",
    6: "シックス",
    7: "セブン",
    8: "エイト",
    9: "ナイン",
    10: "テン",
    11: "ジャック",
    12: "クイーン",
    13: "キング",
    14: "エース",
}
_KINDS = {
    Kind.HIGH_CARD: "ハイカード",
    Kind.PAIR: "ワンペア",
    Kind.TWO_PAIR: "ツーペア",
    Kind.TRIPS: "スリーカード",
    Kind.STRAIGHT: "ストレート",
    Kind.FLUSH: "フラッシュ",
    Kind.FULL_HOUSE: "フルハウス",
    Kind.QUADS: "フォーカード",
    Kind.STRAIGHT_FLUSH: "ストレートフラッシュ",
    Kind.ROYAL_FLUSH: "ロイヤルフラッシュ",
    Kind.FIVE_OF_A_KIND: "ファイブカード",
}
_NATURALS = {
    "dragon": "ドラゴン",
    "three_flushes": "スリーフラッシュ",
    "three_straights": "スリーストレート",
    "six_pairs": "シックスペア",
}
_CALLS = {
    Call.LEGAL: "有効。",
    Call.LEGAL_SO_FAR: "今のところ有効。",
    Call.FOUL: "ファウル。",
    Call.DEAD: "デッドハンド。",
    Call.SURRENDERED: "サレンダー。",
}
# Each follows the player's name.
_CAPS = {
    Cap.ALL_IN: "はオールイン",
    Cap.STACK: "が受け取れるのは自分のスタックの額まで",
    Cap.START: "が受け取れるのはハンド開始時の自分のスタックの額まで",
    Cap.BROKE: "はスタックがなくなり、以降の対戦では受け取りなし",
}


@cache
def _part(hand: Held) -> str:
    """A hand inside a sentence: ``クイーンのワンペア（QQ7）``."""
    return _name(hand) if hand.low else f"{_name(hand)}（{hand.cards}）"


def _name(hand: Held) -> str:
    top = _RANKS[hand.ranks[0]]
    if hand.low:
        return f"{top}ロー（{hand.cards}）"
    match hand.kind:
        case Kind.HIGH_CARD:
            return f"{top}ハイ"
        case Kind.TWO_PAIR | Kind.FULL_HOUSE:
            return f"{top}と{_RANKS[hand.ranks[1]]}の{_KINDS[hand.kind]}"
        case Kind.STRAIGHT | Kind.FLUSH | Kind.STRAIGHT_FLUSH:
            return f"{top}ハイの{_KINDS[hand.kind]}"
        case Kind.ROYAL_FLUSH:
            return _KINDS[hand.kind]
    return f"{top}の{_KINDS[hand.kind]}"


class Japanese(Language):
    """Japanese, in the polite form; a ruling, a clause and a line of the score are as short as players say them."""

    tag = "ja"
    space = ""

    def row_name(self, row: str) -> str:
        return _ROWS[row]

    def kind_name(self, kind: Kind) -> str:
        return _KINDS[kind]

    def hand_name(self, hand: Held) -> str:
        return _name(hand)

    def bound_part(self, bound: Bound) -> str:
        hand, kicker = bound
        if kicker is None:
            return _part(hand)
        return f"{_name(hand)}・{_RANKS[kicker]}キッカー（{hand.cards}）"

    def points(self, count: int) -> str:
        return f"{count}点"

    def call(self, call: Call) -> str:
        return _CALLS[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        return f"{_KINDS[kind]}は{_KINDS[other]}より強い"

    def ranks_beat(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank]}は{_RANKS[other]}より強い"

    def high_beats(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank]}ハイは{_RANKS[other]}ハイより強い"

    def card_beats(self, rank: int, other: int) -> str:
        return f"{_RANKS[rank]}のほうが{_RANKS[other]}より強い"

    def one_more_kicker(self) -> str:
        # Only the front has three cards.
        return "そこまでは同じで、フロントにはないキッカーの分だけ強い"

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        return f"{_ROWS[row]}の{_part(hand)}が{_ROWS[other]}の{_part(weaker)}を上回ります：{because}（{rule}）。"

    def equal_is_legal(self, hand: Held) -> str:
        return f"バックとミドルはともに{_part(hand)}で同じ強さですが、有効です（R7）。"

    def equal_is_foul(self, hand: Held) -> str:
        return (
            f"ミドルとバックはともに{_part(hand)}で同じ強さですが、このテーブルでは同じ強さはファウルになります（R8）。"
        )

    def no_low_by_class(self, hand: Held) -> str:
        return f"ミドルの{_part(hand)}は2-7ロー（テンハイ以下）になりません：{_KINDS[hand.kind]}になっています（R52）。"

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        return f"ミドルの{_part(hand)}は2-7ロー（テンハイ以下）になりません：{_RANKS[rank]}は高すぎます（R52）。"

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return (
            f"ミドルは{_part(middle)}で、バックの{_part(back)}が"
            f"フロントの{_part(front)}を上回ります：{because}（R52）。"
        )

    def ruled_dead(self) -> str:
        return "テーブルの裁定でデッドハンドとなり、ファウルとして計算します（R62）。"

    def surrendered(self) -> str:
        return "サレンダー：段の比較はしません（R61）。"

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return f"{_ROWS[row]}には{self.bound_part(least)}以上が必要です（{rule}）。"

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return f"{_ROWS[row]}は{self.bound_part(most)}が上限です（{rule}）。"

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        return f"{_ROWS[row]}には{self.bound_part(least)}以上が必要で、{self.bound_part(most)}が上限です（{rule}）。"

    def needs_low(self, worst: Held) -> str:
        return f"ミドルには{_part(worst)}か、それより良いローが必要です（R52）。"

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        rows = "と".join([_ROWS[row] for row in lacking])
        if not whole:
            return f"残りのカードでは、{rows}をどう埋めても正しい順になりません（{rule}）。"
        there = "、".join([f"{_ROWS[row]}の{_part(hand)}" for row, hand in whole])
        return f"残りのカードでは、{rows}をどう埋めても、{there}と正しい順になりません（{rule}）。"

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        return f"{_ROWS[row]}：{winner}の勝ち、{_part(hand)}対{_part(weaker)}。"

    def row_tied(self, row: str, hand: Held) -> str:
        return f"{_ROWS[row]}：引き分け、どちらも{_part(hand)}です（R15）。"

    def rows_even(self, each: int, rule: str) -> str:
        return f"段は{each}対{each}：点数なし（{rule}）。"

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return f"段は{won}対{lost}、{winner}の勝ち：+{won - lost}（{rule}）。"

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        return f"段は{won}対{lost}、{winner}の勝ち：+{won - lost}、ボーナス+{bonus}（{rule}）。"

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return f"{winner}がスクープ：3 + {bonus}（{rule}）。"

    def royalties_cancel(self, each: int) -> str:
        return f"ロイヤリティは互いに{each}点で相殺（R22）。"

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"ロイヤリティは{more}対{less}：{winner} +{more - less}（R22）。"

    def row_royalties_cancel(self, each: int) -> str:
        return f"勝った段のロイヤリティは互いに{each}点で相殺（R23）。"

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return f"勝った段のロイヤリティは{more}対{less}：{winner} +{more - less}（R23）。"

    def both_fouled(self, first: str, second: str) -> str:
        return f"{first}と{second}はともにファウル：点数もロイヤリティもなし（R20）。"

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler}がファウル：{winner}がスクープで{points}点（R19）。"

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return f"{fouler}はデッドハンド：{winner}がスクープで{points}点（R19）。"

    def royalties_of(self, winner: str, points: int) -> str:
        return f"{winner}のロイヤリティ：+{points}。"

    def both_surrendered(self, first: str, second: str) -> str:
        return f"{first}と{second}はともにサレンダー（R61）。"

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return f"{loser}はサレンダー、{winner}に{points}点を払います：段の比較もロイヤリティもなし（R61）。"

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return f"{first}と{second}はともにムーン達成で、相殺されます（R59）。"

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return f"{shooter}がバックの{_part(back)}でムーン達成、通常の点数に代わります（R59）。"

    def moons_cancel(self) -> str:
        return "どちらもムーン達成で、相殺されます（R59）。"

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return f"{shooter}がバックの{_part(back)}でムーン達成：+{points}（R59）。"

    def naturals_cancel(self, first: str, second: str) -> str:
        return f"{first}と{second}はともにナチュラルで、相殺されます（R60）。"

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        return f"{winner}のドラゴンは、{loser}の{_NATURALS[natural]}に勝ちます（R60）。"

    def natural_wins(self, winner: str, natural: str) -> str:
        return f"{winner}がナチュラルの{_NATURALS[natural]}で勝ち、通常の点数に代わります（R60）。"

    def entered_by_the_table(self) -> str:
        return "テーブルが入力した点数です（R63）。"

    def nobody_pays(self) -> str:
        return "支払いはありません。"

    def wins_points(self, winner: str, points: int) -> str:
        return f"{winner}が{points}点を獲得します。"

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player}{_CAPS[cap]}：支払いは一部だけで、残りは払う必要がありません（{rule}）。"

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return f"{player}{_CAPS[cap]}：支払いはなく、払う必要もありません（{rule}）。"

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return f"{player}{_CAPS[cap]}：{owed}のうち{paid}を支払い、残りの{rest}は払う必要がありません。"

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return f"{player}{_CAPS[cap]}：{owed}は払う必要がありません。"


LANGUAGE = Japanese()
