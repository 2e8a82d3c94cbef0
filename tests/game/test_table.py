"""The table between deals: who plays, what is asked of the engine, and what a deal leaves behind."""

from dataclasses import replace
from typing import Any

import pytest

from scoring.game.entry import Entry, Rows
from scoring.game.errors import LedgerError
from scoring.game.limits import BANK, HOUSE, MAX_AMOUNT
from scoring.game.lines import Line, LineKind
from scoring.game.outcome import Gain
from scoring.game.table import Chair, Table
from scoring.rules.houserules import resolve

ANN, BOB, CAT, DAN = (Chair(number, name) for number, name in enumerate(("Ann", "Bob", "Cat", "Dan"), 1))
TABLE = Table(chairs=(ANN, BOB, CAT), button=1, stake=100, rules=resolve("regular"), pair_stakes={(1, 2): 1000})
"""On credit, Ann has the button; Ann and Bob play for ten times as much."""
CHIPS = replace(TABLE, stacks={1: 500, 2: 600, 3: 700})
FOUR = replace(TABLE, chairs=(ANN, BOB, CAT, DAN), rules=resolve("pineapple"))
"""At a Pineapple table the fourth, who has the button, sits out."""

STRONG = Rows("AhAdKc", "2h2d2s3h3d", "4h4d4s4c5h")
PLAIN = Rows("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs")
WEAK = Rows("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s")
BOARDS = Entry({1: STRONG, 2: PLAIN, 3: WEAK})


def out(chair: Chair) -> Chair:
    return replace(chair, out=True)


def told(problems: Any) -> list[tuple[str, str, str]]:
    return [(problem.code, problem.where, problem.message) for problem in problems]


# --- Who plays ------------------------------------------------------------------------------------------


def test_the_left_of_the_button_is_first_and_the_button_last() -> None:
    assert TABLE.lineup() == (2, 3, 1)
    assert replace(TABLE, button=2).lineup() == (3, 1, 2)
    assert replace(TABLE, chairs=(ANN, out(BOB), CAT)).lineup() == (3, 1)
    assert list(TABLE.after(3)) == [1, 2, 3]
    assert list(replace(TABLE, chairs=(out(ANN), BOB, CAT)).after(1)) == [2, 3]


def test_one_too_many_sits_out_with_the_button() -> None:
    assert FOUR.lineup() == (2, 3, 4)
    assert FOUR.sitter() == 1
    assert replace(FOUR, chairs=(ANN, BOB, CAT, out(DAN))).sitter() is TABLE.sitter() is None


def test_whoever_is_owed_fantasyland_does_not_sit_out() -> None:
    owed = replace(FOUR, fantasyland={1: 14})
    sentence = "Ann is due Fantasyland and can't sit out with the button."
    assert told(owed.sitter_owed()) == [("fantasyland-pending", "button", sentence)]
    assert told(owed.obstacles()) == told(owed.sitter_owed())
    assert replace(FOUR, fantasyland={2: 14}).sitter_owed() == replace(TABLE, fantasyland={1: 14}).sitter_owed() == []


def test_what_hinders_the_next_deal() -> None:
    assert TABLE.obstacles() == CHIPS.obstacles() == FOUR.obstacles() == []
    assert told(replace(TABLE, chairs=(ANN, out(BOB))).obstacles()) == [
        ("too-few-players", "seats", "A hand needs at least two players who aren't sitting out.")
    ]
    assert replace(TABLE, chairs=(ANN, BOB)).obstacles() == []
    many = replace(FOUR, chairs=(*FOUR.chairs, Chair(5, "Eve"), Chair(6, "Fay")))
    assert told(many.obstacles()) == [
        (
            "too-many-players",
            "seats",
            "Max 3 players per hand, and one dealer who sits out: 3 of these 6 must sit out.",
        )
    ]
    broke = replace(CHIPS, stacks={1: 1, 2: 0})
    sentence = "{} is out of chips. Buy in, sit out or leave before the next hand."
    assert told(broke.obstacles()) == [
        ("no-chips", "seats[2]", sentence.format("Bob")),
        ("no-chips", "seats[3]", sentence.format("Cat")),
    ]
    assert replace(broke, rules=resolve({"loss_cap": False})).obstacles() == []


def test_fantasyland_has_the_cards_that_the_deck_has() -> None:
    pending = replace(TABLE, fantasyland={1: 17})
    assert (pending.dealt_at_once(1), pending.dealt_at_once(2)) == (17, 0)
    assert replace(pending, chairs=(ANN, BOB, CAT, DAN)).dealt_at_once(1) == 13


def test_names_seats_and_stakes() -> None:
    assert (TABLE.name(2), TABLE.name(9)) == ("Bob", "Seat 9")
    assert TABLE.chair(2) == TABLE.here(2) == BOB
    assert TABLE.chair(9) is None
    with pytest.raises(LedgerError) as refusal:
        TABLE.here(9)
    assert told(refusal.value.problems) == [("unknown-player", "seats[9]", "Seat 9 is not at the table.")]
    assert (TABLE.pair_stake(2, 1), TABLE.pair_stake(1, 2), TABLE.pair_stake(2, 3)) == (1000, 1000, 100)
    assert TABLE.chairs_with(out(BOB)) == (ANN, out(BOB), CAT)


def test_who_has_left_with_chips_is_away() -> None:
    assert CHIPS.away((1, 8, 9)) == (8, 9)
    assert TABLE.away((1, 8, 9)) == ()


# --- What is asked --------------------------------------------------------------------------------------


def test_what_the_engine_is_asked() -> None:
    pending = replace(CHIPS, fantasyland={1: 14}, stacks={1: 500, 2: 600})
    assert pending.score_document(Entry({2: PLAIN, 3: Rows(ruling="dead")})) == {
        "rules": resolve("regular").as_document(),
        "players": [
            {"name": "Bob", "front": PLAIN.front, "middle": PLAIN.middle, "back": PLAIN.back, "stack": 600},
            {"name": "Cat", "ruling": "dead", "stack": 0},
            {"name": "Ann", "fantasyland": True, "fantasyland_cards": 14, "stack": 500},
        ],
        "stake": 100,
        "pair_stakes": [{"players": ["Ann", "Bob"], "stake": 1000}],
    }


def test_on_credit_there_are_no_stacks_and_absent_pairs_have_no_stake() -> None:
    asked = replace(TABLE, chairs=(ANN, out(BOB), CAT)).score_document(Entry(points=((1, 3, 5),)))
    assert asked["players"] == [{"name": "Cat"}, {"name": "Ann"}]
    assert asked["pair_stakes"] == []
    assert asked["points"] == [{"players": ["Ann", "Cat"], "points": 5}]
    assert "points" not in TABLE.score_document(BOARDS)


def test_an_entry_may_have_everything_otherwise() -> None:
    otherwise = Entry(
        seats=(3, 1), button=3, fantasyland={1: 13, 3: 0}, stake=7, pair_stakes={(1, 3): 9}, rules=resolve("bga")
    )
    assert CHIPS.as_played(otherwise) == replace(
        CHIPS,
        chairs=(ANN, out(BOB), CAT),
        button=3,
        fantasyland={1: 13},
        stake=7,
        pair_stakes={(1, 3): 9},
        rules=resolve("bga"),
    )
    assert CHIPS.as_played(Entry()) == CHIPS
    dealt_in = Entry(seats=(1, 2, 3))
    assert replace(CHIPS, chairs=(ANN, out(BOB), CAT)).as_played(dealt_in).chairs == CHIPS.chairs


@pytest.mark.parametrize("otherwise", [{"seats": (9,)}, {"button": 9}, {"fantasyland": {9: 14}}])
def test_nothing_is_otherwise_for_who_is_not_there(otherwise: dict[str, Any]) -> None:
    with pytest.raises(LedgerError) as refusal:
        TABLE.as_played(Entry(**otherwise))
    assert told(refusal.value.problems) == [("unknown-player", "seats[9]", "Seat 9 was not at the table.")]


def test_a_deal_carries_the_reason_for_what_is_otherwise() -> None:
    told_why = replace(TABLE, note="The host's")
    assert told_why.note_for(Entry(note="Mine")) == "The host's"
    assert told_why.note_for(Entry(button=2, note="Mine")) == "Mine"


def test_what_cannot_be_scored_has_every_reason() -> None:
    wrong = Entry({1: STRONG, 2: replace(PLAIN, back="x" * 101), 9: WEAK, 8: WEAK})
    with pytest.raises(LedgerError) as refusal:
        TABLE.score(wrong)
    assert told(refusal.value.problems) == [
        ("unknown-player", "seats[9]", "Seat 9 is not dealt in."),
        ("unknown-player", "seats[8]", "Seat 8 is not dealt in."),
        ("unreadable-card", "players[0].back", "That is too long to be a row of cards."),
    ]
    with pytest.raises(LedgerError) as refusal:
        TABLE.score(Entry({1: replace(STRONG, back="x" * 100), 2: PLAIN, 3: WEAK}))
    assert [problem.where for problem in refusal.value.problems] == ["players[2].back"]
    assert "too long" not in refusal.value.problems[0].message


def test_amounts_beyond_sixteen_digits_are_not_settled() -> None:
    rich = replace(TABLE, stake=MAX_AMOUNT, pair_stakes={})
    with pytest.raises(LedgerError) as refusal:
        rich.score(Entry(points=((1, 2, 2), (2, 3, 1))))
    assert told(refusal.value.problems) == [
        ("bad-value", "pairs[1]", "Bob and Ann would settle an amount of more than 16 digits.")
    ]
    full = replace(CHIPS, stacks={1: MAX_AMOUNT, 2: 600, 3: 700}, pair_stakes={})
    with pytest.raises(LedgerError) as refusal:
        full.score(Entry(points=((1, 2, 1),)))
    assert told(refusal.value.problems) == [
        ("bad-value", "players[2]", "Ann would have a stack of more than 16 digits.")
    ]
    assert full.score(Entry(points=((3, 2, 1),))).seats == (2, 3, 1)


# --- What a deal leaves ---------------------------------------------------------------------------------


def test_a_deal_on_paper() -> None:
    found = replace(TABLE, note="Set").score(BOARDS)
    assert (found.seats, found.button, found.entry, found.note) == ((2, 3, 1), 1, BOARDS, "Set")
    assert found.document == TABLE.score_document(BOARDS)
    assert found.gains()[1] == Gain(money=37 * 1000 + 37 * 100, fantasyland_next=13)
    assert found.lines() == [
        Line(3, 2, 6, 600, LineKind.DEAL, False),
        Line(2, 1, 37, 37_000, LineKind.DEAL, False),
        Line(3, 1, 37, 3_700, LineKind.DEAL, False),
    ]


def test_a_single_point_is_won_by_who_has_it() -> None:
    assert TABLE.score(Entry(points=((2, 3, 1),))).lines() == [Line(3, 2, 1, 100, LineKind.DEAL, False)]
    assert TABLE.score(Entry(points=((2, 3, -1),))).lines() == [Line(2, 3, 1, 100, LineKind.DEAL, False)]
    assert TABLE.score(Entry(points=((2, 3, 0),))).lines() == []


def test_what_hinders_a_deal_is_told_with_what_is_wrong_with_it() -> None:
    with pytest.raises(LedgerError) as refusal:
        replace(CHIPS, stacks={1: 5, 2: 5}).score(Entry({9: STRONG}))
    assert [problem.code for problem in refusal.value.problems] == ["no-chips", "unknown-player"]


def test_who_had_no_chips_has_what_was_won() -> None:
    assert replace(CHIPS, stacks={1: 500}).after_deal(Entry(), {1: Gain(-200, 0), 2: Gain(200, 0)}).stacks == {
        1: 300,
        2: 200,
    }


def test_after_a_deal_the_button_has_moved_and_the_chips_too() -> None:
    gains = {1: Gain(100, 0), 2: Gain(-600, 0), 3: Gain(500, 0)}
    before = replace(CHIPS, note="Set", fantasyland={3: 13}, held=True)
    assert before.after_deal(Entry(), gains) == replace(
        CHIPS, stacks={1: 600, 3: 1200}, button=2, dealt=frozenset({1}), note="", fantasyland={}, held=False
    )
    assert TABLE.after_deal(Entry(button=3), gains) == replace(TABLE, button=1, dealt=frozenset({3}))


def test_for_fantasyland_the_button_stays_unless_the_table_moves_it() -> None:
    gains = {1: Gain(0, 14), 2: Gain(0, 0)}
    assert TABLE.after_deal(Entry(), gains) == replace(TABLE, fantasyland={1: 14}, held=True)
    moving = replace(TABLE, rules=resolve({"button_in_fantasyland": "moves"}))
    assert moving.after_deal(Entry(), gains) == replace(moving, fantasyland={1: 14}, button=2, dealt=frozenset({1}))


def test_the_button_passes_over_who_is_due_fantasyland_where_it_would_sit_out() -> None:
    assert replace(FOUR, fantasyland={2: 14}).with_button_moved().button == 3
    assert replace(FOUR, fantasyland={3: 14}).with_button_moved().button == 2
    assert replace(TABLE, fantasyland={2: 14}).with_button_moved().button == 2
    assert replace(FOUR, fantasyland=dict.fromkeys((1, 2, 3, 4), 14)).with_button_moved().button == 1


def test_an_orbit_ends_when_everybody_has_dealt() -> None:
    assert replace(TABLE, dealt=frozenset({2, 3})).with_button_moved() == replace(TABLE, button=2, orbits=1)
    assert replace(TABLE, dealt=frozenset({2})).with_button_moved() == replace(TABLE, button=2, dealt=frozenset({1, 2}))


def test_who_goes_leaves_the_button_and_fantasyland_behind() -> None:
    pending = replace(TABLE, fantasyland={1: 14, 2: 13}, held=True)
    assert pending.with_seat_out(2, (ANN, CAT)) == replace(pending, chairs=(ANN, CAT), fantasyland={1: 14})
    alone = replace(TABLE, fantasyland={2: 13}, held=True)
    assert alone.with_seat_out(2, (ANN, CAT)) == replace(TABLE, chairs=(ANN, CAT), button=3, dealt=frozenset({1}))
    assert TABLE.with_seat_out(1, (BOB, CAT)) == replace(TABLE, chairs=(BOB, CAT), button=2)
    waiting = replace(TABLE, dealt=frozenset({1, 3}))
    assert waiting.with_seat_out(2, (ANN, CAT)) == replace(TABLE, chairs=(ANN, CAT), orbits=1)


def test_where_nobody_is_left_to_play_the_button_waits_at_the_first_chair() -> None:
    alone = replace(TABLE, chairs=(out(ANN), BOB, out(CAT)), button=2)
    assert alone.with_seat_out(2, (out(ANN), out(BOB), out(CAT))).button == 1
    assert alone.with_seat_out(2, (out(ANN), out(CAT))).button == 1


def test_who_comes_does_not_take_the_button() -> None:
    assert TABLE.with_seat_in((ANN, DAN, BOB, CAT)) == replace(TABLE, chairs=(ANN, DAN, BOB, CAT))
    resting = replace(TABLE, chairs=(out(ANN), out(BOB), out(CAT)))
    assert resting.with_seat_in((out(ANN), out(BOB), CAT)).button == 3


def test_transfers_move_chips_where_there_are_any() -> None:
    lines = [
        Line(1, 2, 0, 100, LineKind.SIDE_BET, True),
        Line(BANK, 3, 0, 50, LineKind.BUY_IN, True),
        Line(2, HOUSE, 0, 700, LineKind.FEE, True),
        Line(1, 2, 0, 999, LineKind.SIDE_BET, False),
    ]
    assert CHIPS.with_transfers(lines) == replace(CHIPS, stacks={1: 400, 3: 750})
    assert TABLE.with_transfers(lines) == TABLE


def test_nobody_pays_with_chips_that_are_not_there() -> None:
    bet = [Line(1, 2, 0, 501, LineKind.SIDE_BET, True)]
    sentence = "Ann has too few chips for that."
    with pytest.raises(LedgerError) as refusal:
        CHIPS.with_transfers(bet)
    assert told(refusal.value.problems) == [("not-enough-chips", "amount", sentence)]
    assert refusal.value.short == (1,)
    uncapped = replace(CHIPS, rules=resolve({"loss_cap": False}))
    assert uncapped.with_transfers(bet).stacks == {1: -1, 2: 1101, 3: 700}
    assert replace(uncapped, stacks={2: 600}).with_transfers(bet).stacks == {1: -501, 2: 1101}
    with pytest.raises(LedgerError):
        uncapped.with_transfers([Line(1, BANK, 0, 501, LineKind.CASH_OUT, True)])
    with pytest.raises(LedgerError) as refusal:
        CHIPS.with_transfers([Line(BANK, 1, 0, MAX_AMOUNT - 499, LineKind.BUY_IN, True)])
    assert told(refusal.value.problems) == [("bad-value", "amount", "Ann would have a stack of more than 16 digits.")]
    assert CHIPS.with_transfers([Line(BANK, 1, 0, MAX_AMOUNT - 500, LineKind.BUY_IN, True)]).stacks == {
        1: MAX_AMOUNT,
        2: 600,
        3: 700,
    }


def test_what_the_history_keeps_of_a_table() -> None:
    kept = replace(
        CHIPS,
        chairs=(ANN, out(BOB)),
        fantasyland={2: 14},
        held=True,
        note="Why",
        dealt=frozenset({3, 1}),
        orbits=2,
    )
    assert kept.as_document() == {
        "seats": [[1, "Ann", "in"], [2, "Bob", "out"]],
        "button": 1,
        "fantasyland": {"2": 14},
        "held": True,
        "note": "Why",
        "stake": 100,
        "pair_stakes": [[1, 2, 1000]],
        "rules": resolve("regular").as_document(),
        "stacks": {"1": 500, "2": 600, "3": 700},
        "dealt": [1, 3],
        "orbits": 2,
        "cash": False,
    }
    assert TABLE.as_document()["stacks"] is None
