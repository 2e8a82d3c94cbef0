"""Chips: bought and cashed out between two hands, shown wherever they matter, and booked late if forgotten."""

from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.fee import Fee
from scoring.actions.people import Leave, SitIn, SitOut
from scoring.models import Event, Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, money, settle, table
from tests.pages import Form, form, labels, post_nothing, text
from tests.views.hand.test_enter import fields


def chips(client: Client, session: Session, **typed: str) -> Form:
    """The form for chips, with 50 for Ann in it unless ``typed`` says otherwise."""
    return form(client.get(f"/s/{session.public_id}/chips/")).fill({"seat": "1", "amount": "50", **typed})


def everybody(session: Session, *amounts: int) -> None:
    for seat, amount in enumerate(amounts, 1):
        act(BuyIn, session, seat=seat, amount=amount)


def page(client: Client, session: Session, path: str = "") -> str:
    return " ".join(client.get(f"/s/{session.public_id}/{path}").content.decode().split())


def test_buying_in_is_shown_in_front_of_the_seat(client: Client, session: Session) -> None:
    assert "scores are kept on credit" in page(client, session, "chips/")
    response = chips(client, session, amount="50,50").press("Buy in")
    assert response["Location"] == f"/s/{session.public_id}/chips/?recorded=2"
    assert table(session).stacks == {1: 5050}
    assert "50.50 in stack" in page(client, session, "chips/")
    told = "Buy-in: Ann bought in for 50.50 EUR."
    assert told in page(client, session, "chips/?recorded=2")
    for wrong in ("", "?recorded=3", "?recorded=x", "?recorded=-1"):
        assert 'role="status">Buy' not in page(client, session, f"chips/{wrong}")
    act(ledger.undo, session)
    assert told not in page(client, session, "chips/?recorded=2")
    chips(client, session, amount="50,50").press("Buy in")
    shown = page(client, session)
    assert '<span class="chips">50.50 in stack</span>' in shown
    assert shown.count('<span class="tag wrong">no chips</span>') == 2
    assert "Bob is out of chips. Buy in, sit out or leave before the next hand." in shown


def test_everybody_buys_in_by_one_form_with_one_amount(client: Client, session: Session) -> None:
    opened = form(client.get(f"/s/{session.public_id}/chips/")).fill({"amount": "50"})  # everyone is chosen already
    for _ in range(2):
        assert opened.press("Buy in").status_code == 302
    assert table(session).stacks == {1: 5000, 2: 5000, 3: 5000}
    assert "Ann, Bob and Cat bought in for 50.00 EUR each." in page(client, session, "history/")
    assert form(client.get(f"/s/{session.public_id}/chips/")).fields()["amount"] == [""]
    assert "seat" not in form(client.get(f"/s/{session.public_id}/chips/")).fields()
    form(client.get(f"/s/{session.public_id}/"), "Undo: everyone’s buy-in").press()
    assert table(session).stacks is None


def test_everybody_is_who_sits_at_the_table_also_who_sits_out(client: Client, session: Session) -> None:
    act(Leave, session, seat=2)
    act(SitOut, session, seat=3)
    chips(client, session, seat="everyone", amount="20").press("Buy in")
    assert table(session).stacks == {1: 2000, 3: 2000}
    chips(client, session, seat="everyone", amount="5").press("Buy in")
    assert table(session).stacks == {1: 2500, 3: 2500}


def test_nobody_cashes_out_for_everybody(client: Client, session: Session) -> None:
    everybody(session, 5000, 5000, 5000)
    refused = chips(client, session, seat="everyone").press("Cash out")
    assert refused.status_code == 422
    assert "Players cash out one at a time: choose a player." in refused.content.decode()
    assert table(session).stacks == {1: 5000, 2: 5000, 3: 5000}


def test_cashing_out_gives_the_bank_its_chips_back(client: Client, session: Session) -> None:
    everybody(session, 5000, 5000, 5000)
    assert chips(client, session, seat="2", amount="49.99").press("Cash out").status_code == 302
    assert table(session).stacks == {1: 5000, 2: 1, 3: 5000}


def test_enter_in_the_amount_buys_chips_and_cashes_none_out(client: Client, session: Session) -> None:
    everybody(session, 5000, 5000, 5000)
    assert chips(client, session).press().status_code == 302
    assert table(session).stacks == {1: 10000, 2: 5000, 3: 5000}


def test_the_banks_side_is_in_the_ledger(client: Client, session: Session) -> None:
    assert "The bank" not in page(client, session, "ledger/")
    everybody(session, 5000, 5000, 5000)
    settle(session)
    act(CashOut, session, seat=1, amount=1200)
    act(Fee, session, amount=100, note="table")
    act(BuyIn, session, seat=3, amount=700)
    act(ledger.undo, session)
    shown = page(client, session, "ledger/")
    lines = {
        "Ann": ("50.00", "−12.00", "49.00"),
        "Cat": ("50.00", "", "37.00"),
        "House": ("–", "", "3.00"),
    }
    for name, (bought, cashed, front) in lines.items():
        less = f'<br><small class="muted">{cashed}</small>' if cashed else ""
        cells = f'<td class="n">{bought}{less}</td> <td class="n strong">{front}</td>'
        assert f'<th scope="row">{name}</th> {cells}' in shown
    assert 'The bank</th> <td class="n">150.00<br><small>−12.00</small></td> <td class="n">138.00</td>' in shown
    assert "Chips on the table match the bank." in shown


def test_a_hand_shows_stacks_before_and_after_and_what_was_not_paid(client: Client, session: Session) -> None:
    everybody(session, 5000, 5000, 800)
    settle(session)
    shown = page(client, session, "hands/1/")
    assert '8.00 <span aria-hidden="true">→</span><span class="visually-hidden">to</span></small><br>0.00' in shown
    assert '50.00 <span aria-hidden="true">→</span><span class="visually-hidden">to</span></small><br>58.00' in shown
    assert '<th scope="row">Cat <span class="tag wrong">Busted</span></th>' in shown
    assert "Cat is all-in: 2.00 of 6.00 paid, the other 4.00 is not owed.</small>" in shown
    assert "<dt>Not owed</dt><dd>4.00</dd>" in shown


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"amount": "0"}, "Enter an amount above 0."),
        ({"amount": "-5"}, "Enter the number alone"),
        ({"amount": "1,000"}, "no thousands separator"),
        ({"amount": "9" * 17}, "amount is too large"),
    ],
)
def test_what_cannot_be_is_refused_and_kept(
    client: Client, session: Session, changed: dict[str, str], said: str
) -> None:
    everybody(session, 5000, 5000, 5000)
    before = Event.objects.count()
    response = chips(client, session).fill(changed).press("Buy in")
    assert_refused(response, said, changed)
    assert Event.objects.count() == before


def test_more_than_a_player_has_is_not_cashed_out(client: Client, session: Session) -> None:
    everybody(session, 5000, 5000, 5000)
    before = Event.objects.count()
    response = chips(client, session, amount="50.01").press("Cash out")
    assert_refused(response, "Ann has too few chips for that.", {"amount": "50.01"})
    assert Event.objects.count() == before


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"amount": ""}, "Enter a number"),
        ({"seat": "9"}, "Choose a player."),
        ({"note": "x" * 301}, "A note is at most 300 characters."),
    ],
)
def test_what_the_fields_do_not_take_is_refused_and_kept(
    client: Client, session: Session, changed: dict[str, str], said: str
) -> None:
    everybody(session, 5000, 5000, 5000)
    before = Event.objects.count()
    assert_refused(chips(client, session).forge({"do": "buy-in", **changed}), said, changed)
    assert Event.objects.count() == before


def assert_refused(response: Any, said: str, changed: dict[str, str]) -> None:
    shown = response.content.decode()
    assert response.status_code == 422
    assert said in shown
    assert 'role="alert"' in shown
    assert form(response, "Buy in").fields()["amount"] == [changed.get("amount", "50")]


def test_sent_twice_it_is_bought_once(client: Client, session: Session) -> None:
    buying = chips(client, session)
    for _ in range(2):
        assert buying.press("Buy in").status_code == 302
    assert table(session).stacks == {1: 5000}


def test_a_stale_form_is_kept_and_can_be_sent_again(client: Client, session: Session) -> None:
    buying = chips(client, session, amount="33.30", note="late")
    settle(session)
    response = buying.press("Buy in")
    shown = response.content.decode()
    assert response.status_code == 409
    assert "The table was changed since this page was opened." in shown
    assert "opened.Hand 1" in text(response)
    assert 'value="33.30"' in shown
    session.refresh_from_db()
    assert f'name="version" value="{session.version}"' in shown
    assert table(session).stacks is None
    assert form(response).press("Buy in").status_code == 302
    assert table(session).stacks == {1: 3330}
    assert Event.objects.get(verb="buy-in").note == "late"


def test_a_form_for_somebody_who_has_left_says_so(client: Client, session: Session) -> None:
    """The form has no choice for them any more, so nothing else on the page says whom it was about."""
    act(BuyInAll, session, amount=5000)
    paying_out = chips(client, session, amount="50", seat="2", note="the taxi")
    act(CashOut, session, seat=2, amount=5000)
    act(SitOut, session, seat=3)
    act(SitIn, session, seat=3)
    act(Leave, session, seat=2)
    refused = paying_out.press("Cash out")
    assert refused.status_code == 409
    assert "Left: Bob." in text(refused)
    again = form(refused, "Cash out")
    assert (again.fields()["amount"], again.fields()["note"]) == (["50"], ["the taxi"])
    assert "seat" not in again.fields()


def test_in_a_closed_session_there_is_no_form_and_it_is_refused(client: Client, session: Session) -> None:
    buying = chips(client, session)
    act(ledger.close_session, session)
    assert "This session is closed" in page(client, session, "chips/")
    assert '<form class="narrow' not in page(client, session, "chips/")
    response = buying.press("Buy in")
    assert response.status_code == 409
    assert "A host can reopen it under “More”" in response.content.decode()
    assert form(response, "Buy in").press("Buy in").status_code == 409
    assert table(session).stacks is None


def test_a_session_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/s/nobody/chips/").status_code == 404
    assert post_nothing(client, "/s/nobody/chips/").status_code == 404
    assert client.get("/s/nobody/chips/forgotten/").status_code == 404


# --- A buy-in that was forgotten ------------------------------------------------------------------


def forgotten(client: Client, session: Session, **typed: str) -> Form:
    """The form for a forgotten buy-in, with 100 for Cat before hand 2 in it unless ``typed`` says otherwise."""
    page = client.get(f"/s/{session.public_id}/chips/forgotten/")
    return form(page, "Preview changes").fill({"seat": "3", "amount": "100", "before": "2", **typed})


@pytest.fixture
def capped(session: Session) -> Session:
    """Cat pays the first hand in full, but the second one, after a rebuy, only in part."""
    everybody(session, 5000, 5000, 1300)
    settle(session)
    act(BuyIn, session, seat=3, amount=100)
    settle(session)
    return session


@pytest.mark.parametrize(
    ("cash", "said", "button"),
    [
        ("no", "Add 1.00 EUR for Cat before hand 2.", "Add 1.00 EUR before hand 2"),
        ("yes", "Add 1.00 EUR in cash for Cat before hand 2.", "Add 1.00 EUR in cash before hand 2"),
    ],
)
def test_a_forgotten_buy_in_that_changes_no_hand_says_so(
    client: Client, session: Session, cash: str, said: str, button: str
) -> None:
    everybody(session, 5000, 5000, 5000)
    settle(session)
    settle(session)
    response = forgotten(client, session, amount="1", cash=cash).press()
    shown = " ".join(response.content.decode().split())
    assert f"{said} No hand is won or lost differently; only Cat’s stack changes." in shown
    assert button in labels(response)


def test_a_forgotten_buy_in_that_cannot_be_read_is_told_that_the_session_was_closed_meanwhile(
    client: Client, capped: Session
) -> None:
    sent = forgotten(client, capped, amount="abc")
    act(ledger.close_session, capped)
    late = sent.press()
    assert late.status_code == 409
    assert "This session is closed. A host can reopen it under “More”." in text(late)
    assert 'value="abc"' in late.content.decode()


@pytest.mark.parametrize("previewed", [False, True])
def test_a_forgotten_buy_in_that_comes_after_the_close_keeps_what_was_typed(
    client: Client, capped: Session, previewed: bool
) -> None:
    sent = forgotten(client, capped)
    if previewed:
        sent = form(sent.press(), "Add 100.00 EUR before hand 2").fill({"note": "saw the chips"})
    act(ledger.close_session, capped)
    late = sent.press()
    assert late.status_code == 409
    assert late.content.decode().count("This session is closed") == 1
    kept = form(late, action=f"/s/{capped.public_id}/chips/forgotten/").fields()
    assert (kept["seat"], kept["amount"], kept["before"]) == (["3"], ["100"], ["2"])
    assert not previewed or kept["note"] == ["saw the chips"]


def test_a_mistake_in_a_preview_that_comes_after_the_close_is_kept_too(client: Client, capped: Session) -> None:
    sent = forgotten(client, capped, amount="12x")
    act(ledger.close_session, capped)
    late = sent.press()
    assert late.status_code == 409
    assert form(late, action=f"/s/{capped.public_id}/chips/forgotten/").fields()["amount"] == ["12x"]


def test_a_forgotten_buy_in_shows_what_it_moves_before_it_is_booked(client: Client, capped: Session) -> None:
    response = forgotten(client, capped).press()
    shown = response.content.decode()
    assert "What changes" in shown
    assert "Add 100.00 EUR for Cat before hand 2." in shown
    assert money(capped) == {1: 2000, 2: -600, 3: -1400}
    booking = form(response, "Add 100.00 EUR before hand 2").fill({"note": "saw the chips"})
    response = booking.press()
    assert response["Location"] == f"/s/{capped.public_id}/ledger/"
    assert money(capped) == {1: 2400, 2: 0, 3: -2400}
    assert table(capped).stacks == {1: 7400, 2: 5000, 3: 9000}
    booking.press()
    assert Event.objects.filter(verb="buy-in").count() == 5


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"before": "3"}, "Enter a hand from 1 to 2."),
        ({"before": "x"}, "Enter a hand from 1 to 2."),
        ({"amount": "0"}, "Enter an amount above 0."),
    ],
)
def test_a_forgotten_buy_in_that_cannot_be_is_refused(
    client: Client, capped: Session, typed: dict[str, str], said: str
) -> None:
    forged = form(forgotten(client, capped).press(), "Add 100.00 EUR before hand 2").fill({"note": "why"})
    for response in (forgotten(client, capped, **typed).press(), forged.forge(dict(typed))):
        assert response.status_code == 422
        assert said in response.content.decode()
        right = form(response, "Preview changes").fill({"amount": "100", "before": "2"}).press()
        assert "Add 100.00 EUR before hand 2" in labels(right)
    assert money(capped) == {1: 2000, 2: -600, 3: -1400}
    assert Event.objects.filter(verb="buy-in").count() == 4


def test_a_forgotten_buy_in_takes_a_reason(client: Client, capped: Session) -> None:
    response = form(forgotten(client, capped).press(), "Add 100.00 EUR before hand 2").forge({"note": ""})
    assert response.status_code == 422
    assert "Please give a reason" in response.content.decode()
    assert Event.objects.filter(verb="buy-in").count() == 4
    again = form(response, "Add 100.00 EUR before hand 2").fill({"note": "saw the chips"}).press()
    assert again["Location"] == f"/s/{capped.public_id}/ledger/"


def test_a_forgotten_buy_in_for_a_table_that_has_changed_is_shown_again(client: Client, capped: Session) -> None:
    booking = form(forgotten(client, capped).press(), "Add 100.00 EUR before hand 2").fill({"note": "saw the chips"})
    act(BuyIn, capped, seat=1, amount=100)
    late = booking.press()
    assert late.status_code == 409
    again = form(late, "Add 100.00 EUR before hand 2")
    assert again.fields()["note"] == ["saw the chips"]
    assert again.press()["Location"] == f"/s/{capped.public_id}/ledger/"


def test_no_chips_are_booked_before_a_hand_that_was_played_on_credit(client: Client, session: Session) -> None:
    settle(session)
    everybody(session, 5000, 5000, 5000)
    shown = forgotten(client, session, seat="1", amount="5", before="1").press()
    assert "Hand 1 was played on credit" in shown.content.decode()


# --- A correction that a later hand stands in the way of ------------------------------------------


def test_a_correction_that_leaves_a_later_hand_without_chips_says_which_and_leads_to_the_ways_out(
    client: Client, session: Session
) -> None:
    everybody(session, 5000, 5000, 1000)
    settle(session, entry(s1=WEAK, s2=FOUL, s3=PLAIN))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    opened = form(client.get(f"/s/{session.public_id}/hands/1/correct/"), "Preview changes")
    response = opened.fill(fields(s1=STRONG, s2=PLAIN, s3=FOUL)).press()
    shown = response.content.decode()
    assert response.status_code == 422
    assert "Hand 2: Cat is out of chips" in shown
    for way in ("chips/forgotten/?before=2", "hands/2/void/", "side-bet/"):
        assert f'href="/s/{session.public_id}/{way}"' in shown
