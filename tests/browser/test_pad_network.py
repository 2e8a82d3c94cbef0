"""The pad while requests fail: it says what is wrong, asks less and less often, and loses nothing."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring import live
from scoring.models import Deal, Draft, Session
from tests.browser.conftest import PATIENCE
from tests.browser.pad import BOARDS, cards, key, says, tap
from tests.browser.test_phone import started
from tests.browser.traffic import Traffic
from tests.conftest import let_in

OURS = {"OFC-Score": "1"}
PORTAL = "<title>Guest network</title><h1>Log in</h1>"
DRAFT = re.compile(r"/hand/\d+/$")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone whose console is not checked, because browsers log every failed request as an error."""
    with closing(browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page


@pytest.fixture
def session(db: None) -> Session:
    return started()


def opened(page: Page, server: LiveServer, session: Session) -> Page:
    let_in(page, server.url, session)
    page.goto(f"{server.url}/s/{session.public_id}/hand/")
    return page


def refusing(status: int, headers: dict[str, str] | None = None) -> Callable[[Route], None]:
    """Answers with this status and a page, with the mark of our server if ``headers`` has it."""
    return lambda route: route.fulfill(status=status, headers=headers or {}, body=PORTAL, content_type="text/html")


FAILURES = {
    "no connection": (lambda route: route.abort(), "No connection."),
    "a captive portal": (refusing(200), "This network answered instead of our server."),
    "a captive portal that says so": (refusing(511), "This network answered instead of our server."),
    "a revoked link": (refusing(404, OURS), "This phone’s link was revoked, or what it led to was deleted."),
    "no right": (refusing(403, OURS), "The server does not let this page in any more."),
    "too many requests": (refusing(429), "Too many requests."),
    "a proxy without a server": (refusing(502), "The server has a problem."),
    "a request that is refused": (refusing(400, OURS), "The server refused this."),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_draft_that_is_not_answered_is_sent_less_and_less_often(
    failure: str, live_server: LiveServer, phone: Page, session: Session
) -> None:
    answer, said = FAILURES[failure]
    traffic = Traffic(phone)
    page = opened(phone, live_server, session)
    page.route(DRAFT, answer)
    tap(page, *cards(BOARDS["Anna"]), *cards(BOARDS["Bert"]))
    # The stream is silent meanwhile, so the page asks whether something has happened, and is answered each time.
    page.evaluate("setInterval(() => document.dispatchEvent(new Event('reached')), 3000)")
    asked = traffic.in_a_minute(but="/version?")
    assert 1 < len(asked) <= 6, asked
    says(page, f"{said} ")
    says(page, "Everything is kept on this phone")
    expect(page.get_by_text("Not synced")).to_be_visible()
    assert not Draft.objects.exists()
    # Then all of it goes out, and the pad does not go on saying that it did not.
    page.unroute(DRAFT)
    traffic.let_pass(31)
    expect(page.get_by_text("Not synced")).to_be_hidden()
    says(page, "Cleo's front: 3 more cards.")
    expect(page.locator("[data-pad=says]")).not_to_contain_text(said)
    assert {draft.seat.name for draft in Draft.objects.select_related("seat") if draft.done} == {"Anna", "Bert"}


def test_rows_go_out_as_soon_as_the_browser_is_online_again(
    live_server: LiveServer, phone: Page, session: Session
) -> None:
    phone.clock.install()
    page = opened(phone, live_server, session)
    page.route(DRAFT, lambda route: route.abort())
    tap(page, *cards(BOARDS["Anna"]))
    expect(page.get_by_text("Not synced")).to_be_visible()
    page.unroute(DRAFT)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Not synced")).to_be_hidden()
    says(page, "The connection is back. Bert's front: 3 more cards.")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (360, 690), (360, 640), (375, 553), (320, 454)])
def test_without_a_connection_everything_on_the_pad_stays_in_reach(
    live_server: LiveServer, phone: Page, session: Session, width: int, height: int
) -> None:
    phone.set_viewport_size({"width": width, "height": height})
    page = opened(phone, live_server, session)
    page.route("**/s/**", lambda route: route.abort())
    live.local_hub.end(lambda _: True)
    # The page stays, and says so, once it cannot find out whether it is up to date.
    expect(page.locator(".live > .offline")).to_have_count(1)
    page.get_by_text("Options").tap()
    expect(page.get_by_label("Two-colour deck")).to_be_visible()
    page.get_by_text("Options").tap()
    page.get_by_role("button", name="Bert").tap()
    tap(page, "2c")
    says(page, "Two of clubs. Bert's front, 1 of 3.")
    tap(page, "done")
    assert page.evaluate("document.documentElement.scrollHeight") == height
    expect(page.get_by_text("This page may be out of date.")).to_be_visible(visible=height > 688)


def test_a_request_without_any_answer_is_given_up(live_server: LiveServer, phone: Page, session: Session) -> None:
    page = opened(phone, live_server, session)
    assert page.evaluate("htmx.config.timeout") == 20_000
    page.evaluate("htmx.config.timeout = 200")
    page.route(DRAFT, lambda _: None)
    tap(page, *cards(BOARDS["Anna"]))
    says(page, "No connection. Everything is kept on this phone")


def test_the_settlement_that_a_portal_kept_opens_when_it_lets_people_through(
    live_server: LiveServer, phone: Page, session: Session
) -> None:
    page = opened(phone, live_server, session)
    tap(page, *cards(BOARDS["Anna"]), *cards(BOARDS["Bert"]), *cards(BOARDS["Cleo"])[:-1])
    page.route("**/s/**", refusing(200))
    tap(page, cards(BOARDS["Cleo"])[-1])
    says(page, "This network answered instead of our server. It may want you to log in. Everything is kept on this")
    expect(page.get_by_text("Not synced")).to_be_visible()
    page.unroute("**/s/**")
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()


def test_a_question_is_asked_again_and_keeps_its_cards(live_server: LiveServer, phone: Page) -> None:
    traffic = Traffic(phone)
    phone.goto(f"{live_server.url}/check/")
    phone.route("**/check/named/**", refusing(403, OURS))
    tap(phone, "Ah", "Kh", "Qh")
    asked = traffic.in_a_minute()
    assert 1 < len(asked) <= 6, asked
    says(phone, "The server does not let this page in any more. The cards are still here.")
    phone.unroute("**/check/named/**")
    traffic.let_pass(31)
    expect(phone.locator("#a-front-named")).to_contain_text("Ace")


def test_fields_that_a_browser_has_emptied_are_written_again(
    live_server: LiveServer, phone: Page, session: Session
) -> None:
    """As WebKit does with ``autocomplete=off`` when it brings a page back from memory; tests/engines drive it there."""
    page = opened(phone, live_server, session)
    tap(page, *cards(BOARDS["Anna"])[:-1])
    phone.context.set_offline(True)
    page.evaluate(
        """() => {
            for (const field of document.querySelectorAll("[data-row]")) field.value = "";
            dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        }"""
    )
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4d")
    expect(page.locator("#p1-back")).to_have_value("3h 3c 3s 2d")
    phone.context.set_offline(False)
    tap(page, cards(BOARDS["Anna"])[-1])
    expect(page.locator("#p1-back-named")).to_contain_text("Full house")
    assert Draft.objects.get().front == "6h 6c 4d"


def test_a_field_has_autocomplete_off_only_while_its_page_is_shown(
    live_server: LiveServer, page: Page, session: Session
) -> None:
    """Of such fields the standard says that a browser has to empty them when the page comes back from memory."""
    opened(page, live_server, session)
    quiet = page.locator("#p1-front[autocomplete=off]")
    expect(quiet).to_be_attached()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(page.locator("[autocomplete=off]")).to_have_count(0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(quiet).to_be_attached()


# What Safari 15.4, Firefox 115 and Chrome 109 lack of what these pages could use; docs/decisions.md has the table.
OLD = """
delete HTMLFormElement.prototype.requestSubmit;
delete AbortSignal.timeout;
delete AbortSignal.any;
for (const name of Object.getOwnPropertyNames(Element.prototype)) {
    if (name === "role" || /^aria[A-Z]/.test(name)) delete Element.prototype[name];
}
for (const name of ["toSorted", "toReversed", "toSpliced", "with"]) delete Array.prototype[name];
delete Object.groupBy; delete Promise.withResolvers; delete Element.prototype.checkVisibility;
delete Navigator.prototype.wakeLock; delete Navigator.prototype.locks; delete Navigator.prototype.share;
delete Navigator.prototype.serviceWorker; delete window.navigation; delete Document.prototype.startViewTransition;
"""
NEW_STYLE = re.compile(r":has\(|\dcqi\b|text-wrap|overflow: clip|container-type|content-visibility|safe center")


def test_the_oldest_browsers_settle_a_hand(live_server: LiveServer, page: Page, session: Session) -> None:
    """Whatever one of them lacks is taken away: from scripts, and from the style sheets by writing it wrong."""

    def old_style(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=NEW_STYLE.sub(lambda new: f"{new[0][:-1]}x{new[0][-1]}", answer.text()))

    page.add_init_script(OLD)
    page.route("**/*.css", old_style)
    opened(page, live_server, session)
    assert page.evaluate("document.forms[0].requestSubmit") is None
    for name in ("Anna", "Bert", "Cleo"):
        for card in cards(BOARDS[name]):
            key(page, card).click()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.count() == 1
    page.get_by_role("link", name="Enter hand 2").click()
    expect(key(page, "Ah")).to_have_attribute("aria-label", "Ace of hearts")
    key(page, "Ah").click()
    expect(page.get_by_role("button", name="ace of hearts")).to_have_count(3)  # its key, its row, and itself
    expect(page.locator(".tiles .card")).to_have_count(1)
