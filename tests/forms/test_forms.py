"""The host's forms: the arguments that they give the ledger, and the field at which each refusal appears."""

import pytest

from scoring.actions.base import TableAction
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.terms import ChangeTerms
from scoring.forms.chips import ChipsForm, ForgottenForm
from scoring.forms.new_session import NewSessionForm, rearranged
from scoring.forms.next_deal import NextDealForm
from scoring.forms.penalty import PenaltyForm
from scoring.forms.people import PeopleForm
from scoring.forms.stakes import StakesForm
from scoring.game.table import Chair, Table
from scoring.rules.errors import Problem
from scoring.rules.houserules import PRESETS

NAMES = {1: "Ann", 2: "Bob", 3: "Cat"}
TABLE = Table(
    chairs=tuple(Chair(number, name) for number, name in NAMES.items()),
    button=3,
    stake=100,
    rules=PRESETS["regular"],
    pair_stakes={(1, 2): 300, (1, 9): 700},
    fantasyland={1: 14},
)
SITTING_DOWN = {"name-1": "Ann", "name-2": "", "name-3": "Cat", "button": "3", "pair-1-3": "5", "pair-1-2": "x"}


@pytest.mark.parametrize(("to", "those"), [("", None), ("3", [3])])
def test_a_penalty_goes_to_one_or_to_everybody(to: str, those: list[int] | None) -> None:
    form = PenaltyForm({"seat": "1", "points": "4", "to": to, "note": " late "}, seats=NAMES)
    assert form.is_valid()
    assert form.arguments() == {"action": Penalty(1, 4, those), "note": "late"}


def test_a_fresh_form_has_no_errors_and_what_the_address_says() -> None:
    form = ChipsForm(initial={"seat": "2", "amount": "5"}, seats=NAMES)
    assert not form.errors
    assert (form["seat"].value(), form["amount"].value(), form["note"].value()) == (2, "5", "")


@pytest.mark.parametrize(
    ("problem", "field"),
    [
        (Problem("x", "names[0]", "Taken."), "name"),
        (Problem("x", "second", "Taken."), "other"),
        (Problem("x", "note", "Taken."), "note"),
        (Problem("x", "insist", "Taken."), "__all__"),
        (Problem("x", "seats[2]", "Taken."), "__all__"),
        (Problem("x", "", "Taken."), "__all__"),
    ],
)
def test_a_refusal_of_the_ledger_appears_at_the_field_that_caused_it(problem: Problem, field: str) -> None:
    form = PeopleForm({"do": "swap", "seat": "1", "other": "2"}, NAMES)
    assert form.is_valid()
    form.refused([problem])
    assert {place: list(messages) for place, messages in form.errors.items()} == {field: ["Taken."]}


@pytest.mark.parametrize(
    ("sent", "action"),
    [
        ({"do": "join", "name": " Dan ", "after": "2"}, Join("Dan", 2)),
        ({"do": "join", "name": "Dan", "after": "99"}, Join("Dan")),
        ({"do": "leave", "seat": "2"}, Leave(2)),
        ({"do": "sit-out", "seat": "2"}, SitOut(2)),
        ({"do": "sit-in", "seat": "2"}, SitIn(2)),
        ({"do": "swap", "seat": "2", "other": "3"}, Swap(2, 3)),
    ],
)
def test_each_button_asks_for_an_action_with_its_people(sent: dict[str, str], action: TableAction) -> None:
    form = PeopleForm({**sent, "insist": "yes", "note": "so"}, NAMES)
    assert form.is_valid()
    assert form.arguments() == {"action": action, "insist": True, "note": "so"}


@pytest.mark.parametrize(
    ("sent", "field", "message"),
    [
        ({"do": "dance"}, "__all__", "Choose what to do."),
        ({"do": "leave", "seat": "9"}, "__all__", "Choose a player."),
        ({"do": "swap", "seat": "1"}, "other", "Choose who to swap seats with."),
    ],
)
def test_people_who_are_missing_are_asked_for(sent: dict[str, str], field: str, message: str) -> None:
    assert PeopleForm(sent, NAMES).errors == {field: [message]}


def test_a_pair_with_the_common_stake_has_none_of_its_own() -> None:
    form = StakesForm({"stake": "2", "pair-1-2": "", "pair-1-3": "2,00", "pair-2-3": "5"}, TABLE, 2)
    assert form.is_valid()
    # The stake of Ann and the player who has left stays.
    assert form.arguments() == {"action": ChangeTerms(200, [(1, 9, 700), (2, 3, 500)]), "note": ""}


def test_stakes_are_shown_as_the_table_has_them() -> None:
    form = StakesForm(None, TABLE, 2)
    assert [form["stake"].value(), *(each.value for each in form.pair_fields)] == ["1.00", "3.00", "", ""]


@pytest.mark.parametrize(
    ("sent", "button", "fantasyland"),
    [
        ({}, None, None),
        ({"button": "3", "p1-cards": "14"}, None, None),
        ({"button": "2"}, 2, None),
        ({"p1-cards": "0", "p2-cards": "15"}, None, {2: 15}),
        ({"had-button": "2", "button": "2", "p1-had": "0", "p1-cards": "0"}, None, None),
    ],
)
def test_only_what_was_changed_is_set(
    sent: dict[str, str], button: int | None, fantasyland: dict[int, int] | None
) -> None:
    form = NextDealForm({**sent, "note": "agreed"}, TABLE, NAMES)
    assert form.is_valid()
    assert form.arguments() == {"action": SetNext(button, fantasyland), "note": "agreed"}


@pytest.mark.parametrize(
    ("before", "messages"), [("2", []), ("3", ["Enter a hand from 1 to 2."]), ("x", ["Enter a hand from 1 to 2."])]
)
def test_a_forgotten_purchase_was_made_before_a_hand_that_was_played(before: str, messages: list[str]) -> None:
    sent = {"seat": "1", "amount": "5", "before": before}
    form = ForgottenForm(sent, initial={}, seats=NAMES, digits=2, deals=2)
    assert form.wrong("before") == messages


def test_the_seats_of_a_new_session_are_its_named_lines() -> None:
    form = NewSessionForm(SITTING_DOWN, saved={})
    assert form.is_valid()
    assert form.arguments() == {
        "names": ["Ann", "Cat"],
        "button": 2,
        "stake": 100,
        "currency": "EUR",
        "minor_digits": 2,
        "pair_stakes": [(1, 2, 500)],
        "rules": "regular",
        "buy_in": 0,
        "cash": False,
    }


def test_a_line_that_moves_up_takes_its_button_and_its_stakes_along() -> None:
    moved = rearranged({**SITTING_DOWN, "up": "3"}, {})
    assert moved is not None
    form = NewSessionForm(None, typed=moved, saved={})
    assert (form.names, form.button_line, form.pair_texts[1, 2]) == (["Ann", "Cat", ""], 2, "5")
    assert not form.errors


def test_the_large_button_rearranges_nothing() -> None:
    assert rearranged({**SITTING_DOWN, "start": "1"}, {}) is None
