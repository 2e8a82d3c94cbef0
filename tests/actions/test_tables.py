"""What each action makes of a table, which lines it makes, and that it comes back from JSON as it was."""

import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.actions.base import Action, TableAction
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.evening import ChooseTab, Close
from scoring.actions.fee import Fee
from scoring.actions.payment import Pay
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.start import Start
from scoring.actions.terms import ChangeTerms
from scoring.actions.undo import Undo
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Line, LineKind
from scoring.game.table import Chair, Table
from scoring.rules.houserules import resolve

ANN, BOB, CAT, DAN = Chair(1, "Ann"), Chair(2, "Bob"), Chair(3, "Cat"), Chair(4, "Dan", out=True)
TABLE = Table(chairs=(ANN, BOB, CAT, DAN), button=1, stake=100, rules=resolve("regular"), pair_stakes={(1, 2): 1000})
"""On credit; Ann has the button, Dan sits out, and Ann and Bob play for ten times as much."""

CHIPS = replace(TABLE, stacks={1: 500, 2: 50_000, 3: 500})
PENDING = replace(TABLE, fantasyland={1: 14}, held=True)
"""Ann has kept the button for the Fantasyland due to Ann."""


def kept(action: TableAction) -> TableAction:
    """The action as its event gives it back."""
    return type(action).read(json.loads(json.dumps(action.as_document())))


@pytest.mark.parametrize(
    ("action", "before", "changes", "lines"),
    [
        (BuyIn(1, 5), TABLE, {"stacks": {1: 5}}, [Line(BANK, 1, 0, 5, LineKind.BUY_IN, True)]),
        (
            BuyIn(1, 1, cash=True),
            TABLE,
            {"stacks": {1: 1}, "cash": True},
            [Line(BANK, 1, 0, 1, LineKind.BUY_IN, True), Line(1, BANK, 0, 1, LineKind.CASH, False)],
        ),
        (
            BuyIn(1, 5, before=2),
            CHIPS,
            {"stacks": {1: 505, 2: 50_000, 3: 500}},
            [Line(BANK, 1, 0, 5, LineKind.BUY_IN, True)],
        ),
        (CashOut(1, 500), CHIPS, {"stacks": {2: 50_000, 3: 500}}, [Line(1, BANK, 0, 500, LineKind.CASH_OUT, True)]),
        (
            CashOut(1, 200, cash=True),
            CHIPS,
            {"stacks": {1: 300, 2: 50_000, 3: 500}},
            [Line(1, BANK, 0, 200, LineKind.CASH_OUT, True), Line(BANK, 1, 0, 200, LineKind.CASH, False)],
        ),
        (
            BuyInAll(5, [1, 3], cash=True),
            TABLE,
            {"stacks": {1: 5, 3: 5}, "cash": True},
            [
                Line(BANK, 1, 0, 5, LineKind.BUY_IN, True),
                Line(1, BANK, 0, 5, LineKind.CASH, False),
                Line(BANK, 3, 0, 5, LineKind.BUY_IN, True),
                Line(3, BANK, 0, 5, LineKind.CASH, False),
            ],
        ),
        (
            Fee(5, [1, 2]),
            TABLE,
            {},
            [Line(1, HOUSE, 0, 5, LineKind.FEE, False), Line(2, HOUSE, 0, 5, LineKind.FEE, False)],
        ),
        (Fee(5, [3]), CHIPS, {"stacks": {1: 500, 2: 50_000, 3: 495}}, [Line(3, HOUSE, 0, 5, LineKind.FEE, True)]),
        (SideBet(1, 2, 7), TABLE, {}, [Line(1, 2, 0, 7, LineKind.SIDE_BET, False)]),
        (
            SideBet(1, 2, 7),
            CHIPS,
            {"stacks": {1: 493, 2: 50_007, 3: 500}},
            [Line(1, 2, 0, 7, LineKind.SIDE_BET, True)],
        ),
        # As an earlier release booked it, which did not ask who had left.
        (
            SideBet(1, 5, 7),
            CHIPS,
            {"stacks": {1: 493, 2: 50_000, 3: 500, 5: 7}},
            [Line(1, 5, 0, 7, LineKind.SIDE_BET, True)],
        ),
        (SideBet(1, 5, 700, [5]), CHIPS, {}, [Line(1, 5, 0, 700, LineKind.SIDE_BET, False)]),
        (Fee(5, [5], [5]), CHIPS, {}, [Line(5, HOUSE, 0, 5, LineKind.FEE, False)]),
        (
            Penalty(2, 3, [1, 5], [5]),
            CHIPS,
            {"stacks": {1: 3500, 2: 47_000, 3: 500}},
            [Line(2, 1, 3, 3000, LineKind.PENALTY, True), Line(2, 5, 3, 300, LineKind.PENALTY, False)],
        ),
        (
            Penalty(2, 3, [1, 3]),
            TABLE,
            {},
            [Line(2, 1, 3, 3000, LineKind.PENALTY, False), Line(2, 3, 3, 300, LineKind.PENALTY, False)],
        ),
        (
            Penalty(2, 3, [1]),
            CHIPS,
            {"stacks": {1: 3500, 2: 47_000, 3: 500}},
            [Line(2, 1, 3, 3000, LineKind.PENALTY, True)],
        ),
        (Join("Eve", None, 5), TABLE, {"chairs": (ANN, BOB, CAT, DAN, Chair(5, "Eve"))}, []),
        (Join("Eve", 1, 5), TABLE, {"chairs": (ANN, Chair(5, "Eve"), BOB, CAT, DAN)}, []),
        (
            Join("Eve", 4, 5, 7, 200),
            replace(CHIPS, stacks={1: 500, 5: 200}),
            {"chairs": (ANN, BOB, CAT, DAN, Chair(5, "Eve")), "stacks": {1: 500}},
            [Line(5, BANK, 0, 200, LineKind.CASH_OUT, True)],
        ),
        (
            Join("Eve", 4, 5, 7, 200, 150),
            replace(CHIPS, stacks={1: 500, 5: 200}),
            {"chairs": (ANN, BOB, CAT, DAN, Chair(5, "Eve")), "stacks": {1: 500}},
            [Line(5, BANK, 0, 200, LineKind.CASH_OUT, True), Line(BANK, 5, 0, 150, LineKind.CASH, False)],
        ),
        (Join("Eve", 4, 5), TABLE, {"chairs": (ANN, BOB, CAT, DAN, Chair(5, "Eve"))}, []),
        (Leave(2), TABLE, {"chairs": (ANN, CAT, DAN)}, []),
        (
            Leave(3, 500),
            CHIPS,
            {"chairs": (ANN, BOB, DAN), "stacks": {1: 500, 2: 50_000}},
            [Line(3, BANK, 0, 500, LineKind.CASH_OUT, True)],
        ),
        (
            Leave(3, 500, 300),
            CHIPS,
            {"chairs": (ANN, BOB, DAN), "stacks": {1: 500, 2: 50_000}},
            [Line(3, BANK, 0, 500, LineKind.CASH_OUT, True), Line(BANK, 3, 0, 300, LineKind.CASH, False)],
        ),
        (Leave(1), TABLE, {"chairs": (BOB, CAT, DAN), "button": 2}, []),
        (SitOut(2), TABLE, {"chairs": (ANN, replace(BOB, out=True), CAT, DAN)}, []),
        (SitOut(1), TABLE, {"chairs": (replace(ANN, out=True), BOB, CAT, DAN), "button": 2}, []),
        (SitIn(4), TABLE, {"chairs": (ANN, BOB, CAT, replace(DAN, out=False))}, []),
        (Swap(1, 3), TABLE, {"chairs": (CAT, BOB, ANN, DAN)}, []),
        (SetNext(button=2), TABLE, {"button": 2, "note": "why"}, []),
        (SetNext(button=2), PENDING, {"button": 2, "held": False, "note": "why"}, []),
        (SetNext(fantasyland={2: 15}), TABLE, {"fantasyland": {2: 15}, "note": "why"}, []),
        (SetNext(fantasyland={2: 15}), PENDING, {"fantasyland": {2: 15}, "note": "why"}, []),
        (
            SetNext(fantasyland={}),
            PENDING,
            {"fantasyland": {}, "held": False, "button": 2, "dealt": frozenset({1}), "note": "why"},
            [],
        ),
        (SetNext(fantasyland={}), TABLE, {"note": "why"}, []),
        (ChangeTerms(stake=5), TABLE, {"stake": 5}, []),
        (ChangeTerms(pair_stakes=[[3, 2, 7]]), TABLE, {"pair_stakes": {(2, 3): 7}}, []),
        (ChangeTerms(pair_stakes=[]), TABLE, {"pair_stakes": {}}, []),
        (ChangeTerms(rules="pineapple"), TABLE, {"rules": resolve("pineapple")}, []),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, TableAction) else "",
)
def test_what_an_action_makes_of_a_table(
    action: TableAction, before: Table, changes: dict[str, Any], lines: list[Line]
) -> None:
    assert action.apply(before, "why") == (replace(before, **changes), lines)
    assert kept(action).apply(before, "why") == (replace(before, **changes), lines)


def test_who_has_joined_and_left_again_is_still_called_by_their_name() -> None:
    joined, _ = Join("Eve", 4, 5).apply(TABLE, "")
    left, _ = Leave(5).apply(joined, "")
    assert (left.chair(5), left.name(5)) == (None, "Eve")


@pytest.mark.parametrize(
    ("action", "before", "expected"),
    [
        (Fee(5), TABLE, Fee(5, [1, 2, 3])),
        (Fee(5, [2]), TABLE, Fee(5, [2])),
        (Penalty(2, 3), TABLE, Penalty(2, 3, [1, 3])),
        (Penalty(2, 3, [1]), TABLE, Penalty(2, 3, [1])),
        (Fee(5, [2, 5]), CHIPS, Fee(5, [2, 5], (5,))),
        (Penalty(5, 3), CHIPS, Penalty(5, 3, [1, 2, 3], (5,))),
        (SideBet(1, 5, 7), TABLE, SideBet(1, 5, 7)),
        (SideBet(1, 2, 7), CHIPS, SideBet(1, 2, 7)),
        (SideBet(1, 5, 7), CHIPS, SideBet(1, 5, 7, (5,))),
        (Leave(1), TABLE, Leave(1, 0)),
        (Leave(1), CHIPS, Leave(1, 500)),
        (Leave(4), CHIPS, Leave(4, 0)),
        (Leave(1), replace(TABLE, stacks={1: -5}), Leave(1, 0)),
        (Leave(1), replace(CHIPS, cash_for={1: 300, 2: 7}), Leave(1, 500, 300)),
        (Join("Eve", 1, 5), TABLE, Join("Eve", 1, 5)),
        (Join("Eve", 1, 5), replace(CHIPS, stacks={1: 500, 5: 200}), Join("Eve", 1, 5, 0, 200)),
        (Join("Eve", 1, 5), replace(CHIPS, stacks={1: 500, 5: -200}), Join("Eve", 1, 5)),
        (Join("Eve", 1, 5), replace(CHIPS, stacks={5: 200}, cash_for={5: 150}), Join("Eve", 1, 5, 0, 200, 150)),
        (Swap(1, 2), TABLE, Swap(1, 2)),
        (BuyInAll(5), TABLE, BuyInAll(5, [chair.number for chair in TABLE.chairs])),
        (BuyInAll(5, [2]), TABLE, BuyInAll(5, [2])),
    ],
)
def test_what_the_table_fills_in(action: TableAction, before: Table, expected: TableAction) -> None:
    assert action.completed(before) == expected


@pytest.mark.parametrize(
    ("action", "document"),
    [
        (BuyIn(1, 5), {"seat": 1, "amount": 5}),
        (BuyIn(1, 5, 2), {"seat": 1, "amount": 5, "before": 2}),
        (BuyIn(1, 5, cash=True), {"seat": 1, "amount": 5, "cash": True}),
        (BuyInAll(5, [1, 2]), {"amount": 5, "seats": [1, 2]}),
        (BuyInAll(5, [1, 2], cash=True), {"amount": 5, "seats": [1, 2], "cash": True}),
        (CashOut(1, 5), {"seat": 1, "amount": 5}),
        (CashOut(1, 5, cash=True), {"seat": 1, "amount": 5, "cash": True}),
        (Fee(5), {"seats": None, "amount": 5}),
        (Fee(5, (1, 2)), {"seats": [1, 2], "amount": 5}),
        (Penalty(1, 5), {"seat": 1, "points": 5, "to": None}),
        (Penalty(1, 5, (2, 3)), {"seat": 1, "points": 5, "to": [2, 3]}),
        (SideBet(1, 2, 7), {"payer": 1, "payee": 2, "amount": 7}),
        (SideBet(1, 5, 7, (5,)), {"payer": 1, "payee": 5, "amount": 7, "away": [5]}),
        (Fee(5, (1, 5), (5,)), {"seats": [1, 5], "amount": 5, "away": [5]}),
        (Penalty(1, 5, (5,), (5,)), {"seat": 1, "points": 5, "to": [5], "away": [5]}),
        (SetNext(), {"button": None, "fantasyland": None}),
        (SetNext(1, {2: 14}), {"button": 1, "fantasyland": {"2": 14}}),
        (ChangeTerms(), {"stake": None, "pair_stakes": None, "rules": None}),
        (ChangeTerms(pair_stakes=[[2, 1, 5]]), {"stake": None, "pair_stakes": [[1, 2, 5]], "rules": None}),
        (
            ChangeTerms(rules="pineapple"),
            {"stake": None, "pair_stakes": None, "rules": resolve("pineapple").as_document()},
        ),
        (Join("Eve", 1, 5, 7, 9), {"name": "Eve", "after": 1, "seat": 5, "player": 7, "cash_out": 9}),
        (
            Join("Eve", 1, 5, 7, 9, 8),
            {"name": "Eve", "after": 1, "seat": 5, "player": 7, "cash_out": 9, "in_cash": 8},
        ),
        (Leave(1, 9), {"seat": 1, "cash_out": 9}),
        (Leave(1, 9, 8), {"seat": 1, "cash_out": 9, "in_cash": 8}),
        (Close(), {}),
        (
            Close([(1, 450)], [(1, -50)], [(1, 450, 400)], tab=True, coin=10),
            {"counts": [[1, 450]], "differences": [[1, -50]], "handed_in": [[1, 450, 400]], "tab": True, "coin": 10},
        ),
        (ChooseTab(False), {"on": False}),
        (ChooseTab(True, 10), {"on": True, "coin": 10}),
        (Pay(1, 2, 7), {"payer": 1, "payee": 2, "amount": 7}),
        (
            Pay(1, 2, 7, [(1, 2, 7), (3, 2, 5)], [(2, 1), (3, -1)]),
            {"payer": 1, "payee": 2, "amount": 7, "plan": [[1, 2, 7], [3, 2, 5]], "rest": [[2, 1], [3, -1]]},
        ),
        (Undo(8, "settle"), {"n": 8, "verb": "settle"}),
    ],
)
def test_what_an_event_stores_of_an_action(action: Action, document: dict[str, Any]) -> None:
    assert action.as_document() == document
    assert type(action).read(document).as_document() == document


@pytest.mark.parametrize(
    ("action", "request_"),
    [
        (BuyIn(1, 5), {"seat": 1, "amount": 5, "before": None}),
        (BuyIn(1, 5, 2), {"seat": 1, "amount": 5, "before": 2}),
        (BuyIn(1, 5, cash=True), {"seat": 1, "amount": 5, "before": None, "cash": True}),
        (Join("Eve", 1, 5, 7, 9), {"name": "Eve", "after": 1}),
        (Leave(1, 500), {"seat": 1}),
        (SideBet(1, 5, 7, (5,)), {"payer": 1, "payee": 5, "amount": 7}),
        (ChangeTerms(), {"stake": None, "pair_stakes": None, "rules": None}),
        (
            ChangeTerms(5, ((2, 1, 5),), {"jokers": 1}),
            {"stake": 5, "pair_stakes": [[2, 1, 5]], "rules": {"jokers": 1}},
        ),
    ],
)
def test_what_two_forms_that_ask_for_the_same_have_in_common(action: TableAction, request_: dict[str, Any]) -> None:
    assert action.request() == request_


def test_a_start_is_the_table_before_the_first_hand() -> None:
    start = Start([[3, "Cat"], [1, "Ann"]], 3, 100, [[1, 3, 1000]], resolve("pineapple").as_document())
    assert start.table() == Table((CAT, ANN), 3, 100, resolve("pineapple"), pair_stakes={(1, 3): 1000})


def test_who_was_there_from_the_start_and_has_left_is_still_called_by_their_name() -> None:
    start = Start([[3, "Cat"], [1, "Ann"]], 3, 100, [], resolve("pineapple").as_document())
    left, _ = Leave(3).apply(start.table(), "")
    assert (left.chair(3), left.name(3)) == (None, "Cat")


def test_a_close_books_what_was_counted_and_takes_what_was_handed_in_off_the_table() -> None:
    """Bob's chips lie in front of Ann, Cat's were counted as the ledger has them, and Ann and Cat are paid."""
    close = Close([[1, 550], [2, 49_950], [3, 500]]).compared(CHIPS)
    assert close == Close(close.counts, [(1, 50), (2, -50)])
    counted = [Line(2, 1, 0, 50, LineKind.COUNT, True)]
    assert close.count_lines() == counted
    handed_in = replace(close, handed_in=[(1, 550, 540), (3, 500, 500)])
    assert handed_in.apply(CHIPS, "") == (
        replace(CHIPS, stacks={2: 49_950}),
        [
            *counted,
            Line(1, BANK, 0, 550, LineKind.CASH_OUT, True),
            Line(BANK, 1, 0, 540, LineKind.CASH, False),
            Line(3, BANK, 0, 500, LineKind.CASH_OUT, True),
            Line(BANK, 3, 0, 500, LineKind.CASH, False),
        ],
    )


def test_a_payment_moves_money_alone() -> None:
    assert Pay(1, 2, 7).line() == Line(1, 2, 0, 7, LineKind.PAYMENT, False)
