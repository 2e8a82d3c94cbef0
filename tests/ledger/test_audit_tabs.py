"""What the audit says of a club's tab, whose payments belong to no session."""

from __future__ import annotations

import pytest
from django.db import connection

from scoring import club, ledger
from scoring.actions.side_bet import SideBet
from scoring.ledger import audit
from scoring.ledger.audit.database import paid_on_tabs
from scoring.models import Club, Player, TabPayment
from tests.ledger.conftest import act, start
from tests.ledger.tampering import unconstrained, write

pytestmark = pytest.mark.usefixtures("corrupts")


def pay(of: Club, payer: int, payee: int, amount: int, key: str) -> None:
    club.pay_tab(of, payer=payer, payee=payee, amount=amount, currency="EUR", minor_digits=2, key=key, by="host")


def named(of: Club, name: str) -> int:
    """The account of this player."""
    return Player.objects.get(club=of, name=name).pk


@pytest.fixture
def of(db: None) -> Club:
    """A club in which Bob's payment was taken back, and Kate's was not, who was then put together with Cat.

    Another club has a payment and two names of one person as well.
    """
    first = start("Ann Bob Cat")
    of = first.club
    for session, amount in ((first, 900), (start("Ann Kate", club=of), 500)):
        act(SideBet, session, payer=2, payee=1, amount=amount, note="red")
        act(ledger.close_session, session, tab=True)
    ann, kate = named(of, "Ann"), named(of, "Kate")
    pay(of, named(of, "Bob"), ann, 400, "a")
    club.undo_tab_payment(of, n=1, key="b", by="host")
    pay(of, kate, ann, 500, "c")
    club.merge(Player.objects.get(pk=kate), Player.objects.get(pk=named(of, "Cat")))
    other = start("Dan Eve")
    act(SideBet, other, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, other, tab=True)
    pay(other.club, named(other.club, "Eve"), named(other.club, "Dan"), 900, "a")
    start("Fay Gus", club=other.club)
    club.merge(*(Player.objects.get(pk=named(other.club, name)) for name in ("Fay", "Dan")))
    assert list(audit.of_everything()) == []
    return of


def found() -> list[str]:
    return list(map(str, audit.of_everything()))


@pytest.mark.parametrize("amount", [0, -400])
def test_a_payment_of_the_tab_of_nothing_or_less_is_named(of: Club, amount: int) -> None:
    with unconstrained("scoring_tabpayment", "tab_payment_pays_something"), connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_tabpayment SET amount = %s WHERE club_id = %s AND n = 3", [amount, of.pk])
    assert f"paid_on_tabs: {of.public_id}: payment 3: its amount is none" in found()


def test_a_payment_of_the_tab_that_is_gone_leaves_a_gap(of: Club) -> None:
    write("DELETE FROM scoring_tabpayment WHERE club_id = %s AND n = 1", of.pk)
    assert found() == [
        f"paid_on_tabs: {of.public_id}: payments of the tab are numbered 2-3",
        f"paid_on_tabs: {of.public_id}: payment 2: it does not pay back what payment 1 paid",
    ]


def test_what_was_taken_back_is_what_was_paid(of: Club) -> None:
    write("UPDATE scoring_tabpayment SET amount = 300 WHERE club_id = %s AND n = 2", of.pk)
    assert found() == [f"paid_on_tabs: {of.public_id}: payment 2: it does not pay back what payment 1 paid"]


def test_what_was_taken_back_is_not_taken_back_again(of: Club) -> None:
    write("UPDATE scoring_tabpayment SET undoes = 2 WHERE club_id = %s AND n = 3", of.pk)
    assert found() == [f"paid_on_tabs: {of.public_id}: payment 3: it does not pay back what payment 2 paid"]


@pytest.mark.parametrize("name", ["Eve", "Fay", "nobody"])
@pytest.mark.parametrize("side", ["payer", "payee"])
def test_a_payment_of_the_tab_is_between_people_of_the_club(of: Club, side: str, name: str) -> None:
    """Neither another club's player nor one who was put together with another there."""
    gone = "SELECT gone FROM scoring_merged WHERE club_id <> %s"
    with connection.cursor() as cursor:
        cursor.execute(gone, [of.pk])
        ((fay,),) = cursor.fetchall()
    who = {"Eve": TabPayment.objects.exclude(club=of).get().payer, "Fay": fay, "nobody": 10**9}[name]
    write(f"UPDATE scoring_tabpayment SET {side} = %s WHERE club_id = %s AND n = 3", who, of.pk)
    assert found() == [f"paid_on_tabs: {of.public_id}: payment 3: it is not between its people"]


def test_a_check_of_the_database_that_cannot_be_made_is_a_finding_of_no_session(
    of: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops no other."""
    write("DELETE FROM scoring_tabpayment WHERE club_id = %s AND n = 3", of.pk)
    write("DELETE FROM scoring_tabpayment WHERE club_id = %s AND n = 1", of.pk)

    def broken() -> None:
        raise ValueError("no such column")

    monkeypatch.setattr(audit, "DATABASE_CHECKS", (broken, paid_on_tabs))
    finding, *others = map(str, audit.of_database())
    assert finding == "broken: this cannot be checked, ValueError: no such column"
    assert len(others) == 2
