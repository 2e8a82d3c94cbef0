"""A hand at the pad of an app below a path, with and without a connection, beside another app on the same host."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, WebError, expect

from tests.browser.conftest import PATIENCE
from tests.browser.pad import BOARDS, cards, says, tap
from tests.browser.test_pad_offline import Phone, asked, until
from tests.conftest import NO_COMPLAINTS
from tests.servers import KEY, Router, prepare, serving

THEIRS = """(await (async () => {
    const kept = ["hand theirs 1", "waiting theirs key", "/ofc2/ hand theirs 1", "two-colours"];
    const caches_ = ["pads", "files theirs", "/ofc2/ pads", "/ofc2/ files theirs"];
    return [kept, caches_];
})())"""
"""What apps like this one keep at the root of the host and at another path."""
LEAVE = f"""await (async () => {{
    const [kept, names] = {THEIRS};
    for (const name of kept) localStorage.setItem(name, "{{}}");
    for (const name of names) await (await caches.open(name)).put("/s/theirs/hand/blank/", new Response("theirs"));
}})()"""
LEFT = f"""await (async () => {{
    const [kept, names] = {THEIRS};
    const there = await Promise.all(names.map((name) => caches.match("/s/theirs/hand/blank/", {{ cacheName: name }})));
    return kept.every((name) => localStorage.getItem(name) === "{{}}") && there.every(Boolean);
}})()"""
OURS = "Object.keys(localStorage).filter((name) => name.startsWith('/ofc/ ')).sort()"


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Router]:
    """The way to a server below ``/ofc``."""
    prepare(tmp_path)
    with (
        serving(DATA_DIR=str(tmp_path), SECRET_KEY=KEY, DEMO="0", URL_PREFIX="/ofc") as (_, port),
        Router(port) as router,
    ):
        threading.Thread(target=router.serve_forever, daemon=True).start()
        yield router
        router.shutdown()


def sit_down(page: Page, base: str) -> str:
    """From the start page to the table. Returns the session's public id."""
    page.goto(f"{base}/ofc/")
    page.get_by_role("link", name="Start a session").click()
    for number, name in enumerate(("Anna", "Bert", "Cleo"), start=1):
        page.get_by_label(f"Seat {number}", exact=True).fill(name)
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    return page.url.split("/")[-2]


def test_a_hand_is_played_below_a_path_and_what_is_beside_it_stays(browser: Browser, below: Router) -> None:
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        # The browser itself says of every request that it got no answer.
        lost = "net::ERR_" in message.text or "htmx:sendError" in message.text
        usual = any(each in message.text for each in NO_COMPLAINTS)
        if message.type in {"error", "warning"} and not lost and not usual:
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def on_error(error: WebError) -> None:
        complaints.append(f"uncaught: {error.error}")

    with browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True) as context:
        context.on("console", on_console)
        context.on("weberror", on_error)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        phone = Phone(context, page, below)
        page.goto(f"{below.url}/ofc/rules/")
        asked(page, LEAVE)
        session = sit_down(page, below.url)
        until(page, "(await navigator.serviceWorker.ready).active.state === 'activated'")
        assert asked(page, "(await navigator.serviceWorker.ready).scope") == f"{below.url}/ofc/"
        kept = f"/ofc/s/{session}/hand/blank/"
        until(page, f"(await (await caches.open('/ofc/ pads')).keys()).some(({{ url }}) => url.includes('{kept}'))")
        saved = page.get_by_role("button", name="I’ve saved it")
        saved.click()
        expect(saved).to_have_count(0)

        # With a connection.
        with page.expect_request(lambda request: request.resource_type == "eventsource") as stream:
            page.reload()
        assert stream.value.url.startswith(f"{below.url}/ofc/s/{session}/live?")
        page.get_by_role("link", name="Enter hand 1").click()
        phone.enters("Anna", "Bert", "Cleo")
        page.get_by_role("button", name="Settle hand 1").click()
        expect(page).to_have_url(f"{below.url}/ofc/s/{session}/hands/1/")

        # Without one, from the kept pad to the hand that waits, and out again.
        until(page, f"(await (await caches.open('/ofc/ pads')).keys()).some(({{ url }}) => url.includes('{kept}'))")
        phone.loses()
        page.goto(f"{below.url}/ofc/s/{session}/ledger/")
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
        page.goto(f"{below.url}/ofc/s/{session}/hand/")
        tap(page, *cards(BOARDS["Anna"])[:3])
        assert asked(page, OURS) == [f"/ofc/ hand {session} 2"]
        page.goto(f"{below.url}/ofc/s/{session}/ledger/")
        page.get_by_role("link", name=re.compile("hand 2, 3 cards", re.IGNORECASE)).click()
        tap(page, *cards(BOARDS["Anna"])[3:])
        phone.enters("Bert", "Cleo")
        says(page, "All cards are in. Waiting for a connection to show who pays whom.")
        phone.finds()
        expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
        phone.loses()
        phone.settles()
        assert [name.rpartition(" ")[0] for name in asked(page, OURS)] == [
            f"/ofc/ hand {session}", f"/ofc/ waiting {session}",
        ]  # fmt: skip
        phone.finds()
        expect(page).to_have_url(f"{below.url}/ofc/s/{session}/hands/2/")

        # Forgetting, which is about this app alone.
        page.goto(f"{below.url}/ofc/")
        page.get_by_text("Remove games from this phone").click()
        page.get_by_role("button", name="Remove all from this phone").click()
        expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
        assert asked(page, OURS) == []
        assert asked(page, "(await (await caches.open('/ofc/ pads')).keys()).length") == 0
        assert asked(page, LEFT)
        manifest = context.new_cdp_session(page).send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["manifest"]["scope"] == f"{below.url}/ofc/"
        assert manifest["manifest"]["startUrl"] == f"{below.url}/ofc/"
    assert len(below.asked) > 50
    assert [address for address in below.asked if not address.startswith("/ofc/")] == []
    assert complaints == []
