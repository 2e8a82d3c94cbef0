"""What stands under a board, in each language: a word in bold, and the rest of the sentence."""

import pytest
from django.conf import settings
from django.utils.translation import override

from scoring.game.entry import Rows
from scoring.rules.document import so_far
from scoring.wording.boards import board_shown
from scoring.wording.languages import LANGUAGES

TAGS = [tag for tag, _name in settings.LANGUAGES]
PLAYER = {"name": "Ann", "fantasyland_next": 14}


def said(fantasyland: int = 0, **player: object) -> str:
    """The line under the board of a player of whom this is known, too, as it is read."""
    shown = board_shown(Rows(), {**PLAYER, **player}, fantasyland=fantasyland)
    return f"{shown.call}{shown.gap}{shown.sentence}"


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("dealt", [0, 14])
def test_fantasyland_is_said_without_a_tag(tag: str, dealt: int) -> None:
    with override(tag):
        line = said(fantasyland=dealt)
    assert "14" in line
    assert "<" not in line


@pytest.mark.parametrize(
    ("tag", "line"),
    [
        ("en", "Foul. The front outranks the middle."),
        ("ja", "ファウル。The front outranks the middle."),
        ("zh-hans", "犯规。The front outranks the middle."),
    ],
)
def test_a_foul_and_its_reason_are_parted_as_the_language_parts_sentences(tag: str, line: str) -> None:
    with override(tag):
        assert said(foul=True, foul_reason="The front outranks the middle.") == line


@pytest.mark.parametrize("tag", [tag for tag in TAGS if not LANGUAGES[tag].space])
def test_no_space_parts_a_verdict_from_fantasyland_where_sentences_have_none(tag: str) -> None:
    board = {"name": "Ann", "front": "QQ7", "middle": "98765", "back": "98765"}
    ((_, verdict),) = so_far({"players": [board], "language": tag}, LANGUAGES)
    with override(tag):
        shown = board_shown(Rows("", "", ""), {"name": "Ann", "fantasyland_next": 13}, verdict=verdict)
    assert "13" in shown.sentence
    assert " " not in shown.sentence
