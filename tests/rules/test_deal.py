"""A player's side of a deal."""

import pytest

from scoring.rules.board import Board
from scoring.rules.cards import Row, parse_row
from scoring.rules.deal import Player

FRONT, MIDDLE, BACK = parse_row("227"), parse_row("AA44J"), parse_row("89TJQ")


def test_three_rows_are_a_board() -> None:
    assert Player("Ann", FRONT, MIDDLE, BACK).board == Board(FRONT, MIDDLE, BACK)


@pytest.mark.parametrize("rows", [(None, MIDDLE, BACK), (FRONT, None, BACK), (FRONT, MIDDLE, None)])
def test_who_lacks_a_row_has_no_board(rows: tuple[Row | None, Row | None, Row | None]) -> None:
    assert Player("Ann", *rows, ruling="dead").board is None
