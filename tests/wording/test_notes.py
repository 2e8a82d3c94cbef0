"""Notes that the app wrote itself are said in the reader's language, and those of people as they typed them."""

from __future__ import annotations

import pytest

from scoring.actions.deals import Remark, Settle
from scoring.ledger.replay import AS_DEALT
from scoring.models import Event
from scoring.wording.notes import MISSED, REASONS, SETTLED_AT_START, note_said, remark_said
from tests.translations import bracketed, outside

OWN = [
    *REASONS,
    SETTLED_AT_START,
    AS_DEALT.format(12),
    MISSED.format(player="Ann", number=3),
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


OLD_REMARKS = [
    "Changed after Fantasyland was shown: Ann (before: nothing).",
    "Changed after Fantasyland was shown: Ann (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs); B; C (before: nothing).",
    "Other cards than in hand 7, which was undone: Ann.",
    "Changed after Fantasyland was shown: Ann (before: nothing). Other cards than in hand 7, which was undone: Ann; B.",
]


def said_of(settled: Settle, note: str = "") -> str:
    names = {1: "Ann", 2: "B; C", 3: "Dan (before: 2h"}
    return remark_said(Event(verb="settle", action=settled.as_document(), note=note), names.__getitem__)


@pytest.mark.parametrize("note", OLD_REMARKS)
def test_a_remark_that_an_earlier_release_stored_as_a_note_is_translated(note: str) -> None:
    assert said_of(Settle({}), note) == note
    with bracketed():
        assert outside(said_of(Settle({}), note)).strip() == ""


@pytest.mark.parametrize("cut", ["Bob (bef…", "Bob (before: …", "Bob (before: 7s8d9c/6h…"])
def test_a_remark_that_was_cut_keeps_what_it_has(cut: str) -> None:
    note = f"Changed after Fantasyland was shown: Ann (before: nothing); {cut}"
    assert said_of(Settle({}), note) == f"{note}."
    with bracketed():
        assert "Ann (before: nothing)⟧; " in said_of(Settle({}), note)


def test_a_remark_of_an_earlier_release_is_said_in_the_words_of_this_one() -> None:
    note = "Changed after Fantasyland was shown: Ann, who had nothing; Bob, who had 7s8d9c/6h6d8s9dTc/7h7d8h8cTs."
    said = "Changed after Fantasyland was shown: Ann (before: nothing); Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert said_of(Settle({}), note) == said
    with bracketed():
        assert outside(said_of(Settle({}), note)) == ""


def test_a_remark_is_said_from_its_seats_and_rows_so_that_a_name_may_have_any_characters() -> None:
    remark = Remark(changed=[(2, "AhAdKc/2h2d2s3h3d/"), (3, "//")], other_cards=[(1, 7), (3, 8), (2, 7)])
    settled = Settle.read(Settle({}, *remark).as_document())
    assert said_of(settled) == (
        "Changed after Fantasyland was shown: B; C (before: AhAdKc/2h2d2s3h3d/); Dan (before: 2h (before: nothing)."
        " Other cards than in hand 7, which was undone: Ann; B; C."
        " Other cards than in hand 8, which was undone: Dan (before: 2h."
    )
    with bracketed():
        assert "⟦Other cards than in hand 7, which was undone: ⟦Ann; B; C⟧.⟧" in said_of(settled)


@pytest.mark.parametrize("note", OLD_REMARKS)
def test_a_note_of_people_in_the_words_of_a_remark_stays_as_it_is(note: str) -> None:
    with bracketed():
        assert note_said(note) == note
        assert remark_said(Event(verb="correct", action={}, note=note), str) == ""


@pytest.mark.parametrize("note", ["", "Wrong", "wrong row", "red or black: Wrong row", "Dead hands"])
def test_a_note_of_people_stays_as_it_is(note: str) -> None:
    with bracketed():
        assert note_said(note) == note
