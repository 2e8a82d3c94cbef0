"""Six hands by three players, worked out by hand. Anna and Bert play for 10 a point, every other pair for 1.

Regular rules, the modern chart, Cleo on the button first. Anna enters, keeps and loses Fantasyland; Cleo enters it and
loses it by a foul.
"""

from typing import NamedTuple

NAMES = ("Anna", "Bert", "Cleo")


class Hand(NamedTuple):
    """What is typed for each player, and what the table then shows.

    ``fantasyland`` are the cards dealt to players in it. ``pays`` is the settlement in order: payer, payee, points,
    money. ``won`` are each player's points and money in this hand, ``total`` the same after it.
    """

    button: str
    order: tuple[str, ...]
    fantasyland: dict[str, int]
    boards: dict[str, str]
    fouls: tuple[str, ...]
    pays: list[tuple[str, str, str, str]]
    won: dict[str, tuple[str, str]]
    total: dict[str, tuple[str, str]]


EVENING = [
    # Anna scoops both with QQ in front (7) and a straight in the back (2): 6 + 9 from each. Cleo scoops Bert.
    Hand(
        button="Cleo",
        order=("Anna", "Bert", "Cleo"),
        fantasyland={},
        boards={
            "Anna": "QQ7 / AA44J / 89TJQ",
            "Bert": "K52 / 33962 / 66875",
            "Cleo": "A94 / TT358 / KKT27",
        },
        fouls=(),
        pays=[
            ("Bert", "Anna", "15", "150.00"),
            ("Cleo", "Anna", "15", "15.00"),
            ("Bert", "Cleo", "6", "6.00"),
        ],
        won={"Anna": ("+30", "+165.00"), "Bert": ("−21", "−156.00"), "Cleo": ("−9", "−9.00")},
        total={"Anna": ("+30", "+165.00"), "Bert": ("−21", "−156.00"), "Cleo": ("−9", "−9.00")},
    ),
    # Anna in Fantasyland: 99 (4), a full house in the middle (12) and in the back (6); the middle one keeps Anna there.
    # Bert fouls: 6 and 22 to Anna, 6 to Cleo.
    Hand(
        button="Cleo",
        order=("Anna", "Bert", "Cleo"),
        fantasyland={"Anna": 13},
        boards={
            "Anna": "99K / 22233 / 55544",
            "Bert": "AAQ / KKT87 / 3366Q",
            "Cleo": "J84 / TT769 / JJAQ8",
        },
        fouls=("Bert",),
        pays=[
            ("Bert", "Anna", "28", "280.00"),
            ("Cleo", "Anna", "28", "28.00"),
            ("Bert", "Cleo", "6", "6.00"),
        ],
        won={"Anna": ("+56", "+308.00"), "Bert": ("−34", "−286.00"), "Cleo": ("−22", "−22.00")},
        total={"Anna": ("+86", "+473.00"), "Bert": ("−55", "−442.00"), "Cleo": ("−31", "−31.00")},
    ),
    # Anna loses Fantasyland. Bert's flush in the back earns 4 from each, 8 in all; against each, Bert wins one row and
    # loses two.
    Hand(
        button="Cleo",
        order=("Anna", "Bert", "Cleo"),
        fantasyland={"Anna": 13},
        boards={
            "Anna": "AK9 / 88J54 / QQT65",
            "Bert": "T73 / 66942 / KJ732f",
            "Cleo": "Q54 / 99T82 / AAK63",
        },
        fouls=(),
        pays=[
            ("Anna", "Bert", "3", "30.00"),
            ("Anna", "Cleo", "1", "1.00"),
            ("Cleo", "Bert", "3", "3.00"),
        ],
        won={"Anna": ("−4", "−31.00"), "Bert": ("+6", "+33.00"), "Cleo": ("−2", "−2.00")},
        total={"Anna": ("+82", "+442.00"), "Bert": ("−49", "−409.00"), "Cleo": ("−33", "−33.00")},
    ),
    # The button has moved. 7777x beats 6666x in the back: Bert wins a point, and the royalties of 10 cancel.
    Hand(
        button="Anna",
        order=("Bert", "Cleo", "Anna"),
        fantasyland={},
        boards={
            "Bert": "KT4 / 33J85 / 77772",
            "Cleo": "A95 / 22T84 / 6666Q",
            "Anna": "AJ3 / 99KQ8 / TTKQ5",
        },
        fouls=(),
        pays=[
            ("Cleo", "Bert", "1", "1.00"),
            ("Anna", "Bert", "9", "90.00"),
            ("Anna", "Cleo", "9", "9.00"),
        ],
        won={"Bert": ("+10", "+91.00"), "Cleo": ("+8", "+8.00"), "Anna": ("−18", "−99.00")},
        total={"Anna": ("+64", "+343.00"), "Bert": ("−39", "−318.00"), "Cleo": ("−25", "−25.00")},
    ),
    # Two fouls. Each pays Cleo 6 and a royalty of 9 for AA, and they pay each other nothing. Cleo enters Fantasyland.
    Hand(
        button="Bert",
        order=("Cleo", "Anna", "Bert"),
        fantasyland={},
        boards={
            "Cleo": "AAK / QQ885 / 777T9",
            "Anna": "JJ4 / TT628 / 5533A",
            "Bert": "643 / KK992 / 66AJ2",
        },
        fouls=("Anna", "Bert"),
        pays=[
            ("Anna", "Cleo", "15", "15.00"),
            ("Bert", "Cleo", "15", "15.00"),
            ("", "", "–", "–"),
        ],
        won={"Cleo": ("+30", "+30.00"), "Anna": ("−15", "−15.00"), "Bert": ("−15", "−15.00")},
        total={"Anna": ("+49", "+328.00"), "Bert": ("−54", "−333.00"), "Cleo": ("+5", "+5.00")},
    ),
    # Anna and Bert play the hand that Wikipedia scores as 4 points. Cleo fouls in Fantasyland and loses it.
    Hand(
        button="Bert",
        order=("Cleo", "Anna", "Bert"),
        fantasyland={"Cleo": 13},
        boards={
            "Cleo": "Ah As 5d / Kh Ks 7d 6d 2h / Qd Qc Jd 8d 4h",
            "Anna": "6h 6c 4d / Ts Tc 9d Qh 8s / 3h 3c 3s 2d 2c",
            "Bert": "A♦ K♦ Q♠ / 9h 9s 5h 5c 4s / kc jc 9c 8c 7c",
        },
        fouls=("Cleo",),
        pays=[
            ("Cleo", "Anna", "13", "13.00"),
            ("Cleo", "Bert", "10", "10.00"),
            ("Bert", "Anna", "4", "40.00"),
        ],
        won={"Cleo": ("−23", "−23.00"), "Anna": ("+17", "+53.00"), "Bert": ("+6", "−30.00")},
        total={"Anna": ("+66", "+381.00"), "Bert": ("−48", "−363.00"), "Cleo": ("−18", "−18.00")},
    ),
]

PAIRS = {
    ("Anna", "Bert"): ("+35", "+350.00"),
    ("Anna", "Cleo"): ("+31", "+31.00"),
    ("Bert", "Cleo"): ("−13", "−13.00"),
}
SQUARE = [("Bert", "Anna", "363.00"), ("Cleo", "Anna", "18.00")]
NEXT_BUTTON = "Cleo"
