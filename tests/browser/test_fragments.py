"""After the first visit only the middle of a page travels, and what cannot be put there is a page of its own."""

import re

from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import links
from tests.browser.conftest import Look
from tests.browser.test_phone import started
from tests.conftest import let_in


def test_from_tab_to_tab_only_the_middle_travels(live_server: LiveServer, page: Page, look: Look) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    page.evaluate("window.stayed = true")
    with page.expect_response(re.compile("/ledger/$")) as answer:
        page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("link", name="Ledger")).to_have_attribute("aria-current", "page")
    text = answer.value.text()
    assert "<head" not in text
    assert text.lstrip().startswith("<title>")
    assert "HX-Target" in answer.value.headers["vary"]
    expect(page).to_have_title(re.compile("Ledger"))
    expect(page.locator("main")).to_be_focused()
    look(page)
    page.go_back()
    expect(page.get_by_role("link", name="Table", exact=True)).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("link", name="Check a foul")).to_be_visible()


def test_a_tab_that_opens_nothing_any_more_says_so(live_server: LiveServer, browser: Browser) -> None:
    # A context of its own: the browser itself logs a page that is not there as an error.
    context = browser.new_context()
    page = context.new_page()
    session = started()
    link, secret = links.issue(club=session.club, session=session, role=links.Role.VIEWER, key="dan", name="Dan")
    page.route(re.compile(r"/(live|version)\?"), lambda route: route.abort())  # nothing else tells it that it is over
    page.goto(f"{live_server.url}/l/{secret}")
    links.revoke(link)
    page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("heading", name="Nothing lies here")).to_be_visible()
    expect(page.get_by_role("link", name="Ledger")).to_be_hidden()
    context.close()
