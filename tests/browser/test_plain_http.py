"""Pages that came over plain HTTP, where the browser offers neither lock, share menu nor clipboard.

To browsers `localhost` is as good as HTTPS. So these pages come from another name of this machine.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.actions.side_bet import SideBet
from scoring.models import Session
from tests.browser.conftest import PATIENCE, Look
from tests.browser.pad import comes_true
from tests.ledger.conftest import act

NAME = "table.test"
PLAYS = "!document.getElementById('screen-on').paused && document.getElementById('screen-on').currentTime > 0"
APPLE = "Object.defineProperty(Navigator.prototype, 'vendor', { get: () => 'Apple Computer, Inc.' })"


@pytest.fixture
def base(live_server: LiveServer, settings: Any) -> str:
    """The server, by a name that no browser trusts."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, NAME]
    return live_server.url.replace("localhost", NAME)


@pytest.fixture
def page(browser_type: BrowserType, browser_type_launch_args: dict[str, Any], base: str) -> Iterator[Page]:
    """A phone's browser that looks the name up and finds this machine."""
    args = [*browser_type_launch_args["args"], f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": args})
    page = browser.new_page(viewport={"width": 360, "height": 640}, has_touch=True)
    page.set_default_timeout(PATIENCE)
    page.goto(base)
    assert page.evaluate("[isSecureContext, 'wakeLock' in navigator, 'share' in navigator]") == [False, False, False]
    yield page
    browser.close()


def sit_down(page: Page, base: str) -> str:
    """Start a session, and return the address of its table."""
    page.goto(f"{base}/new/")
    for seat, name in enumerate(("Ann", "Bob"), 1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(re.compile("/s/"))
    return page.url


def test_what_is_missing_is_said_once(base: str, page: Page) -> None:
    table = sit_down(page, base)
    said = page.get_by_role("complementary", name="What this browser leaves out")
    expect(said).to_contain_text("This page came over plain HTTP, so the browser does not let it keep the screen on")
    instead = "A silent video keeps the screen on instead, from your first tap."
    expect(said).to_contain_text(instead, use_inner_text=True)
    expect(said).not_to_contain_text("music", use_inner_text=True)
    page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("heading", name="Ledger")).to_be_visible()
    expect(said).to_be_visible()
    said.get_by_role("button", name="OK").click()
    expect(said).to_be_hidden()
    page.goto(table)
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    expect(said).to_be_hidden()


def test_nothing_is_said_where_nothing_is_missing(live_server: LiveServer, page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => ({}) } })")
    sit_down(page, live_server.url)
    expect(page.get_by_role("complementary", name="What this browser leaves out")).to_be_hidden()
    expect(page.locator("#screen-on")).to_be_hidden()


def test_a_silent_video_keeps_the_screen_on_while_a_session_is_shown(base: str, page: Page) -> None:
    table = sit_down(page, base)
    page.goto(table)
    page.get_by_role("heading", name="Hand 1").click()
    comes_true(page, PLAYS)
    assert page.evaluate("document.getElementById('screen-on').muted")
    # Chromium keeps the screen on for a muted video only if it fills much of the window.
    assert page.locator("#screen-on").bounding_box() == {"x": 0, "y": 0, "width": 360, "height": 640}
    page.evaluate("document.getElementById('screen-on').currentTime = 40")
    comes_true(page, "document.getElementById('screen-on').currentTime < 20")
    page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("heading", name="Ledger")).to_be_visible()
    assert page.evaluate(PLAYS)
    page.get_by_role("navigation", name="Everywhere").get_by_role("link", name="Rules").click()
    comes_true(page, "document.getElementById('screen-on').paused")


def test_a_hidden_page_lets_the_screen_go(base: str, page: Page) -> None:
    page.goto(sit_down(page, base))
    page.get_by_role("heading", name="Hand 1").click()
    comes_true(page, PLAYS)
    for state in ("hidden", "visible"):
        page.evaluate(
            """state => {
                Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            state,
        )
        comes_true(page, PLAYS if state == "visible" else "document.getElementById('screen-on').paused")


def test_on_an_iphone_the_video_waits_until_somebody_asks_for_it(base: str, page: Page) -> None:
    page.add_init_script(APPLE)
    table = sit_down(page, base)
    page.goto(table)
    said = page.get_by_role("complementary", name="What this browser leaves out")
    asked = "A silent video can keep the screen on instead, but it stops music on this phone."
    expect(said).to_contain_text(asked, use_inner_text=True)
    page.get_by_role("heading", name="Hand 1").click()
    assert page.evaluate("document.getElementById('screen-on').paused")
    said.get_by_role("button", name="Keep the screen on").click()
    comes_true(page, PLAYS)
    assert not page.evaluate("document.getElementById('screen-on').muted || document.getElementById('screen-on').loop")
    expect(said).to_be_hidden()
    # The choice is kept, and can be taken back on every page of a session.
    page.goto(table)
    page.get_by_role("heading", name="Hand 1").click()
    comes_true(page, PLAYS)
    page.get_by_role("button", name="Let the screen go dark").click()
    comes_true(page, "document.getElementById('screen-on').paused")
    page.get_by_role("button", name="Keep the screen on").click()
    comes_true(page, PLAYS)


def test_a_link_is_copied_and_sent_without_a_share_menu(base: str, page: Page, look: Look) -> None:
    sit_down(page, base)
    link = page.locator("#recovery").input_value()
    look(page, "the host's link")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("Link copied.")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<textarea id=pasted></textarea>')")
    page.locator("#pasted").focus()
    page.keyboard.press("Control+V")
    expect(page.locator("#pasted")).to_have_value(link)
    for name, where, field in (
        ("text message", "sms:", "body"),
        ("WhatsApp", "https://wa.me/", "text"),
        ("Telegram", "https://t.me/share/url", "url"),
    ):
        address = page.get_by_role("link", name=name).get_attribute("href") or ""
        assert address.startswith(where)
        assert parse_qs(urlsplit(address).query)[field] == [link]


def test_a_refused_copy_leaves_the_link_selected_and_says_so(base: str, page: Page) -> None:
    page.add_init_script("document.execCommand = () => false")
    sit_down(page, base)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("The link is selected. Copy it by your browser’s own menu.")
    field = page.locator("#recovery")
    assert field.evaluate("field => [field.selectionStart, field.selectionEnd === field.value.length]") == [0, True]


def test_who_pays_whom_is_copied_and_sent_as_a_message(base: str, page: Page, look: Look) -> None:
    table = sit_down(page, base)
    session = Session.objects.get(public_id=table.split("/")[-2])
    act(SideBet, session, payer=1, payee=2, amount=500, note="red")
    page.goto(f"{table}close/")
    page.get_by_text("Send who pays whom").tap()
    message = page.get_by_label("The message")
    expect(message).to_have_value(re.compile(r", who pays whom:\nAnn pays Bob 5\.00 EUR$"))
    look(page)
    page.get_by_role("button", name="Copy").tap()
    expect(page.locator("#status")).to_have_text("Message copied.")
    address = page.get_by_role("link", name="WhatsApp").get_attribute("href") or ""
    assert parse_qs(urlsplit(address).query)["text"] == [message.input_value()]


def test_a_verdict_is_sent_with_its_sentence(base: str, page: Page) -> None:
    page.goto(f"{base}/check/?rules=regular&a=227/KK339/QQ88J")
    here = page.get_by_label("Share this link").input_value()
    query = parse_qs(urlsplit(page.get_by_role("link", name="WhatsApp").get_attribute("href") or "").query)
    said, address = query["text"][0].split("\n")
    assert said.startswith("Foul. The middle, two pair")
    assert address == here


def test_a_link_is_sent_without_script_as_well(live_server: LiveServer, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{live_server.url}/check/?rules=regular&a=227/KK339/QQ88J")
        expect(page.get_by_role("link", name="text message")).to_be_visible()
        expect(page.get_by_role("button", name="Copy")).to_be_hidden()
        expect(page.get_by_role("button", name="Share")).to_be_hidden()
