"""What a board's line says first, in bold, and then; translations put their words in an order of their own."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils import translation

from scoring.game.entry import Rows
from scoring.rules.document import so_far
from scoring.wording.boards import board_shown
from scoring.wording.languages import LANGUAGES

TAGS = [tag for tag, _ in settings.LANGUAGES]


@pytest.mark.parametrize("dealt", [0, 14], ids=["enters", "stays"])
@pytest.mark.parametrize("tag", TAGS)
def test_a_line_about_fantasyland_has_no_markup_whatever_the_order_of_its_words(tag: str, dealt: int) -> None:
    player = {"name": "Ann", "fantasyland_next": 14}
    with translation.override(tag):
        shown = board_shown(Rows("", "", ""), player, fantasyland=dealt)
    assert shown.call
    assert "14" in shown.sentence
    assert "<" not in shown.call + shown.sentence


@pytest.mark.parametrize("tag", [tag for tag in TAGS if not LANGUAGES[tag].space])
def test_no_space_parts_a_verdict_from_fantasyland_where_sentences_have_none(tag: str) -> None:
    board = {"name": "Ann", "front": "QQ7", "middle": "98765", "back": "98765"}
    ((_, verdict),) = so_far({"players": [board], "language": tag}, LANGUAGES)
    with translation.override(tag):
        shown = board_shown(Rows("", "", ""), {"name": "Ann", "fantasyland_next": 13}, verdict=verdict)
    assert "13" in shown.sentence
    assert " " not in shown.sentence
