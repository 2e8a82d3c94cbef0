"""Opening links, closing them again, and every page of a club, all on a phone."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.access import links
from scoring.ledger import audit
from scoring.models import Club, Link, Session
from tests.access.conftest import evening, issue
from tests.browser.conftest import PHONES, Look

OUT = re.compile("Page not found")
REVOKED = re.compile("This link was revoked")


def sit_down(page: Page, base: str, *names: str) -> str:
    """Start a session and return the address of its table."""
    page.goto(f"{base}/new/")
    for seat, name in enumerate(names, 1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(re.compile("/s/"))
    return page.url


def test_the_recovery_link_brings_the_host_back_on_another_phone(
    live_server: LiveServer, page: Page, browser: Browser, look: Look
) -> None:
    table = sit_down(page, live_server.url, "Ann", "Bob", "Cat")
    expect(page.get_by_role("heading", name="Save your host link")).to_be_visible()
    page.get_by_text("Show QR code").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    look(page)
    link = page.locator("#recovery").input_value()
    page.get_by_role("button", name="I’ve saved it").click()
    expect(page.get_by_role("heading", name="Save your host link")).to_have_count(0)
    other = browser.new_context().new_page()
    other.goto(link)
    assert "/l/" not in other.url
    other.goto(table.replace("localhost", PHONES))
    expect(other.get_by_role("link", name="Enter hand 1")).to_be_visible()
    other.context.close()


def test_watching_guests_lose_the_page_when_their_link_is_revoked(
    live_server: LiveServer, page: Page, browser: Browser
) -> None:
    table = sit_down(page, live_server.url, "Ann", "Bob", "Cat")
    page.get_by_role("link", name=re.compile("Invite")).click()
    page.get_by_label("Label").fill("Dan's phone")
    page.get_by_role("button", name="Create link").click()
    address = page.get_by_label("Scan or share it now").input_value()
    page.get_by_role("link", name="Done").click()
    with browser.new_context() as context:
        guest = context.new_page()
        with guest.expect_response(re.compile(r"/version\?")):
            guest.goto(address)
        assert guest.url == table.replace("localhost", PHONES)
        expect(guest.get_by_role("heading", name="Hand 1")).to_be_visible()
        expect(guest.get_by_role("link", name=re.compile("Enter hand"))).to_have_count(0)
        page.get_by_role("button", name="Revoke Dan's phone").click()
        expect(page.get_by_text("None yet.")).to_be_visible()
        expect(guest.get_by_role("heading", name=REVOKED)).to_be_visible()
        expect(guest.get_by_text("Ann")).to_have_count(0)


def test_everybodys_page_is_gone_when_the_club_is_deleted(
    live_server: LiveServer, page: Page, browser: Browser
) -> None:
    table = sit_down(page, live_server.url, "Ann", "Bob", "Cat")
    _, secret = issue(Session.objects.get(), links.Role.VIEWER)
    with browser.new_context() as context:
        guest = context.new_page()
        with guest.expect_response(re.compile(r"/version\?")):
            guest.goto(f"{live_server.url}/l/{secret}")
        page.goto(f"{live_server.url}/c/{Club.objects.get().public_id}/delete/")
        page.get_by_label(re.compile("type its name")).fill("something else")
        page.get_by_role("button", name="Delete club forever").click()
        expect(page.get_by_role("alert")).to_contain_text("That is not the club")
        assert Club.objects.exists()
        page.get_by_label(re.compile("type its name")).fill(page.locator("label b").inner_text())
        page.get_by_role("button", name="Delete club forever").click()
        page.wait_for_url(f"{live_server.url}/")
        assert not Club.objects.exists()
        expect(guest.get_by_role("heading", name=OUT)).to_be_visible()
        assert guest.url == table


def test_every_page_of_a_club_is_fit_to_be_seen(live_server: LiveServer, page: Page, look: Look) -> None:
    session = evening()
    _, secret = issue(session, links.Role.HOST)
    page.goto(f"{live_server.url}/l/{secret}")
    club, ann = f"/c/{session.club.public_id}", session.club.players.get(name="Ann")
    for path in (
        "/",
        f"{club}/",
        f"{club}/standings/",
        f"{club}/players/",
        f"{club}/players/{ann.pk}/",
        f"{club}/links/",
        f"{club}/more/",
        f"{club}/delete/",
        f"/new/?club={session.club.public_id}",
        f"/s/{session.public_id}/links/",
    ):
        page.goto(live_server.url + path)
        look(page)
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    look(page)


def test_a_forgotten_browser_keeps_nothing(live_server: LiveServer, page: Page) -> None:
    table = sit_down(page, live_server.url, "Ann", "Bob", "Cat")
    page.get_by_role("link", name="Enter hand 1").click()
    expect(page.get_by_role("button", name="Card pad")).to_be_visible()
    page.evaluate(f"localStorage.setItem('hand {table.split('/')[-2]} 1', '{{}}')")  # as the pad does
    page.goto(live_server.url)
    page.get_by_text("Remove games from this phone").click()
    page.get_by_role("button", name="Remove all from this phone").click()
    expect(page.get_by_text("No games yet")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('hand '))") == []
    assert {cookie["name"] for cookie in page.context.cookies(live_server.url)} <= {"csrftoken"}


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_a_club_is_run_without_javascript(live_server: LiveServer, page: Page) -> None:
    sit_down(page, live_server.url, "Ann", "Bob", "Cat")
    page.goto(live_server.url)
    page.get_by_role("link", name=re.compile("Home game")).click()
    page.get_by_role("button", name="Same as last time").click()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert Session.objects.count() == 2
    assert Club.objects.count() == 1
    page.get_by_role("link", name=re.compile("Invite")).click()
    page.get_by_role("radio", name=re.compile("Can score")).check()
    page.get_by_label("Can enter cards for").select_option(label="Only Bob")
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_role("heading", name="Scorer link Bob")).to_be_visible()
    page.get_by_role("link", name="Done").click()
    page.get_by_role("button", name="Replace Bob").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    assert Link.objects.filter(seat__name="Bob", revoked_at=None).count() == 1
    page.goto(f"{live_server.url}/c/{Club.objects.get().public_id}/players/")
    page.get_by_role("link", name=re.compile("^Cat")).click()
    page.get_by_label("Name", exact=True).fill("Catherine")
    page.get_by_role("button", name="Rename player").click()
    expect(page.get_by_role("link", name=re.compile("^Catherine"))).to_be_visible()
    page.get_by_label("One player").select_option(label="Ann")
    page.get_by_label("The other", exact=True).select_option(label="Bob")
    page.get_by_label("Per point").fill("2,50")
    page.get_by_role("button", name="Save stake").click()
    expect(page.get_by_text("2.50 EUR")).to_be_visible()
    page.goto(live_server.url)
    page.get_by_text("Remove games from this phone").click()
    page.get_by_role("button", name="Remove all from this phone").click()
    expect(page.get_by_text("No games yet")).to_be_visible()
    assert [str(finding) for finding in audit.of_everything()] == []
