"""After the close, two phones settle up: each marks a part of one payment, and sees what the other has marked."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import club, ledger
from scoring.access import links
from scoring.actions.side_bet import SideBet
from scoring.models import Event, Player, Session
from tests.browser.conftest import PATIENCE, Look
from tests.browser.pad import open_in
from tests.browser.test_phone import started
from tests.ledger.conftest import act

PhoneOf = Callable[[int], Page]


@pytest.fixture
def session(db: None) -> Session:
    """A closed session of Anna, Bert and Cleo: Bert owes Anna 9.00, Cleo owes Anna 4.00."""
    session = started()
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(SideBet, session, payer=3, payee=1, amount=400, note="blue")
    act(ledger.close_session, session)
    return session


@pytest.fixture
def phone_of(live_server: LiveServer, browser: Browser, session: Session) -> Iterator[PhoneOf]:
    """Opens the session on the phone of the player in a seat."""
    opened: list[BrowserContext] = []

    def of(seat: int) -> Page:
        context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        tied = session.seats.get(number=seat)
        _, secret = links.issue(
            club=session.club, session=session, role=links.Role.SCORER, key=f"seat {seat}", seat=tied
        )
        page.goto(f"{live_server.url}/l/{secret}")
        page.goto(f"{live_server.url}/s/{session.public_id}/")
        expect(page.get_by_text("This session is closed.")).to_be_visible()
        return page

    yield of
    for context in opened:
        context.close()


def test_a_payment_is_made_in_two_parts_on_two_phones(session: Session, phone_of: PhoneOf, look: Look) -> None:
    anna, bert = phone_of(1), phone_of(2)
    # Bert's phone can mark what Bert pays, and nothing of Cleo's.
    bert.locator(".payments summary").filter(has_text="Cleo pays Anna").first.tap()
    expect(bert.get_by_role("link", name="Mark as paid")).to_be_hidden()
    bert.locator(".payments summary").filter(has_text="Bert pays Anna").first.tap()
    bert.get_by_role("link", name="Mark as paid").tap()
    expect(bert.get_by_role("heading", name="Bert pays Anna")).to_be_visible()
    look(bert, "pay")
    bert.get_by_label("Amount paid").fill("40")
    bert.get_by_role("button", name="Record payment").tap()
    expect(bert.get_by_text("That is more than Bert owes Anna.")).to_be_visible()
    look(bert, "more")
    bert.get_by_label("Amount paid").fill("4")
    bert.get_by_role("button", name="Record payment").tap()
    expect(bert.get_by_text("Still to pay")).to_be_visible()
    look(bert, "part")
    # Anna's phone hears of it without a tap.
    expect(anna.locator(".payments summary").filter(has_text="Bert pays Anna").first).to_contain_text("5.00")
    anna.locator(".payments summary").filter(has_text="Bert pays Anna").first.tap()
    anna.get_by_role("link", name="Mark as paid").first.tap()
    anna.get_by_label("How, such as cash or bank transfer").fill("Swish")
    anna.get_by_role("button", name="Record payment").tap()
    expect(anna.locator(".payments summary").filter(has_text="Bert paid Anna")).to_have_count(2)
    expect(bert.locator(".payments summary").filter(has_text="Bert paid Anna")).to_have_count(2)
    # It was a mistake, and Bert takes back what Anna's phone has marked.
    bert.locator(".payments summary").filter(has_text="Bert paid Anna").last.tap()
    bert.get_by_role("link", name="Undo").last.tap()
    expect(bert.get_by_role("heading", name="Undo this payment?")).to_be_visible()
    look(bert, "undo")
    bert.get_by_role("button", name="Undo payment").tap()
    expect(anna.locator(".payments summary").filter(has_text="Bert paid Anna")).to_have_count(1)
    made = Event.objects.filter(verb__in=("pay", "undo-payment")).order_by("n")
    assert [(event.verb, event.by, event.note) for event in made] == [
        ("pay", "Bert", ""),
        ("pay", "Anna", "Swish"),
        ("undo-payment", "Bert", ""),
    ]


def test_who_pays_copies_where_to_and_finds_the_amount_in_the_link(session: Session, phone_of: PhoneOf) -> None:
    anna = Player.objects.get(club=session.club, name="Anna")
    club.add_pay_address(anna, "iban", "DE89370400440532013000")
    club.add_pay_address(anna, "paypal", "Anna")
    bert = phone_of(2)
    bert.context.grant_permissions(["clipboard-write"])  # which a browser without a window asks nobody for
    bert.locator(".payments summary").filter(has_text="Bert pays Anna").first.tap()
    bert.get_by_role("link", name="Mark as paid").locator("visible=true").tap()
    link = bert.get_by_role("link", name="Open PayPal.me")
    expect(link).to_have_attribute("href", "https://paypal.me/Anna/9.00EUR")
    bert.get_by_role("button", name="Copy IBAN").tap()
    expect(bert.get_by_text("Text copied.")).to_be_visible()
    assert bert.evaluate("String(getSelection())") in {"", "DE89370400440532013000"}
    bert.get_by_text("QR code and its text").tap()
    expect(bert.get_by_role("img", name="QR code for IBAN")).to_be_visible()
    assert bert.evaluate("document.documentElement.scrollWidth") == 360
    bert.get_by_role("button", name="Record payment").tap()
    expect(bert.get_by_text("Bert paid Anna")).to_be_visible()


def test_the_two_ways_to_settle_up_stand_apart_in_one_line(session: Session, phone_of: PhoneOf) -> None:
    page = phone_of(1)
    apart = {}
    for tag, _ in settings.LANGUAGES:
        open_in(page, tag)
        first, second = (page.locator(".two-ways > label").nth(n).bounding_box() for n in (0, 1))
        assert first
        assert second
        apart[tag] = (second["x"] - first["x"] - first["width"], second["y"] - first["y"])
    assert apart == dict.fromkeys(apart, (8, 0))
