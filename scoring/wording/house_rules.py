"""House rules as the questions of a form: every choice that a table has, with its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.rules.houserules import CHOICES
from scoring.wording.phrases import later as _

PRESET_NAMES = {
    "regular": _("Regular"),
    "pineapple": _("Pineapple"),
    "progressive-pineapple": _("Progressive Pineapple"),
    "2-7-pineapple": _("2-7 Pineapple"),
    "double-deck": _("Double deck"),
    "cardplayer": _("Classic flat-20"),
    "bga": _("Board Game Arena"),
}


PRESET_SUMMARIES = {
    "regular": _("13 cards one by one, two to four players, the modern royalty chart."),
    "pineapple": _("Deal three, place two, discard one; up to three players, 14 cards in Fantasyland."),
    "progressive-pineapple": _("Pineapple with 14 to 17 cards in Fantasyland: Queens, Kings, Aces, trips."),
    "2-7-pineapple": _(
        "Pineapple with a 2-7 low in the middle; Kings or 7-5-4-3-2 get 14 cards in Fantasyland, both 15."
    ),
    "double-deck": _("Regular with two decks: up to eight players, five of a kind."),
    "cardplayer": _("Regular with the flat chart: any trips in front pay 20."),
    "bga": _("Pineapple as on that site: a middle full house stays in Fantasyland, the button moves every hand."),
}


@dataclass(frozen=True, slots=True)
class Question:
    """One key of the house rules: the question, the rule's number, and what each value means."""

    key: str
    asks: str
    rule: str
    answers: Mapping[Any, str]
    in_low: str = ""
    """What is said in place of the question where the middle is 2-7, if it has no effect there."""


QUESTIONS: dict[str, tuple[Question, ...]] = {
    _("The game"): (
        Question(
            "game",
            _("Variant"),
            "R50",
            {
                "regular": _("Regular: five cards, then one at a time"),
                "pineapple": _("Pineapple: five cards, then three at a time, one of them discarded"),
            },
        ),
        Question(
            "middle",
            _("Middle row"),
            "R52",
            {"high": _("High hand"), "2-7": _("2-7 low, ten-high or better")},
        ),
        Question("decks", _("Decks"), "R56", {1: _("One deck"), 2: _("Two decks")}),
        Question(
            "five_of_a_kind",
            _("Where does five of a kind rank?"),
            "R57",
            {
                "above-royal": _("Above a royal flush"),
                "below-royal": _("Between straight flush and royal flush"),
                "below-straight-flush": _("Between quads and straight flush"),
            },
        ),
    ),
    _("Points"): (
        Question(
            "scoring",
            _("Scoring"),
            "R14",
            {
                "1-6": _("1-6: 1 per row, +3 scoop bonus"),
                "2-4": _("2-4: 1 per row, +1 for 2 or 3 rows"),
                "1-4": _("1-4: 1 per row, +1 scoop bonus"),
            },
        ),
        Question(
            "row_order",
            _("If middle and back tie in strength"),
            "R7",
            {"at-least": _("Legal"), "strict": _("Foul")},
        ),
        Question(
            "royalty_payment",
            _("Royalties paid"),
            "R22",
            {"all": _("Always (net)"), "row-winner": _("Only if you win the row")},
        ),
    ),
    _("Fantasyland"): (
        Question(
            "fantasyland_entry",
            _("Fantasyland entry (front row)"),
            "R30",
            {
                "QQ": _("Queens or better"),
                "KK": _("Kings or better"),
                "AA": _("Aces or better"),
                "trips": _("Trips"),
                "none": _("No Fantasyland"),
            },
        ),
        Question(
            "fantasyland_cards",
            _("Cards in Fantasyland"),
            "R32",
            {cards: f"{cards}" for cards in CHOICES["fantasyland_cards"]},
        ),
        Question(
            "fantasyland_progressive",
            _("Progressive cards?"),
            "R33",
            {False: _("No, fixed"), True: _("Yes: kings one card more, aces two, trips three")},
            in_low=_(
                "In 2-7, 7-5-4-3-2 in the middle enters, too. Either way deals that number of cards; both in one "
                "hand deal one card more (R55)."
            ),
        ),
        Question(
            "fantasyland_stay",
            _("Stay in Fantasyland with"),
            "R34",
            {
                "standard": _("Trips in front or quads in the back; in regular play also a full house in the middle"),
                "full-house": _("Also full house or better in the middle, in Pineapple too"),
                "ten-point": _("Only a royalty of ten or more in any one row"),
                "lowball": _("Also 7-5-4-3-2 in a 2-7 middle"),
            },
        ),
        Question(
            "fantasyland_repeat",
            _("Cards on a repeat"),
            "R36",
            {"base": _("Base number"), "same": _("Same as last time"), "recompute": _("By new front hand")},
        ),
        Question(
            "button_in_fantasyland",
            _("Button during Fantasyland"),
            "R39",
            {"stays": _("Stays"), "moves": _("Moves")},
        ),
    ),
    _("Optional extras"): (
        Question(
            "moon",
            _("Shooting the moon: a legal back of jack-high or lower"),
            "R59",
            {
                "off": _("Not played"),
                "replace": _("Replaces the score"),
                "add": _("Added to the score"),
            },
        ),
    ),
    _("Limited chips"): (
        Question(
            "loss_cap",
            _("Can a stack go negative?"),
            "R45",
            {True: _("No (table stakes)"), False: _("Yes")},
        ),
        Question(
            "win_cap",
            _("How much can be won from one opponent?"),
            "R46",
            {
                "running": _("Up to the winner's current stack"),
                "start": _("Up to the winner's stack at the start of the hand"),
                "none": _("No cap"),
            },
        ),
        Question(
            "settlement_order",
            _("Payment order"),
            "R43",
            {"pairs": _("Pair by pair"), "debtors": _("Player by player")},
        ),
        Question(
            "busted_collects",
            _("Can a busted player still win from later matchups?"),
            "R48",
            {False: _("No"), True: _("Yes")},
        ),
    ),
}


CHART_NAMES = {
    "modern": _("Modern"),
    "flat-20": _("Flat 20"),
    "hybrid-2012": _("2012 hybrid"),
    "aria-2013": _("Aria 2013"),
}


NATURAL_NAMES = {
    "dragon": _("Dragon, thirteen ranks"),
    "three_flushes": _("Three flushes"),
    "three_straights": _("Three straights"),
    "six_pairs": _("Six pairs"),
}


NUMBERS = {
    "moon_points": _("Points for the moon, per opponent"),
    "surrender_points": _("Surrender cost per opponent (0 = off)"),
}
