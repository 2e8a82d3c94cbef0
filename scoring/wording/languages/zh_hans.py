"""A result in simplified Chinese; see `scoring.rules.wording` for what each method says.

Chinese declines nothing, so its sentences are patterns in tables, and traditional Chinese has tables of its own for the
same code. Ranks are figures and letters, as players write them: 一对9, K高同花. No space stands between Chinese and
Latin letters, and a name never stands right before a figure, since a name may end in one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

from scoring.rules.rows import Kind
from scoring.rules.wording import Bound, Call, Cap, Held, Language

_RANKS = {**{rank: str(rank) for rank in range(2, 11)}, 11: "J", 12: "Q", 13: "K", 14: "A"}


@cache
def _part(language: SimplifiedChinese, hand: Held) -> str:
    """A hand inside a sentence, with its cards: ``一对Q（QQ7）``."""
    return f"{language.named(hand)}（{hand.cards}）"


class SimplifiedChinese(Language):
    """Simplified Chinese, and the code of both ways to write Chinese."""

    tag = "zh-hans"
    space = ""

    rows: ClassVar[Mapping[str, str]] = {"front": "头道", "middle": "中道", "back": "尾道"}
    kinds: ClassVar[Mapping[Kind, str]] = {
        Kind.HIGH_CARD: "高牌",
        Kind.PAIR: "一对",
        Kind.TWO_PAIR: "两对",
        Kind.TRIPS: "三条",
        Kind.STRAIGHT: "顺子",
        Kind.FLUSH: "同花",
        Kind.FULL_HOUSE: "葫芦",
        Kind.QUADS: "四条",
        Kind.STRAIGHT_FLUSH: "同花顺",
        Kind.ROYAL_FLUSH: "皇家同花顺",
        Kind.FIVE_OF_A_KIND: "五条",
    }
    with_kicker: ClassVar[str] = "带"
    naturals: ClassVar[Mapping[str, str]] = {
        "dragon": "一条龙",
        "three_flushes": "三同花",
        "three_straights": "三顺子",
        "six_pairs": "六对半",
    }
    calls: ClassVar[Mapping[Call, str]] = {
        Call.LEGAL: "合规。",
        Call.LEGAL_SO_FAR: "目前合规。",
        Call.FOUL: "犯规。",
        Call.DEAD: "死牌。",
        Call.SURRENDERED: "投降。",
    }
    caps: ClassVar[Mapping[Cap, str]] = {
        Cap.ALL_IN: "{player}已全下",
        Cap.STACK: "{player}能赢的不超过自己现有的筹码",
        Cap.START: "{player}能赢的不超过自己本局开始时的筹码",
        Cap.BROKE: "{player}已没有筹码，后面的比牌不能再赢",
    }
    sentences: ClassVar[Mapping[str, str]] = {
        "class_beats": "{kind}大过{other}",
        "ranks_beat": "{rank}大过{other}",
        "high_beats": "{rank}高大过{other}高",
        "card_beats": "再比下一张，{rank}大过{other}",
        "one_more_kicker": "前三张相同，但五张的那一道多一张踢脚",
        "outranks": "{row}{hand}大过{other}{weaker}：{because}（{rule}）。",
        "equal_is_legal": "尾道和中道一样大，都是{hand}，这是合规的（R7）。",
        "equal_is_foul": "中道和尾道一样大，都是{hand}，按本桌规则，两道一样大算犯规（R8）。",
        "no_low_by_class": "中道{hand}不是2-7低牌（10低或更好）：它已经是{kind}（R52）。",
        "no_low_by_rank": "中道{hand}不是2-7低牌（10低或更好）：{rank}太大（R52）。",
        "low_is_legal": "中道是{middle}，尾道{back}大过头道{front}：{because}（R52）。",
        "ruled_dead": "本桌判为死牌，按犯规计分（R62）。",
        "surrendered": "投降：各道都不比（R61）。",
        "needs_at_least": "{row}至少要有{least}（{rule}）。",
        "needs_at_most": "{row}最大只能是{most}（{rule}）。",
        "needs_between": "{row}至少要有{least}，最大只能是{most}（{rule}）。",
        "needs_low": "中道要有{worst}或更好（R52）。",
        "whole_row": "{row}是{hand}，",
        "cannot_finish": "{there}剩下的牌无论怎么摆，{rows}都不能合规（{rule}）。",
        "row_won": "{row}归{winner}：{hand}胜{weaker}。",
        "row_tied": "{row}平手：都是{hand}（R15）。",
        "rows_even": "道数{each}比{each}：不计分（{rule}）。",
        "wins_rows": "{winner}以道数{won}比{lost}取胜：+{points}（{rule}）。",
        "wins_rows_and_bonus": "{winner}以道数{won}比{lost}取胜：+{points}，加分+{bonus}（{rule}）。",
        "scoops": "{winner}三道全胜：3 + {bonus}（{rule}）。",
        "royalties_cancel": "双方奖分都是{each}，互相抵消（R22）。",
        "royalties_win": "奖分{more}比{less}：{winner} +{points}（R22）。",
        "row_royalties_cancel": "双方在赢下的道上奖分都是{each}，互相抵消（R23）。",
        "row_royalties_win": "赢下的道上奖分{more}比{less}：{winner} +{points}（R23）。",
        "both_fouled": "{first}和{second}都犯规：不计分，也没有奖分（R20）。",
        "fouled": "{fouler}犯规：{winner}三道全胜，得{points}分（R19）。",
        "has_dead_hand": "{fouler}是死牌：{winner}三道全胜，得{points}分（R19）。",
        "royalties_of": "{winner}的奖分：+{points}。",
        "both_surrendered": "{first}和{second}都投降（R61）。",
        "surrender_costs": "{loser}投降，付{points}分给{winner}，不比各道，也没有奖分（R61）。",
        "both_shot_the_moon": "{first}和{second}都射月，互相抵消（R59）。",
        "moon_replaces": "{shooter}以尾道{back}射月，不再按普通方式计分（R59）。",
        "moons_cancel": "双方都射月，互相抵消（R59）。",
        "moon_adds": "{shooter}以尾道{back}射月：+{points}（R59）。",
        "naturals_cancel": "{first}和{second}都有特殊牌型，互相抵消（R60）。",
        "dragon_beats": "{winner}的一条龙胜{loser}的{natural}（R60）。",
        "natural_wins": "{winner}有特殊牌型{natural}，直接获胜，不再按普通方式计分（R60）。",
        "entered_by_the_table": "分数由本桌自行输入（R63）。",
        "nobody_pays": "双方都不用付。",
        "wins_points": "{winner}赢{points}分。",
        "partly_paid": "{cap}：只付一部分，其余不用付（{rule}）。",
        "not_paid": "{cap}：一分不付，也不欠（{rule}）。",
        "partly_paid_of": "{cap}：应付{owed}，实付{paid}，其余{rest}不用付。",
        "not_paid_of": "{cap}：{owed}不用付。",
    }

    def _say(self, sentence: str, **values: object) -> str:
        return self.sentences[sentence].format(**values)

    def named(self, hand: Held) -> str:
        """A hand without its cards, as a heading and inside a sentence alike."""
        kind, top = self.kinds[hand.kind], _RANKS[hand.ranks[0]]
        if hand.low:
            return f"{top}低"
        match hand.kind:
            case Kind.HIGH_CARD:
                return f"{top}{kind}"
            case Kind.STRAIGHT | Kind.FLUSH | Kind.STRAIGHT_FLUSH:
                return f"{top}高{kind}"
            case Kind.ROYAL_FLUSH:
                return kind
            case Kind.TWO_PAIR:
                return f"{kind}{top}和{_RANKS[hand.ranks[1]]}"
            case Kind.FULL_HOUSE:
                return f"{kind}{top}{self.with_kicker}{_RANKS[hand.ranks[1]]}"
        return f"{kind}{top}"

    def _listed(self, rows: Sequence[str]) -> str:
        names = [self.rows[row] for row in rows]
        return "和".join([part for part in ("、".join(names[:-1]), names[-1]) if part])

    def row_name(self, row: str) -> str:
        return self.rows[row]

    def kind_name(self, kind: Kind) -> str:
        return self.kinds[kind]

    def hand_name(self, hand: Held) -> str:
        return f"{self.named(hand)}，{hand.cards}" if hand.low else self.named(hand)

    def bound_part(self, bound: Bound) -> str:
        hand, kicker = bound
        if kicker is None:
            return _part(self, hand)
        return f"{self.named(hand)}{self.with_kicker}{_RANKS[kicker]}（{hand.cards}）"

    def points(self, count: int) -> str:
        return f"{count}分"

    def call(self, call: Call) -> str:
        return self.calls[call]

    def class_beats(self, kind: Kind, other: Kind) -> str:
        return self._say("class_beats", kind=self.kinds[kind], other=self.kinds[other])

    def ranks_beat(self, rank: int, other: int) -> str:
        return self._say("ranks_beat", rank=_RANKS[rank], other=_RANKS[other])

    def high_beats(self, rank: int, other: int) -> str:
        return self._say("high_beats", rank=_RANKS[rank], other=_RANKS[other])

    def card_beats(self, rank: int, other: int) -> str:
        return self._say("card_beats", rank=_RANKS[rank], other=_RANKS[other])

    def one_more_kicker(self) -> str:
        return self._say("one_more_kicker")

    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        return self._say(
            "outranks",
            row=self.rows[row],
            hand=_part(self, hand),
            other=self.rows[other],
            weaker=_part(self, weaker),
            because=because,
            rule=rule,
        )

    def equal_is_legal(self, hand: Held) -> str:
        return self._say("equal_is_legal", hand=_part(self, hand))

    def equal_is_foul(self, hand: Held) -> str:
        return self._say("equal_is_foul", hand=_part(self, hand))

    def no_low_by_class(self, hand: Held) -> str:
        return self._say("no_low_by_class", hand=_part(self, hand), kind=self.kinds[hand.kind])

    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        return self._say("no_low_by_rank", hand=_part(self, hand), rank=_RANKS[rank])

    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        return self._say(
            "low_is_legal",
            middle=_part(self, middle),
            back=_part(self, back),
            front=_part(self, front),
            because=because,
        )

    def ruled_dead(self) -> str:
        return self._say("ruled_dead")

    def surrendered(self) -> str:
        return self._say("surrendered")

    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        return self._say("needs_at_least", row=self.rows[row], least=self.bound_part(least), rule=rule)

    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        return self._say("needs_at_most", row=self.rows[row], most=self.bound_part(most), rule=rule)

    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        bounds = {"least": self.bound_part(least), "most": self.bound_part(most)}
        return self._say("needs_between", row=self.rows[row], rule=rule, **bounds)

    def needs_low(self, worst: Held) -> str:
        return self._say("needs_low", worst=_part(self, worst))

    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        there = "".join([self._say("whole_row", row=self.rows[row], hand=_part(self, hand)) for row, hand in whole])
        return self._say("cannot_finish", there=there, rows=self._listed(lacking), rule=rule)

    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        hands = {"hand": _part(self, hand), "weaker": _part(self, weaker)}
        return self._say("row_won", row=self.rows[row], winner=winner, **hands)

    def row_tied(self, row: str, hand: Held) -> str:
        return self._say("row_tied", row=self.rows[row], hand=_part(self, hand))

    def rows_even(self, each: int, rule: str) -> str:
        return self._say("rows_even", each=each, rule=rule)

    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        return self._say("wins_rows", winner=winner, won=won, lost=lost, points=won - lost, rule=rule)

    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        figures = {"won": won, "lost": lost, "points": won - lost, "bonus": bonus}
        return self._say("wins_rows_and_bonus", winner=winner, rule=rule, **figures)

    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        return self._say("scoops", winner=winner, bonus=bonus, rule=rule)

    def royalties_cancel(self, each: int) -> str:
        return self._say("royalties_cancel", each=each)

    def royalties_win(self, winner: str, more: int, less: int) -> str:
        return self._say("royalties_win", winner=winner, more=more, less=less, points=more - less)

    def row_royalties_cancel(self, each: int) -> str:
        return self._say("row_royalties_cancel", each=each)

    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        return self._say("row_royalties_win", winner=winner, more=more, less=less, points=more - less)

    def both_fouled(self, first: str, second: str) -> str:
        return self._say("both_fouled", first=first, second=second)

    def fouled(self, fouler: str, winner: str, points: int) -> str:
        return self._say("fouled", fouler=fouler, winner=winner, points=points)

    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        return self._say("has_dead_hand", fouler=fouler, winner=winner, points=points)

    def royalties_of(self, winner: str, points: int) -> str:
        return self._say("royalties_of", winner=winner, points=points)

    def both_surrendered(self, first: str, second: str) -> str:
        return self._say("both_surrendered", first=first, second=second)

    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        return self._say("surrender_costs", loser=loser, winner=winner, points=points)

    def both_shot_the_moon(self, first: str, second: str) -> str:
        return self._say("both_shot_the_moon", first=first, second=second)

    def moon_replaces(self, shooter: str, back: Held) -> str:
        return self._say("moon_replaces", shooter=shooter, back=_part(self, back))

    def moons_cancel(self) -> str:
        return self._say("moons_cancel")

    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        return self._say("moon_adds", shooter=shooter, back=_part(self, back), points=points)

    def naturals_cancel(self, first: str, second: str) -> str:
        return self._say("naturals_cancel", first=first, second=second)

    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        return self._say("dragon_beats", winner=winner, loser=loser, natural=self.naturals[natural])

    def natural_wins(self, winner: str, natural: str) -> str:
        return self._say("natural_wins", winner=winner, natural=self.naturals[natural])

    def entered_by_the_table(self) -> str:
        return self._say("entered_by_the_table")

    def nobody_pays(self) -> str:
        return self._say("nobody_pays")

    def wins_points(self, winner: str, points: int) -> str:
        return self._say("wins_points", winner=winner, points=points)

    def _capped(self, cap: Cap, player: str) -> str:
        return self.caps[cap].format(player=player)

    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        return self._say("partly_paid", cap=self._capped(cap, player), rule=rule)

    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        return self._say("not_paid", cap=self._capped(cap, player), rule=rule)

    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        return self._say("partly_paid_of", cap=self._capped(cap, player), paid=paid, owed=owed, rest=rest)

    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        return self._say("not_paid_of", cap=self._capped(cap, player), owed=owed)


LANGUAGE = SimplifiedChinese()
