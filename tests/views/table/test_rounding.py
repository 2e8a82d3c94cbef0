"""Payments are rounded to a coin when a session is closed, or on its page afterwards, until somebody has paid."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from lxml import html

from scoring import reads
from scoring.actions.side_bet import SideBet
from scoring.models import Event, Session
from scoring.wording.settle_up import settle_up
from tests.access.conftest import host
from tests.ledger.conftest import act, start
from tests.pages import form, text

pytestmark = pytest.mark.django_db

CHOICES = {"Not rounded", "0.50", "1.00", "5.00"}


@pytest.fixture
def owing(session: Session) -> Session:
    """An open session: Bob owes Ann 10.60."""
    act(SideBet, session, payer=2, payee=1, amount=1060, note="red")
    return session


def table(client: Client, session: Session) -> Any:
    return client.get(f"/s/{session.public_id}/")


def closing(client: Client, session: Session) -> Any:
    return form(client.get(f"/s/{session.public_id}/close/"), "Close session")


def coins(response: Any) -> set[str]:
    """The buttons that choose a coin, those that can be pressed now."""
    return {
        str(button.text_content()).strip()
        for button in html.fromstring(response.content).iterfind(".//button[@name='coin']")
        if "disabled" not in button.attrib
    }


@pytest.mark.parametrize("address", ["", "ledger/", "screen/", "record/", "close/"])
def test_payments_in_whole_coins_leave_nothing(session: Session, address: str) -> None:
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    client = host(session)
    assert closing(client, session).fill({"coin": "100"}).press().status_code == 302
    shown = client.get(f"/s/{session.public_id}/{address}")
    assert shown.status_code == 200
    assert address in ("record/", "screen/") or "Rounded to 1.00 EUR." in text(shown)
    assert "Once all is paid" not in text(shown)


def test_the_coin_is_chosen_with_the_close(owing: Session) -> None:
    client = host(owing)
    assert closing(client, owing).fields()["coin"] == ["0"]
    assert closing(client, owing).fill({"coin": "100"}).press().status_code == 302
    shown = table(client, owing)
    rest = "Once all is paid, what that leaves is on the club’s tab: Ann owes 0.40 and Bob is owed 0.40."
    assert f"Rounded to 1.00 EUR. {rest}" in text(shown)
    assert coins(shown) == CHOICES - {"1.00"}
    assert form(client.get(f"/s/{owing.public_id}/close/"), "Reopen session").press().status_code == 302
    assert closing(client, owing).fields()["coin"] == ["100"], "as it was"


def test_the_coin_is_chosen_afterwards_with_one_tap(owing: Session) -> None:
    client = host(owing)
    assert closing(client, owing).press().status_code == 302
    assert "Rounded" not in text(table(client, owing))
    assert form(table(client, owing), "5.00").press("5.00").status_code == 302
    assert "Rounded to 5.00 EUR." in text(table(client, owing))
    assert form(table(client, owing), "Not rounded").press("Not rounded").status_code == 302
    assert "Rounded" not in text(table(client, owing))
    said = text(client.get(f"/s/{owing.public_id}/history/"))
    assert "What is open is carried to the club’s tab. Payments are rounded to 5.00 EUR." in said


def test_once_somebody_has_paid_the_choice_is_gone(owing: Session) -> None:
    client = host(owing)
    assert closing(client, owing).fill({"coin": "100"}).press().status_code == 302
    late = form(table(client, owing), "5.00")
    paying = client.get(f"/s/{owing.public_id}/pay/?payer=2&payee=1&way=fewest")
    assert form(paying, "Record payment").press().status_code == 302
    assert coins(table(client, owing)) == set()
    before = Event.objects.count()
    refused = late.press("5.00")
    assert (refused.status_code, Event.objects.count()) == (409, before)
    assert "Payments have begun, so they stay as they are." in text(refused)
    shown = text(table(client, owing))
    assert "Everything is paid." in shown
    assert "Rounded to 1.00 EUR. What that left is on the club’s tab: Ann owes 0.40 and Bob is owed 0.40." in shown


def test_a_message_names_the_coin_only_as_long_as_its_payments_are_whole_coins(owing: Session) -> None:
    client = host(owing)
    assert closing(client, owing).fill({"coin": "500"}).press().status_code == 302
    assert "who pays whom, rounded to 5.00: Bob pays Ann 10.00 EUR" in message(owing)
    pay(client, owing, "5")
    assert "who pays whom, rounded to 5.00: Bob pays Ann 5.00 EUR" in message(owing)
    pay(client, owing, "1.50")
    assert "who pays whom: Bob pays Ann 3.50 EUR" in message(owing)


def pay(client: Client, session: Session, amount: str) -> None:
    """Bob pays Ann a part of the debt."""
    paying = client.get(f"/s/{session.public_id}/pay/?payer=2&payee=1&way=fewest")
    assert form(paying, "Record payment").fill({"amount": amount}).press().status_code == 302


def message(session: Session) -> str:
    """What the group is sent."""
    session.refresh_from_db()
    return " ".join(settle_up(session, reads.state(session)).text.split())


def test_a_session_that_is_settled_on_the_spot_is_not_rounded(owing: Session) -> None:
    """Nothing would carry what rounding leaves."""
    client = host(owing)
    refused = closing(client, owing).fill({"coin": "100", "tab": "spot"}).press()
    assert refused.status_code == 422
    said = "Only the club’s tab can carry what rounding leaves. Choose it, or do not round."
    assert said in text(refused)
    again = form(refused, "Close session")
    assert (again.fields()["coin"], again.fields()["tab"]) == (["100"], ["spot"])
    assert again.fill({"coin": "0"}).press().status_code == 302
    assert coins(table(client, owing)) == set()
    assert "Rounded" not in text(table(client, owing))


@pytest.mark.parametrize("coin", ["7", "-1", "moon", "1e2"])
def test_no_other_coin_is_taken(owing: Session, coin: str) -> None:
    client = host(owing)
    wrong = closing(client, owing).forge({"coin": coin})
    assert wrong.status_code == 422
    assert "Choose one of these coins." in text(wrong)
    owing.refresh_from_db()
    assert owing.closed_at is None


def test_a_currency_without_minor_digits_has_coins_of_its_own(db: None) -> None:
    session = start("Ann Bob", currency="JPY", minor_digits=0)
    act(SideBet, session, payer=2, payee=1, amount=1060, note="red")
    client = host(session)
    assert closing(client, session).press().status_code == 302
    assert coins(table(client, session)) == {"10", "100", "500"}
