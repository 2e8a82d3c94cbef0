"""A player's side of a deal, and what decides between two of them."""

from typing import Any

import pytest

from scoring.rules.board import Board
from scoring.rules.cards import Row, parse_row
from scoring.rules.deal import DealtPlayer, score_deal
from scoring.rules.houserules import resolve

FRONT, MIDDLE, BACK = parse_row("227"), parse_row("AA44J"), parse_row("89TJQ")


def test_three_rows_are_a_board() -> None:
    assert DealtPlayer("Ann", FRONT, MIDDLE, BACK).board == Board(FRONT, MIDDLE, BACK)


@pytest.mark.parametrize("rows", [(None, MIDDLE, BACK), (FRONT, None, BACK), (FRONT, MIDDLE, None)])
def test_a_player_who_lacks_a_row_has_no_board(rows: tuple[Row | None, Row | None, Row | None]) -> None:
    assert DealtPlayer("Ann", *rows, ruling="dead").board is None


def decided(a: str, b: str, **rules: Any) -> str:
    """What decides between two boards, each as `front / middle / back`."""
    players = []
    for name, text in (("Ann", a), ("Bob", b)):
        board, _, ruling = text.partition(" {")
        players.append(DealtPlayer(name, *Board.parse(board), ruling=ruling.rstrip("}") or None))
    _, (pair,) = score_deal(players, resolve(rules))
    return pair.decided


def test_each_pair_says_what_decided_it() -> None:
    plain, foul, moon, dragon = (
        "A92 / KK863 / AAQT7",
        "AA3 / 66J94 / TT582",
        "543 / T8642 / J9752",
        "432 / T9875 / AKQJ6",
    )
    naturals = {"dragon": 13, "three_flushes": 6, "three_straights": 6, "six_pairs": 6}
    assert decided(plain, moon) == "rows"
    assert decided(plain, foul) == decided(foul, foul) == "foul"
    assert decided(plain, f"{moon} {{surrendered}}", moon="replace", surrender_points=3) == "surrender"
    assert decided(plain, moon, moon="replace") == "moon"
    assert decided(plain, dragon, naturals=naturals) == "natural"
