"""Who owes money sees on their own phone how it can be paid; nobody else does but the host."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from lxml import html

from scoring import club, ledger
from scoring.access.links import Role
from scoring.actions.fee import Fee
from scoring.actions.side_bet import SideBet
from scoring.forms.amounts import CURRENCIES
from scoring.models import Event, Session
from tests.access.conftest import browser
from tests.access.reading import crawl
from tests.ledger.conftest import act, start
from tests.pages import form, text
from tests.views.books.test_payments import phone, ways
from tests.views.club.conftest import named

IBAN = "DE89370400440532013000"
NAME = "AnnaKarenina77"
SECRETS = (IBAN, NAME)


def owe(session: Session) -> Session:
    """The session closed: Bob owes Ann 9.00, and Cat owes Ann 4.00. Ann has a bank account, and a name elsewhere."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(SideBet, session, payer=3, payee=1, amount=400, note="blue")
    act(ledger.close_session, session)
    club.add_pay_address(named(session, "Ann"), "iban", IBAN)
    club.add_pay_address(named(session, "Ann"), "paypal", NAME)
    return session


@pytest.fixture
def owing(session: Session) -> Session:
    return owe(session)


def pay_url(session: Session, payer: int, payee: int, way: str = "fewest") -> str:
    return f"/s/{session.public_id}/pay/?payer={payer}&payee={payee}&way={way}"


def links(response: Any) -> list[str]:
    """The links of the page that lead elsewhere."""
    page = html.fromstring(response.content)
    return [link.get("href") for link in page.iter("a") if not link.get("href").startswith(("/", "#"))]


def shown(response: Any) -> list[bool]:
    return [secret in response.content.decode() for secret in SECRETS]


@pytest.mark.parametrize("way", ["fewest", "pairs"])
@pytest.mark.parametrize(("role", "seat"), [(Role.SCORER, 2), (Role.HOST, None)])
def test_the_phone_of_who_pays_and_the_host_see_how(owing: Session, role: Role, seat: int | None, way: str) -> None:
    page = phone(owing, role, seat).get(pay_url(owing, 2, 1, way))
    assert shown(page) == [True, True]
    assert "Nothing is marked as paid by opening one of these. Record the payment below once you have paid." in text(
        page
    )
    assert "Ways to pay Ann" in text(page)
    found = html.fromstring(page.content)
    (link,) = [each for each in found.iter("a") if NAME in each.get("href")]
    assert link.get("href") == f"https://paypal.me/{NAME}/9.00EUR"
    assert set(link.get("rel").split()) == {"noopener", "noreferrer"}
    assert link.get("target") == "_blank"
    assert (
        len(
            found.xpath(
                "//svg[contains(@class, 'qr')][contains(@aria-label, 'IBAN') or contains(@aria-label, 'PayPal')]"
            )
        )
        == 2
    )
    named = [button.get("data-copy") for button in found.xpath("//button[@data-copy]")]
    copied = [found.get_element_by_id(name).text_content() for name in named]
    assert IBAN in copied
    assert any((each or "").strip().startswith("BCD\n002") and "EUR9\n" in each for each in copied)
    assert "no-store" in page["Cache-Control"]


def test_nobody_else_sees_it(owing: Session) -> None:
    """Neither who is paid, nor another player, nor a scorer without a seat, nor a viewer."""
    for role, seat, status in (
        (Role.SCORER, 1, 200),
        (Role.SCORER, 3, 403),
        (Role.SCORER, None, 403),
        (Role.VIEWER, None, 403),
    ):
        page = phone(owing, role, seat).get(pay_url(owing, 2, 1))
        assert (page.status_code, shown(page)) == (status, [False, False])
    assert shown(browser().get(pay_url(owing, 2, 1))) == [False, False]


def test_who_says_that_they_were_paid_too_much_does_not_see_where_to_pay_it_back(owing: Session) -> None:
    """They might say so only to see it. The host's phone shows it, or the other one tells them."""
    club.add_pay_address(named(owing, "Bob"), "iban", IBAN)
    act(ledger.pay, owing, payer=2, payee=1, amount=901, over=1)
    page = phone(owing, Role.SCORER, 1).get(pay_url(owing, 1, 2))
    assert "0.01 EUR to pay" in text(page)
    assert shown(page) == [False, False]
    assert shown(phone(owing, Role.HOST).get(pay_url(owing, 1, 2))) == [True, False]


@pytest.mark.parametrize(
    ("role", "seat", "sees"),
    [
        (Role.HOST, None, True),
        (Role.SCORER, 1, False),
        (Role.SCORER, 2, True),
        (Role.SCORER, 3, True),
        (Role.SCORER, None, False),
        (Role.VIEWER, None, False),
    ],
)
def test_it_stands_on_no_other_page_and_in_no_file(owing: Session, role: Role, seat: int | None, sees: bool) -> None:
    """Everything that a browser can reach, once the phone of who pays has seen it, with files."""
    for number in (2, 3):
        assert shown(phone(owing, Role.SCORER, number).get(pay_url(owing, number, 1))) == [True, True]
    at, client = f"/s/{owing.public_id}/", phone(owing, role, seat)
    found = {
        url.partition("?")[0]
        for url, response in crawl(client, at, f"{at}version", f"{at}screen/", f"{at}history/")
        if not response.streaming and any(shown(response))
    }
    sheets = zipfile.ZipFile(io.BytesIO(client.get(f"{at}ledger.xlsx").getvalue()))
    files = [client.get(f"{at}record.json").getvalue(), *map(sheets.read, sheets.namelist())]
    assert len(files) > 5
    assert not [file for file in files if any(secret.encode() in file for secret in SECRETS)]
    allowed = {f"{at}pay/"} if sees else set()
    if role == Role.HOST:
        allowed.add(f"/c/{owing.club.public_id}/players/{named(owing, 'Ann').pk}/")
    assert found == allowed


def test_it_stays_when_a_form_is_refused(owing: Session) -> None:
    bob = phone(owing, Role.SCORER, 2)
    answer = form(bob.get(pay_url(owing, 2, 1)), "Record payment").fill({"amount": "0"}).press("Record payment")
    assert answer.status_code == 422
    assert shown(answer) == [True, True]
    assert f"https://paypal.me/{NAME}/9.00EUR" in links(answer)


def test_the_amount_is_what_is_still_open(owing: Session) -> None:
    bob = phone(owing, Role.SCORER, 2)
    form(bob.get(pay_url(owing, 2, 1)), "Record payment").fill({"amount": "4"}).press("Record payment")
    assert f"https://paypal.me/{NAME}/5.00EUR" in links(bob.get(pay_url(owing, 2, 1)))
    form(bob.get(pay_url(owing, 2, 1)), "Record payment").press("Record payment")
    paid = bob.get(pay_url(owing, 2, 1))
    assert paid.status_code == 200
    assert shown(paid) == [False, False]


def test_who_owes_nothing_sees_nothing(owing: Session) -> None:
    """Whatever stands in the address: Ann's phone asks for Ann's payment to Bob, and Bob's for Bob's payment to Cat."""
    club.add_pay_address(named(owing, "Bob"), "text", "BobsSecret")
    assert b"BobsSecret" not in phone(owing, Role.SCORER, 1).get(pay_url(owing, 1, 2)).content
    club.add_pay_address(named(owing, "Cat"), "text", "CatsSecret")
    assert b"CatsSecret" not in phone(owing, Role.SCORER, 2).get(pay_url(owing, 2, 3)).content
    host = phone(owing, Role.HOST)
    assert b"CatsSecret" not in host.get(pay_url(owing, 2, 3)).content


def test_opening_it_records_nothing(owing: Session) -> None:
    phone(owing, Role.SCORER, 2).get(pay_url(owing, 2, 1))
    assert not Event.objects.filter(verb="pay").exists()


def test_fees_are_owed_to_the_house_which_has_no_address(client: Client, session: Session) -> None:
    act(Fee, session, seats=[2], amount=500, note="drinks")
    act(ledger.close_session, session)
    host = phone(session, Role.HOST)
    page = host.get(ways(host, session, "Mark as paid")[0])
    assert page.status_code == 200
    assert "Ways to pay" not in text(page)
    assert "Opening this" not in text(page)


def test_a_player_without_an_address_has_no_cards(session: Session) -> None:
    act(SideBet, session, payer=2, payee=3, amount=900, note="red")
    act(ledger.close_session, session)
    page = phone(session, Role.SCORER, 2).get(pay_url(session, 2, 3))
    assert page.status_code == 200
    assert "Ways to pay" not in text(page)


def test_settle_up_reads_the_same_with_and_without_addresses(owing: Session) -> None:
    before = {seat: text(phone(owing, Role.SCORER, seat).get(f"/s/{owing.public_id}/")) for seat in (1, 2, 3)}
    ann = named(owing, "Ann")
    for kept in club.pay_addresses(ann):
        club.remove_pay_address(ann, kept.kind, kept.value)
    after = {seat: text(phone(owing, Role.SCORER, seat).get(f"/s/{owing.public_id}/")) for seat in (1, 2, 3)}
    assert before == after


def test_chips_have_no_amount_that_anybody_could_pay(db: None) -> None:
    session = owe(start(currency="chips", minor_digits=0))
    page = phone(session, Role.SCORER, 2).get(pay_url(session, 2, 1))
    assert f"https://paypal.me/{NAME}" in links(page)
    assert "The amount is not filled in." in text(page)
    assert "BCD" not in page.content.decode()


@pytest.mark.parametrize(
    ("currency", "kind", "address", "held"),
    [
        ("SEK", "swish", "0701234567", ""),
        ("INR", "upi", "ann@okaxis", "upi://pay?pa=ann@okaxis&pn=Ann&am=9.00&cu=INR&tn="),
        ("BRL", "pix", "ann@example.com", "54049.00"),
        ("USD", "venmo", "Ann-Lee", "https://venmo.com/Ann-Lee?txn=pay&amount=9.00&note="),
    ],
)
def test_each_way_has_the_amount_in_its_own_currency(
    db: None, currency: str, kind: str, address: str, held: str
) -> None:
    """And a session can be played in it."""
    assert currency in CURRENCIES
    session = owe(start(currency=currency))
    club.add_pay_address(named(session, "Ann"), kind, address)
    page = phone(session, Role.SCORER, 2).get(pay_url(session, 2, 1))
    found = html.fromstring(page.content)
    label = {"swish": "Swish", "upi": "UPI", "pix": "PIX", "venmo": "Venmo"}[kind]
    assert found.xpath(f"//svg[@aria-label='QR code for {label}']")
    assert any(held in each for each in [*links(page), *(field.text or "" for field in found.iter("textarea"))])


def test_a_scorers_phone_that_chose_the_seat_is_the_phone_of_that_seat(owing: Session) -> None:
    client = phone(owing, Role.SCORER)
    client.cookies["seat"] = "2"
    assert shown(client.get(pay_url(owing, 2, 1))) == [True, True]
    assert client.get(pay_url(owing, 3, 1)).status_code == 403


def test_a_cookie_does_not_make_a_tied_phone_another_seat(owing: Session) -> None:
    for client in (phone(owing, Role.SCORER, 1), phone(owing, Role.SCORER, 3), phone(owing, Role.VIEWER)):
        client.cookies["seat"] = "2"
        assert shown(client.get(pay_url(owing, 2, 1))) == [False, False]


def test_a_hostile_name_of_a_session_stays_a_note(owing: Session) -> None:
    act(ledger.rename_session, owing, name='"><script>alert(1)</script>&amount=1')
    club.add_pay_address(named(owing, "Ann"), "text", "javascript:alert(1)")
    page = phone(owing, Role.SCORER, 2).get(pay_url(owing, 2, 1)).content.decode()
    assert "<script>alert" not in page
    assert 'href="javascript:' not in page
    assert "javascript:alert(1)" in page
