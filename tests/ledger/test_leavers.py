"""Players who left with chips: what is booked on them later, and what a correction of an earlier hand owes them."""

from __future__ import annotations

from typing import Any

import pytest

from scoring import ledger, reads
from scoring.actions.base import TableAction
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.game.payments import Payment, payments
from scoring.ledger import ImpossibleError, audit
from scoring.models import Event, Session, Transfer
from tests.ledger.conftest import act, money, settle, start, table, totals


def won(*pairs: tuple[int, int, int]) -> Entry:
    """A hand that the table scored itself: points that the first seat of each pair won from the second."""
    return Entry(points=pairs)


CAT_WINS_5 = won((1, 2, 0), (1, 3, -5), (2, 3, -5))
CAT_WINS_2 = won((1, 2, 0), (1, 3, -2), (2, 3, -5))
CAT_WINS_7 = won((1, 2, 0), (1, 3, -7), (2, 3, -5))
HEADS_UP = won((1, 2, 1))


def play_until_cat_has_left(session: Session) -> Session:
    """Everybody buys 500.00; Cat wins 10.00 in hand 1, leaves with 510.00, and hand 2 is played without them."""
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=50_000)
    settle(session, CAT_WINS_5)
    act(Leave, session, seat=3)
    settle(session, HEADS_UP)
    return session


@pytest.fixture
def without_cat(session: Session) -> Session:
    """`play_until_cat_has_left`."""
    return play_until_cat_has_left(session)


def lines_of(event: Event) -> list[tuple[str, str, int, bool]]:
    lines = Transfer.objects.filter(event=event).order_by("pk")
    return list(lines.values_list("payer__name", "payee__name", "amount", "in_play"))


# --- What is booked on somebody who has left ------------------------------------------------------------


def test_a_correction_that_somebody_cannot_pay_who_has_left_says_who_and_what_can_be_done(without_cat: Session) -> None:
    for do, given in ((ledger.correct_deal, {"entry": CAT_WINS_2}), (ledger.void_deal, {})):
        with pytest.raises(ImpossibleError) as refusal:
            act(do, without_cat, number=1, note="so", **given)
        assert str(refusal.value) == "Before hand 2: Cat has too few chips for that."
        assert refusal.value.choices == {
            "buy-in": "Add the buy-in that was made before hand 1, if there was one.",
            "adjust": "Leave the hand and record the difference as a side payment.",
        }
        assert refusal.value.buy_in_before == 1


def test_the_buy_in_that_is_offered_makes_the_correction_possible(without_cat: Session) -> None:
    act(BuyIn, without_cat, seat=3, amount=300, before=1, note="forgotten")
    act(ledger.correct_deal, without_cat, number=1, entry=CAT_WINS_2, note="so")
    assert money(without_cat) == {1: -100, 2: -600, 3: 700}
    assert table(without_cat).stacks == {1: 49_900, 2: 49_400}


def test_no_buy_in_is_offered_before_a_hand_for_somebody_who_was_not_there(without_cat: Session) -> None:
    act(ledger.correct_deal, without_cat, number=1, entry=CAT_WINS_7, note="so")
    act(CashOut, without_cat, seat=3, amount=200)
    with pytest.raises(ImpossibleError) as refusal:
        act(ledger.correct_deal, without_cat, number=1, entry=CAT_WINS_5, note="so")
    assert str(refusal.value) == "Before hand 3: Cat has too few chips for that."
    assert set(refusal.value.choices) == {"adjust"}


@pytest.mark.parametrize(
    ("action", "given", "expected", "owed"),
    [
        (SideBet, {"payer": 3, "payee": 1, "amount": 300}, [("Cat", "Ann", 300, False)], {1: -100, 3: 700}),
        (SideBet, {"payer": 1, "payee": 3, "amount": 60_000}, [("Ann", "Cat", 60_000, False)], {1: -60_400, 3: 61_000}),
        (
            Penalty,
            {"seat": 3, "points": 3},
            [("Cat", "Ann", 300, False), ("Cat", "Bob", 300, False)],
            {1: -100, 3: 400},
        ),
        (
            Penalty,
            {"seat": 1, "points": 3, "to": [2, 3]},
            [("Ann", "Bob", 300, True), ("Ann", "Cat", 300, False)],
            {1: -1000, 3: 1300},
        ),
        (
            Fee,
            {"seats": [1, 3], "amount": 5},
            [("Ann", "House", 5, True), ("Cat", "House", 5, False)],
            {1: -400, 3: 1000},
        ),
    ],
    ids=["pays", "is paid", "penalty", "penalty to", "fee"],
)
def test_what_is_booked_on_somebody_who_has_left_is_a_debt_outside_the_chips(
    without_cat: Session,
    action: Any,
    given: dict[str, Any],
    expected: list[tuple[str, str, int, bool]],
    owed: dict[int, int],
) -> None:
    before = dict(table(without_cat).stacks or {})
    event = act(action, without_cat, note="hand 1 was wrong", **given)
    assert lines_of(event) == expected
    in_chips = {1: -sum(amount for payer, _, amount, chips in expected if chips and payer == "Ann")}
    in_chips[2] = sum(amount for _, payee, amount, chips in expected if chips and payee == "Bob")
    assert table(without_cat).stacks == {seat: chips + in_chips[seat] for seat, chips in before.items()}
    found = money(without_cat)
    assert {seat: found[seat] for seat in owed} == owed
    act(ledger.undo, without_cat)
    assert table(without_cat).stacks == before
    assert money(without_cat) == {1: -400, 2: -600, 3: 1000}


def test_the_debt_of_somebody_who_has_left_is_among_the_payments(without_cat: Session) -> None:
    act(SideBet, without_cat, payer=3, payee=1, amount=300, note="hand 1 was wrong")
    assert set(payments(totals(without_cat))) == {Payment(1, 3, 100), Payment(2, 3, 600)}
    assert sum(each.front for each in reads.state(without_cat).bank.values()) == 99_000


def test_an_evening_of_an_earlier_release_replays_as_it_was_booked(
    without_cat: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its events do not say who had left, so bookings moved their chips, and they came back with those."""
    with monkeypatch.context() as earlier:
        for action in (SideBet, Join):
            earlier.setattr(action, "completed", TableAction.completed)
        act(SideBet, without_cat, payer=1, payee=3, amount=300, note="red")
        act(SideBet, without_cat, payer=3, payee=2, amount=100, note="black")
        act(Join, without_cat, name="Cat")
    assert "away" not in Event.objects.filter(verb="side-bet").latest("n").action
    assert table(without_cat).stacks == {1: 49_300, 2: 49_500, 3: 200}
    assert list(map(str, audit.of_everything())) == []
    settle(without_cat, won((1, 2, 0), (1, 3, 0), (2, 3, 1)))
    act(ledger.correct_deal, without_cat, number=1, entry=CAT_WINS_7, note="so")
    assert table(without_cat).stacks == {1: 49_100, 2: 49_600, 3: 300}


def test_who_has_left_is_called_by_name(without_cat: Session) -> None:
    for action, given in (
        (BuyIn, {"seat": 3, "amount": 5}),
        (BuyIn, {"seat": 3, "amount": 5, "before": 2, "note": "late"}),
        (Leave, {"seat": 3}),
    ):
        with pytest.raises(LedgerError, match=r"Cat is not at the table\."):
            act(action, without_cat, **given)
    with pytest.raises(LedgerError, match=r"Cat has too few chips for that\."):
        act(CashOut, without_cat, seat=3, amount=1)
    act(Join, without_cat, name="Dan")
    act(Leave, without_cat, seat=4)
    assert table(without_cat).name(4) == "Dan"


# --- What a correction owes somebody who has left -------------------------------------------------------


def test_who_comes_back_is_paid_what_the_bank_still_owed_and_plays_with_what_they_buy(without_cat: Session) -> None:
    act(ledger.correct_deal, without_cat, number=1, entry=CAT_WINS_7, note="so")
    assert table(without_cat).stacks == {1: 49_400, 2: 49_400, 3: 200}
    act(Join, without_cat, name="Cat")
    joined = Event.objects.get(session=without_cat, verb="join")
    assert lines_of(joined) == [("Cat", "Bank", 200, True)]
    assert table(without_cat).stacks == {1: 49_400, 2: 49_400}
    act(BuyIn, without_cat, seat=3, amount=30_000)
    assert table(without_cat).stacks == {1: 49_400, 2: 49_400, 3: 30_000}
    for _ in range(2):
        act(ledger.undo, without_cat)
    assert table(without_cat).stacks == {1: 49_400, 2: 49_400, 3: 200}


def test_who_was_owed_nothing_comes_back_without_a_line(without_cat: Session) -> None:
    act(Join, without_cat, name="Cat")
    assert lines_of(Event.objects.get(session=without_cat, verb="join")) == []
    assert table(without_cat).stacks == {1: 49_600, 2: 49_400}


def test_the_bank_pays_out_what_it_owes_to_somebody_who_has_left(without_cat: Session) -> None:
    act(ledger.correct_deal, without_cat, number=1, entry=CAT_WINS_7, note="so")
    act(CashOut, without_cat, seat=3, amount=200)
    assert table(without_cat).stacks == {1: 49_400, 2: 49_400}
    assert reads.state(without_cat).bank[3].cashed == 51_200


def test_who_left_below_nothing_comes_back_below_nothing(db: None) -> None:
    """Without a loss cap somebody may owe the table, and coming back pays no debt."""
    session = start(rules={"loss_cap": False, "win_cap": "none"})
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=100)
    settle(session, won((1, 2, 0), (1, 3, 5), (2, 3, 0)))
    act(Leave, session, seat=3)
    act(Join, session, name="Cat")
    assert table(session).stacks == {1: 600, 2: 100, 3: -400}
