"""Payments of what is owed: recorded once, reversed once, counted as nobody's win, by the plan that was promised."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.fee import Fee
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.game.errors import LedgerError
from scoring.game.limits import BANK, HOUSE, MAX_AMOUNT
from scoring.ledger import Conflict, Way, audit
from scoring.ledger.load import totals_of
from scoring.ledger.payments import payments_made
from scoring.models import Event, Seat, Session, Total, Transfer
from tests.ledger.conftest import act, key, money, settle, start, table, totals
from tests.ledger.tampering import unguarded, write


def open_(session: Session) -> list[tuple[int, int, int]]:
    """The payments that are still to be made, as (payer, payee, amount)."""
    session.refresh_from_db()
    return [(each.payer, each.payee, each.amount) for each in reads.open_payments(session).open]


def pay(session: Session, payer: int, payee: int, amount: int, **given: Any) -> Event:
    event: Event = act(ledger.pay, session, payer=payer, payee=payee, amount=amount, **given)
    return event


def refused(session: Session, *payment: int, do: Any = ledger.pay, **given: Any) -> list[tuple[str, str, str]]:
    """The code, the place and the sentence of each problem with a payment, which writes nothing."""
    before = Event.objects.count()
    asked = dict(zip(("payer", "payee", "amount"), payment, strict=False))
    with pytest.raises(LedgerError) as error:
        act(do, session, **asked, **given)
    assert Event.objects.count() == before
    return [(problem.code, problem.where, problem.message) for problem in error.value.problems]


def test_a_line_is_paid_in_two_parts(owing: Session) -> None:
    assert open_(owing) == [(2, 1, 900), (3, 4, 400), (2, 4, 100)]
    pay(owing, 2, 1, 400, note="cash")
    assert open_(owing) == [(2, 1, 500), (3, 4, 400), (2, 4, 100)]
    pay(owing, 2, 1, 500, note="Revolut")
    assert open_(owing) == [(3, 4, 400), (2, 4, 100)]
    made = reads.open_payments(owing).made
    assert [(each.note, each.by, each.payment.amount) for each in made] == [
        ("cash", "host", 400),
        ("Revolut", "host", 500),
    ]


def test_when_all_is_paid_nothing_is_open(owing: Session) -> None:
    for payment in open_(owing):
        pay(owing, *payment)
    assert open_(owing) == []
    assert [balance.owed for balance in totals(owing).values()] == [0] * 6


def test_who_pays_what_is_owed_may_have_meant_to_pay_more(owing: Session) -> None:
    """They have agreed to owe less than nothing, and then typed what is owed."""
    pay(owing, 2, 1, 900, over=100)
    assert open_(owing) == [(3, 4, 400), (2, 4, 100)]


def test_a_payment_of_another_amount_than_they_saw_is_late(owing: Session) -> None:
    said = "What Bob owes Ann has changed since this page was opened. If your payment is another one, record it again."
    assert refused(owing, 2, 1, 400, seen=500) == [("stale", "", said)]


def test_payments_are_not_rounded_unless_somebody_chose_so(session: Session) -> None:
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(Leave, session, seat=2)
    pay(session, 2, 1, 400)
    act(ledger.close_session, session)
    pay(session, 2, 1, 500)
    assert [each.coin for each in payments_made(session)] == [0, 0]


def test_no_payment_is_a_win(owing: Session) -> None:
    before = (money(owing), [str(total.money) for total in totals_of(owing, Seat.objects.filter(session=owing))])
    frozen = list(Total.objects.values_list("player", "points", "money", "fees"))
    pay(owing, 2, 1, 900)
    assert (
        money(owing),
        [str(total.money) for total in totals_of(owing, Seat.objects.filter(session=owing))],
    ) == before
    assert list(Total.objects.values_list("player", "points", "money", "fees")) == frozen
    assert {seat: balance.paid for seat, balance in totals(owing).items() if balance.paid} == {2: 900, 1: -900}


def test_fees_are_paid_to_the_house(session: Session) -> None:
    act(Fee, session, seats=[2], amount=200, note="room")
    act(ledger.close_session, session)
    assert open_(session) == [(2, HOUSE, 200)]
    pay(session, 2, HOUSE, 200)
    assert open_(session) == []


def test_the_first_payment_freezes_the_others(owing: Session) -> None:
    """Without the plan, the fewest payments of what is left would be others, by Bob to Dan and by Cat to Ann."""
    first = pay(owing, 2, 1, 500)
    assert first.action["plan"] == [[2, 1, 900], [3, 4, 400], [2, 4, 100]]
    assert open_(owing) == [(2, 1, 400), (3, 4, 400), (2, 4, 100)]
    assert refused(owing, 2, 4, 500) == [("too-much", "amount", "That is more than Bob owes Dan.")]
    assert refused(owing, 3, 1, 400) == [("paid", "", "Cat owes Ann nothing any more. Nothing was recorded.")]
    assert "plan" not in pay(owing, 3, 4, 400).action
    assert reads.open_payments(owing).promised


def test_payments_of_another_session_are_its_own(owing: Session) -> None:
    other = start("Ann Bob Cat", club=owing.club)
    act(Join, other, name="Dan")
    act(SideBet, other, payer=2, payee=1, amount=900, note="red")
    act(SideBet, other, payer=2, payee=4, amount=100, note="black")
    act(SideBet, other, payer=3, payee=4, amount=400, note="blue")
    act(ledger.close_session, other)
    one, two = pay(owing, 2, 1, 900), pay(other, 2, 1, 900)
    assert one.n == two.n
    assert [len(reads.open_payments(each).made) for each in (owing, other)] == [1, 1]
    act(ledger.undo_payment, other, n=two.n)
    assert Transfer.objects.filter(reverses__isnull=False).get().session == other
    assert open_(owing) == [(3, 4, 400), (2, 4, 100)]


def test_a_payment_and_its_undoing_know_their_link_and_their_page(owing: Session) -> None:
    payment = pay(owing, 2, 1, 900, link=7)
    done = act(ledger.undo_payment, owing, n=payment.n, link=8)
    assert (payment.link, done.link) == (7, 8)
    payment, before = pay(owing, 2, 1, 900), owing.version
    act(ledger.reopen_session, owing)
    act(ledger.close_session, owing)
    with pytest.raises(Conflict, match="The table was changed since this page was opened"):
        act(ledger.undo_payment, owing, n=payment.n, version=before)
    with pytest.raises(Conflict, match="The table was changed since this page was opened"):
        pay(owing, 3, 4, 400, version=before)


def test_pair_by_pair_is_the_plan_if_its_payments_are_made_first(session: Session) -> None:
    act(SideBet, session, payer=1, payee=2, amount=500, note="red")
    act(SideBet, session, payer=2, payee=3, amount=500, note="black")
    act(ledger.close_session, session)
    assert open_(session) == [(1, 3, 500)]
    assert refused(session, 1, 2, 500) == [("paid", "", "Ann owes Bob nothing any more. Nothing was recorded.")]
    pay(session, 1, 2, 500, way=Way.PAIRS)
    assert open_(session) == [(2, 3, 500)]
    assert refused(session, 1, 3, 500) == [("paid", "", "Ann owes Cat nothing any more. Nothing was recorded.")]


def test_a_correction_makes_a_new_plan_and_what_was_paid_counts(owing: Session) -> None:
    pay(owing, 2, 1, 900)
    act(ledger.reopen_session, owing)
    act(SideBet, owing, payer=1, payee=2, amount=200, note="a mistake")
    act(ledger.close_session, owing)
    found = reads.open_payments(owing)
    assert (found.promised, found.moved) == (False, {1: -200, 2: 200})
    assert sorted(open_(owing)) == [(1, 2, 100), (1, 4, 100), (3, 4, 400)]
    assert pay(owing, 3, 4, 400).action["plan"]
    found = reads.open_payments(owing)
    assert (found.promised, found.moved) == (True, {})


def test_a_payment_is_undone_once_and_leaves_both_in_the_history(owing: Session) -> None:
    payment = pay(owing, 2, 1, 900)
    done = act(ledger.undo_payment, owing, n=payment.n)
    assert open_(owing) == [(2, 1, 900), (3, 4, 400), (2, 4, 100)]
    assert (done.verb, done.undoes) == ("undo-payment", payment.n)
    line, back = Transfer.objects.filter(session=owing, kind="payment").order_by("pk")
    assert (back.reverses, back.payer, back.amount) == (line, line.payee, 900)
    for n, message in [
        (payment.n, "That payment has been undone already."),
        (2, "There is no such payment."),
        (done.n, "There is no such payment."),
    ]:
        code = "paid" if n == payment.n else "nothing"
        assert refused(owing, do=ledger.undo_payment, n=n) == [(code, "", message)]


def test_a_plan_of_which_nothing_is_paid_binds_nobody(session: Session) -> None:
    act(SideBet, session, payer=1, payee=2, amount=500, note="red")
    act(SideBet, session, payer=2, payee=3, amount=500, note="black")
    act(ledger.close_session, session)
    payment = pay(session, 1, 2, 500, way=Way.PAIRS)
    act(ledger.undo_payment, session, n=payment.n)
    assert not reads.open_payments(session).promised
    pay(session, 1, 3, 500)
    assert open_(session) == []


def test_the_same_form_pays_once(owing: Session) -> None:
    again = key()
    for _ in range(2):
        ledger.pay(session=owing, payer=2, payee=1, amount=900, key=again, by="host")
    assert Event.objects.filter(verb="pay").count() == 1
    with pytest.raises(Conflict, match="already been sent"):
        ledger.pay(session=owing, payer=2, payee=1, amount=100, key=again, by="host")


@pytest.mark.parametrize("amount", [0, -1, MAX_AMOUNT + 1])
def test_an_amount_is_above_zero_and_of_sixteen_digits_at_most(owing: Session, amount: int) -> None:
    assert refused(owing, 2, 1, amount) == [("bad-value", "amount", "Enter an amount above 0, with at most 16 digits.")]


def test_a_cent_can_be_paid_without_a_note_but_not_with_an_endless_one(owing: Session) -> None:
    assert pay(owing, 2, 1, 1).note == ""
    assert refused(owing, 2, 1, 1, note="x" * 301) == [("bad-value", "note", "A note is at most 300 characters.")]


@pytest.mark.parametrize(("payer", "payee"), [(2, 2), (2, 9), (9, 2)])
def test_two_players_of_the_session_pay_each_other(owing: Session, payer: int, payee: int) -> None:
    assert refused(owing, payer, payee, 900) == [
        ("unknown-player", "", "Choose one of the payments that are still open.")
    ]


@pytest.mark.parametrize(("payer", "payee", "who"), [(BANK, 1, "Bank owes Ann"), (2, BANK, "Bob owes Bank")])
def test_the_bank_owes_nobody_while_chips_are_on_credit(owing: Session, payer: int, payee: int, who: str) -> None:
    assert refused(owing, payer, payee, 900) == [("paid", "", f"{who} nothing any more. Nothing was recorded.")]


def test_what_was_paid_on_another_phone_is_not_paid_again(owing: Session) -> None:
    before = owing.version
    pay(owing, 2, 1, 900)
    assert refused(owing, 2, 1, 900, version=before) == [
        ("paid", "", "Bob owes Ann nothing any more. Nothing was recorded.")
    ]
    assert refused(owing, 1, 2, 900) == [("paid", "", "Ann owes Bob nothing any more. Nothing was recorded.")]


def test_more_than_is_owed_is_never_recorded_silently(owing: Session) -> None:
    assert refused(owing, 2, 1, 1000) == [("too-much", "amount", "That is more than Bob owes Ann.")]
    assert refused(owing, 2, 1, 1000, over=99) == [("too-much", "amount", "That is more than Bob owes Ann.")]
    pay(owing, 2, 1, 1000, over=100)
    assert open_(owing) == [(1, 2, 100), (3, 4, 400), (2, 4, 100)]


def test_at_the_table_nobody_settles_up_but_with_a_player_who_has_left(session: Session) -> None:
    act(Join, session, name="Dan")
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(SideBet, session, payer=4, payee=3, amount=300, note="black")
    message = "Players at the table settle up once the session is closed."
    assert refused(session, 2, 1, 900) == [("open", "", message)]
    act(Fee, session, seats=[2], amount=100, note="room")
    assert refused(session, 2, HOUSE, 100) == [("open", "", message)]
    act(Leave, session, seat=4)
    pay(session, 4, 3, 300)
    assert (2, 1, 900) in open_(session)
    settle(session)  # whose results make a new plan, in which nobody asks Dan for anything
    assert all(4 not in payment[:2] for payment in open_(session))


def test_a_payment_leaves_the_table_and_open_forms_alone(session: Session) -> None:
    act(Join, session, name="Dan")
    act(SideBet, session, payer=4, payee=3, amount=300, note="black")
    act(Leave, session, seat=4)
    before, version = table(session), session.version
    pay(session, 4, 3, 300)
    assert table(session) == before
    settle(session, version=version)


def test_agreements_stand_while_people_pay(owing: Session) -> None:
    head = reads.head(owing)
    act(ledger.agree, owing, seat=1, head=head.hash)
    payment = pay(owing, 2, 1, 900)
    act(ledger.undo_payment, owing, n=payment.n)
    assert reads.head(owing) == head
    act(ledger.agree, owing, seat=2, head=head.hash)
    assert owing.head != head.hash  # the payments are links of the chain themselves


def test_undo_at_the_table_takes_back_no_payment(owing: Session) -> None:
    pay(owing, 2, 1, 900)
    act(ledger.reopen_session, owing)
    assert act(ledger.undo, owing).undoes == 5
    assert Transfer.objects.filter(kind="payment", reverses=None, reversed_by=None).count() == 1


@pytest.mark.parametrize("wrong", [{"points": 3}, {"in_play": True}])
def test_the_database_holds_that_a_payment_moves_neither_points_nor_chips(
    owing: Session, wrong: dict[str, Any]
) -> None:
    line = pay(owing, 2, 1, 900).transfers.get()
    line.pk, line.points, line.in_play = None, 0, False
    for name, value in wrong.items():
        setattr(line, name, value)
    with pytest.raises(IntegrityError, match="transfer_payment_is_no_play"), transaction.atomic():
        line.save(force_insert=True)


def found(session: Session) -> list[str]:
    return [f"{each.check}: {each.message}" for each in audit.of_session(session.pk) if each.check == "paid"]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            "UPDATE scoring_transfer SET amount = 899 WHERE kind = 'payment'",
            "paid: event 7 (pay): its line is not what was asked for",
        ),
        (
            "UPDATE scoring_transfer SET kind = 'payment' WHERE kind = 'side-bet' AND amount = 400",
            "paid: event 5 (side-bet): it has a line of a payment",
        ),
    ],
)
def test_the_audit_tells_a_line_that_was_changed(owing: Session, corrupts: None, sql: str, said: str) -> None:
    pay(owing, 2, 1, 900)
    write(sql)
    assert said in found(owing)


@pytest.mark.parametrize("plan", [[], [[2, 1, 900]], [[2, 1, 900], [3, 4, 400], [2, 4, 101]]])
def test_the_audit_tells_a_plan_that_squares_nobody(owing: Session, corrupts: None, plan: list[list[int]]) -> None:
    payment = pay(owing, 2, 1, 900)
    with unguarded():
        Event.objects.filter(pk=payment.pk).update(action={**payment.action, "plan": plan})
    assert "paid: event 7 (pay): its plan does not square everyone" in found(owing)


@pytest.mark.parametrize("changed", [{"undoes": 2}, {"action": {"n": 2}, "undoes": 2}, {"undoes": None}])
def test_the_audit_tells_an_undoing_of_no_payment(owing: Session, corrupts: None, changed: dict[str, Any]) -> None:
    done = act(ledger.undo_payment, owing, n=pay(owing, 2, 1, 900).n)
    with unguarded():
        Event.objects.filter(pk=done.pk).update(**changed)
    assert "paid: event 8 (undo-payment): it takes back no payment" in found(owing)


def test_a_plan_for_twelve_is_made_and_paid(db: None) -> None:
    session = start("A B")
    for name in "CDEFGHIJKL":
        act(Join, session, name=name)
    for seat in range(2, 13):
        act(SideBet, session, payer=seat, payee=1, amount=seat * 7, note="so")
    act(ledger.close_session, session)
    for payment in open_(session):
        pay(session, *payment)
    assert open_(session) == []


@pytest.mark.parametrize("coin", [0, 100])
def test_payments_on_both_sides_of_the_close_stand_up_to_the_audit(db: None, coin: int) -> None:
    """Chips for cash are in the bank until the close, those who have left pay before it, and only then is rounded."""
    session = start("Ann Bob Cat Dan")
    act(BuyIn, session, seat=1, amount=10050, cash=True)
    for seat in (2, 3, 4):
        act(BuyIn, session, seat=seat, amount=10000)
    act(SideBet, session, payer=4, payee=1, amount=777, note="Black")
    act(CashOut, session, seat=4, amount=9223)
    act(Leave, session, seat=4)
    settle(session)
    payer, payee, owed = next(each for each in open_(session) if 4 in each[:2])
    act(ledger.undo_payment, session, n=pay(session, payer, payee, owed).n)
    pay(session, payer, payee, 250)
    act(ledger.close_session, session, tab=True, coin=coin)
    for payment in open_(session):
        pay(session, *payment)
    assert open_(session) == []
    assert [*audit.of_session(session.pk)] == []


def test_what_is_paid_after_a_session_was_reopened_is_not_rounded(db: None) -> None:
    session = start()
    act(SideBet, session, payer=2, payee=1, amount=777, note="Red")
    act(ledger.close_session, session, tab=True, coin=100)
    act(ledger.reopen_session, session)
    act(Leave, session, seat=2)
    assert open_(session) == [(2, 1, 777)]
    pay(session, 2, 1, 777)
    assert [*audit.of_session(session.pk)] == []
