"""What each action refuses, to the letter: the code, the place in the form, and the sentence that the table reads."""

from dataclasses import replace

import pytest

from scoring.actions.base import TableAction
from scoring.actions.checks import name_problems, pair_stake_problems
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.evening import Close
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.game.errors import LedgerError
from scoring.game.limits import MAX_AMOUNT
from scoring.game.table import Chair, Table
from scoring.rules.houserules import resolve

SEATS = (1, 2, 3, 4)
ANN, BOB, CAT, DAN = (Chair(number, name) for number, name in zip(SEATS, ("Ann", "Bob", "Cat", "Dan"), strict=True))
TABLE = Table(chairs=(ANN, BOB, CAT, replace(DAN, out=True)), button=1, stake=100, rules=resolve("regular"))
"""Ann has the button, Dan sits out."""

CHIPS = replace(TABLE, stacks={1: 500, 2: 500, 3: 500})

NOT_LESS = ("bad-value", "stake", "Enter an amount of 0 or more, with at most 16 digits.")
AMOUNT = ("bad-value", "amount", "Enter an amount above 0, with at most 16 digits.")


def refused(action: TableAction, table: Table = TABLE) -> list[tuple[str, str, str]]:
    """Every problem of the action, whether found before it is applied or while it is."""
    problems = list(action.problems(table, SEATS))
    if not problems:
        try:
            action.apply(table, "a note")
        except LedgerError as error:
            problems = list(error.problems)
    return [(problem.code, problem.where, problem.message) for problem in problems]


def nobody(seat: int) -> tuple[str, str, str]:
    return ("unknown-player", f"seats[{seat}]", f"There is no seat {seat}.")


def absent(seat: int) -> tuple[str, str, str]:
    return ("unknown-player", f"seats[{seat}]", f"Seat {seat} is not at the table.")


def no_stack(name: str) -> tuple[str, str, str]:
    return ("bad-value", "amount", f"{name} would have a stack of more than 16 digits.")


SELF_DEALING = ("bad-value", "to", "A penalty goes to one or more of the other players.")
ONCE_EACH = ("bad-value", "seats", "A fee is paid by one or more players, once each.")
BUYERS = ("bad-value", "seats", "Chips are bought by one or more players, once each.")
POINTS = ("bad-value", "points", "A penalty is a whole number of points from 1 to 999999.")
TOO_FEW_CHIPS = "{} has too few chips for that."


@pytest.mark.parametrize(
    ("action", "table", "expected"),
    [
        (BuyIn(1, 1), TABLE, []),
        (BuyIn(1, 0), TABLE, [AMOUNT]),
        (BuyIn(1, MAX_AMOUNT), TABLE, []),
        (BuyIn(9, MAX_AMOUNT + 1), TABLE, [AMOUNT, nobody(9)]),
        (BuyIn(1, MAX_AMOUNT), CHIPS, [no_stack("Ann")]),
        (BuyInAll(1, [1, 2]), TABLE, []),
        (BuyInAll(0, [8, 1, 9]), TABLE, [AMOUNT, nobody(8), nobody(9)]),
        (BuyInAll(5, []), TABLE, [BUYERS]),
        (BuyInAll(5), TABLE, [BUYERS]),
        (BuyInAll(5, [1, 1]), TABLE, [BUYERS]),
        (CashOut(1, 1), TABLE, [("not-enough-chips", "amount", "Nobody has bought any chips.")]),
        (CashOut(1, 0), CHIPS, [AMOUNT]),
        (CashOut(1, 500), CHIPS, []),
        (CashOut(1, 501), CHIPS, [("not-enough-chips", "amount", TOO_FEW_CHIPS.format("Ann"))]),
        (SideBet(1, 2, 1), TABLE, []),
        (SideBet(1, 2, 0), TABLE, [AMOUNT]),
        (SideBet(1, 9, 0), TABLE, [AMOUNT, nobody(9)]),
        (SideBet(1, 1, 5), TABLE, [("bad-value", "payee", "Choose two different players.")]),
        (SideBet(2, 1, 501), CHIPS, [("not-enough-chips", "amount", TOO_FEW_CHIPS.format("Bob"))]),
        (
            SideBet(3, 1, 1),
            replace(TABLE, stacks={1: 500}),
            [("not-enough-chips", "amount", TOO_FEW_CHIPS.format("Cat"))],
        ),
        (Fee(1, [1, 2]), TABLE, []),
        (Fee(0, [1]), TABLE, [AMOUNT]),
        (Fee(0, [8, 1, 9]), TABLE, [AMOUNT, nobody(8), nobody(9)]),
        (Fee(5, []), TABLE, [ONCE_EACH]),
        (Fee(5), TABLE, [ONCE_EACH]),
        (Fee(5, [1, 1]), TABLE, [ONCE_EACH]),
        (Fee(501, [3]), CHIPS, [("not-enough-chips", "amount", TOO_FEW_CHIPS.format("Cat"))]),
        (Penalty(1, 1, [2, 3]), TABLE, []),
        (Penalty(1, 999_999, [2]), TABLE, []),
        (Penalty(1, 1_000_000, [2]), TABLE, [POINTS]),
        (Penalty(1, 0, [9]), TABLE, [POINTS]),
        (Penalty(9, 1, [8]), TABLE, [nobody(9), nobody(8)]),
        (Penalty(1, 1, []), TABLE, [SELF_DEALING]),
        (Penalty(1, 1), TABLE, [SELF_DEALING]),
        (Penalty(1, 1, [1, 2]), TABLE, [SELF_DEALING]),
        (Penalty(1, 1, [2, 2]), TABLE, [SELF_DEALING]),
        (
            Penalty(1, 2, [2]),
            replace(TABLE, pair_stakes={(1, 2): MAX_AMOUNT}),
            [("bad-value", "points", "Enter an amount of 0 or more, with at most 16 digits.")],
        ),
        (Swap(1, 2), TABLE, []),
        (Swap(1, 1), TABLE, [("bad-value", "second", "Choose two different players.")]),
        (Swap(1, 9), TABLE, [absent(9)]),
        (Leave(9), TABLE, [absent(9)]),
        (
            Leave(1),
            replace(TABLE, chairs=(ANN,)),
            [("too-few-players", "seats[1]", "Only one player left – close the session instead.")],
        ),
        (SitOut(4), TABLE, [("bad-value", "seats[4]", "Dan is sitting out already.")]),
        (SitIn(1), TABLE, [("bad-value", "seats[1]", "Ann is not sitting out.")]),
        (SetNext(), TABLE, [("missing", "button", "This is how it is already. Change something first.")]),
        (SetNext(button=1), TABLE, []),
        (SetNext(button=4), TABLE, [("bad-value", "button", "The button must be a player who is dealt in.")]),
        (SetNext(fantasyland={}), TABLE, []),
        (SetNext(fantasyland={1: 13, 2: 17}), TABLE, []),
        (
            SetNext(fantasyland={1: 12, 2: 18, 4: 13, 9: 14}),
            TABLE,
            [
                ("bad-value", "seats[1]", "Fantasyland is dealt 13 to 17 cards."),
                ("bad-value", "seats[2]", "Fantasyland is dealt 13 to 17 cards."),
                ("unknown-player", "seats[4]", "Dan is not dealt in."),
                ("unknown-player", "seats[9]", "Seat 9 is not dealt in."),
            ],
        ),
        (ChangeTerms(), TABLE, [("missing", "stake", "This is how it is already. Change something first.")]),
        (ChangeTerms(stake=0), TABLE, []),
        (
            ChangeTerms(pair_stakes=[]),
            TABLE,
            [("missing", "stake", "This is how it is already. Change something first.")],
        ),
        (ChangeTerms(pair_stakes=[]), replace(TABLE, pair_stakes={(1, 2): 500}), []),
        (
            ChangeTerms(stake=TABLE.stake, rules=TABLE.rules.as_document()),
            TABLE,
            [("missing", "stake", "This is how it is already. Change something first.")],
        ),
        (ChangeTerms(rules="pineapple"), TABLE, []),
        (
            ChangeTerms(stake=-1),
            TABLE,
            [("bad-value", "stake", "Enter an amount of 0 or more, with at most 16 digits.")],
        ),
        (
            ChangeTerms(pair_stakes=[[1, 9, 5]]),
            TABLE,
            [("unknown-player", "pair_stakes[0]", "A stake is for two different players of this table.")],
        ),
        (
            ChangeTerms(stake=-1, pair_stakes=[[1, 9, 5]], rules="poker"),
            TABLE,
            [
                ("bad-value", "stake", "Enter an amount of 0 or more, with at most 16 digits."),
                ("unknown-player", "pair_stakes[0]", "A stake is for two different players of this table."),
                (
                    "unknown-rule",
                    "rules",
                    "There are no house rules called “poker”; there are regular, pineapple, progressive-pineapple, "
                    "2-7-pineapple, double-deck, cardplayer, bga.",
                ),
            ],
        ),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, TableAction) else "",
)
def test_what_an_action_refuses(action: TableAction, table: Table, expected: list[tuple[str, str, str]]) -> None:
    assert refused(action, table) == expected


@pytest.mark.parametrize(
    ("close", "table", "expected"),
    [
        (Close(), TABLE, []),
        (Close([[1, 0], [2, 500]]), CHIPS, []),
        (Close([[1, 0]]), TABLE, [("bad-value", "", "There are no chips to count.")]),
        (Close([[1, 5], [1, 5]]), CHIPS, [("bad-value", "", "Each stack is counted once.")]),
        (Close([[9, 5]]), CHIPS, [("unknown-player", "", "Seat 9 is not at the table.")]),
        (Close([[2, -1]]), CHIPS, [("bad-value", "stack-2", "Enter an amount of 0 or more, with at most 16 digits.")]),
        (Close(coin=-1), TABLE, [("bad-value", "coin", "Enter an amount of 0 or more, with at most 16 digits.")]),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, Close) else "",
)
def test_what_a_close_refuses(close: Close, table: Table, expected: list[tuple[str, str, str]]) -> None:
    assert [(one.code, one.where, one.message) for one in close.problems(table)] == expected


def test_what_names_cannot_be() -> None:
    names = ["Ann", "", "x" * 40, "x" * 41, "BANK", "House", "ann", "Bob"]
    assert [(one.code, one.where, one.message) for one in name_problems(names)] == [
        ("missing", "names[1]", "Every player needs a name."),
        ("bad-value", "names[3]", "Names can be up to 40 characters."),
        ("duplicate-name", "names[4]", "“BANK” is reserved – use a different name."),
        ("duplicate-name", "names[5]", "“House” is reserved – use a different name."),
        ("duplicate-name", "names[6]", "There is already someone called ann – use a different name."),
    ]
    assert [(one.code, one.where, one.message) for one in name_problems(["Ann"])] == [
        ("too-few-players", "names", "Enter at least two players.")
    ]
    assert name_problems(["Ann"], least=1) == name_problems(["Ann", "Bob"]) == []
    assert name_problems([f"P{number}" for number in range(24)]) == []
    assert [(one.code, one.where, one.message) for one in name_problems([f"P{number}" for number in range(25)])] == [
        ("too-many-players", "names", "There is room for 24.")
    ]


def test_what_stakes_of_pairs_cannot_be() -> None:
    given = [[1, 2, 5], [2, 1, 5], [3, 3, 5], [1, 9, 5], [1, 3, -1], [3, 1, 0]]
    other = "A stake is for two different players of this table."
    assert [(one.code, one.where, one.message) for one in pair_stake_problems(given, SEATS)] == [
        ("bad-value", "pair_stakes[1]", "These two players have two stakes."),
        ("unknown-player", "pair_stakes[2]", other),
        ("unknown-player", "pair_stakes[3]", other),
        ("bad-value", "pair_stakes[4].stake", "Enter an amount of 0 or more, with at most 16 digits."),
        ("bad-value", "pair_stakes[5]", "These two players have two stakes."),
    ]
    assert pair_stake_problems([[2, 1, 5]], (1, 2)) == []
