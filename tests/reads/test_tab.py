"""The club's tab is the sum of its evenings' results less payments, also after players were put together."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring import club, ledger, reads
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.people import Leave
from scoring.actions.side_bet import SideBet
from scoring.game.errors import LedgerError
from scoring.game.limits import HOUSE
from scoring.models import Club, Player, Session, TabPayment
from tests.ledger.conftest import act, key, start, table, totals

pytestmark = pytest.mark.django_db


def evening(
    club_: Club | None = None, *bets: tuple[int, int, int], names: str = "Ann Bob Cat", **given: Any
) -> Session:
    """A closed evening with these side bets, each (payer, payee, amount), whose open amounts are on the tab."""
    close = {"tab": given.pop("tab", True)}
    session = start(names, club=club_, **given)
    for payer, payee, amount in bets:
        act(SideBet, session, payer=payer, payee=payee, amount=amount, note="bet")
    act(ledger.close_session, session, **close)
    return session


def account(of: Club, name: str) -> int:
    return Player.objects.get(club=of, name=name).pk


def open_(of: Club) -> list[tuple[str, str, int]]:
    """Who owes whom how much on the only tab, by name."""
    names = reads.account_names(of)
    (tab,) = reads.tabs(of)
    assert sum(tab.owed.values()) == 0
    return [(names[each.payer], names[each.payee], each.amount) for each in tab.open]


def pay(of: Club, payer: str, payee: str, amount: int, **given: Any) -> TabPayment:
    both: dict[str, Any] = {"payer": account(of, payer), "payee": account(of, payee)}
    given = {"key": key(), "by": "host", "currency": "EUR", "minor_digits": 2, **given}
    return club.pay_tab(of, **both, amount=amount, **given)


def test_evenings_are_netted_to_the_fewest_payments() -> None:
    of = evening(None, (2, 1, 2000)).club
    evening(of, (1, 3, 2000), (2, 1, 500))
    assert open_(of) == [("Bob", "Cat", 2000), ("Bob", "Ann", 500)]


def test_an_evening_may_be_kept_out_and_put_on_later() -> None:
    session = evening(None, (2, 1, 2000), tab=False)
    assert reads.tabs(session.club) == []
    act(ledger.choose_tab, session, on=True)
    assert open_(session.club) == [("Bob", "Ann", 2000)]
    act(ledger.choose_tab, session, on=False)
    assert reads.tabs(session.club) == []
    with pytest.raises(LedgerError, match="already"):
        act(ledger.choose_tab, session, on=False)


def test_an_open_evening_is_on_no_tab() -> None:
    session = evening(None, (2, 1, 2000))
    act(ledger.reopen_session, session)
    assert reads.tabs(session.club) == []
    with pytest.raises(LedgerError, match="This session is open"):
        act(ledger.choose_tab, session, on=True)


def test_what_was_paid_in_an_evening_is_off_the_tab() -> None:
    session = evening(None, (2, 1, 2000))
    paid = act(ledger.pay, session, payer=2, payee=1, amount=1500)
    assert open_(session.club) == [("Bob", "Ann", 500)]
    act(ledger.undo_payment, session, n=paid.n)
    assert open_(session.club) == [("Bob", "Ann", 2000)]


def test_fees_are_owed_to_the_house() -> None:
    session = start()
    act(Fee, session, amount=300, seats=[2], note="room")
    act(ledger.close_session, session, tab=True)
    assert open_(session.club) == [("Bob", "House", 300)]
    club.pay_tab(
        session.club, payer=account(session.club, "Bob"), payee=HOUSE, amount=300,
        currency="EUR", minor_digits=2, key=key(), by="host",
    )  # fmt: skip
    assert open_(session.club) == []


def test_the_tab_has_what_each_seat_is_owed_whatever_was_booked() -> None:
    session = start("Ann Bob Cat", buy_in=4000, cash=True)
    act(BuyIn, session, seat=2, amount=1000)
    act(Fee, session, amount=300, seats=[2], note="room")
    act(SideBet, session, payer=2, payee=1, amount=4500, note="bet")
    act(Leave, session, seat=3)
    stacks = {seat: chips for seat, chips in (table(session).stacks or {}).items() if seat != 3}
    counts = {seat: chips - 50 * (seat == 2) for seat, chips in stacks.items()}
    act(ledger.close_session, session, counts=counts, note="a chip is gone", tab=True)
    accounts = {seat.number: seat.player_id or seat.number for seat in session.seats.all()}
    owed = {accounts[seat]: balance.owed for seat, balance in totals(session).items() if balance.owed}
    assert len(owed) > 1
    assert [dict(tab.owed) for tab in reads.tabs(session.club)] == [owed]
    for name in ("Ann", "Bob", "Cat"):
        player = Player.objects.get(name=name)
        (entries,) = reads.account(player).values()
        assert entries[-1].balance == owed.get(player.pk, 0)


def test_currencies_have_tabs_of_their_own() -> None:
    of = evening(None, (2, 1, 2000)).club
    evening(of, (1, 2, 700), currency="JPY", minor_digits=0)
    assert [(tab.currency, [each.amount for each in tab.open]) for tab in reads.tabs(of)] == [
        ("EUR", [2000]),
        ("JPY", [700]),
    ]
    with pytest.raises(LedgerError, match="Nothing is open"):
        pay(of, "Bob", "Ann", 700, currency="USD")


def test_a_payment_is_made_in_parts_and_the_plan_does_not_reshuffle() -> None:
    of = evening(None, (2, 1, 900), (2, 4, 100), (3, 4, 400), names="Ann Bob Cat Dan").club
    assert open_(of) == [("Bob", "Ann", 900), ("Cat", "Dan", 400), ("Bob", "Dan", 100)]
    pay(of, "Bob", "Ann", 850)
    # The fewest payments of what is left would let Cat pay Ann.
    assert open_(of) == [("Bob", "Ann", 50), ("Cat", "Dan", 400), ("Bob", "Dan", 100)]
    pay(of, "Cat", "Dan", 400)
    assert [row.plan != [] for row in TabPayment.objects.order_by("n")] == [True, False]
    evening(of, (2, 1, 1))
    assert open_(of) == [("Bob", "Dan", 100), ("Bob", "Ann", 51)]


def test_more_than_is_open_is_only_paid_if_it_is_meant() -> None:
    of = evening(None, (2, 1, 900)).club
    with pytest.raises(LedgerError, match="That is more than is open between them"):
        pay(of, "Bob", "Ann", 1000)
    with pytest.raises(LedgerError, match="That is more than is open between them"):
        pay(of, "Bob", "Ann", 1000, over=900)
    pay(of, "Bob", "Ann", 1000, over=100)
    assert open_(of) == [("Ann", "Bob", 100)]


def nan_owes_ann() -> Club:
    """A club in which Nan owes Ann 5.00, whom she never met, and Dee owes Cy 8.00."""
    of = evening(None, (1, 3, 500), (2, 3, 800), names="Nan Dee Cy").club
    evening(of, (3, 1, 500), names="Ann Dee Cy")
    assert open_(of) == [("Nan", "Ann", 500), ("Dee", "Cy", 800)]
    return of


def test_nobody_owes_themselves_once_two_are_put_together() -> None:
    """The plan was made while they were two."""
    of = nan_owes_ann()
    pay(of, "Dee", "Cy", 300)
    club.merge(Player.objects.get(name="Nan"), Player.objects.get(name="Ann"))
    assert open_(of) == [("Dee", "Cy", 500)]
    pay(of, "Dee", "Cy", 500)
    assert open_(of) == []


def test_what_somebody_paid_who_they_are_is_no_debt() -> None:
    of = nan_owes_ann()
    pay(of, "Nan", "Ann", 100)
    club.merge(Player.objects.get(name="Nan"), Player.objects.get(name="Ann"))
    assert open_(of) == [("Dee", "Cy", 800)]


@pytest.mark.parametrize("amount", [0, -1])
def test_a_payment_is_of_something(amount: int) -> None:
    of = evening(None, (2, 1, 900)).club
    with pytest.raises(LedgerError):
        pay(of, "Bob", "Ann", amount)
    assert not TabPayment.objects.exists()


def test_nobody_pays_themselves_or_who_is_owed_nothing() -> None:
    of = evening(None, (2, 1, 900)).club
    for payer, payee in (("Bob", "Bob"), ("Ann", "Bob"), ("Bob", "Cat")):
        with pytest.raises(LedgerError, match="Nothing is open between these two"):
            pay(of, payer, payee, 100)


def test_a_form_that_is_sent_twice_pays_once() -> None:
    of = evening(None, (2, 1, 900)).club
    first = pay(of, "Bob", "Ann", 400, key="form")
    assert pay(of, "Bob", "Ann", 400, key="form") == first
    assert open_(of) == [("Bob", "Ann", 500)]
    with pytest.raises(LedgerError, match="already been sent with something else"):
        pay(of, "Bob", "Ann", 300, key="form")


def test_a_payment_is_undone_once() -> None:
    of = evening(None, (2, 1, 900)).club
    paid = pay(of, "Bob", "Ann", 400)
    back = club.undo_tab_payment(of, n=paid.n, key="undo", by="host")
    assert open_(of) == [("Bob", "Ann", 900)]
    assert club.undo_tab_payment(of, n=paid.n, key="undo", by="host") == back
    for number, why in ((paid.n, "undone already"), (back.n, "no such payment"), (99, "no such payment")):
        with pytest.raises(LedgerError, match=why):
            club.undo_tab_payment(of, n=number, key=key(), by="host")
    (tab,) = reads.tabs(of)
    assert [made.undone for made in tab.made] == [True]


def test_people_who_are_put_together_have_one_account() -> None:
    of = evening(None, (2, 1, 900)).club
    evening(of, (2, 1, 300), names="Ann Bobby")
    pay(of, "Bob", "Ann", 400)
    club.merge(Player.objects.get(name="Bob"), Player.objects.get(name="Bobby"))
    assert open_(of) == [("Bobby", "Ann", 800)]
    evening(of, names="Ann Robert")
    club.merge(Player.objects.get(name="Bobby"), Player.objects.get(name="Robert"))
    assert open_(of) == [("Robert", "Ann", 800)]
    (entries,) = reads.account(Player.objects.get(name="Robert")).values()
    assert [entry.amount for entry in entries] == [-900, -300, 400, 0]


def test_it_is_said_since_when_somebody_has_owed_without_a_break() -> None:
    of = evening(None, (2, 1, 900)).club
    evening(of, (1, 2, 1000))
    last = evening(of, (2, 1, 300))
    for days, session in zip((30, 20, 10), Session.objects.order_by("pk"), strict=True):
        Session.objects.filter(pk=session.pk).update(opened_at=timezone.now() - timedelta(days=days))
    last.refresh_from_db()
    (tab,) = reads.tabs(of)
    assert tab.since == {account(of, "Bob"): last.opened_at}


def test_an_account_can_be_read_from_its_first_line_to_its_last() -> None:
    first = evening(None, (2, 1, 900))
    evening(first.club, (1, 2, 100), tab=False)
    act(ledger.pay, first, payer=2, payee=1, amount=250, note="cash")
    paid = pay(first.club, "Bob", "Ann", 600, note="bank")
    club.undo_tab_payment(first.club, n=paid.n, key=key(), by="host")
    (entries,) = reads.account(Player.objects.get(name="Bob")).values()
    assert [(each.amount, each.note, each.counts, each.balance) for each in entries] == [
        (-900, "", True, -900),
        (100, "", False, -900),
        (250, "cash", True, -650),
        (600, "bank", True, -50),
        (-600, "", True, -650),
    ]
    (tab,) = reads.tabs(first.club)
    assert tab.owed[account(first.club, "Bob")] == entries[-1].balance


def test_the_number_of_statements_does_not_grow(django_assert_max_num_queries: Any) -> None:
    of = evening(None, (2, 1, 900)).club
    for _ in range(5):
        pay(of, "Bob", "Ann", 10)
        evening(of, (2, 3, 50))
    with django_assert_max_num_queries(9):
        reads.tabs(of)


def test_what_is_on_the_tab_is_not_dropped_as_idle_while_the_club_plays() -> None:
    on, off = evening(None, (2, 1, 900)), evening(None, (2, 1, 900), tab=False)
    for session in (on, off):
        assert [*club.idle_since(session.events.latest("n").at + timedelta(seconds=1))]
    last = evening(on.club, names="Ann Bob")
    evening(off.club, names="Ann Bob")
    moment = last.events.earliest("n").at
    assert [*club.idle_since(moment).filter(club=on.club)] == []
    assert [*club.idle_since(moment).filter(club=off.club)] == [off]


def test_what_is_on_the_tab_is_not_dropped_as_idle_while_it_is_paid() -> None:
    session = evening(None, (2, 1, 900))
    paid = pay(session.club, "Bob", "Ann", 400)
    assert list(club.drop_idle(paid.at)) == []
    assert open_(session.club) == [("Bob", "Ann", 500)]
    back = club.undo_tab_payment(session.club, n=paid.n, key=key(), by="host")
    assert list(club.drop_idle(back.at)) == []
    assert len(list(club.drop_idle(back.at + timedelta(seconds=1)))) == 1
    assert not Club.objects.exists()
