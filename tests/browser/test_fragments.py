"""After the first page only the middle of a page is loaded. What cannot be shown there is a page of its own."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.access import links
from tests.browser.conftest import Look
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
    expect(page.get_by_role("link", name="Check a foul")).to_be_visible()


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
    follow("Correct it", "Hand 3")
    follow("Leave it", "Hand 3")
    follow("Everything that was done", "History")
    follow("Ledger", "Ledger")
    page.get_by_role("rowheader").get_by_role("link", name="1").click()
    expect(page).to_have_title(re.compile("^Hand 1"))
    follow("More", "More")
    follow("People", "People")
    follow("OFC Score", "Open Face")
    page.go_back()
    expect(page).to_have_title(re.compile("^People"))
    back = whole.pop()  # the browser loads anew the page that it goes back to
    follow("Table", "[A-Z][a-z]+day, ")
    assert (whole, back) == ([f"{at}/"], f"{at}/people/")
    follow("Enter hand 4", "Hand 4")
    assert whole.pop() == f"{at}/hand/"
    follow("Table", "[A-Z][a-z]+day, ")
    follow("Enter hand 4", "Hand 4")
    expect(page.locator("form[data-decks] .slots").first).to_be_attached()
    assert whole == [f"{at}/"]


def test_a_followed_link_works_although_it_has_left_the_page(live_server: LiveServer, page: Page) -> None:
    session = started(hands=3)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    slowly(page, "/hands/2/$")
    page.get_by_role("rowheader").get_by_role("link", name="2").click(no_wait_after=True)
    page.locator("main tbody").first.evaluate("each => each.remove()")  # as when live.js replaces the ledger
    expect(page).to_have_title(re.compile("^Hand 2"))
    expect(page.locator("main")).to_have_count(1)
    expect(page.get_by_role("heading", name="Settlement")).to_be_visible()


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
    page.get_by_role("link", name="Check a foul").click()
    expect(page).to_have_title(re.compile("^Rule on"))
    expect(page.locator("main")).to_be_focused()
    page.goto(f"{at}/rules/edit/")
    page.get_by_role("link", name="R25").click()
    expect(page.locator("#R25")).to_be_in_viewport()


def test_a_refused_form_is_shown_at_an_address_that_can_be_opened(live_server: LiveServer, unwatched: Page) -> None:
    session = started(hands=1)
    let_in(unwatched, live_server.url, session)
    unwatched.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    unwatched.get_by_text("Something is wrong with it?").click()
    unwatched.get_by_label("What is wrong").fill("   ")
    unwatched.get_by_role("button", name="Flag this hand").click()
    expect(unwatched.get_by_text("Say why").or_(unwatched.get_by_text("Say what")).first).to_be_visible()
    expect(unwatched).to_have_url(re.compile("/hands/1/$"))
    unwatched.reload()
    expect(unwatched.get_by_role("heading", name="Settlement")).to_be_visible()


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
        expect(unwatched.get_by_role("status").last).to_have_text("No connection. What you typed is still here.")
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
    expect(unwatched.get_by_role("heading", name="Nothing lies here")).to_be_visible()
    expect(unwatched.get_by_role("link", name="Ledger")).to_be_hidden()


def slowly(page: Page, address: str) -> None:
    """Delay the answers for this address; all others come at once."""

    def late(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route(re.compile(address), late)


def test_the_last_of_two_tabs_wins_whichever_answer_comes_first(live_server: LiveServer, unwatched: Page) -> None:
    session = started()
    let_in(unwatched, live_server.url, session)
    unwatched.goto(f"{live_server.url}/s/{session.public_id}/")
    slowly(unwatched, "/ledger/$")
    tabs = unwatched.get_by_role("navigation", name="This session")
    tabs.get_by_role("link", name="Ledger").click(no_wait_after=True)
    tabs.get_by_role("link", name="Rules").click()
    expect(unwatched.get_by_role("heading", name="What this table plays")).to_be_visible()
    unwatched.wait_for_timeout(900)
    expect(unwatched.get_by_role("heading", name="What this table plays")).to_be_visible()
    expect(unwatched).to_have_url(re.compile("/rules/$"))
    expect(unwatched).to_have_title(re.compile("What this table plays"))
    expect(tabs.get_by_role("link", name="Rules")).to_have_attribute("aria-current", "page")


def test_the_pad_appears_on_every_way_to_it(live_server: LiveServer, page: Page) -> None:
    session = started("Anna Bert")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/?mode=points")
    page.get_by_role("link", name="Type the cards instead").click()
    expect(page.locator("form[data-decks] .slots").first).to_be_attached()
    page.goto(
        f"{live_server.url}/s/{session.public_id}/hand/?p1-front=QQ7&p1-middle=AA44J&p1-back=89TJQ"
        "&p2-front=K52&p2-middle=33962&p2-back=66875"
    )
    expect(page.get_by_text("Nothing is settled yet")).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    expect(page.locator("form[data-decks] .slots").first).to_be_attached()


def test_a_form_that_the_server_cannot_answer_stays(live_server: LiveServer, unwatched: Page) -> None:
    session = started("Anna Bert")
    let_in(unwatched, live_server.url, session)
    unwatched.goto(f"{live_server.url}/s/{session.public_id}/hand/?mode=points")
    unwatched.get_by_label("Points between Anna and Bert").fill("12")
    unwatched.route(re.compile(r"/hand/\?"), lambda route: route.fulfill(status=502))
    unwatched.get_by_role("button", name="Show the settlement").click()
    expect(unwatched.get_by_role("status").last).to_have_text("The server could not answer. Nothing was changed.")
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
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", name="Keep this link")).to_be_visible()
    assert page.evaluate("scrollY") == 0
