"""Money outside the score of any hand: side bets and fees."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import Leave
from scoring.models import Event, Session
from tests.ledger.conftest import act, money, points, settle, table, totals

FORMS: dict[str, dict[str, object]] = {
    "side-bet": {"payer": "1", "payee": "3", "amount": "15,50", "note": "first queen"},
    "fee": {"seats": ["1", "2"], "amount": "2", "note": "table time"},
}


def sent(session: Session, what: str, **changed: object) -> dict[str, object]:
    session.refresh_from_db()
    return {"key": what, "version": str(session.version), **FORMS[what], **changed}


def post(client: Client, session: Session, what: str, **changed: object):
    return client.post(f"/s/{session.public_id}/{what}/", sent(session, what, **changed))


def test_a_side_bet_moves_money_and_no_points(client: Client, session: Session) -> None:
    response = post(client, session, "side-bet")
    assert response["Location"] == f"/s/{session.public_id}/ledger/"
    assert money(session) == {1: -1550, 2: 0, 3: 1550}
    assert points(session) == {1: 0, 2: 0, 3: 0}
    shown = client.get(response["Location"]).content.decode()
    assert "Side bet: Ann pays Cat 15.50 EUR. (first queen)" in shown


def test_with_chips_on_the_table_it_is_paid_in_chips(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    refused = post(client, session, "side-bet")
    assert refused.status_code == 422
    assert "Ann has fewer chips in front of him than that." in refused.content.decode()
    post(client, session, "side-bet", amount="10.00")
    assert table(session).stacks == {2: 1000, 3: 2000}


def test_whoever_has_left_can_be_paid(client: Client, session: Session) -> None:
    act(Leave, session, seat=3)
    assert post(client, session, "side-bet").status_code == 302
    assert money(session)[3] == 1550


def test_a_fee_stands_apart_from_the_winnings(client: Client, session: Session) -> None:
    settle(session)
    fresh = client.get(f"/s/{session.public_id}/fee/").content.decode()
    assert fresh.count('type="checkbox" name="seats"') == fresh.count(" checked>") == 3
    assert post(client, session, "fee").status_code == 302
    assert money(session) == {1: 1200, 2: 0, 3: -1200}
    assert {seat: one.fees for seat, one in totals(session).items() if seat > 0} == {1: 200, 2: 200, 3: 0}


@pytest.mark.parametrize(
    ("what", "changed", "said"),
    [
        ("side-bet", {"payer": ""}, "Who pays?"),
        ("side-bet", {"payee": "9"}, "Who gets it?"),
        ("side-bet", {"payee": "1"}, "It takes two to bet."),
        ("side-bet", {"amount": "0"}, "An amount is more than nothing"),
        ("side-bet", {"amount": "-1"}, "Write an amount in digits alone"),
        ("side-bet", {"note": " "}, "Say why"),
        ("fee", {"seats": []}, "Somebody has to pay it."),
        ("fee", {"amount": "1.234"}, "never part thousands"),
        ("fee", {"note": ""}, "Say why"),
    ],
)
def test_what_cannot_be_is_refused_and_kept(
    client: Client, session: Session, what: str, changed: dict[str, object], said: str
) -> None:
    response = post(client, session, what, **changed)
    shown = response.content.decode()
    assert response.status_code == 422
    assert said in shown
    assert f'value="{sent(session, what, **changed)["amount"]}"' in shown
    if what == "fee" and "seats" not in changed:
        assert shown.count(" checked>") == 2
    assert Event.objects.count() == 1


@pytest.mark.parametrize("what", FORMS)
def test_sent_twice_it_is_booked_once_and_stale_it_is_kept(client: Client, session: Session, what: str) -> None:
    form = sent(session, what)
    for _ in range(2):
        assert client.post(f"/s/{session.public_id}/{what}/", form).status_code == 302
    assert Event.objects.count() == 2
    response = client.post(f"/s/{session.public_id}/{what}/", {**form, "key": "other", "amount": "7"})
    assert response.status_code == 409
    assert 'value="7"' in response.content.decode()
    assert Event.objects.count() == 2


@pytest.mark.parametrize("what", FORMS)
def test_in_a_closed_session_nothing_is_booked(client: Client, session: Session, what: str) -> None:
    act(ledger.close_session, session)
    assert "This session is closed" in client.get(f"/s/{session.public_id}/{what}/").content.decode()
    response = post(client, session, what)
    assert response.status_code == 422
    assert "reopen it to change anything" in response.content.decode()
    assert "Book it" not in response.content.decode()


@pytest.mark.parametrize("what", FORMS)
def test_a_session_that_is_not_there(client: Client, db: None, what: str) -> None:
    assert client.get(f"/s/nobody/{what}/").status_code == 404
    assert client.post(f"/s/nobody/{what}/", {}).status_code == 404
