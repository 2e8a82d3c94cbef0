"""House rules as the questions of a form: every choice that a table has, with its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.rules.houserules import CHOICES

PRESET_NAMES = {
    "regular": "Regular",
    "pineapple": "Pineapple",
    "progressive-pineapple": "Progressive Pineapple",
    "2-7-pineapple": "2-7 Pineapple",
    "double-deck": "Double deck",
    "cardplayer": "Classic flat-20",
    "bga": "Board Game Arena",
}


PRESET_SUMMARIES = {
    "regular": "13 cards one by one, two to four players, the modern royalty chart.",
    "pineapple": "Deal three, place two, discard one; up to three players, 14 cards in Fantasyland.",
    "progressive-pineapple": "Pineapple with 14 to 17 cards in Fantasyland: Queens, Kings, Aces, trips.",
    "2-7-pineapple": "Pineapple with a 2-7 low in the middle; Kings or 7-5-4-3-2 get 14 cards in Fantasyland, both 15.",
    "double-deck": "Regular with two decks: up to eight players, five of a kind.",
    "cardplayer": "Regular with the flat chart: any trips in front pay 20.",
    "bga": "Pineapple as on that site: a middle full house stays in Fantasyland, the button moves every hand.",
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
    "The game": (
        Question(
            "game",
            "Variant",
            "R50",
            {
                "regular": "Regular: five cards, then one at a time",
                "pineapple": "Pineapple: five cards, then three at a time, one of them discarded",
            },
        ),
        Question(
            "middle",
            "Middle row",
            "R52",
            {"high": "High hand", "2-7": "2-7 low, ten-high or better"},
        ),
        Question("decks", "Decks", "R56", {1: "One deck", 2: "Two decks"}),
        Question(
            "five_of_a_kind",
            "Where does five of a kind rank?",
            "R57",
            {
                "above-royal": "Above a royal flush",
                "below-royal": "Between straight flush and royal flush",
                "below-straight-flush": "Between quads and straight flush",
            },
        ),
    ),
    "Points": (
        Question(
            "scoring",
            "Scoring",
            "R14",
            {
                "1-6": "1-6: 1 per row, +3 scoop bonus",
                "2-4": "2-4: 1 per row, +1 for 2 or 3 rows",
                "1-4": "1-4: 1 per row, +1 scoop bonus",
            },
        ),
        Question(
            "row_order",
            "If middle and back tie in strength",
            "R7",
            {"at-least": "Legal", "strict": "Foul"},
        ),
        Question(
            "royalty_payment",
            "Royalties paid",
            "R22",
            {"all": "Always (net)", "row-winner": "Only if you win the row"},
        ),
    ),
    "Fantasyland": (
        Question(
            "fantasyland_entry",
            "Fantasyland entry (front row)",
            "R30",
            {
                "QQ": "Queens or better",
                "KK": "Kings or better",
                "AA": "Aces or better",
                "trips": "Trips",
                "none": "No Fantasyland",
            },
        ),
        Question(
            "fantasyland_cards",
            "Cards in Fantasyland",
            "R32",
            {cards: f"{cards}" for cards in CHOICES["fantasyland_cards"]},
        ),
        Question(
            "fantasyland_progressive",
            "Progressive cards?",
            "R33",
            {False: "No, fixed", True: "Yes: kings one card more, aces two, trips three"},
            in_low="In 2-7, 7-5-4-3-2 in the middle enters, too. Either way deals that number of cards; both in one "
            "hand deal one card more (R55).",
        ),
        Question(
            "fantasyland_stay",
            "Stay in Fantasyland with",
            "R34",
            {
                "standard": "Trips in front or quads in the back; in regular play also a full house in the middle",
                "full-house": "Also full house or better in the middle, in Pineapple too",
                "ten-point": "Only a royalty of ten or more in any one row",
                "lowball": "Also 7-5-4-3-2 in a 2-7 middle",
            },
        ),
        Question(
            "fantasyland_repeat",
            "Cards on a repeat",
            "R36",
            {"base": "Base number", "same": "Same as last time", "recompute": "By new front hand"},
        ),
        Question(
            "button_in_fantasyland",
            "Button during Fantasyland",
            "R39",
            {"stays": "Stays", "moves": "Moves"},
        ),
    ),
    "Optional extras": (
        Question(
            "moon",
            "Shooting the moon: a legal back of jack-high or lower",
            "R59",
            {
                "off": "Not played",
                "replace": "Replaces the score",
                "add": "Added to the score",
            },
        ),
    ),
    "Limited chips": (
        Question(
            "loss_cap",
            "Can a stack go negative?",
            "R45",
            {True: "No (table stakes)", False: "Yes"},
        ),
        Question(
            "win_cap",
            "How much can be won from one opponent?",
            "R46",
            {
                "running": "Up to the winner's current stack",
                "start": "Up to the winner's stack at the start of the hand",
                "none": "No cap",
            },
        ),
        Question(
            "settlement_order",
            "Payment order",
            "R43",
            {"pairs": "Pair by pair", "debtors": "Player by player"},
        ),
        Question(
            "busted_collects",
            "Can a busted player still win from later matchups?",
            "R48",
            {False: "No", True: "Yes"},
        ),
    ),
}


CHART_NAMES = {
    "modern": "Modern",
    "flat-20": "Flat 20",
    "hybrid-2012": "2012 hybrid",
    "aria-2013": "Aria 2013",
}


NATURAL_NAMES = {
    "dragon": "Dragon, thirteen ranks",
    "three_flushes": "Three flushes",
    "three_straights": "Three straights",
    "six_pairs": "Six pairs",
}


NUMBERS = {
    "moon_points": "Points for the moon, per opponent",
    "surrender_points": "Surrender cost per opponent (0 = off)",
}
