"""Outcomes: what a deal settled on paper says about its caps and its rules."""

from __future__ import annotations

from typing import Any

from scoring.game.entry import Entry
from scoring.game.outcome import Gain, Outcome, same_document
from scoring.rules.document import score
from scoring.wording.settlement import pairs_shown


def on_paper(document: dict[str, Any]) -> Outcome:
    return Outcome(tuple(range(1, len(document["players"]) + 1)), 1, Entry(), "", document, score(document))


def unpaid(document: dict[str, Any]) -> dict[str, str]:
    """The sentence on the unpaid part of each debt, by the payer's name."""
    outcome = on_paper(document)
    return {pair.payer: pair.unpaid for pair in pairs_shown(outcome.result, 2, outcome.caps()) if pair.unpaid}


def test_a_player_without_chips_is_named_although_another_name_ends_with_theirs() -> None:
    """Finding the sentence by the name in it would blame Bob for what J. Bob could not pay."""
    document = {
        "rules": "regular",
        "players": [{"name": name, "stack": stack} for name, stack in (("Bob", 9000), ("J. Bob", 100))],
        "points": [{"players": ["Bob", "J. Bob"], "points": 5}],
        "stake": 100,
    }
    assert unpaid(document) == {
        "J. Bob": "J. Bob is all-in: 1.00 of 5.00 paid, the other 4.00 is not owed.",
    }


def test_each_cap_is_carried_as_data() -> None:
    document: dict[str, Any] = {
        "rules": "regular",
        "players": [{"name": name, "stack": stack} for name, stack in (("Ann", 100), ("Bob", 300), ("Cat", 900))],
        "points": [
            {"players": ["Ann", "Bob"], "points": 2},
            {"players": ["Ann", "Cat"], "points": -9},
            {"players": ["Bob", "Cat"], "points": 9},
        ],
        "stake": 100,
    }
    assert on_paper(document).caps() == {("Ann", "Bob"): "win", ("Ann", "Cat"): "loss", ("Bob", "Cat"): "win"}


def test_there_is_no_cap_on_credit() -> None:
    document = {"players": [{"name": "Ann"}, {"name": "Bob"}], "points": [{"players": ["Ann", "Bob"], "points": 2}]}
    assert on_paper({"rules": "regular", **document}).caps() == {}


def test_points_that_the_table_entered_bring_nobody_to_fantasyland() -> None:
    document = {"players": [{"name": "Ann"}, {"name": "Bob"}], "points": [{"players": ["Ann", "Bob"], "points": 2}]}
    assert on_paper({"rules": "regular", **document}).gains() == {1: Gain(2, 0), 2: Gain(-2, 0)}


def test_documents_are_the_same_by_what_their_rules_resolve_to() -> None:
    one = {"rules": {"preset": "regular"}, "players": []}
    assert same_document(one, {"rules": "regular", "players": []})
    assert same_document(one, {"rules": {"preset": "regular", "moon_points": 20}, "players": []})
    assert not same_document(one, {"rules": {"preset": "regular", "scoring": "2-4"}, "players": []})
    assert not same_document(one, {"rules": "regular", "players": [{"name": "Ann"}]})
