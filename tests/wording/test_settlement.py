"""The working of a pair's points: each part under its own label, from the winner's side."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.rules.document import score
from scoring.wording.settlement import pairs_shown

MOON = "5s4h2d 7s6h4d3c2s 9s8h6d4c3s"
"""A board that shoots the moon and loses to nearly any other."""


def working(rules: dict[str, Any], ann: str, bob: str) -> list[tuple[str, str]]:
    boards = [dict(zip(("front", "middle", "back"), board.split(), strict=True)) for board in (ann, bob)]
    players = [{"name": name, **board} for name, board in zip(("Ann", "Bob"), boards, strict=True)]
    [pair] = pairs_shown(score({"rules": rules, "players": players}))
    return [(line.label, line.value) for line in pair.lines]


@pytest.mark.parametrize(
    ("rules", "ann", "bob", "said"),
    [
        (
            {"moon": "add"},
            MOON,
            "KcQd7d 2h2c8d9dTd AhAcQhQs8s",
            [("Rows won", "\N{MINUS SIGN}3"), ("Scoop", "\N{MINUS SIGN}3"), ("Moon", "+20"), ("Points", "+14")],
        ),
        (
            {"moon": "add", "moon_points": 3, "scoring": "2-4"},
            MOON,
            "4s3d2c 2h7d8d9dTd AhAcQhQs8s",
            [("Rows won", "\N{MINUS SIGN}1"), ("Bonus", "\N{MINUS SIGN}1"), ("Moon", "+3"), ("Points", "+1")],
        ),
        (
            {"moon": "add"},
            MOON,
            "KcKd7d 2h2c8d9dTd AhAcQhJs8s",
            [("Rows won", "+3"), ("Scoop", "+3"), ("Moon", "+20"), ("Points", "+26")],
        ),
        (
            {"moon": "add", "naturals": {"dragon": 13, "three_flushes": 3, "three_straights": 3, "six_pairs": 3}},
            MOON,
            "4s2h3d 5c6c7d8d9d TcJdQdKhAh",
            [("Natural", "\N{MINUS SIGN}13"), ("Moon", "+20"), ("Points", "+7")],
        ),
    ],
    ids=["scooped", "a bonus", "a foul", "a natural"],
)
def test_a_moon_that_is_added_has_a_line_of_its_own(
    rules: dict[str, Any], ann: str, bob: str, said: list[tuple[str, str]]
) -> None:
    assert working(rules, ann, bob) == said


@pytest.mark.parametrize(
    ("royalty_payment", "said"),
    [
        ("row-winner", [("Rows won", "+1"), ("Royalties 14 \N{EN DASH} 8", "+6"), ("Points", "+7")]),
        ("all", [("Rows won", "+1"), ("Royalties 18 \N{EN DASH} 15", "+3"), ("Points", "+4")]),
    ],
)
def test_royalties_are_those_that_the_pair_pays(royalty_payment: str, said: list[tuple[str, str]]) -> None:
    ann, bob = "6s6h9c AhKh9h5h2h TdTcTs4d4s", "9s9d3c 4c5c6d7s8s JhJdJcJs2s"
    assert working({"royalty_payment": royalty_payment}, ann, bob) == said


def test_a_foul_pays_all_royalties_whoever_would_have_won_the_row() -> None:
    ann, bob = "KcKd7d 2h2c8d9dTd AhAcQhJs8s", "9s9h3c 4c5c6d7s8h JhJdJcTsTh"
    assert working({"royalty_payment": "row-winner"}, ann, bob)[2] == ("Royalties 14 \N{EN DASH} 0", "+14")
