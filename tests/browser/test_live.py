"""Phones at one table show what happens on another phone, by stream or by polling, and never disturb their users."""

import re
import time
from collections.abc import Callable, Generator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from scoring import ledger, live
from scoring.actions.set_next import SetNext
from scoring.models import Session
from tests.browser.conftest import PATIENCE, Look, until
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, act, entry, key, settle, start
from tests.servers import LiveServer, ServerThread

ASKED = re.compile(r"/version\?")


@pytest.fixture
def session(db: None) -> Session:
    """Ann, Bob and Cat at 1.00 a point."""
    return start()


@pytest.fixture
def base(live_server: LiveServer, session: Session) -> str:
    """The address of the session."""
    return f"{live_server.url}/s/{session.public_id}"


@pytest.fixture
def apart(browser: Browser) -> Generator[BrowserContext]:
    """A phone whose connection a test may cut. Its console is not checked, because browsers log failed requests as
    errors.
    """
    with closing(browser.new_context(viewport={"width": 360, "height": 640})) as context:
        context.set_default_timeout(PATIENCE)
        yield context


def came_in(context: BrowserContext, url: str) -> Page:
    """A new page of a browser that has opened the host's link of the session at this address."""
    page = context.new_page()
    root, _, path = url.partition("/s/")
    let_in(page, root, Session.objects.get(public_id=path.split("/")[0]))
    return page


def opened(context: BrowserContext, url: str) -> Page:
    """A host's page that is live: its stream is open, and it has asked for what it missed before that."""
    page = came_in(context, url)
    with page.expect_response(ASKED):
        page.goto(url)
    page.evaluate("window.loaded_once = true")
    return page


def stayed(page: Page) -> bool:
    """Whether the page was never reloaded."""
    return bool(page.evaluate("window.loaded_once === true"))


def test_one_phone_settles_and_the_others_show_it(context: BrowserContext, base: str) -> None:
    rows = "&".join(
        f"p{seat}-{row}={getattr(LEVEL.boards[seat], row)}" for seat in (1, 2, 3) for row in ("front", "middle", "back")
    )
    scorer = opened(context, f"{base}/hand/?{rows}")
    table, books, screen = (opened(context, f"{base}/{page}") for page in ("", "ledger/", "screen/"))
    expect(table.get_by_role("heading", name="Hand 1")).to_be_visible()
    asked: list[str] = []
    scorer.on("request", lambda request: asked.append(request.url))
    scorer.get_by_role("button", name="Settle hand 1").click()
    expect(table.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(table.get_by_role("link", name="Enter hand 2")).to_be_visible()
    expect(books.get_by_role("row", name=re.compile("^1 .*12"))).to_be_visible()
    expect(screen.get_by_role("heading", name="Hand 1 settled")).to_be_visible()
    assert all(map(stayed, (table, books, screen)))
    expect(scorer).to_have_url(f"{base}/hands/1/")
    # The phone that settled is not told about its own hand, and does not ask.
    expect(scorer.locator("#live")).to_be_empty()
    assert not any(map(ASKED.search, asked))


def test_another_phone_shows_it_within_a_second(context: BrowserContext, base: str, session: Session) -> None:
    """Only the best of three counts: a busy machine may be late once, but a page that only polls is always late."""
    page = opened(context, f"{base}/")
    page.evaluate(
        "window.shown = {}; new MutationObserver(() => {"
        " const hand = document.getElementById('seats-title').textContent; window.shown[hand] ??= Date.now();"
        "}).observe(document.getElementById('main'), { subtree: true, childList: true, characterData: true })"
    )
    took = []
    for number in (2, 3, 4):
        settle(session)
        settled = time.time()
        expect(page.get_by_role("heading", name=f"Hand {number}")).to_be_visible()
        took.append(page.evaluate(f"window.shown['Hand {number}']") / 1000 - settled)
    assert min(took) < 1, took


def test_people_who_are_typing_are_told_and_keep_their_form(
    context: BrowserContext, base: str, session: Session, look: Look
) -> None:
    page = opened(context, f"{base}/hand/?mode=points")
    points = page.get_by_label("Points between Bob and Cat")
    points.fill("12")
    settle(session)
    news = page.get_by_role("alert")
    expect(news).to_have_text("Hand 1 was settled on another phone. See hand 1")
    expect(points).to_have_value("12")
    expect(points).to_be_focused()
    look(page)
    act(SetNext, session, button=2, note="they dealt")
    expect(news).to_have_text("Updated on another phone. See the table")
    assert stayed(page)
    news.get_by_role("link").click()
    expect(page).to_have_url(f"{base}/")


def test_open_details_stay_open_while_the_rest_of_the_page_changes(
    context: BrowserContext, base: str, session: Session
) -> None:
    settle(session)
    page = opened(context, f"{base}/hands/1/")
    summary = page.locator(".settlement summary").first
    summary.click()
    summary.focus()
    act(ledger.correct_deal, session, number=1, entry=entry(s1=PLAIN, s2=STRONG, s3=FOUL))
    expect(page.get_by_role("heading", name="Versions")).to_be_visible()
    expect(page.locator(".settlement details").first).to_have_attribute("open", "")
    expect(summary).to_be_focused()
    assert stayed(page)


def test_a_focused_form_is_not_replaced(context: BrowserContext, base: str, session: Session) -> None:
    settle(session)
    page = opened(context, f"{base}/")
    undo = page.get_by_role("button", name="Undo")
    undo.focus()
    settle(session)
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
    expect(undo).to_have_text("Undo hand 1")
    expect(undo).to_be_focused()
    undo.blur()
    settle(session)
    expect(page.get_by_role("heading", name="Hand 4")).to_be_visible()
    expect(undo).to_have_text("Undo hand 3")
    assert stayed(page)
    undo.click()  # the replaced button still works
    expect(page.locator("[data-undone]")).to_contain_text("Hand 3 was undone.")


def closes(session: Session) -> None:
    act(ledger.close_session, session)


def voids(session: Session) -> None:
    act(ledger.void_deal, session, number=1)


def disputes(session: Session) -> None:
    act(ledger.dispute, session, number=1, note="Three jacks")


@pytest.mark.parametrize("elsewhere", [voids, disputes, closes])
def test_what_somebody_is_typing_outlives_whatever_happens_elsewhere(
    context: BrowserContext, base: str, session: Session, elsewhere: Callable[[Session], None]
) -> None:
    settle(session)
    page = opened(context, f"{base}/hands/1/")
    page.get_by_text("Dispute this hand").click()
    note = page.locator("form[action$='/flag/'] [name=note]")
    note.fill("My queens were good")
    elsewhere(session)
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    expect(note).to_be_focused()
    expect(note).to_be_visible()
    expect(note).to_have_value("My queens were good")
    expect(page.locator(".versions")).to_have_count(1)  # the rest of the page is as it would be without the form
    expect(page.locator("main .flag, main .settlement, main [name=note]").last).to_have_value("My queens were good")


def test_a_decision_in_use_stays_with_the_dispute_that_it_is_about(
    context: BrowserContext, base: str, session: Session
) -> None:
    settle(session)
    disputes(session)
    page = opened(context, f"{base}/hands/1/")
    page.get_by_label("Decision").fill("Two jacks only")
    act(ledger.resolve_dispute, session, raised=3, note="A pair")
    act(ledger.dispute, session, number=1, note="Whose button was it?")
    expect(page.locator("#live")).to_have_attribute("data-version", "5")
    typed = page.locator("section.flag").filter(has_text="Three jacks")
    expect(typed.get_by_label("Decision")).to_have_value("Two jacks only")
    fresh = page.locator("section.flag").filter(has_text="Whose button was it?")
    expect(fresh.get_by_label("Decision")).to_have_value("")


def test_a_button_that_is_gone_from_the_page_keeps_nothing_else_there(
    context: BrowserContext, base: str, session: Session
) -> None:
    settle(session)
    page = opened(context, f"{base}/")
    page.get_by_role("button", name="Undo hand 1").focus()
    act(ledger.close_session, session)
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    expect(page.get_by_role("button", name="Undo hand 1")).to_have_count(0)
    page.reload()
    lasting = page.locator("main").inner_text()
    act(ledger.reopen_session, session)
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    page.get_by_role("button", name="Undo").first.focus()
    act(ledger.close_session, session)
    expect(page.locator("#live")).to_have_attribute("data-version", "5")
    assert page.locator("main").inner_text().count("Ann") == lasting.count("Ann")


def test_nobody_agrees_by_a_tap_that_was_meant_for_another_result(
    context: BrowserContext, base: str, session: Session
) -> None:
    """The page is brought up to date in place: the button for the new record lies where that for the old one did."""
    settle(session, LEVEL)
    closes(session)
    page = opened(context, f"{base}/record/")
    page.set_viewport_size({"width": 360, "height": 640})
    agree = page.get_by_role("button", name="Ann agrees")
    agree.scroll_into_view_if_needed()
    expect(page.get_by_role("alert")).to_have_count(0)
    act(ledger.reopen_session, session, note="One more look")
    expect(agree).to_have_count(0)
    voids(session)
    closes(session)
    expect(page.get_by_role("alert")).to_have_text(
        "The result was changed on another phone. Look at it again before you agree."
    )
    expect(page.get_by_role("alert")).to_be_in_viewport()
    agree.click()
    expect(page.get_by_text("Ann agreed")).to_be_visible()


def test_a_hidden_page_catches_up_when_it_is_shown(context: BrowserContext, base: str, session: Session) -> None:
    page = came_in(context, f"{base}/")
    page.clock.install()
    with page.expect_response(ASKED):
        page.goto(f"{base}/")

    def show(visible: bool) -> None:
        page.evaluate(
            "visible => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => !visible });"
            " document.dispatchEvent(new Event('visibilitychange')); }",
            visible,
        )

    assert live.local_hub.streams == 1
    show(False)
    until(page, lambda: live.local_hub.streams == 0)  # a hidden page holds no stream
    settle(session)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    assert asked == []  # nor does it ask
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    show(True)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()


def test_a_page_polls_if_no_stream_stays_open(apart: BrowserContext, base: str, session: Session) -> None:
    apart.route("**/live?*", lambda route: route.abort())
    page = came_in(apart, f"{base}/")
    page.clock.install()
    with page.expect_response(ASKED):
        page.goto(f"{base}/")
    page.evaluate("window.loaded_once = true")
    settle(session)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    with page.expect_response(ASKED) as answer:
        pass
    assert answer.value.status == 204
    assert stayed(page)
    act(ledger.close_session, session)
    expect(page.get_by_text("This session is closed.")).to_be_visible()
    with page.expect_response(ASKED) as answer:
        pass
    assert answer.value.status == 286
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    assert not any("version" in url for url in asked)  # a closed session needs no polling


def test_a_refused_stream_is_opened_with_a_new_token(apart: BrowserContext, base: str, session: Session) -> None:
    page = came_in(apart, f"{base}/")

    def with_an_old_token(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("live?token=", "live?token=old"))

    page.route(f"{base}/", with_an_old_token, times=1)
    page.clock.install(time="2026-11-20T20:00:00")
    page.clock.pause_at("2026-11-20T20:00:01")  # so that the page does not poll in the meantime
    with page.expect_response(ASKED):
        page.goto(f"{base}/")
    until(page, lambda: live.local_hub.streams == 1)
    settle(session)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()


def test_a_page_polls_while_the_server_has_no_room_for_its_stream(
    apart: BrowserContext, base: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.local_hub, "most", 0)
    page = came_in(apart, f"{base}/")
    page.clock.install()
    with page.expect_response(ASKED):
        page.goto(f"{base}/")
    settle(session)
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    page.clock.run_for(20_000)
    monkeypatch.setattr(live.local_hub, "most", 1)
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if "/live?" in request.url else None)
    for _ in range(2):
        with page.expect_response(ASKED):
            page.clock.run_for(3_000)
    assert streams == []  # it waits before it tries again
    page.clock.run_for(10_000)
    until(page, lambda: live.local_hub.streams == 1)


def test_the_notice_of_a_lost_connection_goes_away_again(apart: BrowserContext, base: str, session: Session) -> None:
    page = opened(apart, f"{base}/")
    line = page.get_by_text("No connection. This page may be out of date.")
    expect(line).to_be_hidden()
    apart.route("**/s/**", lambda route: route.abort())
    live.local_hub.end(lambda _: True)
    expect(line).to_be_visible()
    settle(session)
    apart.route("**/live?*", lambda route: route.abort())  # first, or a stream could open in between
    apart.unroute("**/s/**")
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(line).to_be_hidden()
    apart.route("**/version?*", lambda route: route.abort())
    expect(line).to_be_visible()
    apart.unroute("**/version?*")
    with page.expect_response(ASKED):
        pass
    expect(line).to_be_hidden()
    assert stayed(page)


def test_phones_come_back_by_themselves_when_the_server_does(apart: BrowserContext, session: Session) -> None:
    first = ServerThread()
    first.start()
    page = opened(apart, f"http://localhost:{first.port}/s/{session.public_id}/")
    first.terminate()
    settle(session)
    second = ServerThread(first.port)
    second.start()
    try:
        expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
        settle(session)
        expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
        assert stayed(page)
    finally:
        second.terminate()


def test_a_tab_keeps_one_stream_on_all_its_pages(context: BrowserContext, base: str, session: Session) -> None:
    page = opened(context, f"{base}/")
    tabs = page.locator(".tabs")
    for link in ("Ledger", "Rules", "Table"):
        tabs.get_by_role("link", name=link, exact=True).click()
        expect(tabs.get_by_role("link", name=link, exact=True)).to_have_attribute("aria-current", "page")
        assert live.local_hub.streams == 1
    assert stayed(page)  # so its stream stayed, too
    with page.expect_response(ASKED):
        tabs.get_by_role("link", name="Hand 1", exact=True).click()
    until(page, lambda: live.local_hub.streams == 1)
    with page.expect_response(ASKED):
        page.goto(f"{base}/hand/?mode=points")
    page.get_by_label("Points between Bob and Cat").fill("x")
    page.get_by_role("button", name="Show the settlement").click()
    expect(page.get_by_role("alert")).to_be_visible()  # htmx replaced the page's middle without loading the page
    settle(session)
    expect(page.get_by_text("Hand 1 was settled on another phone.")).to_be_visible()
    until(page, lambda: live.local_hub.streams == 1)
    page.goto("about:blank")
    until(page, lambda: live.local_hub.streams == 0)


def test_the_screen_fits_phones_and_televisions(
    context: BrowserContext, base: str, session: Session, look: Look
) -> None:
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    page = opened(context, f"{base}/screen/")
    look(page)
    for width, height in ((1024, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        name = page.locator(".seats .name").first.bounding_box()
        assert name is not None
        assert name["height"] > height / 25


def test_the_screen_of_a_closed_session_is_one_column_on_a_phone(
    context: BrowserContext, base: str, session: Session, look: Look
) -> None:
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    ledger.close_session(session=session, key=key(), by="host")
    page = opened(context, f"{base}/screen/")
    look(page)
    edges = page.locator(".screen > section").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().left)"
    )
    assert len(edges) > 2
    assert len(set(edges)) == 1
