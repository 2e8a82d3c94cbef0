"""Measures what a page costs a phone: its bytes, its load on a slow network, and the last tap on a slow processor.

Run it with ``python -m bench.pages``. It drives the browser of the tests, which throttles the network and processor.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import django
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from bench.live import Tables, manage, serving
from bench.timing import line
from tests import chromium

FIRST_VISIT: Final = 40_000
"""The goal for a new phone's first visit to a session, until its page is there: bytes over the wire with headers."""

SLOW_3G: Final = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""400 ms and 400 kbit/s, which is what WebPageTest calls a slow 3G connection."""

AS_A_PAGE: Final = {"Accept": "text/html"}
"""The header by which the server knows that a link is opened, and not fetched for something else."""

SLOWDOWN: Final = 4
HANDS: Final = 15


def run() -> None:
    """Prints the figures from a separate process, since the app has one database for each process."""
    subprocess.run([sys.executable, "-m", "bench.pages"], check=True)


def main() -> None:
    """Prints the figures."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    os.environ.pop("DATABASE_URL", None)
    with ExitStack() as stack:
        os.environ["DATA_DIR"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="ofcscore-bench-"))
        django.setup()
        manage("migrate", "--verbosity", "0")
        manage("collectstatic", "--no-input", "--verbosity", "0")
        tables = Tables()
        base = f"http://127.0.0.1:{stack.enter_context(serving()).port}"
        browser = stack.enter_context(launched())
        print("Pages, in a phone's browser:")
        pages(browser, base, tables)
        slow_network(browser, base, tables)
        last_tap(browser, base, tables)


@contextmanager
def launched() -> Generator[Browser]:
    """Starts the browser that the tests drive."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium.options())
        yield browser
        browser.close()


@contextmanager
def phone(browser: Browser) -> Generator[tuple[BrowserContext, Page, CDPSession]]:
    """Opens a page in a phone's browser with empty cookies and cache."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, device_scale_factor=2, has_touch=True)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    yield context, page, devtools
    context.close()


# --- Bytes ------------------------------------------------------------------------------------------------------------


class Wire:
    """Counts the bytes received over the wire, including headers."""

    def __init__(self, devtools: CDPSession) -> None:
        self.bytes = 0
        devtools.on("Network.loadingFinished", lambda event: self.add(event["encodedDataLength"]))
        devtools.on("Network.requestWillBeSent", lambda event: self.add(redirected(event)))

    def add(self, more: float) -> None:
        self.bytes += int(more)

    def since(self, before: int) -> int:
        return self.bytes - before


def redirected(event: dict[str, Any]) -> float:
    """The bytes of the redirect that led to this request, if one did."""
    return float(event.get("redirectResponse", {}).get("encodedDataLength", 0))


WHOLE: Final = {"card pad", "big screen"}
"""Pages that load whole, since they have their own styles and scripts. Of all others only the middle is fetched."""

MIDDLE: Final = (
    "path => fetch(path, { headers: { 'HX-Request': 'true', 'HX-Target': 'main' } }).then((page) => page.text())"
)


def pages(browser: Browser, base: str, tables: Tables) -> None:
    """Measures the first visit by a link, and each page as a first visit and after the table."""
    at = f"/s/{tables.sessions[0]}/"
    club = club_of(tables)
    names = {
        "start": "/",
        "new session": "/new/",
        "table": at,
        "card pad": f"{at}hand/",
        "own rows": f"{at}seat/1/",
        "settled hand": f"{at}hands/1/",
        "correction": f"{at}hands/1/correct/",
        "ledger": f"{at}ledger/",
        "history": f"{at}history/",
        "people": f"{at}people/",
        "links": f"{at}links/",
        "big screen": f"{at}screen/",
        "club": f"/c/{club}/",
        "check a foul": "/check/",
        "rules": "/rules/",
        "rule sheet": "/rules/pineapple/",
    }
    first, rest = first_visit(browser, base, tables)
    with phone(browser) as (_, page, devtools):
        wire = Wire(devtools)
        page.goto(f"{base}/l/{invitation(tables)}", wait_until="load")
        page.goto(f"{base}/l/{tables.secret}")
        page.get_by_role("button", name="Open link").click()  # it asks, because this browser holds a link already
        page.wait_for_url(lambda url: "/l/" not in url, wait_until="load")
        after = {}
        for name, path in names.items():
            before = wire.bytes
            if name in WHOLE:
                page.goto(f"{base}{path}", wait_until="load")
            else:
                page.evaluate(MIDDLE, path)
            page.wait_for_timeout(100)
            after[name] = wire.since(before)
    for name, path in names.items():
        with phone(browser) as (_, page, devtools):
            page.request.get(f"{base}/l/{tables.secret}", headers=AS_A_PAGE)
            wire = Wire(devtools)
            page.goto(f"{base}{path}", wait_until="load")
            page.wait_for_timeout(100)
            alone, later = wire.bytes / 1000, after[name] / 1000
            print(f"  {name:<14} {alone:5.1f} kB on the first visit, {later:4.1f} kB after the table")
    line("first visit to a session, in 40 kB", first / FIRST_VISIT, "<= 1.00")
    print(f"  what the phone asks for once that page is there: {rest / 1000:.1f} kB")


def first_visit(browser: Browser, base: str, tables: Tables) -> tuple[float, float]:
    """The bytes of an invitation up to the page that it leads to, and of what this page asks for once it is there."""
    with phone(browser) as (_, page, devtools):
        addresses: dict[str, str] = {}
        sizes: dict[str, float] = {}
        redirects: list[float] = []

        def began(event: dict[str, Any]) -> None:
            addresses[event["requestId"]] = event["request"]["url"]
            redirects.append(redirected(event))

        devtools.on("Network.requestWillBeSent", began)
        devtools.on("Network.loadingFinished", lambda end: sizes.update({end["requestId"]: end["encodedDataLength"]}))
        page.goto(f"{base}/l/{invitation(tables)}", wait_until="load")
        page.wait_for_timeout(1000)
        later = set(page.evaluate(LATER))
    after = sum(size for request, size in sizes.items() if addresses[request] in later)
    return sum(redirects) + sum(sizes.values()) - after, after


LATER: Final = """() => {
    const [{ loadEventStart }] = performance.getEntriesByType("navigation");
    const all = performance.getEntriesByType("resource");
    return all.filter(({ startTime }) => startTime >= loadEventStart).map(({ name }) => name);
}"""
"""The addresses of what a page has asked for since it was there."""


def invitation(tables: Tables) -> str:
    """Makes a scorer's link to the first session, and returns its secret."""
    from scoring.access import links
    from scoring.models import Session

    session = Session.objects.get(public_id=tables.sessions[0])
    return links.issue(club=session.club, session=session, role=links.Role.SCORER, key="invitation", name="Dan")[1]


def club_of(tables: Tables) -> str:
    """The public id of the sessions' club."""
    from scoring.models import Session

    return Session.objects.get(public_id=tables.sessions[0]).club.public_id


# --- A slow network ---------------------------------------------------------------------------------------------------


def slow_network(browser: Browser, base: str, tables: Tables) -> None:
    """Measures the seconds from opening a session to a table that can be used."""
    with phone(browser) as (_, page, devtools):
        page.request.get(f"{base}/l/{tables.secret}", headers=AS_A_PAGE)
        devtools.send("Network.emulateNetworkConditions", SLOW_3G)
        page.goto(f"{base}/s/{tables.sessions[0]}/", wait_until="commit")
        page.get_by_role("link", name="Enter hand").first.wait_for()
        page.wait_for_load_state("domcontentloaded")
        usable = page.evaluate("performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart")
    line("a session usable on a slow 3G network, in 3 s", usable / 3000, "<= 1.00")


# --- A slow processor -------------------------------------------------------------------------------------------------


def last_tap(browser: Browser, base: str, tables: Tables) -> None:
    """Measures the milliseconds from lifting the finger off the 39th card to the frame that shows the settlement.

    How many they are depends on the machine, too. So the same answer is also fetched and shown with nothing around it;
    the tap, the pad and htmx may add three quarters of that.
    """
    from bench.urls import BOARDS

    took, bare = [], []
    with phone(browser) as (_, page, devtools):
        page.request.get(f"{base}/l/{tables.secret}", headers=AS_A_PAGE)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        for _ in range(HANDS):
            page.goto(f"{base}/s/{tables.sessions[1]}/hand/")
            order = page.eval_on_selector_all("[data-board]", "each => each.map((board) => board.dataset.name)")
            names = {"Ann": 1, "Bob": 2, "Cat": 3}
            cards = ["".join(BOARDS[names[name]]) for name in order]
            taps = [board[i : i + 2] for board in cards for i in range(0, 26, 2)]
            page.evaluate(WATCH)
            for card in taps:
                page.locator(f".keys:not([hidden]) [data-card='{card}']").tap()
            page.wait_for_function("() => window.shown")
            took.append(page.evaluate("window.shown - window.lifted"))
            preview = page.evaluate(ASKED)
            bare.append(page.evaluate(SHOWN_BARE, preview))
            page.goto(preview)
            page.get_by_role("button", name="Settle hand").tap()
            page.get_by_role("link", name="Enter hand").wait_for()
    middle, worst = statistics.median(took), max(took)
    print(f"  last tap to settlement, processor slowed {SLOWDOWN} times: {middle:.0f} ms, at worst {worst:.0f}")
    line("last tap to settlement, in 150 ms", middle / 150, "<= 1.00")
    line("last tap to settlement / its answer fetched and shown bare", middle / statistics.median(bare), "<= 1.75")


WATCH: Final = """
addEventListener("pointerup", () => { window.lifted = performance.now(); }, true);
new MutationObserver((_, observer) => {
    if (!document.getElementById("main").textContent.includes("Who pays whom")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.shown = performance.now(); }));
}).observe(document.body, { childList: true, subtree: true });
"""

ASKED: Final = """() => {
    const [asked] = performance.getEntriesByType("resource").filter(({ startTime }) => startTime >= window.lifted);
    return asked.name;
}"""
"""The address that the pad asked for the settlement."""

SHOWN_BARE: Final = """async (address) => {
    const began = performance.now();
    const answer = await fetch(address, { headers: { "HX-Request": "true", "HX-Target": "main" } });
    document.getElementById("main").outerHTML = await answer.text();
    await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)));
    return performance.now() - began;
}"""


if __name__ == "__main__":
    main()
