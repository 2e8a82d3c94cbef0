"""Payments that are rounded to a coin: what that leaves is on the club's tab, by name, and the sum stays zero."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from scoring import ledger, reads
from scoring.actions.side_bet import SideBet
from scoring.game.errors import LedgerError
from scoring.ledger import Way, audit
from scoring.models import Event, Session
from scoring.wording.settle_up import settle_up
from tests.ledger.conftest import act
from tests.ledger.tampering import unguarded


@pytest.fixture
def played(session: Session) -> Session:
    """Bob owes Ann 10.60 and Cat 4.25, and Cat owes Ann 1.15: Ann +11.75, Bob -14.85, Cat +3.10. Not closed yet."""
    act(SideBet, session, payer=2, payee=1, amount=1060, note="red")
    act(SideBet, session, payer=2, payee=3, amount=425, note="black")
    act(SideBet, session, payer=3, payee=1, amount=115, note="blue")
    return session


@pytest.fixture
def rounded(played: Session) -> Session:
    """The same, closed and rounded to 1.00: Ann gets 12 and Cat 3 of Bob's 15."""
    act(ledger.close_session, played, tab=True, coin=100)
    return played


def open_(session: Session) -> list[tuple[int, int, int]]:
    session.refresh_from_db()
    return [(each.payer, each.payee, each.amount) for each in reads.open_payments(session).open]


def tab(session: Session) -> dict[str, int]:
    """What each player is owed on the club's tab, by name, below 0 what they owe."""
    names = reads.account_names(session.club)
    return {names[account]: amount for each in reads.tabs(session.club) for account, amount in each.owed.items()}


def refusal(session: Session, do: Any, **given: Any) -> str:
    before = Event.objects.count()
    with pytest.raises(LedgerError) as error:
        act(do, session, **given)
    assert Event.objects.count() == before
    return " ".join(problem.message for problem in error.value.problems)


def pay_all(session: Session) -> None:
    for payer, payee, amount in open_(session):
        act(ledger.pay, session, payer=payer, payee=payee, amount=amount)


def test_rounded_payments_leave_the_rest_on_the_tab(rounded: Session) -> None:
    assert open_(rounded) == [(2, 1, 1200), (2, 3, 300)]
    assert reads.open_payments(rounded).rest == {1: -25, 2: 15, 3: 10}
    assert tab(rounded) == {"Ann": 1175, "Bob": -1485, "Cat": 310}
    pay_all(rounded)
    assert open_(rounded) == []
    assert reads.open_payments(rounded).rest == {1: -25, 2: 15, 3: 10}
    assert tab(rounded) == {"Ann": -25, "Bob": 15, "Cat": 10}


def test_the_first_payment_says_what_is_left_and_freezes_it(rounded: Session) -> None:
    first = act(ledger.pay, rounded, payer=2, payee=1, amount=333)
    assert first.action["plan"] == [[2, 1, 1200], [2, 3, 300]]
    assert first.action["rest"] == [[1, -25], [2, 15], [3, 10]]
    assert open_(rounded) == [(2, 1, 867), (2, 3, 300)]
    assert "rest" not in act(ledger.pay, rounded, payer=2, payee=3, amount=300).action
    assert open_(rounded) == [(2, 1, 867)]


def test_pair_by_pair_is_rounded_too(rounded: Session) -> None:
    pairs = [each.payment for each in reads.open_payments(rounded).pairs]
    assert [(each.payer, each.payee, each.amount) for each in pairs] == [(2, 1, 1100), (3, 1, 100), (2, 3, 400)]
    first = act(ledger.pay, rounded, payer=3, payee=1, amount=100, way=Way.PAIRS)
    assert first.action["rest"] == [[1, -25], [2, 15], [3, 10]]
    assert open_(rounded) == [(2, 1, 1100), (2, 3, 400)]


def test_another_coin_and_none_until_payments_have_begun(rounded: Session) -> None:
    act(ledger.choose_tab, rounded, on=True, coin=500)
    assert open_(rounded) == [(2, 1, 1000), (2, 3, 500)]
    act(ledger.choose_tab, rounded, on=True)
    assert open_(rounded) == [(2, 1, 1175), (2, 3, 310)]
    assert refusal(rounded, ledger.choose_tab, on=True) == "This is how it is already. Change something first."
    act(ledger.choose_tab, rounded, on=True, coin=50)
    paid = act(ledger.pay, rounded, payer=2, payee=1, amount=100)
    begun = "Payments have begun, so they stay as they are. Undo them to round them."
    assert refusal(rounded, ledger.choose_tab, on=True, coin=100) == begun
    assert refusal(rounded, ledger.choose_tab, on=True) == begun
    act(ledger.undo_payment, rounded, n=paid.n)
    act(ledger.choose_tab, rounded, on=True, coin=100)
    assert open_(rounded) == [(2, 1, 1200), (2, 3, 300)]
    act(ledger.reopen_session, rounded)
    is_open = "This session is open. What is open is carried to the tab when it is closed."
    assert refusal(rounded, ledger.choose_tab, on=False) == is_open


def test_a_plan_that_left_nothing_stands_off_the_tab_too(owing: Session) -> None:
    act(ledger.choose_tab, owing, on=True, coin=100)
    act(ledger.pay, owing, payer=2, payee=1, amount=500)
    act(ledger.choose_tab, owing, on=False)
    assert open_(owing) == [(2, 1, 400), (3, 4, 400), (2, 4, 100)]
    assert reads.open_payments(owing).promised


def test_off_the_tab_nothing_is_rounded(rounded: Session) -> None:
    """Nobody would carry what rounding leaves, so what was paid counts and the rest is to be paid, too."""
    pay_all(rounded)
    act(ledger.choose_tab, rounded, on=False)
    assert open_(rounded) == [(1, 2, 15), (1, 3, 10)]
    assert settle_up(rounded, reads.state(rounded)).moved == ""
    act(ledger.choose_tab, rounded, on=True)
    assert open_(rounded) == [(1, 2, 15), (1, 3, 10)]


@pytest.mark.parametrize("how", ["off and on", "closed again"])
def test_a_plan_that_was_rounded_to_another_coin_is_none(rounded: Session, how: str) -> None:
    """Its amounts may be whole coins of the new one, too, but nobody is to be a coin away from what they won."""
    act(ledger.choose_tab, rounded, on=True, coin=500)
    act(ledger.pay, rounded, payer=2, payee=1, amount=500)
    assert open_(rounded) == [(2, 1, 500), (2, 3, 500)]
    if how == "off and on":
        act(ledger.choose_tab, rounded, on=False)
        act(ledger.choose_tab, rounded, on=True, coin=100)
    else:
        act(ledger.reopen_session, rounded)
        act(ledger.close_session, rounded, tab=True, coin=100)
    assert open_(rounded) == [(2, 1, 700), (2, 3, 300)]
    assert all(abs(amount) < 100 for amount in reads.open_payments(rounded).rest.values())
    act(ledger.pay, rounded, payer=2, payee=1, amount=700)
    act(ledger.choose_tab, rounded, on=False)
    act(ledger.choose_tab, rounded, on=True, coin=100)
    assert open_(rounded) == [(2, 3, 300)], "as it was promised"


def test_on_the_tab_nothing_is_rounded_unless_somebody_chose_a_coin(played: Session) -> None:
    act(ledger.close_session, played, tab=True)
    assert (played.on_tab, played.coin) == (True, 0)
    act(ledger.choose_tab, played, on=False)
    act(ledger.choose_tab, played, on=True)
    assert (played.on_tab, played.coin) == (True, 0)
    assert open_(played) == [(2, 1, 1175), (2, 3, 310)]


def test_off_the_tab_a_coin_is_not_kept(played: Session) -> None:
    act(ledger.close_session, played, tab=False, coin=100)
    assert (played.on_tab, played.coin) == (False, 0)
    assert open_(played) == [(2, 1, 1175), (2, 3, 310)]


def test_a_correction_makes_a_new_plan_that_is_rounded(rounded: Session) -> None:
    act(ledger.pay, rounded, payer=2, payee=1, amount=1200)
    act(ledger.reopen_session, rounded)
    assert open_(rounded) == [(2, 3, 285), (1, 3, 25)], "nobody carries a rest while the session is open"
    act(SideBet, rounded, payer=3, payee=2, amount=70, note="late")
    act(ledger.close_session, rounded, tab=True, coin=100)
    found = settle_up(rounded, reads.state(rounded))
    assert (
        found.moved == "What is owed changed after payments had begun: Bob +0.70 and Cat −0.70. What was paid counts."
    )
    assert open_(rounded) == [(2, 3, 200)]
    assert tab(rounded) == {"Ann": -25, "Bob": -215, "Cat": 240}


def test_closed_again_as_it_was_the_promise_holds(rounded: Session) -> None:
    act(ledger.pay, rounded, payer=2, payee=1, amount=1200)
    act(ledger.reopen_session, rounded)
    act(ledger.close_session, rounded, tab=True, coin=100)
    assert reads.open_payments(rounded).promised
    assert open_(rounded) == [(2, 3, 300)]


def test_it_is_said_by_name(rounded: Session) -> None:
    found = settle_up(rounded, reads.state(rounded))
    assert found.rounding == (
        "Rounded to 1.00 EUR. Once all is paid, what that leaves is on the club’s tab: "
        "Ann owes 0.25, Bob is owed 0.15 and Cat is owed 0.10."
    )
    assert found.proven == "With amounts rounded so, fewer payments would not do."
    assert found.fewest[0].why == [
        "Bob lost 14.85 and pays Ann 12.00 and Cat 3.00. Bob is then owed 0.15 on the tab.",
        "Ann won 11.75 and gets 12.00 from Bob. Ann then owes 0.25 on the tab.",
    ]
    assert found.pairs[0].sums == [("Side bets", "10.60"), ("Rounding", "0.40")]
    assert found.text.splitlines()[0].endswith(", who pays whom, rounded to 1.00:")
    assert [label for _, label, chosen in found.coins if chosen] == ["1.00"]


def test_what_is_less_than_half_a_coin_is_not_asked_for(session: Session) -> None:
    act(SideBet, session, payer=2, payee=1, amount=40, note="red")
    act(ledger.close_session, session, tab=True, coin=100)
    assert open_(session) == []
    assert settle_up(session, reads.state(session)).rounding.endswith("Ann is owed 0.40 and Bob owes 0.40.")
    assert tab(session) == {"Ann": 40, "Bob": -40}


@pytest.mark.parametrize("coin", [-1, 10**16, True, "1"])
def test_a_coin_that_is_none_is_refused(played: Session, coin: Any) -> None:
    assert refusal(played, ledger.close_session, tab=True, coin=coin)
    act(ledger.close_session, played, tab=True)
    assert refusal(played, ledger.choose_tab, on=True, coin=coin)


@pytest.mark.django_db(transaction=True)
def test_the_database_keeps_no_coin_off_the_tab(played: Session) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Session.objects.filter(pk=played.pk).update(coin=100)


NAMES = {1: "Ann", 2: "Bob", 3: "Cat"}


class Book:
    """What a person would write down: who won what, and who paid whom."""

    def __init__(self, session: Session, chance: random.Random) -> None:
        self.session, self.chance = session, chance
        self.owed = dict.fromkeys(NAMES, 0)
        self.paid: list[tuple[int, int, int, int]] = []

    def move(self, payer: int, payee: int, amount: int) -> None:
        self.owed[payer] -= amount
        self.owed[payee] += amount

    def bet(self) -> None:
        payer, payee = self.chance.sample(sorted(NAMES), 2)
        amount = self.chance.randrange(1, 3_000)
        act(SideBet, self.session, payer=payer, payee=payee, amount=amount, note="bet")
        self.move(payer, payee, amount)

    def close(self) -> None:
        coin = self.chance.choice([0, 50, 100, 500])
        act(ledger.close_session, self.session, tab=self.chance.random() < 0.8, coin=coin)

    def pay(self) -> None:
        way = self.chance.choice(list(Way))
        found = reads.open_payments(self.session)
        due = found.open if found.promised or way is Way.FEWEST else [each.payment for each in found.pairs]
        if due:
            each = self.chance.choice(due)
            amount = self.chance.choice([each.amount, max(1, each.amount // 3)])
            event = act(ledger.pay, self.session, payer=each.payer, payee=each.payee, amount=amount, way=way)
            self.move(each.payee, each.payer, amount)
            self.paid.append((event.n, each.payer, each.payee, amount))

    def undo(self) -> None:
        if self.paid:
            n, payer, payee, amount = self.paid.pop(self.chance.randrange(len(self.paid)))
            act(ledger.undo_payment, self.session, n=n)
            self.move(payer, payee, amount)

    def reopen(self) -> None:
        act(ledger.reopen_session, self.session)
        if self.chance.random() < 0.5:
            self.bet()
        self.close()

    def choose(self) -> None:
        on = self.chance.random() < 0.7
        with suppress(LedgerError):  # no change, or payments have begun
            act(ledger.choose_tab, self.session, on=on, coin=self.chance.choice([0, 50, 100, 500]))

    def agrees(self) -> None:
        session = self.session
        session.refresh_from_db()
        found, coin = reads.open_payments(session), session.rounds_to
        gets = dict.fromkeys(NAMES, 0)
        for each in found.open:
            gets[each.payee] += each.amount
            gets[each.payer] -= each.amount
            assert found.promised or not coin or each.amount % coin == 0
        assert sum(found.rest.values()) == 0
        assert coin or not found.rest
        assert {seat: gets[seat] + found.rest.get(seat, 0) for seat in NAMES} == self.owed
        if session.on_tab:
            assert tab(session) == {NAMES[seat]: amount for seat, amount in self.owed.items() if amount}


@pytest.mark.parametrize("seed", range(5))
def test_whatever_people_do_payments_and_rest_are_what_is_owed(session: Session, seed: int) -> None:
    book = Book(session, random.Random(seed))
    for _ in range(4):
        book.bet()
    book.close()
    for _ in range(25):
        book.agrees()
        doing = [book.pay, book.pay, book.undo, book.reopen, book.choose]
        book.chance.choice(doing)()
    book.agrees()
    assert findings(session) == []


def findings(session: Session) -> list[str]:
    return [str(finding) for finding in audit.of_session(session.pk)]


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ([[1, -20], [2, 10], [3, 10]], "event 6 (pay): its plan does not square everyone"),
        ([], "event 6 (pay): its plan does not square everyone"),
    ],
)
def test_the_audit_adds_the_rest_up(rounded: Session, rest: list[list[int]], said: str) -> None:
    event = act(ledger.pay, rounded, payer=2, payee=1, amount=1200)
    assert findings(rounded) == []
    with unguarded():
        Event.objects.filter(pk=event.pk).update(action=event.action | {"rest": rest})
    assert any(said in finding for finding in findings(rounded))
    with unguarded():
        Event.objects.filter(pk=event.pk).update(action=event.action)


def test_the_audit_knows_the_coin(rounded: Session) -> None:
    event = act(ledger.pay, rounded, payer=2, payee=1, amount=1175)
    wrong = event.action | {"plan": [[2, 1, 1175], [2, 3, 310]], "rest": []}
    with unguarded():
        Event.objects.filter(pk=event.pk).update(action=wrong)
    assert any("its plan is not rounded as the table chose" in finding for finding in findings(rounded))
    with unguarded():
        Event.objects.filter(pk=event.pk).update(action=event.action)
    with unguarded():
        Session.objects.filter(pk=rounded.pk).update(coin=50)
    assert any("coin is stored as 50, the events say 100" in finding for finding in findings(rounded))
    with unguarded():
        Session.objects.filter(pk=rounded.pk).update(coin=100)
