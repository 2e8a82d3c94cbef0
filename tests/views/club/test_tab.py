"""The club's page begins with its tab, whose payments are marked as paid and undone there; people's accounts."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from lxml import html

from scoring import club, ledger
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.side_bet import SideBet
from scoring.models import Session, TabPayment
from scoring.wording.notes import SETTLED_AT_START
from scoring.wording.session import title
from tests.access.conftest import host
from tests.ledger.conftest import act, start
from tests.pages import follow, form, labels, text
from tests.views.club.conftest import named
from tests.views.club.test_people import exchange

pytestmark = pytest.mark.django_db


@pytest.fixture
def owing(session: Session) -> Session:
    """A closed evening on the tab: Bob owes Ann 9.00."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session, tab=True)
    return session


def page(client: Client, session: Session, path: str = "") -> Any:
    return client.get(f"/c/{session.club.public_id}/{path}")


def test_an_evening_is_closed_to_the_tab_unless_it_is_settled_on_the_spot(session: Session) -> None:
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    client = host(session)
    assert "The tab" not in text(page(client, session))
    close = form(client.get(f"/s/{session.public_id}/close/"), "Close session")
    assert close.fields()["tab"] == ["tab"]
    assert close.press().status_code == 302
    assert "Bob owes Ann 9.00" in text(page(client, session))
    shown = client.get(f"/s/{session.public_id}/")
    assert "What is open in this session is on the club’s tab" in text(shown)
    assert form(shown, "Keep off the tab").press().status_code == 302
    assert "The tab" not in text(page(client, session))
    assert form(client.get(f"/s/{session.public_id}/"), "Carry to the tab").press().status_code == 302
    assert "Bob owes Ann 9.00" in text(page(client, session))


def test_an_evening_that_is_settled_on_the_spot_stays_off_the_tab(session: Session) -> None:
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    client = host(session)
    close = form(client.get(f"/s/{session.public_id}/close/"), "Close session")
    assert close.fill({"tab": "spot"}).press().status_code == 302
    session.refresh_from_db()
    assert not session.on_tab
    refused = form(client.get(f"/s/{session.public_id}/close/"), "Reopen session")
    assert refused.press().status_code == 302
    wrong = form(client.get(f"/s/{session.public_id}/close/"), "Close session").forge({"tab": "moon"})
    assert wrong.status_code == 422
    assert "Say where what is open goes." in text(wrong)


def test_a_payment_is_late_if_the_names_on_its_page_are_other_players_by_now(owing: Session) -> None:
    client = host(owing)
    shown = page(client, owing)
    paying = form(follow(shown, "Mark as paid: Bob to Ann"), "Record payment")
    exchange(named(owing, "Bob"), named(owing, "Cat"))
    changed = "Players were renamed, merged or archived since this page was opened. Check the names."
    late = paying.press()
    assert late.status_code == 409
    assert changed in text(late)
    assert "Cat pays Ann" in text(late)
    assert not TabPayment.objects.exists()
    again = form(late, "Record payment")
    assert again.press().status_code == 302
    undoing = form(follow(page(client, owing), "Undo"), "Undo payment")
    exchange(named(owing, "Bob"), named(owing, "Cat"))
    assert again.press().status_code == 302  # it has been recorded, whatever they are called now
    late = undoing.press()
    assert late.status_code == 409
    assert changed in text(late)
    assert "Bob paid Ann 9.00 EUR" in text(late)
    assert form(late, "Undo payment").press().status_code == 302


def test_a_payment_of_the_tab_is_marked_as_paid_and_undone(owing: Session) -> None:
    client = host(owing)
    first = form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment")
    assert (first.fields()["amount"], first.fields()["note"]) == (["9.00"], [""])
    assert first.fill({"amount": "4", "note": "PayPal"}).press()["Location"] == f"/c/{owing.club.public_id}/"
    shown = page(client, owing)
    assert "Bob paid Ann 4.00 PayPal, recorded by Host on" in text(shown)
    assert "5.00" in text(shown)
    undo = form(follow(shown, "Undo"), "Undo payment")
    assert undo.press().status_code == 302
    assert undo.press().status_code == 302  # sent twice
    assert TabPayment.objects.count() == 2
    again = follow_undone(client, owing)
    assert "Payment undone" in text(again)


def test_the_bank_is_explained_where_it_is_in_the_list(owing: Session) -> None:
    """It paid Ann more than it had taken."""
    client, why = host(owing), "The bank is the cash box for chips:"
    assert why not in text(page(client, owing))
    second = start("Ann Bob", club=owing.club)
    act(BuyIn, second, seat=1, amount=4000)
    act(CashOut, second, seat=1, amount=1000, cash=True)
    act(ledger.close_session, second, tab=True)
    shown = page(client, owing)
    assert "Bob owes Bank 9.00" in text(shown)
    assert text(shown).count(why) == 1
    for payer in ("Bob", "Ann"):
        form(follow(page(client, owing), f"Mark as paid: {payer} to Bank"), "Record payment").press()
    assert "Nothing is open." in text(page(client, owing))
    assert why in text(page(client, owing))  # for the payments that were made


def follow_undone(client: Client, session: Session) -> Any:
    return page(client, session, f"tab/{TabPayment.objects.get(undoes=None).n}/undo/")


def test_what_the_app_wrote_about_a_payment_is_in_the_readers_language_where_it_is_undone(owing: Session) -> None:
    client = host(owing)
    form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment").fill(
        {"amount": "4", "note": SETTLED_AT_START}
    ).press()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    shown = text(follow_undone(client, owing))
    assert "Bob付了4.00 EUR给Ann，下一场开始时结清。" in shown
    assert "主持人记录。" in shown


def test_a_form_that_was_sent_with_something_else_can_be_sent_as_another_payment(owing: Session) -> None:
    client = host(owing)
    sent = form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment")
    assert sent.fill({"amount": "4"}).press().status_code == 302
    stale = sent.fill({"amount": "2"}).press()
    assert stale.status_code == 409
    assert form(stale, "Record payment").press().status_code == 302
    assert [paid.amount for paid in TabPayment.objects.order_by("n")] == [400, 200]


def test_a_part_that_two_phones_record_is_asked_about(owing: Session) -> None:
    client = host(owing)
    one, other = (form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment") for _ in "ab")
    assert one.fill({"amount": "4"}).press().status_code == 302
    refused = other.fill({"amount": "4", "note": "bank"}).press()
    assert refused.status_code == 409
    said = "What Bob owes Ann has changed since this page was opened. If your payment is another one, record it again."
    assert said in text(refused)
    again = form(refused, "Record payment")
    assert (again.fields()["amount"], again.fields()["note"]) == (["4"], ["bank"])
    assert again.press().status_code == 302
    assert TabPayment.objects.count() == 2


def test_paying_too_much_is_offered_as_what_the_other_then_owes(owing: Session) -> None:
    client = host(owing)
    paying = form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment")
    refused = paying.fill({"amount": "10", "note": "bank"}).press()
    assert refused.status_code == 422
    assert "Record it all the same. Then Ann owes Bob 1.00." in text(refused)
    once_more = form(refused, "Record payment")
    assert once_more.fields()["note"] == ["bank"]
    once_more.fill({"over": True})
    assert once_more.fill({"amount": "100"}).press().status_code == 422  # which the tick did not agree to
    assert once_more.fill({"amount": "10"}).press().status_code == 302
    assert "Ann owes Bob" in text(page(client, owing))


@pytest.mark.parametrize(
    ("amount", "why"),
    [
        ("-1", "Enter the number alone, e.g. 0.50."),
        ("1.234", "Use at most 2 decimals, and no thousands separator."),
        ("abc", "Enter a number, e.g. 0.50."),
        ("0", "Enter an amount above 0, with at most 16 digits."),
    ],
)
def test_a_wrong_amount_is_a_sentence_in_its_place(owing: Session, amount: str, why: str) -> None:
    client = host(owing)
    paying = form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment")
    refused = paying.fill({"amount": amount}).press()
    assert refused.status_code == 422
    assert form(refused, "Record payment").fields()["amount"] == [amount]
    assert not TabPayment.objects.exists()
    assert [each.text for each in html.fromstring(refused.content).xpath("//p[@class='error']")] == [why]


def test_what_was_paid_on_another_phone_meanwhile_is_said(owing: Session) -> None:
    client = host(owing)
    paying = [form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment") for _ in range(2)]
    assert paying[0].press().status_code == 302
    refused = paying[1].press()
    assert refused.status_code == 409
    assert "Nothing is open between these two any more. Nothing was recorded." in text(refused)
    assert TabPayment.objects.count() == 1


def test_an_account_is_on_the_page_of_its_player(owing: Session) -> None:
    client = host(owing)
    form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment").fill({"amount": "4"}).press()
    bob = text(page(client, owing, f"players/{named(owing, 'Bob').pk}/"))
    assert "Bob owes 5.00 EUR." in bob
    assert "Paid Ann" in bob
    assert "−9.00" in bob
    ann = text(page(client, owing, f"players/{named(owing, 'Ann').pk}/"))
    assert "Ann is owed 5.00 EUR." in ann
    assert "Paid by Bob" in ann


def test_a_club_with_open_debts_says_so_before_it_is_deleted(owing: Session) -> None:
    client = host(owing)
    assert "The tab is not settled: Bob owes Ann 9.00 EUR." in text(page(client, owing, "delete/"))
    club.rename(owing.club, "Friday")
    assert (
        form(page(client, owing, "delete/"), "Delete club forever").fill({"name": "Friday"}).press().status_code == 302
    )
    assert not TabPayment.objects.exists()


def test_an_archived_player_keeps_what_is_open(owing: Session) -> None:
    club.retire(named(owing, "Bob"))
    client = host(owing)
    assert "Bob owes Ann" in text(page(client, owing))
    assert "Record payment" in labels(follow(page(client, owing), "Mark as paid: Bob to Ann"))


def test_another_clubs_payment_cannot_be_undone_here(owing: Session) -> None:
    client = host(owing)
    form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment").press()
    other = ledger.start_session(names=["Eve", "Fay"], stake=1, currency="EUR", key="other", by="host")
    assert host(other).get(f"/c/{other.club.public_id}/tab/1/undo/").status_code == 404
    assert client.get(f"/c/{owing.club.public_id}/tab/99999999999999999999/undo/").status_code == 404


def test_the_next_session_says_what_is_open_and_offers_to_settle_it(owing: Session) -> None:
    client = host(owing)
    again = form(page(client, owing), "Same as last time")
    assert "On the tab among these players: Bob owes Ann 9.00 EUR." in text(page(client, owing))
    settling = again.fill({"settle": True})
    assert settling.press().status_code == 302
    assert settling.press().status_code == 302  # sent twice
    assert [(paid.amount, paid.note) for paid in TabPayment.objects.all()] == [
        (900, "settled as the next session began")
    ]
    assert "Nothing is open." in text(page(client, owing))


@pytest.mark.parametrize("address", ["/c/{}/", "/new/?club={}"])
def test_nobody_settles_what_they_have_not_seen(owing: Session, address: str) -> None:
    """Another phone closes a session while this one has the page open."""
    client = host(owing)
    page_seen = client.get(address.format(owing.club.public_id))
    label = "Start game" if "new" in address else "Same as last time"
    settling = form(page_seen, label).fill({"settle": True})
    other = start("Ann Bob", club=owing.club)
    act(SideBet, other, payer=2, payee=1, amount=5000, note="red")
    act(ledger.close_session, other, tab=True)
    refused = settling.press(label)
    assert refused.status_code == 409
    started = "A session was started in this club since this page was opened."  # the other page does not know
    changed = "What is open on the tab among these players is not what the page said."
    assert (changed if "new" in address else started) in text(refused)
    assert "Please fix" not in text(refused)
    assert not TabPayment.objects.exists()
    assert Session.objects.count() == 2
    again = form(refused, label)
    assert "settle" not in again.fields()
    assert again.fill({"settle": True}).press(label).status_code == 302
    assert [paid.amount for paid in TabPayment.objects.all()] == [5900]


@pytest.mark.parametrize("address", ["/c/{}/", "/new/?club={}"])
def test_what_was_paid_meanwhile_is_not_to_be_looked_for(owing: Session, address: str) -> None:
    client = host(owing)
    label = "Start game" if "new" in address else "Same as last time"
    settling = form(client.get(address.format(owing.club.public_id)), label).fill({"settle": True})
    form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment").press()
    late = settling.press()
    assert late.status_code == 409
    assert "Nothing is open on the tab among these players any more, so nothing was recorded." in text(late)
    assert form(late, label).press().status_code == 302
    assert TabPayment.objects.count() == 1


def test_who_settles_at_a_start_that_another_host_has_made_starts_no_second_session(owing: Session) -> None:
    client = host(owing)
    late, first = (form(page(client, owing), "Same as last time").fill({"settle": True}) for _ in range(2))
    assert first.press().status_code == 302
    refused = late.press()
    assert refused.status_code == 409
    assert "A session was started in this club since this page was opened." in text(refused)
    assert "any more" not in text(refused)


def test_what_was_to_be_settled_at_a_start_that_came_too_late_is_still_chosen(owing: Session) -> None:
    client = host(owing)
    late, first = (form(page(client, owing), "Same as last time") for _ in range(2))
    assert first.press().status_code == 302
    refused = late.fill({"settle": True}).press()
    assert refused.status_code == 409
    assert "settle" in form(refused, "Same as last time").fields()


@pytest.mark.parametrize("address", ["/c/{}/", "/new/?club={}"])
def test_a_phone_settles_what_it_has_seen_in_another_language(owing: Session, address: str) -> None:
    """The page was opened before somebody chose another language in the same browser."""
    client = host(owing)
    label = "Start game" if "new" in address else "Same as last time"
    settling = form(client.get(address.format(owing.club.public_id)), label).fill({"settle": True})
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert settling.press().status_code == 302
    assert [paid.amount for paid in TabPayment.objects.all()] == [900]


def test_the_next_session_leaves_the_tab_alone_unless_it_is_asked_to_settle(owing: Session) -> None:
    client = host(owing)
    assert form(page(client, owing), "Same as last time").press().status_code == 302
    assert not TabPayment.objects.exists()


def test_a_session_with_changes_settles_what_is_open_among_those_who_sit_down(owing: Session) -> None:
    act(ledger.reopen_session, owing)
    act(SideBet, owing, payer=3, payee=1, amount=400, note="blue")
    act(ledger.close_session, owing, tab=True)
    client = host(owing)
    starting = form(client.get(f"/new/?club={owing.club.public_id}"), "Start game")
    refused = starting.fill({"name-3": "Dan", "settle": True}).press("Start game")  # of what is open with Cat, too
    assert "What is open on the tab among these players is not what the page said." in text(refused)
    assert not TabPayment.objects.exists()
    assert Session.objects.count() == 1
    starting = form(refused, "Start game")
    assert "settle" not in starting.fields()
    assert starting.fill({"settle": True}).press("Start game").status_code == 302
    assert [paid.amount for paid in TabPayment.objects.all()] == [900]
    assert "Cat owes Ann" in text(page(client, owing))


@pytest.mark.django_db
def test_an_account_says_what_was_won_and_paid_for_chips_in_cash() -> None:
    """What was settled with the bank is nothing on the tab, and still an evening that somebody lost."""
    session = start(buy_in=4000, cash=True)
    act(SideBet, session, payer=2, payee=1, amount=153, note="red")
    act(ledger.close_session, session, tab=True)
    browser = host(session)
    lost = text(browser.get(f"/c/{session.club.public_id}/players/{named(session, 'Bob').pk}/"))
    assert "lost 1.53, paid the bank 1.53 in cash" in lost
    assert "Bob is even." in lost
    won = text(browser.get(f"/c/{session.club.public_id}/players/{named(session, 'Ann').pk}/"))
    assert "won 1.53, got 1.53 in cash from the bank" in won


def test_a_session_that_is_open_again_is_not_on_the_tab_and_says_so(owing: Session) -> None:
    client = host(owing)
    assert "is open again" not in text(page(client, owing))
    act(ledger.reopen_session, owing)
    said = f"{title(owing)} is open again. What is open in it is on the tab once it is closed."
    assert said in text(page(client, owing))
    act(ledger.close_session, owing, tab=False)
    assert "is open again" not in text(page(client, owing))


@pytest.mark.parametrize("owes", [2, 3])
def test_a_payment_of_which_all_or_a_part_is_in_a_session_that_was_opened_again_says_so(
    owing: Session, owes: int
) -> None:
    """In the other session Bob owes Ann a part of it, or Cat something else."""
    other = start(club=owing.club)
    act(SideBet, other, payer=owes, payee=1, amount=500, note="red")
    act(ledger.close_session, other, tab=True)
    client = host(owing)
    opened = form(follow(page(client, owing), "Mark as paid: Bob to Ann"), "Record payment")
    act(ledger.reopen_session, owing)
    late = opened.press()
    assert late.status_code == 409
    assert f"{title(owing)} is open again. What is open in it is on the tab once it is closed." in text(late)
    assert follow(late, title(owing)).status_code == 200


def test_a_host_sees_how_who_is_owed_likes_to_be_paid(owing: Session) -> None:
    club.add_pay_address(named(owing, "Ann"), kind="text", value="Cash, please")
    paying = follow(page(host(owing), owing), "Mark as paid: Bob to Ann")
    assert "Cash, please" in text(paying)
    assert "no-store" in paying["Cache-Control"]


def test_an_amount_does_not_go_before_a_name_from_right_to_left(client: Client) -> None:
    session = start("Ann יעל Cat")
    act(SideBet, session, payer=1, payee=2, amount=900, note="red")
    act(ledger.close_session, session, tab=True)
    client.get(f"/s/{session.public_id}/")
    assert "Ann owes \u2068יעל\u2069 9.00 EUR" in page(client, session).text
