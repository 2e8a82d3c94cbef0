"""Notes that the app wrote itself are said in the reader's language, and those of people as they typed them."""

from __future__ import annotations

import pytest

from scoring.drafts.store import BEFORE, CHANGED, MENDED, NO_ROWS
from scoring.ledger.replay import AS_DEALT
from scoring.wording.notes import MISSED, REASONS, SETTLED_AT_START, note_said
from tests.translations import bracketed, outside

OWN = [
    *REASONS,
    SETTLED_AT_START,
    AS_DEALT.format(12),
    MISSED.format(player="Ann", number=3),
    CHANGED.format(who=BEFORE.format(player="Ann", rows=NO_ROWS)),
    "Changed after Fantasyland was shown: Ann (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs); B; C (before: nothing).",
    MENDED.format(number=7, who="Ann"),
    "Changed after Fantasyland was shown: Ann (before: nothing). Other cards than in hand 7, which was undone: Ann; B.",
]


@pytest.mark.parametrize("note", OWN)
def test_a_note_of_the_app_is_translated(note: str) -> None:
    assert note_said(note) == note
    with bracketed():
        assert outside(note_said(note)).strip() == ""


def test_the_words_behind_a_reason_stay() -> None:
    assert note_said("Wrong row: the king") == "Wrong row: the king"
    with bracketed():
        assert note_said("Wrong row: the king") == "⟦⟦Wrong row⟧: the king⟧"


@pytest.mark.parametrize("cut", ["Bob (bef…", "Bob (before: …", "Bob (before: 7s8d9c/6h…"])
def test_a_note_that_was_cut_keeps_what_it_has(cut: str) -> None:
    note = f"Changed after Fantasyland was shown: Ann (before: nothing); {cut}"
    assert note_said(note) == f"{note}."
    with bracketed():
        assert "Ann (before: nothing)⟧; " in note_said(note)


def test_a_note_of_an_earlier_release_is_said_in_the_words_of_this_one() -> None:
    note = "Changed after Fantasyland was shown: Ann, who had nothing; Bob, who had 7s8d9c/6h6d8s9dTc/7h7d8h8cTs."
    said = "Changed after Fantasyland was shown: Ann (before: nothing); Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert note_said(note) == said
    with bracketed():
        assert outside(note_said(note)) == ""


@pytest.mark.parametrize("note", ["", "Wrong", "wrong row", "red or black: Wrong row", "Dead hands"])
def test_a_note_of_people_stays_as_it_is(note: str) -> None:
    with bracketed():
        assert note_said(note) == note
