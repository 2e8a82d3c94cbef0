"""Pages while requests fail: what people typed stays, and the page says what became of it and what to press."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.access import links
from scoring.models import Deal, Draft, Session
from tests.browser.conftest import PATIENCE
from tests.browser.evening import EVENING
from tests.browser.test_evening import type_board
from tests.browser.test_phone import started
from tests.browser.traffic import Traffic
from tests.conftest import let_in
from tests.ledger.conftest import settle


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser whose console is not checked, because it logs every failed request as an error."""
    with closing(browser.new_context(viewport={"width": 360, "height": 640})) as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.fixture
def session(db: None) -> Session:
    return started()


@pytest.fixture
def at(live_server: LiveServer, page: Page, session: Session) -> str:
    """The address of the session, which the page may open."""
    let_in(page, live_server.url, session)
    return f"{live_server.url}/s/{session.public_id}"


def status(page: Page, text: str) -> None:
    """Expect this text at the edge of the page."""
    expect(page.locator("#status")).to_have_text(text)


def preview(page: Page, at: str) -> None:
    rows = [
        f"p{seat}-{row}={text}"
        for seat, name in enumerate(EVENING[0].boards, start=1)
        for row, text in zip(("front", "middle", "back"), EVENING[0].boards[name].split(" / "), strict=True)
    ]
    page.goto(f"{at}/hand/?{'&'.join(rows)}")
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()


def answering(status: str) -> Callable[[Route], None]:
    """In place of the server: with this status and something other than our page, or not at all."""
    return lambda route: route.fulfill(status=int(status), body="<h1>Hello</h1>") if status else route.abort()


def keeps_nothing(page: Page) -> None:
    """Take the storage away. Then no hand can wait on this phone, and the page asks its user to send it again."""
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('no storage'); }")


def test_a_settle_whose_answer_was_lost_is_known_as_this_phones_own(page: Page, at: str, session: Session) -> None:
    keeps_nothing(page)
    preview(page, at)

    def lost(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()

    page.route("**/hand/", lost)
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page.get_by_role("alert")).to_have_text("Hand 1 was settled on this phone. See hand 1")
    assert Deal.objects.count() == 1
    # The server was heard again, so the message does not go on saying that it cannot be reached.
    status(page, "The connection is back. Press “Settle hand 1” again: it counts only once.")
    page.unroute("**/hand/")
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    status(page, "")
    assert Deal.objects.count() == 1


def test_a_settle_that_failed_says_what_to_press(page: Page, at: str, session: Session) -> None:
    page.route(re.compile(r"/(live|version)\?"), lambda route: route.abort())
    page.route("**/healthz", lambda route: route.abort())
    keeps_nothing(page)
    preview(page, at)
    button = page.get_by_role("button", name="Settle hand 1")
    for answer, said in {
        "": "No connection. What you typed is still here. "
        "Press “Settle hand 1” again when it is back: it counts only once.",
        "502": "The server has a problem. What you typed is still here. "
        "Press “Settle hand 1” again in a moment: it counts only once.",
        "429": "Too many requests. What you typed is still here. "
        "Press “Settle hand 1” again in a minute: it counts only once.",
        "200": "This network answered instead of our server. It may want you to log in. What you typed is still here. "
        "Press “Settle hand 1” again after that: it counts only once.",
    }.items():
        page.route("**/hand/", answering(answer))
        button.click()
        status(page, said)
        page.unroute("**/hand/")
    button.click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    status(page, "")


def test_a_server_that_takes_long_is_waited_for_in_words(page: Page, at: str) -> None:
    preview(page, at)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/hand/", hold)
    page.get_by_role("button", name="Settle hand 1").click()
    status(page, "Waiting for the server …")
    held[0].continue_()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    status(page, "")


def test_a_page_learns_by_itself_that_the_connection_is_back(page: Page, live_server: LiveServer) -> None:
    traffic = Traffic(page)
    page.goto(f"{live_server.url}/rules/")
    page.context.set_offline(True)
    page.get_by_role("link", name="OFC Score").click()
    status(page, "No connection. Nothing on this page is lost. Try again when it is back.")
    page.route("**/healthz", lambda route: route.abort())
    page.context.set_offline(False)
    asked = traffic.in_a_minute()
    assert 1 < len(asked) <= 6, asked
    page.unroute("**/healthz")
    traffic.let_pass(31)
    status(page, "")


def test_a_late_answer_does_not_say_that_the_connection_is_back(page: Page, live_server: LiveServer) -> None:
    """Something was asked for before the connection went, and its answer comes after the message."""
    page.goto(f"{live_server.url}/rules/")
    page.context.set_offline(True)
    page.get_by_role("link", name="OFC Score").click()
    status(page, "No connection. Nothing on this page is lost. Try again when it is back.")
    reached = "(detail) => document.dispatchEvent(new CustomEvent('reached', { detail: Date.now() + detail }))"
    page.evaluate(reached, -60_000)
    status(page, "No connection. Nothing on this page is lost. Try again when it is back.")
    page.evaluate(reached, 1000)
    status(page, "")


WHOLE = {
    "the pad": ("/", "Enter hand 1"),
    "a place in a page": ("/rules/edit/", "R25"),
    "a page of its own": ("/", "Check a record"),
    "a download": ("/record/", "Download the record"),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_a_link_that_loads_a_whole_page_leaves_the_page_without_a_connection(kind: str, page: Page, at: str) -> None:
    path, name = WHOLE[kind]
    page.goto(at + path)
    page.evaluate("window.stayed = true")
    page.context.set_offline(True)
    page.get_by_role("link", name=name).first.click()
    status(page, "No connection. Nothing on this page is lost. Try again when it is back.")
    assert page.evaluate("window.stayed")
    page.context.set_offline(False)
    if kind == "a download":
        with page.expect_request("**/record.json"):
            page.get_by_role("link", name=name).click()
    else:
        page.get_by_role("link", name=name).first.click()
        page.wait_for_url(lambda url: url != at + path)


def test_going_back_without_a_connection_ends_on_a_page_of_ours(page: Page, at: str) -> None:
    page.goto(f"{at}/")
    page.get_by_role("link", name="Ledger", exact=True).click()
    expect(page.get_by_role("heading", name="No hands yet")).to_be_visible()
    page.evaluate("window.stayed = true")
    page.context.set_offline(True)
    page.go_back()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("window.stayed")
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    page.get_by_role("link", name="Ledger", exact=True).click()
    expect(page.get_by_role("heading", name="No hands yet")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()


def test_a_form_that_loads_a_whole_page_keeps_what_was_typed_without_a_connection(page: Page, at: str) -> None:
    page.goto(f"{at}/seat/1/")
    page.locator("#p1-front").fill("QQ7")
    page.context.set_offline(True)
    page.get_by_role("button", name="Submit my cards").click()
    missed = "No connection. What you typed is still here. Press “Submit my cards” again when it is back."
    status(page, missed)
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.locator("#p1-front").fill("QQ7")  # which the page sends by itself
    status(page, missed)
    expect(page.locator("#p1-front")).to_have_value("QQ7")
    page.context.set_offline(False)
    with page.expect_navigation():
        page.get_by_role("button", name="Submit my cards").click()
    assert Draft.objects.get().front == "QQ7"


@pytest.mark.parametrize("answer", ["403", "404", "429", "502", "200"])
def test_a_page_that_is_refused_asks_less_and_less_often(answer: str, page: Page, at: str, session: Session) -> None:
    """In place of the server, which would answer 404 for a revoked link: then the page is loaded again, once."""
    traffic = Traffic(page)
    page.route("**/live?*", lambda route: route.abort())
    page.goto(f"{at}/hand/?mode=points")
    page.route("**/version?*", answering(answer))
    with page.expect_response("**/version?*"):
        page.clock.run_for(4000)
    asked = traffic.in_a_minute()
    assert 1 < len(asked) <= 6, asked
    said = {"429": "Too many requests", "502": "The server has a problem"}.get(answer, "This network answered")
    expect(page.get_by_role("status").filter(has_text="This page may be out of date.")).to_contain_text(said)
    page.unroute("**/version?*")
    settle(session)
    traffic.let_pass(31)
    expect(page.get_by_role("alert")).to_contain_text("Hand 1 was settled on another phone.")


def test_a_revoked_link_ends_on_the_page_that_says_so(page: Page, live_server: LiveServer, session: Session) -> None:
    link, secret = links.issue(club=session.club, session=session, role=links.Role.VIEWER, key="dan", name="Dan")
    page.goto(f"{live_server.url}/l/{secret}")
    links.revoke(link)
    expect(page.get_by_role("heading", name="This link was revoked")).to_be_visible()


@pytest.mark.parametrize("first", ["the page hears of it", "the form is sent"])
def test_what_is_typed_outlives_the_link_of_its_page(
    first: str, page: Page, live_server: LiveServer, session: Session
) -> None:
    link, secret = links.issue(club=session.club, role=links.Role.HOST, key="dan", name="Dan")
    page.goto(f"{live_server.url}/l/{secret}")
    page.goto(f"{live_server.url}/s/{session.public_id}/side-bet/")
    note = page.get_by_label("What for")
    if first == "the form is sent":
        page.route(re.compile(r"/(live|version)\?"), lambda route: route.abort())
    page.get_by_label("Who pays").select_option("1")
    page.get_by_label("Who receives it").select_option("2")
    page.get_by_label("Amount").fill("5")
    note.fill("pizza")
    links.revoke(link)
    if first == "the form is sent":
        page.get_by_role("button", name="Record side bet").click()
    expect(page.get_by_role("status").filter(has_text="This phone’s link was revoked")).to_contain_text(
        "What you typed is still here."
    )
    expect(note).to_have_value("pizza")


@pytest.fixture
def scriptless(browser: Browser) -> Iterator[Page]:
    with closing(browser.new_context(java_script_enabled=False)) as context:
        context.set_default_timeout(PATIENCE)
        yield context.new_page()


def test_without_script_typed_rows_survive_a_link_and_the_way_back(
    live_server: LiveServer, scriptless: Page, session: Session
) -> None:
    let_in(scriptless, live_server.url, session)
    scriptless.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    type_board(scriptless, "Anna", EVENING[0].boards["Anna"])
    scriptless.get_by_role("link", name="Rules").first.click()
    expect(scriptless).to_have_title(re.compile("rules"))
    scriptless.go_back()
    expect(scriptless.locator("#p1-front")).to_have_value("QQ7")
    expect(scriptless.locator("#p1-back")).to_have_value("89TJQ")


def test_without_script_rows_come_back_to_their_own_hand_alone(
    live_server: LiveServer, scriptless: Page, session: Session
) -> None:
    """A player's own page is requested again on the way back, and the browser fills in what was typed."""
    let_in(scriptless, live_server.url, session)
    scriptless.goto(f"{live_server.url}/s/{session.public_id}/seat/1/")
    front = scriptless.locator("#p1-front")
    front.fill("QQ7")
    scriptless.get_by_role("link", name="Rules").first.click()
    scriptless.go_back()
    expect(front).to_have_value("QQ7")
    scriptless.get_by_role("link", name="Rules").first.click()
    settle(session)
    scriptless.go_back()
    expect(scriptless.get_by_role("heading", name="Hand 2: Anna")).to_be_visible()
    expect(front).to_have_value("")
