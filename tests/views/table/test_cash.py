"""Cash or credit: asked where chips are bought, said in the ledger, and counted and handed out at the close."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.people import Leave
from scoring.actions.side_bet import SideBet
from scoring.game.limits import BANK
from scoring.models import Event, Session, Transfer
from tests.ledger.conftest import act, settle, table, verbs
from tests.pages import Form, form

CLOSE = "Close session"


def said(client: Client, session: Session, path: str = "close/") -> str:
    """The text of a page, as people read it."""
    return words(client.get(f"/s/{session.public_id}/{path}"))


def words(response: Any) -> str:
    shown = response.content.decode().partition("<main")[2]
    return " ".join(strip_tags(shown.replace("<", " <")).replace("&nbsp;", " ").split())


def chips(client: Client, session: Session) -> Form:
    return form(client.get(f"/s/{session.public_id}/chips/"), "Buy in")


def closing(client: Client, session: Session) -> Form:
    return form(client.get(f"/s/{session.public_id}/close/"), CLOSE)


@pytest.fixture
def bought(session: Session) -> Session:
    """Ann, Bob and Cat have bought chips for 40.00 each, in cash."""
    act(BuyInAll, session, amount=4000, cash=True)
    return session


def test_the_first_buy_in_asks_and_the_next_offers_the_last_choice(client: Client, session: Session) -> None:
    opened = chips(client, session)
    assert opened.fields()["cash"] == ["no"]
    opened.fill({"amount": "40", "cash": "yes"}).press("Buy in")
    assert table(session).cash
    again = chips(client, session)
    assert again.fields()["cash"] == ["yes"]
    again.fill({"seat": "1", "amount": "10", "cash": "no"}).press("Buy in")
    assert chips(client, session).fields()["cash"] == ["no"]
    assert table(session).stacks == {1: 5000, 2: 4000, 3: 4000}
    assert Transfer.objects.filter(kind="cash").count() == 3


def test_what_is_neither_cash_nor_credit_is_refused_and_kept(client: Client, bought: Session) -> None:
    refused = chips(client, bought).fill({"seat": "1", "amount": "12.34"}).forge({"do": "buy-in", "cash": "cheque"})
    assert refused.status_code == 422
    assert "Choose cash or credit." in refused.content.decode()
    assert form(refused, "Buy in").fields()["amount"] == ["12.34"]


def test_a_form_of_an_earlier_release_buys_on_credit(client: Client, session: Session) -> None:
    sent = chips(client, session).fill({"amount": "40"}).forge({"do": "buy-in", "cash": None})
    assert sent.status_code == 302
    assert not table(session).cash


def test_a_forgotten_buy_in_may_be_cash_too(client: Client, bought: Session) -> None:
    settle(bought)
    page = form(client.get(f"/s/{bought.public_id}/chips/forgotten/"), "Preview changes")
    assert page.fields()["cash"] == ["yes"]
    preview = page.fill({"seat": "1", "amount": "5", "before": "1"}).press()
    form(preview, "Add 5.00 EUR in cash before hand 1").fill({"note": "forgot"}).press()
    assert Event.objects.latest("n").action == {"seat": 1, "amount": 500, "before": 1, "cash": True}


def test_the_ledger_and_the_history_say_what_people_did(client: Client, session: Session) -> None:
    act(BuyIn, session, seat=1, amount=4000, cash=True)
    act(BuyIn, session, seat=2, amount=4000)
    act(CashOut, session, seat=1, amount=2900, cash=True)
    act(BuyInAll, session, amount=1000, cash=True)
    act(ledger.undo, session)
    shown = said(client, session, "ledger/")
    told = said(client, session, "history/")
    for sentence in (
        "Ann bought in for 40.00 EUR in cash.",
        "Bob bought in for 40.00 EUR on credit.",
        "Ann cashed out 29.00 EUR in cash.",
    ):
        assert sentence in shown
        assert sentence in told
    assert "Buy-in undone: Ann bought in for 10.00 EUR in cash; Bob bought in for 10.00 EUR in cash;" in shown
    assert "Ann, Bob and Cat bought in for 10.00 EUR each in cash." in told
    assert "The bank has 11.00 EUR in cash." in shown
    assert "Chips on the table match the bank." in shown
    act(BuyInAll, session, amount=500)
    shown, told = said(client, session, "ledger/"), said(client, session, "history/")
    assert "Ann bought in for 5.00 EUR on credit; Bob bought in for 5.00 EUR on credit;" in shown
    assert "Ann, Bob and Cat bought in for 5.00 EUR each on credit." in told


def test_where_all_chips_are_on_credit_nothing_is_said_of_it(client: Client, session: Session) -> None:
    act(BuyIn, session, seat=1, amount=1000, cash=True)
    act(ledger.undo, session)
    act(BuyIn, session, seat=2, amount=4000)
    for path in ("ledger/", "history/"):
        assert "Bob bought in for 40.00 EUR." in said(client, session, path)


def test_a_cash_buy_in_that_was_undone_leaves_the_bank_out(client: Client, session: Session) -> None:
    act(BuyInAll, session, amount=4000, cash=True)
    act(ledger.undo, session)
    act(BuyInAll, session, amount=4000)
    settle(session)
    act(ledger.close_session, session)
    found = reads.open_payments(session).pairs
    assert found
    assert all(BANK not in (each.payment.payer, each.payment.payee) for each in found)


def test_settling_up_leaves_out_what_lies_on_the_table(client: Client, bought: Session) -> None:
    settle(bought)
    shown = said(client, bought, "ledger/")
    assert "Nobody owes anything beyond their chips." in shown
    assert "Stacks are not in this list: the bank pays for chips once they are handed in." in shown
    act(ledger.close_session, bought)
    assert "All settled up." in said(client, bought, "")


def test_closing_lists_what_each_hands_in_and_what_the_bank_pays(client: Client, bought: Session) -> None:
    settle(bought)
    shown = said(client, bought)
    assert "Ann hands in 52.00 in chips and gets 52.00" in shown
    assert "Cat hands in 28.00 in chips and gets 28.00" in shown
    assert "In the bank 120.00 To pay out 120.00 The bank comes out at zero." in shown
    opened = closing(client, bought)
    assert [opened.fields()[f"stack-{seat}"] for seat in (1, 2, 3)] == [["52.00"], ["40.00"], ["28.00"]]
    for _ in range(2):
        assert opened.press(CLOSE).status_code == 302
    assert verbs(bought)[-1] == "close"
    told = said(client, bought, "history/")
    assert "Counted: Ann 52.00 EUR, Bob 40.00 EUR and Cat 28.00 EUR. Ann handed in 52.00 EUR and got 52.00 EUR." in told
    assert "Ann cashed out 52.00 EUR in cash; Bob cashed out 40.00 EUR in cash" in said(client, bought, "ledger/")
    form(client.get(f"/s/{bought.public_id}/close/"), "Reopen session").press()
    assert table(bought).stacks == {1: 5200, 2: 4000, 3: 2800}
    assert "Cash-out undone: Ann cashed out 52.00 EUR in cash;" in said(client, bought, "ledger/")


def test_what_the_bank_paid_stays_on_the_pages_of_a_closed_session(client: Client, session: Session) -> None:
    """People divide the cash after the close, and look at who gets what then."""
    act(BuyIn, session, seat=1, amount=6000)
    act(BuyIn, session, seat=2, amount=4000, cash=True)
    act(BuyIn, session, seat=3, amount=4000, cash=True)
    assert "From the bank" not in said(client, session)
    act(SideBet, session, payer=2, payee=1, amount=2400, note="the toss")
    act(ledger.close_session, session)
    for path in ("", "close/", "record/"):
        shown = said(client, session, path)
        assert "From the bank Ann hands in 84.00 in chips and gets 24.00 , as 60.00 was on credit Bob hands in" in shown
        assert "Cat hands in 40.00 in chips and gets 40.00" in shown
    assert "From the bank Ann 24.00 Bob 16.00 Cat 40.00" in said(client, session, "screen/")
    act(ledger.reopen_session, session)
    assert "gets" not in said(client, session, "record/")


def test_the_ledger_says_what_each_paid_and_got_in_cash(client: Client, session: Session) -> None:
    act(BuyIn, session, seat=1, amount=6000)
    act(BuyIn, session, seat=2, amount=4000)
    assert "In cash" not in said(client, session, "ledger/")
    act(BuyIn, session, seat=3, amount=4000, cash=True)
    shown = said(client, session, "ledger/")
    assert "Ann 60.00 60.00 – Bob 40.00 40.00 – Cat 40.00 40.00 −40.00 The bank 140.00 140.00 +40.00" in shown
    assert "In cash: + means got, − means paid. Other chips are on credit." in shown


def test_a_count_that_differs_is_shown_and_recorded_with_a_reason(client: Client, bought: Session) -> None:
    before = Event.objects.count()
    refused = closing(client, bought).fill({"stack-1": "43", "stack-2": "37,00"}).press(CLOSE)
    assert refused.status_code == 422
    shown = words(refused)
    assert "Please give a reason" in shown
    assert "Ann has 3.00 EUR more than the ledger says." in shown
    assert "Bob has 3.00 EUR less than the ledger says." in shown
    assert "Ann hands in 43.00 in chips and gets 43.00" in shown
    assert "The bank comes out at zero." in shown
    again = form(refused, CLOSE)
    assert (again.fields()["stack-1"], again.fields()["stack-2"]) == (["43"], ["37,00"])
    assert Event.objects.count() == before
    assert again.fill({"note": "a pot was paid wrong"}).press(CLOSE).status_code == 302
    assert "Final count: Bob pays Ann 3.00 EUR. Ann cashed out 43.00 EUR in cash" in said(client, bought, "ledger/")
    assert "(a pot was paid wrong)" in said(client, bought, "ledger/")


@pytest.mark.parametrize(
    ("third", "sentences", "after"),
    [
        (
            "37",
            [
                "All stacks are 3.00 EUR less than the chips that were bought. Count again, or give a reason. "
                "Then the bank keeps 3.00 EUR.",
                "The bank has 3.00 EUR left.",
            ],
            "The stacks that were counted came to 3.00 EUR less than the ledger says.",
        ),
        (
            "44.50",
            [
                "All stacks are 4.50 EUR more than the chips that were bought. Count again, or give a reason. "
                "Then the bank is 4.50 EUR short.",
                "The bank is 4.50 EUR short. What it cannot pay out is in “Settle up”.",
            ],
            "The stacks that were counted came to 4.50 EUR more than the ledger says.",
        ),
    ],
)
def test_chips_that_are_missing_or_too_many_are_the_banks(
    client: Client, bought: Session, third: str, sentences: list[str], after: str
) -> None:
    refused = closing(client, bought).fill({"stack-3": third}).press(CLOSE)
    for sentence in sentences:
        assert sentence in words(refused)
    form(refused, CLOSE).fill({"note": "we counted twice"}).press(CLOSE)
    shown = said(client, bought, "ledger/")
    assert after in shown
    assert "The bank is off" not in shown
    assert ("Bank pays Cat 4.50 EUR" if third == "44.50" else "All settled up.") in shown
    assert "Balanced" in shown


def test_after_a_late_rebuy_on_credit_the_bank_still_pays_out(client: Client, bought: Session) -> None:
    settle(bought)
    act(BuyIn, bought, seat=3, amount=2000)
    shown = said(client, bought)
    assert "Nobody owes anything beyond their chips." in shown
    assert "Ann hands in 52.00 in chips and gets 52.00" in shown
    assert "Cat hands in 48.00 in chips and gets 28.00 , as 20.00 was on credit" in shown
    assert "In the bank 120.00 To pay out 120.00 The bank comes out at zero." in shown
    assert "If Ann leaves now, they get from the bank 52.00 EUR" in said(client, bought, "people/")
    closing(client, bought).press(CLOSE)
    assert "All settled up." in said(client, bought, "")


def test_the_ledger_says_if_the_bank_paid_out_more_than_it_took(client: Client, session: Session) -> None:
    act(BuyIn, session, seat=1, amount=4000)
    act(CashOut, session, seat=1, amount=1000, cash=True)
    assert "The bank has paid out 10.00 EUR more than it took." in said(client, session, "ledger/")


def test_on_credit_the_count_has_its_fields_and_the_bank_pays_nothing(client: Client, session: Session) -> None:
    act(BuyInAll, session, amount=4000)
    shown = said(client, session)
    assert "Final count" in shown
    assert "hands in" not in shown
    refused = closing(client, session).fill({"stack-1": "45"}).press(CLOSE)
    assert "Then the bank is 5.00 EUR short" in words(refused)
    form(refused, CLOSE).fill({"stack-1": "40"}).press(CLOSE)
    assert table(session).stacks == {1: 4000, 2: 4000, 3: 4000}


def test_who_owes_for_chips_on_credit_is_said_with_the_bank(client: Client, bought: Session) -> None:
    act(BuyIn, bought, seat=2, amount=1000)
    act(BuyIn, bought, seat=1, amount=100, cash=True)
    act(SideBet, bought, payer=2, payee=1, amount=4500, note="all in")
    shown = said(client, bought)
    assert "Bob hands in 5.00 in chips and gets 0.00 , as 5.00 was on credit" in shown
    assert "Ann hands in 86.00 in chips and gets 81.00 , as the bank lacks 5.00" in shown
    assert "Bob lost 45.00, paid 40.00 net for chips, and pays Ann 5.00." in shown
    assert "The bank is 5.00 EUR short. What it cannot pay out is in “Settle up”." in shown
    assert "Bob pays Ann 5.00 EUR" in shown
    closing(client, bought).press(CLOSE)
    assert "Bob pays Ann 5.00 EUR" in said(client, bought, "")
    paying = client.get(f"/s/{bought.public_id}/pay/?payer=2&payee=1&way=fewest")
    form(paying, action=f"/s/{bought.public_id}/pay/").press()
    assert "Everything is paid." in said(client, bought, "") or "All settled up." in said(client, bought, "")


@pytest.mark.parametrize("typed", ["", "many", "-3", "1,000", "9" * 17])
def test_a_stack_that_cannot_be_read_is_refused_in_place(client: Client, bought: Session, typed: str) -> None:
    counted = closing(client, bought).fill({"stack-1": typed, "stack-2": "41", "note": "last bus"})
    refused = counted.press(CLOSE) if typed else counted.forge({})  # a browser does not send a stack that is empty
    assert refused.status_code == 422
    assert 'id="stack-1-wrong"' in refused.content.decode()
    again = form(refused, CLOSE).fields()
    assert (again["stack-1"], again["stack-2"], again["note"]) == ([typed], ["41"], ["last bus"])


def test_a_count_on_a_page_that_is_stale_is_kept(client: Client, bought: Session) -> None:
    opened = closing(client, bought).fill({"stack-1": "43", "note": "so they lay"})
    act(ledger.undo, bought)
    act(BuyInAll, bought, amount=4000, cash=True)
    stale = opened.press(CLOSE)
    assert stale.status_code == 409
    again = form(stale, CLOSE)
    assert (again.fields()["stack-1"], again.fields()["note"]) == (["43"], ["so they lay"])
    assert again.press(CLOSE).status_code == 302


def test_a_form_of_an_earlier_release_closes_by_the_ledger(client: Client, bought: Session) -> None:
    sent = closing(client, bought).forge({f"stack-{seat}": None for seat in (1, 2, 3)})
    assert sent.status_code == 302
    assert "counts" not in Event.objects.latest("n").action


def test_a_new_session_asks_in_its_form_and_starts_as_last_time(db: None, client: Client) -> None:
    opened = form(client.get("/new/"), "Start game")
    assert opened.fields()["cash"] == ["no"]
    opened.fill({"name-1": "Ann", "name-2": "Bob", "buy_in": "40", "cash": "yes"}).press("Start game")
    session = Session.objects.get()
    assert table(session).cash
    page = client.get(f"/c/{session.club.public_id}/")
    assert "chips for 40.00 EUR each in cash" in " ".join(page.content.decode().split())
    changed = form(client.get(f"/new/?club={session.club.public_id}"), "Start game")
    assert changed.fields()["cash"] == ["yes"]
    refused = changed.forge({"start": "1", "cash": "later"})
    assert refused.status_code == 422
    assert re.search(r'id="cash-wrong".*Choose cash or credit\.', refused.content.decode(), re.DOTALL)


def test_a_form_that_is_sent_again_much_later_says_what_it_said(client: Client, bought: Session) -> None:
    opened = closing(client, bought).fill({"stack-1": "43", "stack-3": "37", "note": "so they lay"})
    assert opened.press(CLOSE).status_code == 302
    act(ledger.reopen_session, bought)
    act(Leave, bought, seat=3)
    act(ledger.close_session, bought)
    assert opened.press(CLOSE).status_code == 302
    assert verbs(bought).count("close") == 2
