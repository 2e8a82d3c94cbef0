"""What the pages say and offer when an earlier hand is corrected after somebody left with chips."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from scoring.actions.chips import BuyIn
from scoring.actions.people import Leave
from scoring.models import Session
from tests.ledger.conftest import act, money, settle, table
from tests.ledger.test_leavers import CAT_WINS_5, HEADS_UP
from tests.pages import form


@pytest.fixture
def evening(session: Session) -> Session:
    """Everybody bought 500.00; Cat won 10.00 in hand 1, left with 510.00, and hand 2 was played without them."""
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=50_000)
    settle(session, CAT_WINS_5)
    act(Leave, session, seat=3)
    settle(session, HEADS_UP)
    return session


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def corrected(client: Client, session: Session, points: str) -> Any:
    """The preview of hand 1, in which Cat won these points from Ann."""
    opened = client.get(f"/s/{session.public_id}/hands/1/correct/")
    return form(opened, "Show what moves").fill({"points-1-3": points}).press()


def follow(client: Client, response: Any, sentence: str) -> Any:
    """The page that a choice on this page leads to."""
    way = re.search(rf'href="([^"]*)">[^<]*{re.escape(sentence)}', response.content.decode())
    assert way, sentence
    return client.get(way[1])


def test_the_payment_that_is_offered_instead_of_the_correction_is_possible(client: Client, evening: Session) -> None:
    refused = corrected(client, evening, "2")
    assert "Before hand 2: Cat has fewer chips than that." in text(refused)
    offered = follow(client, refused, "book the difference as a payment between the players.")
    assert "With somebody who has left it is a debt outside the chips." in text(offered)
    paying = form(offered, "Book it").fill({"payer": "3", "payee": "1", "amount": "3.00", "note": "hand 1 was wrong"})
    assert paying.press().status_code == 302
    assert money(evening) == {1: -100, 2: -600, 3: 700}
    assert table(evening).stacks == {1: 49_600, 2: 49_400}
    shown = text(client.get(f"/s/{evening.public_id}/ledger/"))
    assert "Side bet: Cat pays Ann 3.00 EUR. (hand 1 was wrong)" in shown
    assert '<strong>Ann</strong> pays <strong>Cat</strong></span><span class="figure">1.00 EUR' in shown
    assert "Cat pays Ann 3.00 EUR, outside the chips, because Cat had left." in text(
        client.get(f"/s/{evening.public_id}/history/")
    )


def test_the_buy_in_that_is_offered_instead_of_the_correction_is_possible(client: Client, evening: Session) -> None:
    offered = follow(client, corrected(client, evening, "2"), "Book the buy-in that was made before hand 1")
    seen = form(offered, "Show what moves").fill({"seat": "3", "amount": "3.00"}).press()
    assert form(seen, "Book 3.00 EUR before hand 1").fill({"note": "forgotten"}).press().status_code == 302
    booking = form(corrected(client, evening, "2"), "Correct hand 1").fill({"note": "it was 2"})
    assert booking.press().status_code == 302
    assert money(evening) == {1: -100, 2: -600, 3: 700}


def test_a_buy_in_that_somebody_forgot_who_has_left_since_can_be_booked(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    settle(session, CAT_WINS_5)
    act(Leave, session, seat=3)
    opened = client.get(f"/s/{session.public_id}/chips/forgotten/")
    seen = form(opened, "Show what moves").fill({"seat": "3", "amount": "1", "before": "1"}).press()
    assert "Cat had bought 1.00 EUR more before hand 1." in text(seen)


def test_a_buy_in_before_a_hand_at_which_somebody_was_not_there_is_refused_by_name(
    client: Client, evening: Session
) -> None:
    opened = client.get(f"/s/{evening.public_id}/chips/forgotten/")
    refused = form(opened, "Show what moves").fill({"seat": "3", "amount": "1", "before": "2"}).press()
    assert refused.status_code == 422
    assert "Cat is not at the table." in text(refused)
