"""What is said of hands, fouls and pairs: which sentences are due, and in which order, for all languages.

A `Language` says them. Each sentence that both players accept has its rule's number in ``docs/rules.md``. Cards speak
(R69): the sentences follow from the cards and never from what a player called.

English is `scoring.rules.english`. The rules know no other language; a caller passes one in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import ClassVar, Final, NamedTuple, final

from scoring.rules.board import ROWS
from scoring.rules.cards import RANK_SYMBOLS, Row
from scoring.rules.deal import JudgedPlayer, PairScore
from scoring.rules.houserules import HouseRules
from scoring.rules.rows import FIVES, FRONTS, LOW_RANKS, LOWS, WHEEL, Kind, hand_at
from scoring.rules.settle import PaidDebt
from scoring.rules.unfinished import Range, SoFar

_SCORING_RULE: Final = {"1-6": "R14", "2-4": "R17", "1-4": "R18"}


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What a row holds. There is one object for each hand, so that a language can keep what it says of it.

    A ``low`` is a legal 2-7 middle. In a 2-7 middle that is no low, A-2-3-4-5 is ace-high and no straight (R52).
    """

    kind: Kind
    ranks: tuple[int, ...]
    """Each rank once, 2 to 14, in the order of comparison: of two pair, Kings and Threes with a Nine, 13, 3 and 9."""
    cards: str
    """The ranks of all its cards in the order of comparison, as every language writes them: ``KK339``."""
    low: bool = False


class Bound(NamedTuple):
    """The weakest or the strongest hand that fits a row.

    ``kicker`` is the rank of the card that decides after the pair, the trips or the quads, and None if there is none.
    """

    hand: Held
    kicker: int | None


class Call(StrEnum):
    """The short ruling that begins what is said of a board."""

    LEGAL = "legal"
    LEGAL_SO_FAR = "legal-so-far"
    FOUL = "foul"
    DEAD = "dead"
    SURRENDERED = "surrendered"


class Cap(StrEnum):
    """Why less is paid than is owed. Each is about one player."""

    ALL_IN = "all-in"
    """The payer has no more in their stack (R45)."""
    STACK = "stack"
    """The payee wins no more than what is in their stack by then (R46)."""
    START = "start"
    """The payee wins no more than what was in their stack when the hand began (R46)."""
    BROKE = "broke"
    """The payee has nothing left, and wins nothing from later matchups (R48)."""


_CAP_RULES: Final = {"loss": "R45, R49", "win": "R46, R49", "busted": "R48, R49"}


class Verdict(NamedTuple):
    """A ruling on one board: the call, and the sentences that give its reasons."""

    call: Call
    sentences: list[str]


@cache
def held(strength: int) -> Held:
    """The hand that has this strength."""
    hand = hand_at(strength)
    return Held(hand.kind, hand.ranks, "".join([RANK_SYMBOLS[rank] for rank in hand.cards]))


@cache
def low(worth: int) -> Held:
    """The 2-7 low that has this worth."""
    ranks = LOW_RANKS[worth]
    return Held(Kind.HIGH_CARD, ranks, "".join([RANK_SYMBOLS[rank] for rank in ranks]), low=True)


@cache
def no_low(strength: int) -> Held:
    """A 2-7 middle that is no low: as any row, except that A-2-3-4-5 is ace-high, not a straight (R52)."""
    hand = held(strength)
    if hand.ranks != WHEEL:
        return hand
    kind = Kind.FLUSH if hand.kind is Kind.STRAIGHT_FLUSH else Kind.HIGH_CARD
    return Held(kind, (14, 5, 4, 3, 2), "A5432")


class Language(ABC):
    """Says a result in one language. What a method must say is in its description; English is the example.

    Every abstract method is given data and returns a finished text: a *name* stands alone, a *clause* stands after a
    colon, a *part* stands inside a sentence of the same language, and all else is a whole sentence with its full stop.
    ``row`` is ``front``, ``middle`` or ``back``. A rank is a number from 2 to 14, 11 to 14 being jack to ace.
    Names of players are never changed, so that a sentence must be right with any name as it is, man's or woman's.
    ``rule`` is written as it is, in brackets: ``R9`` or ``R7, R9``.
    """

    tag: ClassVar[str]
    """The language's tag, in lower case: ``en``, ``zh-hans``."""
    space: ClassVar[str] = " "
    """What stands between two sentences. Chinese and Japanese have nothing there."""

    # --- Names ------------------------------------------------------------------------------------------------

    @abstractmethod
    def row_name(self, row: str) -> str:
        """A row's name, as a heading: ``Front``."""

    @abstractmethod
    def kind_name(self, kind: Kind) -> str:
        """The name of a class of hands, as a heading: ``Full house``, ``High card``."""

    @abstractmethod
    def hand_name(self, hand: Held) -> str:
        """A hand's name, beside its cards: ``Ace high``, ``Pair of Sixes``, ``Two pair, Kings and Threes``, ``Trips,
        Sixes``, ``Straight, Five high``, ``Flush, King high``, ``Full house, Threes over Twos``, ``Quads, Sixes``,
        ``Straight flush, King high``, ``Royal flush``, ``Five of a kind, Sixes``; if it is ``low``: ``Nine-high low,
        97542``.
        """

    @abstractmethod
    def bound_part(self, bound: Bound) -> str:
        """A hand inside a sentence, with the card that decides next: ``a pair of Sixes with a King (66KT9)``.

        A language without cases can use this part wherever a sentence has a hand.
        """

    @abstractmethod
    def points(self, count: int) -> str:
        """A number of points with its noun: ``1 point``, ``4 points``."""

    @abstractmethod
    def call(self, call: Call) -> str:
        """The ruling in a word or two, with a full stop: ``Legal.``, ``Legal so far.``, ``Foul.``, ``Dead hand.``,
        ``Surrendered.``
        """

    # --- Comparing: clauses that say why one hand is stronger ---------------------------------------------------

    @abstractmethod
    def class_beats(self, kind: Kind, other: Kind) -> str:
        """Returns a clause that one class beats another: ``a flush beats a straight``, ``trips beat two pair``."""

    @abstractmethod
    def ranks_beat(self, rank: int, other: int) -> str:
        """A clause. The pair, the trips or the quads are of a higher rank: ``Kings beat Queens``."""

    @abstractmethod
    def high_beats(self, rank: int, other: int) -> str:
        """A clause. The highest card of two straights, flushes or high cards decides: ``Ace high beats King high``."""

    @abstractmethod
    def card_beats(self, rank: int, other: int) -> str:
        """A clause. A later card decides, for example a kicker: ``the Nine beats the Seven``."""

    @abstractmethod
    def one_more_kicker(self) -> str:
        """A clause. The three cards equal the first of the five: ``equal so far, but the five-card row has an extra
        kicker``.
        """

    # --- One board ----------------------------------------------------------------------------------------------

    @abstractmethod
    def outranks(self, row: str, hand: Held, other: str, weaker: Held, *, because: str, rule: str) -> str:
        """A row is stronger than the other, which is a foul or is as it should be. ``because`` is a clause of this
        language: ``The front, a pair of Queens (QQ7), outranks the middle, a pair of Fives (55K32): Queens beat Fives
        (R9).``
        """

    @abstractmethod
    def equal_is_legal(self, hand: Held) -> str:
        """English: ``The back and the middle are equal, both a straight, Nine high (98765), which is legal (R7).``"""

    @abstractmethod
    def equal_is_foul(self, hand: Held) -> str:
        """English: ``The middle and the back are equal, both a straight, Nine high (98765), and this table counts equal
        rows as a foul (R8).``
        """

    @abstractmethod
    def no_low_by_class(self, hand: Held) -> str:
        """A 2-7 middle holds a pair, a straight or more: ``The middle, a pair of Nines (99542), isn't a 2-7 low,
        ten-high or better: it holds a pair (R52).`` Name ``hand.kind`` alone at the end.
        """

    @abstractmethod
    def no_low_by_rank(self, hand: Held, rank: int) -> str:
        """A 2-7 middle has a card above the ten: ``The middle, Jack high (J8642), isn't a 2-7 low, ten-high or better:
        the Jack is too high (R52).``
        """

    @abstractmethod
    def low_is_legal(self, middle: Held, back: Held, front: Held, because: str) -> str:
        """A legal board with a 2-7 middle: ``The middle is a Nine-high low, 97542, and the back, a pair of Aces
        (AA982), outranks the front, a pair of Kings (KK3): Aces beat Kings (R52).``
        """

    @abstractmethod
    def ruled_dead(self) -> str:
        """English: ``Ruled dead by the table, scored as a foul (R62).``"""

    @abstractmethod
    def surrendered(self) -> str:
        """English: ``Surrendered: the rows are not compared (R61).`` It stands alone."""

    # --- A board that lacks cards -------------------------------------------------------------------------------

    @abstractmethod
    def needs_at_least(self, row: str, least: Bound, rule: str) -> str:
        """English: ``The back needs at least a pair of Sixes with a King (66KT9) (R7).``"""

    @abstractmethod
    def needs_at_most(self, row: str, most: Bound, rule: str) -> str:
        """English: ``The front can be at most a pair of Sixes with a King (66K) (R9).``"""

    @abstractmethod
    def needs_between(self, row: str, least: Bound, most: Bound, rule: str) -> str:
        """English: ``The middle needs at least a pair of Queens with a Seven (QQ732) and can be at most a pair of Kings
        with a Ten (KKT96) (R7).``
        """

    @abstractmethod
    def needs_low(self, worst: Held) -> str:
        """English: ``The middle needs a Ten-high low, T9875 or better (R52).``"""

    @abstractmethod
    def cannot_finish(self, lacking: Sequence[str], whole: Sequence[tuple[str, Held]], rule: str) -> str:
        """A board is a foul before it is whole. One to three rows lack cards, none to two are whole:

        ``No cards that are left finish the front and back in order with the middle, a pair of Sixes (66KT9) (R7).``
        ``No cards that are left finish the front and middle and back in order (R7).``
        """

    # --- Two boards: the rows -----------------------------------------------------------------------------------

    @abstractmethod
    def row_won(self, row: str, winner: str, hand: Held, weaker: Held) -> str:
        """English: ``Front to Ivey: a pair of Sixes (664) over Ace high (AKQ).``"""

    @abstractmethod
    def row_tied(self, row: str, hand: Held) -> str:
        """English: ``Front tied: both Ace high (AKQ) (R15).``"""

    @abstractmethod
    def rows_even(self, each: int, rule: str) -> str:
        """Both won as many rows, 0 or 1: ``Rows 1 to 1: no points (R14).``"""

    @abstractmethod
    def wins_rows(self, winner: str, won: int, lost: int, rule: str) -> str:
        """The figure is ``won - lost``: ``Ivey wins 2 rows to 1: +1 (R14).``, ``Ivey wins 1 row to 0: +1 (R14).``"""

    @abstractmethod
    def wins_rows_and_bonus(self, winner: str, won: int, lost: int, bonus: int, rule: str) -> str:
        """The same with a bonus: ``Ivey wins 2 rows to 1: +1, bonus +1 (R17).``"""

    @abstractmethod
    def scoops(self, winner: str, bonus: int, rule: str) -> str:
        """All three rows: ``Ivey scoops: 3 + 3 (R14).``"""

    @abstractmethod
    def royalties_cancel(self, each: int) -> str:
        """English: ``Royalties 7 each cancel (R22).``"""

    @abstractmethod
    def royalties_win(self, winner: str, more: int, less: int) -> str:
        """The figure is ``more - less``: ``Royalties 7–4: Ivey +3 (R22).``"""

    @abstractmethod
    def row_royalties_cancel(self, each: int) -> str:
        """Where only the winner of a row is paid its royalty: ``Royalties on rows won 7 each cancel (R23).``"""

    @abstractmethod
    def row_royalties_win(self, winner: str, more: int, less: int) -> str:
        """English: ``Royalties on rows won 7–4: Ivey +3 (R23).``"""

    # --- Two boards: what decides before the rows ---------------------------------------------------------------

    @abstractmethod
    def both_fouled(self, first: str, second: str) -> str:
        """English: ``Ann and Bob both fouled: no points and no royalties (R20).``"""

    @abstractmethod
    def fouled(self, fouler: str, winner: str, points: int) -> str:
        """English: ``Bob fouled: Ann scoops for 6 (R19).``"""

    @abstractmethod
    def has_dead_hand(self, fouler: str, winner: str, points: int) -> str:
        """English: ``Bob has a dead hand: Ann scoops for 6 (R19).``"""

    @abstractmethod
    def royalties_of(self, winner: str, points: int) -> str:
        """What a fouler pays besides: ``Ann's royalties: +7.``"""

    @abstractmethod
    def both_surrendered(self, first: str, second: str) -> str:
        """English: ``Ann and Bob both surrendered (R61).``"""

    @abstractmethod
    def surrender_costs(self, loser: str, winner: str, points: int) -> str:
        """English: ``Bob surrendered and pays Ann 3 points, without rows or royalties (R61).``"""

    @abstractmethod
    def both_shot_the_moon(self, first: str, second: str) -> str:
        """Both have a back that is jack-high or lower, a special win that players call the moon: ``Ann and Bob both
        shot the moon, which cancels (R59).``
        """

    @abstractmethod
    def moon_replaces(self, shooter: str, back: Held) -> str:
        """English: ``Ann shot the moon with Nine high (98652) in the back, in place of the score (R59).``"""

    @abstractmethod
    def moons_cancel(self) -> str:
        """After the rest of a pair's score: ``Both shot the moon, which cancels (R59).``"""

    @abstractmethod
    def moon_adds(self, shooter: str, back: Held, points: int) -> str:
        """After the rest of a pair's score: ``Ann shot the moon with Nine high (98652) in the back: +20 (R59).``"""

    @abstractmethod
    def naturals_cancel(self, first: str, second: str) -> str:
        """English: ``Ann and Bob both have a natural, which cancels (R60).``"""

    @abstractmethod
    def dragon_beats(self, winner: str, loser: str, natural: str) -> str:
        """``natural`` is the loser's: ``three_flushes``, ``three_straights`` or ``six_pairs``. English: ``Ann's dragon
        beats Bob's three flushes (R60).``
        """

    @abstractmethod
    def natural_wins(self, winner: str, natural: str) -> str:
        """``natural`` is the winner's, which can be a ``dragon``, too. English: ``Ann has a dragon, a natural, which
        wins in place of the score (R60).``
        """

    @abstractmethod
    def entered_by_the_table(self) -> str:
        """English: ``Points entered by the table (R63).``"""

    # --- Two boards: the end ------------------------------------------------------------------------------------

    @abstractmethod
    def nobody_pays(self) -> str:
        """English: ``Nobody pays.``"""

    @abstractmethod
    def wins_points(self, winner: str, points: int) -> str:
        """English: ``Ivey wins 4 points.``"""

    @abstractmethod
    def partly_paid(self, cap: Cap, player: str, rule: str) -> str:
        """English: ``Ann is all-in: only part is paid, and the rest is not owed (R45, R49).`` The first half depends on
        the cap: ``Ann is all-in``, ``Ann can win only what is in their stack``, ``Ann can win only what they started
        the hand with``, ``Ann is broke and can't win from later matchups``.
        """

    @abstractmethod
    def not_paid(self, cap: Cap, player: str, rule: str) -> str:
        """The same halves: ``Ann is all-in: nothing is paid, and nothing is owed (R45, R49).``"""

    @abstractmethod
    def partly_paid_of(self, cap: Cap, player: str, paid: str, owed: str, rest: str) -> str:
        """The same halves with sums of money, written as texts: ``Ann is all-in: 10.00 of 25.00 paid, the other 15.00
        is not owed.``
        """

    @abstractmethod
    def not_paid_of(self, cap: Cap, player: str, owed: str) -> str:
        """The same halves: ``Ann is all-in: the 25.00 is not owed.``"""

    # --- Which sentences are due --------------------------------------------------------------------------------

    @final
    def foul_reason(self, standing: JudgedPlayer, rules: HouseRules) -> str | None:
        """Explain why this board is a foul, with both rows and the deciding card; None if it is not a foul."""
        if not standing.foul:
            return None
        return self.space.join(self._foul_reasons(standing, rules))

    def _foul_reasons(self, standing: JudgedPlayer, rules: HouseRules) -> list[str]:
        if standing.board is None or standing.ruling == "dead":
            return [self.ruled_dead()]
        return self._out_of_order(*standing.board, rules)

    def _out_of_order(self, front: Row | None, middle: Row | None, back: Row | None, rules: HouseRules) -> list[str]:
        """Every reason for a foul that these rows give; a row that is not whole yet is None and gives none."""
        fives = FIVES[rules.five_of_a_kind]
        first = None if front is None else FRONTS[front.key]
        second, third = (None if row is None else fives[row.key] for row in (middle, back))
        reasons = []
        if rules.lowball:
            if middle is not None and second is not None and middle.key not in LOWS:
                reasons.append(self._is_no_low(no_low(second)))
            if first is not None and third is not None and first > third:
                reasons.append(self._outranks("front", first, "back", third, "R52"))
            return reasons
        if first is not None and second is not None and first > second:
            reasons.append(self._outranks("front", first, "middle", second, "R9"))
        if first is not None and second is None and third is not None and first > third:
            reasons.append(self._outranks("front", first, "back", third, "R7, R9"))
        if second is not None and third is not None and second > third:
            reasons.append(self._outranks("middle", second, "back", third, "R7"))
        elif second is not None and second == third and rules.row_order == "strict":
            reasons.append(self.equal_is_foul(held(second)))
        return reasons

    def _outranks(self, row: str, stronger: int, other: str, weaker: int, rule: str) -> str:
        because = _why_stronger(self, stronger, weaker)
        return self.outranks(row, held(stronger), other, held(weaker), because=because, rule=rule)

    def _is_no_low(self, middle: Held) -> str:
        if middle.kind is not Kind.HIGH_CARD and 14 not in middle.ranks:
            return self.no_low_by_class(middle)
        return self.no_low_by_rank(middle, 14 if 14 in middle.ranks else middle.ranks[0])

    @final
    def verdict(self, standing: JudgedPlayer, rules: HouseRules) -> Verdict:
        """Rule on one board: why it is a foul, or why each row outranks or equals the one in front of it."""
        if standing.foul:
            return Verdict(Call.FOUL, self._foul_reasons(standing, rules))
        if standing.board is None or standing.ruling == "surrendered":
            return Verdict(Call.SURRENDERED, [self.surrendered()])
        _, front, middle, back, _ = standing.judged
        if rules.lowball:
            because = _why_stronger(self, back, front)
            return Verdict(Call.LEGAL, [self.low_is_legal(low(middle), held(back), held(front), because)])
        if middle == back:
            lower = self.equal_is_legal(held(back))
        else:
            lower = self._outranks("back", back, "middle", middle, "R7")
        return Verdict(Call.LEGAL, [lower, self._outranks("middle", middle, "front", front, "R9")])

    @final
    def so_far(self, board: SoFar, rules: HouseRules) -> Verdict:
        """Rule on a board that lacks cards: why it is a foul already, or what the rows that lack cards need."""
        if board.needs is None:
            return Verdict(Call.FOUL, self._out_of_order(*board.whole, rules) or [self._no_way(board, rules)])
        needs = [self._needs(row, needs, rules) for row, needs in board.needs.items()]
        return Verdict(Call.LEGAL_SO_FAR, [sentence for sentence in needs if sentence])

    @final
    def said(self, verdict: Verdict) -> str:
        """A verdict as one text. The sentence for a surrender says the call itself."""
        if verdict.call is Call.SURRENDERED:
            return self.space.join(verdict.sentences)
        return self.space.join([self.call(verdict.call), *verdict.sentences])

    def _needs(self, row: str, needs: Range, rules: HouseRules) -> str:
        """What a row needs; nothing if no other row bounds it."""
        least, most = bounds(row, needs, rules)
        rule = "R52" if rules.lowball else "R9" if row == "front" else "R7"
        if least is not None and least.hand.low:
            return self.needs_low(least.hand)
        if least is not None and most is not None:
            return self.needs_between(row, least, most, rule)
        if most is not None:
            return self.needs_at_most(row, most, rule)
        return "" if least is None else self.needs_at_least(row, least, rule)

    def _no_way(self, board: SoFar, rules: HouseRules) -> str:
        """Say that no cards that are left make the other rows fit those that are whole, which are in order."""
        fives = FIVES[rules.five_of_a_kind]
        hands = {
            row: low(LOWS[cards.key])
            if rules.lowball and row == "middle"
            else held((FRONTS if row == "front" else fives)[cards.key])
            for row, cards in zip(ROWS, board.whole, strict=True)
            if cards is not None
        }
        rule = "R52" if rules.lowball else "R8" if rules.row_order == "strict" else "R7"
        return self.cannot_finish([row for row in ROWS if row not in hands], list(hands.items()), rule)

    @final
    def why(self, a: JudgedPlayer, b: JudgedPlayer, pair: PairScore, rules: HouseRules) -> str:
        """Give the reason for every point of one pair, and end with who wins how much."""
        if pair.rows is not None:
            sentences = self._why_rows(a, b, pair, pair.rows, rules)
        elif pair.decided == "foul":
            sentences = self._why_foul(a, b, pair, rules)
        elif pair.decided == "surrender":
            sentences = [self._why_surrender(a, b, rules)]
        elif pair.decided == "moon":
            sentences = [self._why_moon(a, b)]
        else:
            sentences = self._why_natural(a, b, rules)
        if not pair.points:
            sentences.append(self.nobody_pays())
        else:
            sentences.append(self.wins_points(a.name if pair.points > 0 else b.name, abs(pair.points)))
        return self.space.join(sentences)

    def _why_rows(
        self, a: JudgedPlayer, b: JudgedPlayer, pair: PairScore, rows: tuple[int, int, int], rules: HouseRules
    ) -> list[str]:
        said = []
        for place, (row, won) in enumerate(zip(ROWS, rows, strict=True), start=1):
            hand = low if rules.lowball and row == "middle" else held
            mine, theirs = hand(a.judged[place]), hand(b.judged[place])
            if won > 0:
                said.append(self.row_won(row, a.name, mine, theirs))
            elif won < 0:
                said.append(self.row_won(row, b.name, theirs, mine))
            else:
                said.append(self.row_tied(row, mine))
        bonus = abs(pair.bonus - _moon_points(a, b, rules))
        said.append(self._why_row_points(a.name, b.name, rows, bonus, _SCORING_RULE[rules.scoring]))
        if rules.royalty_payment == "row-winner":
            won_a = sum(pay for pay, won in zip(a.royalties, rows, strict=True) if won > 0)
            won_b = sum(pay for pay, won in zip(b.royalties, rows, strict=True) if won < 0)
            if won_a or won_b:
                said.append(
                    self.row_royalties_cancel(won_a)
                    if won_a == won_b
                    else self.row_royalties_win(a.name, won_a, won_b)
                    if won_a > won_b
                    else self.row_royalties_win(b.name, won_b, won_a)
                )
        elif a.judged[4] or b.judged[4]:
            due_a, due_b = a.judged[4], b.judged[4]
            said.append(
                self.royalties_cancel(due_a)
                if due_a == due_b
                else self.royalties_win(a.name, due_a, due_b)
                if due_a > due_b
                else self.royalties_win(b.name, due_b, due_a)
            )
        return said + self._moon_added(a, b, rules)

    def _why_row_points(self, a: str, b: str, rows: tuple[int, int, int], bonus: int, rule: str) -> str:
        won, lost = rows.count(1), rows.count(-1)
        if won == lost:
            return self.rows_even(won, rule)
        winner = a if won > lost else b
        won, lost = max(won, lost), min(won, lost)
        if won == 3:
            return self.scoops(winner, bonus, rule)
        if bonus:
            return self.wins_rows_and_bonus(winner, won, lost, bonus, rule)
        return self.wins_rows(winner, won, lost, rule)

    def _why_foul(self, a: JudgedPlayer, b: JudgedPlayer, pair: PairScore, rules: HouseRules) -> list[str]:
        if a.foul and b.foul:
            said = [self.both_fouled(a.name, b.name)]
        else:
            winner, fouler = (b, a) if a.foul else (a, b)
            points = abs(pair.row_points + pair.bonus - _moon_points(a, b, rules))
            is_said = self.has_dead_hand if fouler.ruling == "dead" else self.fouled
            said = [is_said(fouler.name, winner.name, points)]
            if pair.royalties:
                said.append(self.royalties_of(winner.name, abs(pair.royalties)))
        return said + self._moon_added(a, b, rules)

    def _why_surrender(self, a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> str:
        if a.ruling == b.ruling:
            return self.both_surrendered(a.name, b.name)
        loser, winner = (a, b) if a.ruling == "surrendered" else (b, a)
        return self.surrender_costs(loser.name, winner.name, rules.surrender_points)

    def _why_moon(self, a: JudgedPlayer, b: JudgedPlayer) -> str:
        if a.moon and b.moon:
            return self.both_shot_the_moon(a.name, b.name)
        shooter = a if a.moon else b
        return self.moon_replaces(shooter.name, held(shooter.judged[3]))

    def _moon_added(self, a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> list[str]:
        if rules.moon != "add" or not (a.moon or b.moon):
            return []
        if a.moon and b.moon:
            return [self.moons_cancel()]
        shooter = a if a.moon else b
        return [self.moon_adds(shooter.name, held(shooter.judged[3]), rules.moon_points)]

    def _why_natural(self, a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> list[str]:
        if a.natural and b.natural:
            if (a.natural == "dragon") == (b.natural == "dragon"):
                sentence = self.naturals_cancel(a.name, b.name)
            elif a.natural == "dragon":
                sentence = self.dragon_beats(a.name, b.name, b.natural)
            else:
                sentence = self.dragon_beats(b.name, a.name, a.natural)
        else:
            sentence = self.natural_wins(a.name if a.natural else b.name, a.natural or b.natural or "")
        return [sentence, *self._moon_added(a, b, rules)]

    @final
    def why_less(self, payment: PaidDebt, payer: str, payee: str, rules: HouseRules) -> str:
        """Explain, after the pair's `why`, why ``payer`` paid less than they owed."""
        cap, player = capped(payment.cap, payer, payee, win_cap=rules.win_cap)
        said = self.partly_paid if payment.paid else self.not_paid
        return said(cap, player, _CAP_RULES[payment.cap])


def capped(cap: str, payer: str, payee: str, *, win_cap: str) -> tuple[Cap, str]:
    """Why a cap (`PaidDebt.cap`) left a debt unpaid, and the name of the player whom that is about."""
    if cap == "loss":
        return Cap.ALL_IN, payer
    if cap == "busted":
        return Cap.BROKE, payee
    return Cap.START if win_cap == "start" else Cap.STACK, payee


def bounds(row: str, needs: Range, rules: HouseRules) -> tuple[Bound | None, Bound | None]:
    """The weakest and the strongest hand that an unfinished row can become, as far as the other rows bound it."""
    if rules.lowball and row == "middle":
        return Bound(low(needs.weakest or 1), None), None
    least, most = (None if strength is None else _bound(held(strength)) for strength in needs)
    return least, most


def _bound(hand: Held) -> Bound:
    grouped = hand.kind.grouped
    has_kicker = 0 < grouped < len(hand.ranks) and hand.kind is not Kind.FULL_HOUSE
    return Bound(hand, hand.ranks[grouped] if has_kicker else None)


@cache
def hand_name(language: Language, strength: int) -> str:
    """Name a row, for example ``Two pair, Kings and Threes``."""
    return language.hand_name(held(strength))


@cache
def low_name(language: Language, worth: int) -> str:
    """Name a legal 2-7 middle, for example ``Nine-high low, 97542``."""
    return language.hand_name(low(worth))


@cache
def no_low_name(language: Language, strength: int) -> str:
    """Name a 2-7 middle that is no low."""
    return language.hand_name(no_low(strength))


@lru_cache(maxsize=1 << 16)
def _why_stronger(language: Language, stronger: int, weaker: int) -> str:
    """Say which class or which card decides between two unequal strengths: ``the Nine beats the Seven``."""
    (kind, ranks), (other_kind, other_ranks) = hand_at(stronger), hand_at(weaker)
    if kind is not other_kind:
        return language.class_beats(kind, other_kind)
    for place, (rank, other) in enumerate(zip(ranks, other_ranks, strict=False)):
        if rank != other:
            if place < kind.grouped:
                return language.ranks_beat(rank, other)
            if kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH) or (place == 0 and kind in (Kind.HIGH_CARD, Kind.FLUSH)):
                return language.high_beats(rank, other)
            return language.card_beats(rank, other)
    return language.one_more_kicker()


def _moon_points(a: JudgedPlayer, b: JudgedPlayer, rules: HouseRules) -> int:
    """Points that ``a`` wins by a moon that is added to the pair's score; 0 under other rules."""
    return rules.moon_points * (a.moon - b.moon) if rules.moon == "add" else 0
