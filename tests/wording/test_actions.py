"""Each sentence of the history that depends on what an action has: all of its variants, word for word."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.evening import ChooseTab, Close
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.actions.undo import Undo
from scoring.models import Event
from scoring.wording.actions import WORDS, Speaker, sentence

NAMES = {1: "Ann", 2: "Bob", 3: "Cat", -1: "House"}
ON_CREDIT = Speaker(NAMES, 2, "EUR")
FOR_CASH = Speaker(NAMES, 2, "EUR", for_cash=True)


def said(action: Any, speaker: Speaker = ON_CREDIT) -> str:
    make = WORDS[type(action)].sentence
    assert make is not None
    return make(action, speaker)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Penalty(1, 1, to=[2]), "Ann, 1 point to Bob."),
        (Penalty(1, 5, to=[2, 3]), "Ann, 5 points to each of Bob and Cat."),
        (Penalty(1, 5, to=[2], away=[2]), "Ann, 5 points to Bob, outside the chips, because Bob had left."),
        (
            Penalty(1, 5, to=[2, 3], away=[2, 3]),
            "Ann, 5 points to each of Bob and Cat, outside the chips, because Bob and Cat had left.",
        ),
        (SideBet(1, 2, 500), "Ann pays Bob 5.00 EUR."),
        (SideBet(1, 2, 500, away=[1]), "Ann pays Bob 5.00 EUR, outside the chips, because Ann had left."),
        (Fee(200, seats=[1]), "2.00 EUR from Ann."),
        (Fee(200, seats=[1, 2]), "2.00 EUR from each of Ann and Bob."),
        (Fee(200, seats=[1], away=[1]), "2.00 EUR from Ann, outside the chips, because Ann had left."),
        (
            Fee(200, seats=[1, 2], away=[1]),
            "2.00 EUR from each of Ann and Bob, outside the chips, because Ann had left.",
        ),
        (CashOut(1, 500), "Ann cashed out 5.00 EUR."),
        (CashOut(1, 500, cash=True), "Ann cashed out 5.00 EUR in cash."),
        (Join("Ann"), "Ann."),
        (Join("Ann", cash_out=500), "Ann. The bank paid 5.00 EUR that it still owed them."),
        (Join("Ann", cash_out=500, in_cash=500), "Ann. The bank paid 5.00 EUR in cash that it still owed them."),
        (
            Join("Ann", cash_out=500, in_cash=200),
            "Ann. The bank paid 5.00 EUR, 2.00 EUR of it in cash, that it still owed them.",
        ),
        (Leave(1), "Ann."),
        (Leave(1, cash_out=500), "Ann, cashing out 5.00 EUR."),
        (Leave(1, cash_out=500, in_cash=500), "Ann, cashing out 5.00 EUR in cash."),
        (Leave(1, cash_out=500, in_cash=200), "Ann, cashing out 5.00 EUR, 2.00 EUR of it in cash."),
        (ChooseTab(on=False), "Kept out of the club’s tab."),
        (ChooseTab(on=True, coin=50), "What is open is carried to the club’s tab. Payments are rounded to 0.50 EUR."),
        (
            Close(counts=[[1, 500], [2, 0]], handed_in=[[1, 500, 200], [2, 300, 0]], tab=True),
            "Counted: Ann 5.00 EUR and Bob nothing. Ann handed in 5.00 EUR and got 2.00 EUR. "
            "Bob handed in 3.00 EUR and got nothing. What is open is carried to the club’s tab.",
        ),
    ],
)
def test_each_variant_of_a_sentence_is_written_out(action: Any, text: str) -> None:
    assert said(action) == text


@pytest.mark.parametrize(
    ("action", "on_credit", "for_cash"),
    [
        (BuyIn(1, 500), "Ann bought in for 5.00 EUR.", "Ann bought in for 5.00 EUR on credit."),
        (BuyIn(1, 500, cash=True), "Ann bought in for 5.00 EUR in cash.", "Ann bought in for 5.00 EUR in cash."),
        (
            BuyIn(1, 500, before=3),
            "Ann bought in for 5.00 EUR, missed before hand 3.",
            "Ann bought in for 5.00 EUR on credit, missed before hand 3.",
        ),
        (
            BuyIn(1, 500, before=3, cash=True),
            "Ann bought in for 5.00 EUR in cash, missed before hand 3.",
            "Ann bought in for 5.00 EUR in cash, missed before hand 3.",
        ),
        (
            BuyInAll(500, seats=[1, 2]),
            "Ann and Bob bought in for 5.00 EUR each.",
            "Ann and Bob bought in for 5.00 EUR each on credit.",
        ),
        (
            BuyInAll(500, seats=[1, 2], cash=True),
            "Ann and Bob bought in for 5.00 EUR each in cash.",
            "Ann and Bob bought in for 5.00 EUR each in cash.",
        ),
    ],
)
def test_chips_are_on_credit_where_others_are_paid_for(action: Any, on_credit: str, for_cash: str) -> None:
    assert said(action) == on_credit
    assert said(action, FOR_CASH) == for_cash


def test_the_history_is_told_in_the_language_of_its_reader() -> None:
    with override("de"):
        assert "2,00 EUR" in said(Fee(200, seats=[1, 2]))
        assert "Ann und Bob" in said(Fee(200, seats=[1, 2]))


@pytest.mark.parametrize(("verb", "text"), [("settle", "Number 4: hand 3 settled."), ("sit-in", "Number 4: back in.")])
def test_what_was_undone_is_said_with_its_number(verb: str, text: str) -> None:
    event = Event(verb="undo", deal=3, action=Undo(n=4, undone=verb).as_document())
    assert sentence(event, ON_CREDIT) == text
