"""Three sessions of a club: what is open is carried over on the tab, netted, and paid when people sit down again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.actions.side_bet import SideBet
from scoring.ledger import audit
from scoring.models import Club, Session
from tests.browser.conftest import Look
from tests.browser.test_phone import started
from tests.conftest import host_secret
from tests.ledger.conftest import act


def bets(session: Session, *each: tuple[int, int, int]) -> None:
    for payer, payee, amount in each:
        act(SideBet, session, payer=payer, payee=payee, amount=amount, note="bet")


class Host:
    """The host's phone, and what the host does with it."""

    def __init__(self, page: Page, url: str, club: Club) -> None:
        self.page, self.url, self.club = page, url, club
        page.goto(f"{url}/l/{host_secret(club)}")
        opening = page.get_by_role("button", name="Open link")
        if opening.is_visible():
            opening.tap()

    def opens(self, path: str) -> None:
        self.page.goto(f"{self.url}{path}")

    def opens_the_club(self) -> None:
        self.opens(f"/c/{self.club.public_id}/")

    def closes(self, session: Session) -> None:
        self.opens(f"/s/{session.public_id}/close/")
        self.page.get_by_role("button", name="Close session").tap()
        expect(self.page.get_by_text("This session is closed.")).to_be_visible()

    def marks_as_paid(self, name: str, amount: str = "", how: str = "cash") -> None:
        self.page.get_by_role("link", name=name).tap()
        expect(self.page.get_by_role("button", name="Record payment")).to_be_visible()
        if amount:
            self.page.get_by_label("Amount paid").fill(amount)
        self.page.get_by_label("How, such as cash or bank transfer").fill(how)
        self.page.get_by_role("button", name="Record payment").tap()
        expect(self.page.get_by_role("button", name="Record payment")).to_be_hidden()

    def reads(self, *texts: str) -> None:
        for text in texts:
            expect(self.page.locator("main")).to_contain_text(text)


@pytest.mark.usefixtures("sound")
def test_three_sessions_are_netted_and_everyone_is_even_in_the_end(
    page: Page, live_server: LiveServer, look: Look
) -> None:
    first = started("Anna Bert Cleo Dora")
    bets(first, (2, 1, 2000), (3, 4, 900))
    host = Host(page, live_server.url, first.club)
    # Bert pays in two parts; what Cleo owes is carried over.
    host.closes(first)
    look(page, "closed, on the tab")
    for amount in ("12", ""):
        page.locator(".payments summary").filter(has_text="Bert pays Anna").first.tap()
        host.marks_as_paid("Mark as paid", amount)
        host.reads("Bert paid Anna")
    host.opens_the_club()
    host.reads("Cleo owes Dora", "9.00", "since")
    look(page, "the tab of one session")
    # Dora is missing. Cleo wins from Anna, so that the tab nets both sessions.
    second = ledger.start_session(
        club=first.club, names=["Anna", "Bert", "Cleo"], stake=100, currency="EUR", key="second", by="host"
    )
    bets(second, (1, 3, 900), (2, 1, 300))
    host.closes(second)
    host.opens_the_club()
    host.reads("Anna owes Dora", "6.00", "Bert owes Dora", "3.00")
    look(page, "the tab of two sessions")
    # They settle it when they sit down for the third time.
    page.get_by_role("link", name="New session with changes").tap()
    page.get_by_role("button", name="Add a seat").tap()
    page.locator("#name-4").fill("Dora")
    page.get_by_role("button", name="Add a seat").tap()
    host.reads("On the tab among these players: Anna owes Dora 6.00 EUR; Bert owes Dora 3.00 EUR.")
    page.get_by_role("checkbox", name="They settle it now").check()
    look(page, "new session, settling")
    page.get_by_role("button", name="Start game").tap()
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()
    host.opens_the_club()
    host.reads("Nothing is open.")
    for name, lines in (
        ("Anna", ["+20.00", "−12.00", "−8.00", "−6.00", "+6.00"]),
        ("Bert", ["−20.00", "+12.00", "+8.00", "−3.00", "+3.00"]),
        ("Cleo", ["−9.00", "+9.00"]),
        ("Dora", ["+9.00", "−6.00", "−3.00"]),
    ):
        host.opens(f"/c/{first.club.public_id}/players/{first.club.players.get(name=name).pk}/")
        host.reads(f"{name} is even.")
        expect(page.locator(".table tbody td:nth-child(2)")).to_have_text(lines)
        expect(page.locator(".table tbody tr:last-child td:last-child")).to_have_text("–")
    look(page, "an account")


@pytest.mark.usefixtures("sound")
def test_with_cash_and_a_miscounted_stack_only_the_difference_is_open(
    page: Page, live_server: LiveServer, look: Look
) -> None:
    session = ledger.start_session(
        names=["Anna", "Bert", "Cleo", "Dora"], stake=100, currency="EUR", buy_in=4000, cash=True, key="cash", by="host"
    )
    bets(session, (2, 1, 2000), (3, 4, 900))
    host = Host(page, live_server.url, session.club)
    host.opens(f"/s/{session.public_id}/close/")
    host.reads("Anna hands in 60.00 in chips and gets 60.00", "The bank comes out at zero.")
    look(page, "closing a session for cash")
    page.get_by_label("Anna").fill("58.00")
    page.get_by_label("Bert").fill("22.00")
    page.get_by_role("button", name="Close session").tap()
    host.reads("Anna has 2.00 EUR less than the ledger says", "Bert has 2.00 EUR more than the ledger says")
    look(page, "a miscounted stack")
    page.get_by_label("Reason").fill("Anna paid Bert back at the table")
    page.get_by_role("button", name="Close session").tap()
    expect(page.get_by_text("This session is closed.")).to_be_visible()
    host.reads("+18.00", "−18.00", "All settled up.")
    look(page, "closed, for cash")
    host.opens_the_club()
    expect(page.get_by_text("owes")).to_have_count(0)


def test_an_account_has_room_for_large_amounts_on_a_phone(page: Page, live_server: LiveServer, look: Look) -> None:
    session = started("Anna Bert")
    bets(session, (2, 1, 12_345_600))
    act(ledger.close_session, session, tab=True)
    host = Host(page, live_server.url, session.club)
    host.opens(f"/c/{session.club.public_id}/players/{session.seats.get(number=1).player_id}/")
    expect(page.get_by_role("columnheader")).to_have_text(["What", "Amount", "Balance"])
    what = page.get_by_role("rowheader").bounding_box()
    assert what is not None
    assert what["width"] > 240
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    look(page, "an account with large amounts")


@pytest.fixture
def sound(db: None) -> object:
    """After the test the audit finds nothing."""
    yield
    assert [str(finding) for finding in audit.of_everything()] == []
