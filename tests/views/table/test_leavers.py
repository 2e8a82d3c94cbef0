"""What the pages say and offer when an earlier hand is corrected after somebody left with chips."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.models import Session
from tests.ledger.conftest import act, money, settle, start, table
from tests.ledger.test_leavers import CAT_WINS_5, CAT_WINS_7, play_until_cat_has_left
from tests.pages import form


@pytest.fixture
def evening(session: Session) -> Session:
    """`play_until_cat_has_left`."""
    return play_until_cat_has_left(session)


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def corrected(client: Client, session: Session, points: str) -> Any:
    """The preview of hand 1, in which Cat won these points from Ann."""
    opened = client.get(f"/s/{session.public_id}/hands/1/correct/")
    return form(opened, "Preview changes").fill({"points-1-3": points}).press()


def follow(client: Client, response: Any, sentence: str) -> Any:
    """The page that a choice on this page leads to."""
    way = re.search(rf'href="([^"]*)">[^<]*{re.escape(sentence)}', response.content.decode())
    assert way, sentence
    return client.get(way[1])


def test_the_payment_that_is_offered_instead_of_the_correction_is_possible(client: Client, evening: Session) -> None:
    refused = corrected(client, evening, "2")
    assert "Before hand 2: Cat has too few chips for that." in text(refused)
    offered = follow(client, refused, "record the difference as a side payment.")
    assert "with a player who has left it is a debt outside the chips." in text(offered)
    paid = {"payer": "3", "payee": "1", "amount": "3.00", "note": "hand 1 was wrong"}
    assert form(offered, "Record side bet").fill(paid).press().status_code == 302
    assert money(evening) == {1: -100, 2: -600, 3: 700}
    assert table(evening).stacks == {1: 49_600, 2: 49_400}
    shown = text(client.get(f"/s/{evening.public_id}/ledger/"))
    assert "Side bet: Cat pays Ann 3.00 EUR. (hand 1 was wrong)" in shown
    assert '<strong>Ann</strong> pays <strong>Cat</strong></span> <span class="figure">1.00 EUR' in shown
    assert "Cat pays Ann 3.00 EUR, outside the chips, because Cat had left." in text(
        client.get(f"/s/{evening.public_id}/history/")
    )


def test_the_buy_in_that_is_offered_instead_of_the_correction_is_possible(client: Client, evening: Session) -> None:
    offered = follow(client, corrected(client, evening, "2"), "Add the buy-in that was made before hand 1")
    seen = form(offered, "Preview changes").fill({"seat": "3", "amount": "3.00"}).press()
    assert form(seen, "Add 3.00 EUR before hand 1").fill({"note": "forgotten"}).press().status_code == 302
    booking = form(corrected(client, evening, "2"), "Correct hand 1").fill({"note": "it was 2"})
    assert booking.press().status_code == 302
    assert money(evening) == {1: -100, 2: -600, 3: 700}


def test_a_buy_in_that_somebody_forgot_who_has_left_since_can_be_booked(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    settle(session, CAT_WINS_5)
    act(Leave, session, seat=3)
    opened = client.get(f"/s/{session.public_id}/chips/forgotten/")
    seen = form(opened, "Preview changes").fill({"seat": "3", "amount": "1", "before": "1"}).press()
    assert "Add 1.00 EUR for Cat before hand 1." in text(seen)


def test_a_buy_in_before_a_hand_at_which_somebody_was_not_there_is_refused_by_name(
    client: Client, evening: Session
) -> None:
    opened = client.get(f"/s/{evening.public_id}/chips/forgotten/")
    refused = form(opened, "Preview changes").fill({"seat": "3", "amount": "1", "before": "2"}).press()
    assert refused.status_code == 422
    assert "Cat is not at the table." in text(refused)


# --- The other way round: a correction that the bank owes them ------------------------------------------

OWED = "Cat has left: the bank still has 2.00 EUR to pay out to them."
ALL_ON_THE_TABLE = "Chips on the table match the bank."


@pytest.fixture
def owing(evening: Session) -> Session:
    """The same evening, in which Cat has been found to have won 2.00 more in hand 1."""
    act(ledger.correct_deal, evening, number=1, entry=CAT_WINS_7, note="it was 7")
    return evening


def test_a_correction_says_what_the_bank_then_owes_somebody_who_has_left(client: Client, evening: Session) -> None:
    shown = corrected(client, evening, "7")
    assert OWED in text(shown)
    assert form(shown, "Correct hand 1").fill({"note": "it was 7"}).press().status_code == 302
    assert OWED not in text(corrected(client, evening, "7"))


def test_a_buy_in_of_somebody_who_has_left_says_what_the_bank_then_owes(client: Client, evening: Session) -> None:
    opened = client.get(f"/s/{evening.public_id}/chips/forgotten/")
    shown = text(form(opened, "Preview changes").fill({"seat": "3", "amount": "2", "before": "1"}).press())
    assert OWED in shown
    assert "stack changes" not in shown


def test_the_ledger_says_that_these_chips_lie_in_front_of_nobody(client: Client, owing: Session) -> None:
    shown = text(client.get(f"/s/{owing.public_id}/ledger/"))
    assert OWED in shown
    assert '<td class="n strong">2.00<br><small class="muted">has left</small></td>' in shown
    assert ALL_ON_THE_TABLE not in shown
    assert "Chips on the table and what is still to be paid match the bank." in shown


def test_the_bank_pays_out_what_it_owes_on_the_chips_page(client: Client, owing: Session) -> None:
    opened = client.get(f"/s/{owing.public_id}/chips/")
    assert OWED in text(opened)
    assert "2.00 to be paid out" in text(opened)
    assert form(opened, "Cash out").fill({"seat": "3", "amount": "2.00"}).press("Cash out").status_code == 302
    assert ALL_ON_THE_TABLE in text(client.get(f"/s/{owing.public_id}/ledger/"))
    after = client.get(f"/s/{owing.public_id}/chips/")
    assert OWED not in text(after)
    assert "Cat" not in text(after)


def test_who_comes_back_has_in_front_what_they_buy(client: Client, owing: Session) -> None:
    act(Join, owing, name="Cat")
    act(BuyIn, owing, seat=3, amount=30_000)
    assert "300.00 in stack" in text(client.get(f"/s/{owing.public_id}/chips/"))
    shown = text(client.get(f"/s/{owing.public_id}/history/"))
    assert "Cat. The bank paid 2.00 EUR that it still owed them." in shown
    shown = text(client.get(f"/s/{owing.public_id}/ledger/"))
    assert "Cat cashed out 2.00 EUR." in shown
    assert ALL_ON_THE_TABLE in shown


def test_somebody_who_left_below_nothing_owes_the_bank(client: Client, db: None) -> None:
    session = start(rules={"loss_cap": False, "win_cap": "none"})
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=100)
    settle(session, Entry(points=((1, 2, 0), (1, 3, 5), (2, 3, 0))))
    act(Leave, session, seat=3)
    for path in ("ledger/", "chips/"):
        shown = text(client.get(f"/s/{session.public_id}/{path}"))
        assert "Cat has left: they still have 4.00 EUR to pay to the bank." in shown


def test_who_has_left_with_a_result_is_named_so_that_the_table_adds_up(client: Client, session: Session) -> None:
    at = f"/s/{session.public_id}/"
    act(Join, session, name="Dan", after=3)
    act(Leave, session, seat=4)
    assert "Left the table" not in text(client.get(at))
    act(SideBet, session, payer=3, payee=1, amount=1525, note="red")
    act(Leave, session, seat=3)
    for page in (at, f"{at}screen/"):
        assert re.search("Left the table: Cat\\s– \\(−15.25\\sEUR\\)<", text(client.get(page)))
