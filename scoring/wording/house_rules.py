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
    "cardplayer": "Card Player",
    "bga": "Board Game Arena",
}


PRESET_SUMMARIES = {
    "regular": "13 cards one by one, two to four players, the modern royalty chart.",
    "pineapple": "Three cards a turn, one thrown away; up to three players, 14 cards in Fantasyland.",
    "progressive-pineapple": "Pineapple with 14 to 17 cards in Fantasyland: Queens, Kings, Aces, trips.",
    "2-7-pineapple": "Pineapple with a deuce-to-seven low in the middle.",
    "double-deck": "Regular with two decks: up to eight players, five of a kind.",
    "cardplayer": "Regular with the flat chart: any trips in front pay 20.",
    "bga": "Pineapple as that site plays it: a middle full house stays in Fantasyland, the button always moves.",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One key of the house rules: the question, the rule's number, and what each value means."""

    key: str
    asks: str
    rule: str
    answers: Mapping[Any, str]


QUESTIONS: dict[str, tuple[Question, ...]] = {
    "The game": (
        Question(
            "game",
            "How is it dealt?",
            "R50",
            {
                "regular": "Regular: five cards, then one at a time",
                "pineapple": "Pineapple: five cards, then three at a time, one of them discarded",
            },
        ),
        Question(
            "middle",
            "What is the middle?",
            "R52",
            {"high": "A poker hand between front and back", "2-7": "A 2-7 low, ten-high or better"},
        ),
        Question("decks", "How many decks?", "R56", {1: "One", 2: "Two, so that every card is there twice"}),
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
            "What is a row worth?",
            "R14",
            {
                "1-6": "1-6: a point a row, three more for all three",
                "2-4": "2-4: a point a row, one more for winning two or three",
                "1-4": "1-4: a point a row, one more for all three",
            },
        ),
        Question(
            "row_order",
            "When middle and back are equal?",
            "R7",
            {"at-least": "Equal rows are legal", "strict": "A foul: the back must be the stronger"},
        ),
        Question(
            "royalty_payment",
            "Who collects royalties?",
            "R22",
            {
                "all": "Both, whoever wins the row; the difference is paid",
                "row-winner": "In each row its winner alone",
            },
        ),
    ),
    "Fantasyland": (
        Question(
            "fantasyland_entry",
            "What does it take in front?",
            "R30",
            {
                "QQ": "Queens or better",
                "KK": "Kings or better",
                "AA": "Aces or better",
                "trips": "Trips",
                "none": "No Fantasyland is played",
            },
        ),
        Question(
            "fantasyland_cards",
            "How many cards?",
            "R32",
            {cards: f"{cards}" for cards in CHOICES["fantasyland_cards"]},
        ),
        Question(
            "fantasyland_progressive",
            "More for a better front?",
            "R33",
            {False: "No, always that number", True: "Progressive: kings one card more, aces two, trips three"},
        ),
        Question(
            "fantasyland_stay",
            "What stays?",
            "R34",
            {
                "standard": "Trips in front or quads in the back; in regular play also a full house in the middle",
                "full-house": "In Pineapple, too, a full house in the middle",
                "ten-point": "A royalty of ten or more in any one row, and nothing else",
                "lowball": "In 2-7 also 7-5-4-3-2 in the middle",
            },
        ),
        Question(
            "fantasyland_repeat",
            "How many cards when staying?",
            "R36",
            {
                "base": "The number above again",
                "same": "As many as before",
                "recompute": "As many as this front would earn on entering",
            },
        ),
        Question(
            "button_in_fantasyland",
            "The button, while somebody is in Fantasyland?",
            "R39",
            {"stays": "It stays", "moves": "It moves after every hand"},
        ),
    ),
    "Played only if you say so": (
        Question(
            "moon",
            "Shooting the moon: a legal back of jack-high or lower",
            "R59",
            {
                "off": "Not played",
                "replace": "Wins its points from everyone, in place of the score",
                "add": "Wins its points on top of the score",
            },
        ),
    ),
    "Limited chips": (
        Question(
            "loss_cap",
            "May a player lose more than lies in front of him?",
            "R45",
            {True: "No", False: "Yes, he goes below nothing"},
        ),
        Question(
            "win_cap",
            "How much can be won from one opponent?",
            "R46",
            {
                "running": "As much as the winner has at that moment",
                "start": "As much as the winner had when the hand began",
                "none": "No limit",
            },
        ),
        Question(
            "settlement_order",
            "In which order is it settled?",
            "R43",
            {
                "pairs": "Each player with each other once, clockwise from under the gun",
                "debtors": "Each player in turn pays all he owes, clockwise from under the gun",
            },
        ),
        Question(
            "busted_collects",
            "Does a player without chips collect from later pairs?",
            "R48",
            {False: "No", True: "Yes"},
        ),
    ),
}


NATURAL_NAMES = {
    "dragon": "Dragon, thirteen ranks",
    "three_flushes": "Three flushes",
    "three_straights": "Three straights",
    "six_pairs": "Six pairs",
}


NUMBERS = {
    "moon_points": "Points for the moon, from each",
    "surrender_points": "Points a surrender pays to each, 0 for none (R61)",
}
