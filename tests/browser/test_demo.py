"""The demo, as somebody sees it who has no link to anything: it plays itself, and is fit to be seen."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ofcscore.asgi import streams
from scoring import demo
from scoring.access import limits
from scoring.demo import playing
from scoring.models import DEMO, Session
from tests.browser.conftest import until
from tests.browser.sights import SIGHTS, complaints, see
from tests.servers import LiveServer


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo make a step each second."""
    monkeypatch.setattr(limits.demo_steps, "seconds", 1)


def plays() -> bool:
    """Whether the server plays the demo on."""
    task = streams.demo.playing
    return task is not None and not task.done()


@pytest.fixture
def tonight(db: None, page: Page) -> Generator[Session]:
    """The demo's last session. Nobody plays it any more once the test is over."""
    demo.make()
    yield Session.objects.get(club__public_id=DEMO, number=4)
    page.goto("about:blank")
    until(page, lambda: not plays())


def test_a_new_hand_comes_in_while_somebody_watches(
    page: Page, live_server: LiveServer, tonight: Session, quick: None
) -> None:
    page.goto(live_server.url)
    page.get_by_role("link", name="Look around in a demo club").click()
    page.get_by_role("link", name="Watch the table").click()
    expect(page.get_by_text("No hands yet.").first).to_be_visible()
    page.evaluate("window.loaded_once = true")
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(page.get_by_role("link", name="Hand 1")).to_be_visible()
    assert page.evaluate("window.loaded_once"), "the page was loaded again"


def test_who_watches_the_last_hand_is_led_to_the_next_session(
    browser: Browser, live_server: LiveServer, tonight: Session, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "REST", playing.REST * 0)
    page = browser.new_page()  # whose console is not checked, because browsers log an answer of 404 as an error
    for _ in range(24 * 4):
        demo.move_on()
    page.goto(f"{live_server.url}/s/{tonight.public_id}/")
    page.wait_for_url("**/demo/")
    expect(page.get_by_role("link", name="Watch the table")).to_be_visible()
    address = page.get_by_role("link", name="Watch the table").get_attribute("href") or ""
    assert tonight.public_id not in address
    page.context.close()


def test_nothing_is_played_while_nobody_looks(
    page: Page, live_server: LiveServer, tonight: Session, quick: None
) -> None:
    page.goto(f"{live_server.url}/demo/")
    page.goto(f"{live_server.url}/s/{tonight.public_id}/")
    until(page, lambda: Session.objects.get(pk=tonight.pk).deals == 1)
    assert plays()
    page.goto(f"{live_server.url}/rules/")
    until(page, lambda: not plays())


def test_the_demo_is_fit_to_be_seen(page: Page, live_server: LiveServer, axe: Axe, tonight: Session) -> None:
    for _ in range(6):
        demo.move_on()
    wrong = []
    for path in (
        "/demo/",
        f"/s/{tonight.public_id}/",
        f"/s/{tonight.public_id}/screen/",
        f"/c/{DEMO}/",
        f"/c/{DEMO}/players/",
    ):
        see(page, SIGHTS[0])
        page.goto(live_server.url + path)
        wrong += [f"{path} as {sight}: {fault}" for sight, faults in complaints(page, axe).items() for fault in faults]
    assert not wrong, "\n".join(wrong)
