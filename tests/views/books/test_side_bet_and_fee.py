"""Money outside the score of any hand: side bets and fees."""

from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import Leave
from scoring.models import Event, Session
from tests.ledger.conftest import act, money, points, settle, table, totals
from tests.pages import Form, Value, form, post_nothing

FORMS: dict[str, dict[str, Value]] = {
    "side-bet": {"payer": "1", "payee": "3", "amount": "15,50", "note": "first queen"},
    "fee": {"seats": ["1", "2"], "amount": "2", "note": "table time"},
}

BUTTONS = {"side-bet": "Record side bet", "fee": "Record fee"}


def booking(client: Client, session: Session, what: str, **typed: Value) -> Form:
    """The form of this page, filled in as in `FORMS` unless ``typed`` says otherwise."""
    return form(client.get(f"/s/{session.public_id}/{what}/"), BUTTONS[what]).fill({**FORMS[what], **typed})


def book(client: Client, session: Session, what: str, **typed: Value) -> Any:
    return booking(client, session, what, **typed).press()


def test_a_side_bet_moves_money_and_no_points(client: Client, session: Session) -> None:
    response = book(client, session, "side-bet")
    assert response["Location"] == f"/s/{session.public_id}/ledger/"
    assert money(session) == {1: -1550, 2: 0, 3: 1550}
    assert points(session) == {1: 0, 2: 0, 3: 0}
    shown = client.get(response["Location"]).content.decode()
    assert "Side bet: Ann pays Cat 15.50 EUR. (first queen)" in shown


def test_with_chips_on_the_table_it_is_paid_in_chips(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    refused = book(client, session, "side-bet")
    assert refused.status_code == 422
    assert "Ann has too few chips for that." in refused.content.decode()
    form(refused, "Record side bet").fill({"amount": "10.00"}).press()
    assert table(session).stacks == {2: 1000, 3: 2000}


def test_with_chips_on_the_table_a_fee_is_paid_in_chips(client: Client, session: Session) -> None:
    page = f"/s/{session.public_id}/fee/"
    assert "separately from points and winnings." in client.get(page).content.decode()
    act(BuyIn, session, seat=1, amount=1000)
    assert "separately from points and winnings; it is paid in chips." in client.get(page).content.decode()


def test_a_player_who_has_left_can_be_paid(client: Client, session: Session) -> None:
    act(Leave, session, seat=3)
    assert book(client, session, "side-bet").status_code == 302
    assert money(session)[3] == 1550


def test_a_fee_stands_apart_from_the_winnings(client: Client, session: Session) -> None:
    settle(session)
    fresh = client.get(f"/s/{session.public_id}/fee/").content.decode()
    assert fresh.count('type="checkbox" name="seats"') == fresh.count(" checked>") == 3
    assert book(client, session, "fee").status_code == 302
    assert money(session) == {1: 1200, 2: 0, 3: -1200}
    assert {seat: one.fees for seat, one in totals(session).items() if seat > 0} == {1: 200, 2: 200, 3: 0}


@pytest.mark.parametrize(
    ("what", "typed", "said"),
    [
        ("side-bet", {"payee": "1"}, "Choose two different players."),
        ("side-bet", {"amount": "0"}, "Enter an amount above 0"),
        ("side-bet", {"amount": "-1"}, "Enter the number alone"),
        ("side-bet", {"note": " "}, "Please give a reason"),
        ("fee", {"seats": []}, "Choose who pays."),
        ("fee", {"amount": "1.234"}, "no thousands separator"),
    ],
)
def test_what_cannot_be_is_refused_and_kept(
    client: Client, session: Session, what: str, typed: dict[str, Value], said: str
) -> None:
    response = book(client, session, what, **typed)
    assert response.status_code == 422
    assert said in response.content.decode()
    again = form(response, BUTTONS[what])
    for name, value in {**FORMS[what], **typed}.items():
        assert again.fields().get(name, []) == (value if isinstance(value, list) else [str(value).strip()])
    assert Event.objects.count() == 1
    assert again.fill({name: FORMS[what][name] for name in typed}).press().status_code == 302


@pytest.mark.parametrize(
    ("what", "forged", "said"),
    [
        ("side-bet", {"payer": ""}, "Choose who pays."),
        ("side-bet", {"payee": "9"}, "Choose who receives it."),
        ("fee", {"note": ""}, "Please give a reason"),
    ],
)
def test_what_the_page_does_not_offer_is_refused(
    client: Client, session: Session, what: str, forged: dict[str, str], said: str
) -> None:
    response = booking(client, session, what).forge(dict(forged))
    assert response.status_code == 422
    assert said in response.content.decode()
    assert Event.objects.count() == 1


@pytest.mark.parametrize("what", FORMS)
def test_sent_twice_it_is_booked_once_and_stale_it_is_kept(client: Client, session: Session, what: str) -> None:
    opened, other = booking(client, session, what), booking(client, session, what, amount="7")
    for _ in range(2):
        assert opened.press().status_code == 302
    assert Event.objects.count() == 2
    response = other.press()
    assert response.status_code == 409
    assert Event.objects.count() == 2
    again = form(response, BUTTONS[what])
    assert again.fields()["amount"] == ["7"]
    assert again.press().status_code == 302


@pytest.mark.parametrize("what", FORMS)
def test_in_a_closed_session_nothing_is_booked(client: Client, session: Session, what: str) -> None:
    opened = booking(client, session, what)
    act(ledger.close_session, session)
    assert "This session is closed" in client.get(f"/s/{session.public_id}/{what}/").content.decode()
    response = opened.press()
    assert response.status_code == 409
    assert "A host can reopen it under “More”" in response.content.decode()
    assert form(response, BUTTONS[what]).press().status_code == 409
    assert money(session) == {1: 0, 2: 0, 3: 0}


@pytest.mark.parametrize("what", FORMS)
def test_a_session_that_is_not_there(client: Client, db: None, what: str) -> None:
    assert client.get(f"/s/nobody/{what}/").status_code == 404
    assert post_nothing(client, f"/s/nobody/{what}/").status_code == 404
