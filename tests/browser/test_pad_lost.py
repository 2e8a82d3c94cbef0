"""No card that was tapped is lost by a reload, a lost connection, or going back."""

import re
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Deal
from tests.browser.conftest import PATIENCE
from tests.browser.pad import BOARDS, cards, comes_true, key, says, tap, tiles
from tests.browser.test_phone import started
from tests.conftest import let_in

STORED_HANDS = "Object.keys(localStorage).filter((key) => key.startsWith('hand '))"


def test_half_a_hand_survives_a_reload_and_is_forgotten_once_settled(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(page, *cards(BOARDS["Anna"]), "Ad", "Kd")
    assert page.evaluate(STORED_HANDS) == [f"hand {session.public_id} 1"]
    page.reload()
    says(page, "Bert's front: 1 more card.")
    expect(tiles(page, "p2-front")).to_have_count(2)
    expect(page.get_by_role("button", name="Anna: all in")).to_be_visible()
    # The same happens if the screen locks, or people visit another page or open a new tab.
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(page, *cards(BOARDS["Bert"])[2:], *cards(BOARDS["Cleo"])[:-1])
    page.reload()
    tap(page, cards(BOARDS["Cleo"])[-1])
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    # After going back from the settlement every card is there, and one of them can be changed.
    page.go_back()
    page.get_by_role("button", name="Cleo, has the button: fouled").tap()
    tiles(page, "p3-back").last.click()
    tap(page, "4c")
    page.locator("[data-act=done]").first.tap()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    comes_true(page, f"({STORED_HANDS}).length === 0")  # once the page has settled down
    assert Deal.objects.get().revisions.get().boards.get(seat__name="Cleo").back == "Qd Qc Jd 8d 4c"
    page.get_by_role("link", name="Enter hand 2").click()
    expect(page.get_by_text("0/13")).to_have_count(3)


def test_unsent_rows_are_marked_and_sent_when_the_connection_is_back(live_server: LiveServer, browser: Browser) -> None:
    # A context of its own, because the browser logs a lost connection as an error.
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    session = started()
    let_in(page, live_server.url, session)
    page.clock.install()
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    unsent = page.get_by_text("Not synced")
    context.set_offline(True)
    tap(page, *cards(BOARDS["Anna"]))
    expect(unsent).to_be_visible()
    says(page, "No connection. Everything is kept on this phone")
    assert page.evaluate("document.documentElement.scrollHeight") == 640
    assert page.locator("#status").inner_text() == ""
    tap(page, *cards(BOARDS["Bert"])[:5])
    context.set_offline(False)
    expect(unsent).to_be_hidden()
    expect(page.locator("#p1-back-named")).to_contain_text("Full house, Threes over Twos")
    # The connection is lost again with the last card. Once it is back, the settlement opens by itself.
    tap(page, *cards(BOARDS["Bert"])[5:], *cards(BOARDS["Cleo"])[:-1])
    context.set_offline(True)
    tap(page, cards(BOARDS["Cleo"])[-1])
    expect(unsent).to_be_visible()
    expect(key(page, "4h")).to_have_text("4C")
    page.clock.run_for(300)  # longer than people take to notice that nothing happens
    says(page, "All cards are in. Waiting for a connection to show who pays whom.")
    context.set_offline(False)
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    context.close()


def test_the_app_can_be_installed_and_keeps_the_screen_on(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.add_init_script(
        """Object.defineProperty(navigator, "wakeLock", { value: {
            async request(kind) {
                window.awake = (window.awake ?? 0) + (kind === "screen");
                return { release() { window.awake -= 1; } };
            } } })"""
    )
    page.goto(f"{live_server.url}/check/")
    assert page.evaluate("window.awake") is None
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    assert page.evaluate("window.awake") == 1
    page.goto(live_server.url)
    assert page.evaluate("window.awake") is None
    page.locator(f"a[href='/s/{session.public_id}/']").click()
    page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("heading", name="No hands yet")).to_be_visible()
    assert page.evaluate("window.awake") == 1
    page.get_by_role("navigation", name="Everywhere").get_by_role("link", name="Rules").click()
    comes_true(page, "window.awake === 0")
    page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
    assert page.evaluate("window.awake") == 1
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = page.request.get(found["url"])
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    said = manifest.json()
    shown = [*said["icons"], *said["screenshots"], *(icon for each in said["shortcuts"] for icon in each["icons"])]
    assert {each["form_factor"] for each in said["screenshots"]} == {"narrow", "wide"}
    for picture in shown:
        address = urljoin(found["url"], picture["src"])
        answer = page.request.get(address)
        assert (answer.status, answer.headers["content-type"]) == (200, picture["type"])
        assert len(answer.body()) < 100_000
        if picture["sizes"] != "any":
            drawn = page.evaluate(
                """src => new Promise((done) => {
                    const img = new Image();
                    img.onload = () => done(`${img.naturalWidth}x${img.naturalHeight}`);
                    img.src = src;
                })""",
                address,
            )
            assert drawn == picture["sizes"]
    for each in said["shortcuts"]:
        page.goto(urljoin(found["url"], each["url"]))
        expect(page.get_by_role("main")).to_be_visible()
