"""Every page, as everybody may see it. `TABLE` of the tests of access says which pages there are, and for whom."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.access.conftest import Cast, whole_cast
from tests.access.test_table import TABLE, address
from tests.browser.sights import SIGHTS, complaints, see

pytestmark = pytest.mark.looks

SHIFT = """() => new Promise((done) => {
    let shift = 0;
    const observer = new PerformanceObserver((list) => { for (const each of list.getEntries()) shift += each.value; });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => done(shift)));
})"""
"""How far the page has moved under its reader while it loaded: what browsers call cumulative layout shift."""


def pages_of(cast: Cast, who: str) -> Iterator[str]:
    """Every page that they may see, and previews and verdicts, which forms ask for. The host's include everybody's."""
    for each in TABLE:
        everybodys = not each.pattern.startswith("s/") and who != "host"
        if each.method == "GET" and each.expected[who] == 200 and not everybodys:
            path = address(each.pattern, cast, who)
            answer = cast.browsers[who].get(path)
            if b'id="main"' in answer.getvalue():  # a download is a file that is closed when it has been read
                yield path
    at = f"/s/{cast.session.public_id}"
    typed = "p1-front=7s8d9c&p1-middle=6h6d8s9dTc&p1-back=7h7d8h8cTs&p2-ruling=dead&p3-ruling=dead"
    if who != "viewer":
        yield f"{at}/hand/?number=4&seats=1.2.3&key=seen&{typed}"
        yield f"{at}/hand/?mode=points"
    if who == "host":
        yield f"{at}/hands/3/correct/?checked=1&key=seen&{typed}"
        yield "/check/?rules=regular&a=227/KK339/QQ88J&b=664/TT9Q8/55544"


@pytest.mark.parametrize("who", ["host", "scorer", "viewer"])
def test_every_page_is_fit_to_be_seen(live_server: LiveServer, page: Page, axe: Axe, who: str) -> None:
    cast = whole_cast()
    keys = cast.browsers[who].cookies["keys"].value
    page.context.add_cookies([{"name": "keys", "value": keys, "url": live_server.url}])
    # The page for the time without a connection reloads at once because there is one, unless it has just done so.
    page.add_init_script("sessionStorage.setItem('reloaded', Date.now() + 3_600_000)")
    visited, wrong = 0, []
    for path in pages_of(cast, who):
        see(page, SIGHTS[0])
        page.goto(live_server.url + path)
        shift = page.evaluate(SHIFT)
        wrong += [f"{path} moves by {shift:.2f}"] if shift >= 0.02 else []
        wrong += [f"{path} as {sight}: {fault}" for sight, faults in complaints(page, axe).items() for fault in faults]
        visited += 1
    assert not wrong, "\n".join(wrong)
    assert visited > 5
