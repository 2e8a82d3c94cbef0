"""A result in traditional Chinese, as players in Taiwan and Hong Kong say it; the code is `zh_hans`'s.

All three rows won are 打槍 there, the royal flush is 同花大順, and hearts are 紅心.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scoring.rules.rows import Kind
from scoring.rules.wording import Call, Cap
from scoring.wording.languages.zh_hans import SimplifiedChinese


class TraditionalChinese(SimplifiedChinese):
    """Traditional Chinese: the same sentences' shapes, with tables of its own."""

    tag = "zh-hant"

    rows: ClassVar[Mapping[str, str]] = {"front": "頭道", "middle": "中道", "back": "尾道"}
    kinds: ClassVar[Mapping[Kind, str]] = {
        Kind.HIGH_CARD: "高牌",
        Kind.PAIR: "一對",
        Kind.TWO_PAIR: "兩對",
        Kind.TRIPS: "三條",
        Kind.STRAIGHT: "順子",
        Kind.FLUSH: "同花",
        Kind.FULL_HOUSE: "葫蘆",
        Kind.QUADS: "四條",
        Kind.STRAIGHT_FLUSH: "同花順",
        Kind.ROYAL_FLUSH: "同花大順",
        Kind.FIVE_OF_A_KIND: "五條",
    }
    with_kicker: ClassVar[str] = "帶"
    naturals: ClassVar[Mapping[str, str]] = {
        "dragon": "一條龍",
        "three_flushes": "三同花",
        "three_straights": "三順子",
        "six_pairs": "六對半",
    }
    calls: ClassVar[Mapping[Call, str]] = {
        Call.LEGAL: "合規。",
        Call.LEGAL_SO_FAR: "目前合規。",
        Call.FOUL: "犯規。",
        Call.DEAD: "死牌。",
        Call.SURRENDERED: "投降。",
    }
    caps: ClassVar[Mapping[Cap, str]] = {
        Cap.ALL_IN: "{player}已全下",
        Cap.STACK: "{player}能贏的不超過自己現有的籌碼",
        Cap.START: "{player}能贏的不超過自己本局開始時的籌碼",
        Cap.BROKE: "{player}已沒有籌碼，後面的比牌不能再贏",
    }
    sentences: ClassVar[Mapping[str, str]] = {
        "class_beats": "{kind}大過{other}",
        "ranks_beat": "{rank}大過{other}",
        "high_beats": "{rank}高大過{other}高",
        "card_beats": "再比下一張，{rank}大過{other}",
        "one_more_kicker": "前三張相同，但五張的那一道多一張踢腳",
        "outranks": "{row}{hand}大過{other}{weaker}：{because}（{rule}）。",
        "equal_is_legal": "尾道和中道一樣大，都是{hand}，這樣合規（R7）。",
        "equal_is_foul": "中道和尾道一樣大，都是{hand}，依本桌規則，兩道一樣大算犯規（R8）。",
        "no_low_by_class": "中道{hand}不是2-7低牌（10低或更好）：它已經是{kind}（R52）。",
        "no_low_by_rank": "中道{hand}不是2-7低牌（10低或更好）：{rank}太大（R52）。",
        "low_is_legal": "中道是{middle}，尾道{back}大過頭道{front}：{because}（R52）。",
        "ruled_dead": "本桌判為死牌，以犯規計分（R62）。",
        "surrendered": "投降：各道都不比（R61）。",
        "needs_at_least": "{row}至少要有{least}（{rule}）。",
        "needs_at_most": "{row}最大只能是{most}（{rule}）。",
        "needs_between": "{row}至少要有{least}，最大只能是{most}（{rule}）。",
        "needs_low": "中道要有{worst}或更好（R52）。",
        "whole_row": "{row}是{hand}，",
        "cannot_finish": "{there}剩下的牌不管怎麼擺，{rows}都無法合規（{rule}）。",
        "row_won": "{row}歸{winner}：{hand}贏{weaker}。",
        "row_tied": "{row}平手：都是{hand}（R15）。",
        "rows_even": "道數{each}比{each}：不計分（{rule}）。",
        "wins_rows": "{winner}以道數{won}比{lost}獲勝：+{points}（{rule}）。",
        "wins_rows_and_bonus": "{winner}以道數{won}比{lost}獲勝：+{points}，加分+{bonus}（{rule}）。",
        "scoops": "{winner}打槍：3 + {bonus}（{rule}）。",
        "royalties_cancel": "雙方獎分都是{each}，互相抵銷（R22）。",
        "royalties_win": "獎分{more}比{less}：{winner} +{points}（R22）。",
        "row_royalties_cancel": "雙方在贏下的道上獎分都是{each}，互相抵銷（R23）。",
        "row_royalties_win": "贏下的道上獎分{more}比{less}：{winner} +{points}（R23）。",
        "both_fouled": "{first}和{second}都犯規：不計分，也沒有獎分（R20）。",
        "fouled": "{fouler}犯規：{winner}打槍，得{points}分（R19）。",
        "has_dead_hand": "{fouler}是死牌：{winner}打槍，得{points}分（R19）。",
        "royalties_of": "{winner}的獎分：+{points}。",
        "both_surrendered": "{first}和{second}都投降（R61）。",
        "surrender_costs": "{loser}投降，付{points}分給{winner}，不比各道，也沒有獎分（R61）。",
        "both_shot_the_moon": "{first}和{second}都射月，互相抵銷（R59）。",
        "moon_replaces": "{shooter}以尾道{back}射月，不再以一般方式計分（R59）。",
        "moons_cancel": "雙方都射月，互相抵銷（R59）。",
        "moon_adds": "{shooter}以尾道{back}射月：+{points}（R59）。",
        "naturals_cancel": "{first}和{second}都有特殊牌型，互相抵銷（R60）。",
        "dragon_beats": "{winner}的一條龍贏{loser}的{natural}（R60）。",
        "natural_wins": "{winner}有特殊牌型{natural}，直接獲勝，不再以一般方式計分（R60）。",
        "entered_by_the_table": "分數由本桌自行輸入（R63）。",
        "nobody_pays": "雙方都不用付。",
        "wins_points": "{winner}贏{points}分。",
        "partly_paid": "{cap}：只付一部分，其餘不用付（{rule}）。",
        "not_paid": "{cap}：一分不付，也不欠（{rule}）。",
        "partly_paid_of": "{cap}：應付{owed}，實付{paid}，其餘{rest}不用付。",
        "not_paid_of": "{cap}：{owed}不用付。",
    }


LANGUAGE = TraditionalChinese()
