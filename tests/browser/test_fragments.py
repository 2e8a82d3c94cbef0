"""After the first page only the middle of a page is loaded. What cannot be shown there is a page of its own."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.access import links
from tests.browser.conftest import Look, until
from tests.browser.pad import comes_true
from tests.browser.test_phone import started
from tests.conftest import let_in


@pytest.fixture
def unwatched(browser: Browser) -> Iterator[Page]:
    """A page whose console is not checked, because browser and htmx log as errors what these tests provoke."""
    with browser.new_context() as context:
        yield context.new_page()


def test_switching_tabs_loads_only_the_middle_of_the_page(live_server: LiveServer, page: Page, look: Look) -> None:
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
    expect(page.get_by_role("link", name="Check a hand")).to_be_visible()


def test_only_the_first_page_and_the_first_pad_are_loaded_whole(live_server: LiveServer, page: Page) -> None:
    session = started(hands=3)
    let_in(page, live_server.url, session)
    whole: list[str] = []
    page.on("request", lambda request: whole.append(request.url) if request.resource_type == "document" else None)
    at = f"{live_server.url}/s/{session.public_id}"
    page.goto(f"{at}/")

    def follow(name: str, then: str) -> None:
        page.get_by_role("link", name=name).first.click()
        expect(page).to_have_title(re.compile(f"^{then}"))

    follow("Hand 2", "Hand 2")
    follow("Hand 3", "Hand 3")
    follow("Correct hand 3", "Correct hand 3")
    assert whole.pop() == f"{at}/hands/3/correct/"
    follow("Cancel", "Hand 3")
    follow("Hand history", "History")
    follow("Ledger", "Ledger")
    page.get_by_role("rowheader").get_by_role("link", name="1").click()
    expect(page).to_have_title(re.compile("^Hand 1"))
    follow("More", "More")
    follow("Players", "Players")
    follow("OFC Score", "Open Face")
    page.go_back()
    expect(page).to_have_title(re.compile("^Players"))
    back = whole.pop()  # the browser loads anew the page that it goes back to
    follow("Table", "[A-Z][a-z]+day, ")
    assert (whole, back) == ([f"{at}/"], f"{at}/people/")
    follow("Enter hand 4", "Enter hand 4")
    assert whole.pop() == f"{at}/hand/"
    follow("Table", "[A-Z][a-z]+day, ")
    follow("Enter hand 4", "Enter hand 4")
    expect(page.locator("form[data-decks] .slots").first).to_be_attached()
    assert whole == [f"{at}/"]


def test_a_followed_link_works_although_it_has_left_the_page(live_server: LiveServer, page: Page) -> None:
    session = started(hands=3)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    waiting = held(page, "/hands/2/$")
    page.get_by_role("rowheader").get_by_role("link", name="2").click(no_wait_after=True)
    until(page, lambda: bool(waiting))
    page.locator("main tbody").first.evaluate("each => each.remove()")  # as when live.js replaces the ledger
    waiting[0].continue_()
    expect(page).to_have_title(re.compile("^Hand 2"))
    expect(page.locator("main")).to_have_count(1)
    expect(page.get_by_role("heading", name="Who pays whom")).to_be_visible()


def test_history_and_focus_are_as_after_a_full_page_load(live_server: LiveServer, page: Page) -> None:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    at = f"{live_server.url}/s/{session.public_id}"
    page.goto(f"{at}/")
    steps = page.evaluate("history.length")
    for _ in range(3):
        # The title is right after the first one; the next link must not cut off a request.
        with page.expect_event("requestfinished", lambda request: request.url.endswith("/ledger/")):
            page.get_by_role("link", name="Ledger", exact=True).click()
        expect(page).to_have_title(re.compile("^Ledger"))
    assert page.evaluate("history.length") == steps + 1
    page.get_by_role("navigation", name="Everywhere").get_by_role("link", name="Rules").click()
    expect(page).to_have_title(re.compile("^The rules"))
    expect(page.locator("main")).to_be_focused()
    page.goto(f"{at}/rules/edit/")
    page.get_by_role("link", name="R25").click()
    expect(page.locator("#R25")).to_be_in_viewport()


def test_a_refused_form_is_shown_at_an_address_that_can_be_opened(live_server: LiveServer, unwatched: Page) -> None:
    session = started(hands=1)
    let_in(unwatched, live_server.url, session)
    unwatched.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    unwatched.get_by_text("Dispute this hand").click()
    unwatched.get_by_label("What’s wrong?").fill("   ")
    unwatched.get_by_role("button", name="Dispute hand 1").click()
    expect(unwatched.get_by_text("Please give a reason").or_(unwatched.get_by_text("Say what")).first).to_be_visible()
    expect(unwatched).to_have_url(re.compile("/hands/1/$"))
    unwatched.reload()
    expect(unwatched.get_by_role("heading", name="Who pays whom")).to_be_visible()


def test_an_answer_that_is_not_from_our_server_is_shown_as_a_whole_page(live_server: LiveServer, page: Page) -> None:
    session = started("Anna Bert")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    page.route(
        re.compile("/ledger/$"), lambda route: route.fulfill(body="<h1>Guest network</h1>", content_type="text/html")
    )
    page.get_by_role("link", name="Ledger", exact=True).click()
    expect(page.get_by_role("heading", name="Guest network")).to_be_visible()


def test_a_page_that_cannot_be_loaded_leaves_the_current_one(live_server: LiveServer, unwatched: Page) -> None:
    session = started("Anna Bert")
    let_in(unwatched, live_server.url, session)
    unwatched.goto(f"{live_server.url}/s/{session.public_id}/")
    unwatched.context.set_offline(True)
    for name in ("Enter hand 1", "Ledger"):
        unwatched.get_by_role("link", name=name).click()
        expect(unwatched.get_by_role("status").last).to_have_text(
            "No connection. Nothing on this page is lost. Try again when it is back."
        )
        expect(unwatched.get_by_role("heading", name="Hand 1")).to_be_visible()


def test_a_tab_whose_link_was_revoked_says_so(live_server: LiveServer, unwatched: Page) -> None:
    session = started()
    link, secret = links.issue(club=session.club, session=session, role=links.Role.VIEWER, key="dan", name="Dan")
    unwatched.route(
        re.compile(r"/(live|version)\?"), lambda route: route.abort()
    )  # cut off everything else that would tell it
    unwatched.goto(f"{live_server.url}/l/{secret}")
    links.revoke(link)
    unwatched.get_by_role("link", name="Ledger").click()
    expect(unwatched.get_by_role("heading", name="This link was revoked")).to_be_visible()
    expect(unwatched.get_by_role("link", name="Ledger")).to_be_hidden()


def held(page: Page, address: str) -> list[Route]:
    """The requests for this address, each of which waits until the test lets it go on."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(re.compile(address), hold)
    return waiting


def test_the_last_of_two_tabs_wins_and_the_first_is_no_longer_waited_for(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    waiting = held(page, "/ledger/$")
    tabs = page.get_by_role("navigation", name="This session")
    tabs.get_by_role("link", name="Ledger").click(no_wait_after=True)
    until(page, lambda: bool(waiting))
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/ledger/")):
        tabs.get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="What this table plays")).to_be_visible()
    expect(page).to_have_url(re.compile("/rules/$"))
    expect(page).to_have_title(re.compile("What this table plays"))
    expect(tabs.get_by_role("link", name="Rules")).to_have_attribute("aria-current", "page")


def test_the_pad_appears_on_every_way_to_it(live_server: LiveServer, page: Page) -> None:
    session = started("Anna Bert")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/?mode=points")
    page.get_by_role("button", name="Enter cards instead").click()
    expect(page.locator("form[data-decks] .slots").first).to_be_attached()
    page.goto(
        f"{live_server.url}/s/{session.public_id}/hand/?p1-front=QQ7&p1-middle=AA44J&p1-back=89TJQ"
        "&p2-front=K52&p2-middle=33962&p2-back=66875"
    )
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    expect(page.locator("form[data-decks] .slots").first).to_be_attached()


def test_a_form_that_the_server_cannot_answer_stays(live_server: LiveServer, unwatched: Page) -> None:
    session = started("Anna Bert")
    let_in(unwatched, live_server.url, session)
    unwatched.goto(f"{live_server.url}/s/{session.public_id}/hand/?mode=points")
    unwatched.get_by_label("Points between Anna and Bert").fill("12")
    unwatched.route(re.compile(r"/hand/\?"), lambda route: route.fulfill(status=502))
    unwatched.route("**/healthz", lambda route: route.fulfill(status=502))
    unwatched.route("**/version?*", lambda route: route.fulfill(status=502))
    unwatched.get_by_role("button", name="Show the settlement").click()
    expect(unwatched.get_by_role("status").last).to_have_text(
        "The server has a problem. What you typed is still here. "
        "Press “Show the settlement” again in a moment: it counts only once."
    )
    expect(unwatched.get_by_label("Points between Anna and Bert")).to_have_value("12")


def test_moving_a_name_up_keeps_the_place_and_the_key(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/new/")
    for number, name in enumerate(("Anna", "Bert", "Cleo"), start=1):
        page.locator(f"#name-{number}").fill(name)
    page.evaluate("scrollTo(0, 200)")
    page.locator("#up-3").press("Enter")
    expect(page.locator("#name-2")).to_have_value("Cleo")
    expect(page.locator("#up-3")).to_be_focused()
    assert 150 < page.evaluate("scrollY") < 250
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("heading", name="Save your host link")).to_be_visible()
    comes_true(page, "scrollY === 0")
