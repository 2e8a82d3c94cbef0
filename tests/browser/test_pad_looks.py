"""How the pad fits phones of every size, fonts of every size, and eyes that need strong colours."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Session
from tests.browser.pad import row, says, tap, tiles
from tests.browser.sights import Sight, complaints, see
from tests.browser.test_phone import started
from tests.conftest import let_in

pytestmark = pytest.mark.looks

PADS = ("hand/", "seat/1/", "hands/1/correct/")

OVERLAPS = """keys => keys.map((key) => {
    const letters = document.createRange();
    letters.selectNodeContents(key.querySelector("b") ?? key);
    return [key, key.getBoundingClientRect(), letters.getBoundingClientRect()];
}).filter(([, box, inner]) => inner.left < box.left || inner.right > box.right
    || inner.top < box.top || inner.bottom > box.bottom).map(([key]) => key.ariaLabel ?? key.textContent)"""
"""The keys whose letters reach over their edges."""


@pytest.fixture
def table(live_server: LiveServer, page: Page) -> Session:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    return session


@pytest.mark.parametrize("path", [*PADS, "/check/"])
def test_the_pad_is_fit_to_be_seen(live_server: LiveServer, page: Page, axe: Axe, table: Session, path: str) -> None:
    page.goto(live_server.url + (path if path[0] == "/" else f"/s/{table.public_id}/{path}"))
    if "correct" not in path:
        tap(page, "Qs", "Qh", "7d", "Th")
    assert complaints(page, axe) == {}


def outside(page: Page, height: int) -> list[str]:
    """The parts of the pad that reach beyond the window."""
    parts = (".pad-top", ".boards .row", ".pad-line", ".keys:not([hidden])")
    boxes = {part: each.bounding_box() for part in parts for each in page.locator(part).all() if each.is_visible()}
    assert len(boxes) == len(parts)
    return [part for part, box in boxes.items() if not box or box["y"] < 0 or box["y"] + box["height"] > height + 0.5]


def size(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["width"], box["height"]


@pytest.mark.parametrize("path", [*PADS, "/check/"])
def test_all_of_the_pad_is_in_the_window(live_server: LiveServer, page: Page, table: Session, path: str) -> None:
    page.goto(live_server.url + (path if path[0] == "/" else f"/s/{table.public_id}/{path}"))
    if "correct" not in path:
        tap(page, "Qs", "Qh", "7d", "Th")
    # An iPhone SE with its browser's bars, the smallest phone there is, and common ones, with bars and without.
    for width, height, least in ((375, 553, 40), (320, 454, 32), (360, 592, 44), (360, 640, 44), (412, 915, 44)):
        see(page, Sight(width, height))
        assert outside(page, height) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        across, down = size(page.locator(".keys:not([hidden]) .key").first)
        assert across >= 44
        assert down >= least
        for tile in page.locator(".typed.current .tiles .card").all():
            assert min(size(tile)) >= 24


@pytest.mark.parametrize("turbo", [False, True], ids=["suits", "ranks"])
def test_no_letters_reach_over_the_edge_of_their_key(
    live_server: LiveServer, page: Page, table: Session, turbo: bool
) -> None:
    if turbo:
        page.add_init_script("localStorage.setItem('turbo', 'on')")
    page.goto(f"{live_server.url}/s/{table.public_id}/hand/")
    for sight in (
        Sight(360, 640, font=32),
        Sight(320, 454),
        Sight(360, 640),
        Sight(1280, 800, font=32),
        Sight(740, 360),
    ):
        see(page, sight)
        assert page.locator(".keys:not([hidden]) .key").evaluate_all(OVERLAPS) == [], sight
        assert page.evaluate("document.documentElement.scrollWidth") <= sight.width
        for each in ("p1-front", "p1-middle", "p1-back"):
            inside = row(page, each).evaluate("row => row.scrollHeight <= row.clientHeight + 1")
            assert inside, f"{each} as {sight}"


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES if tag != "en"])
def test_no_letters_reach_over_the_edge_of_their_key_in_any_language(
    live_server: LiveServer, page: Page, table: Session, tag: str
) -> None:
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": tag, "url": live_server.url}])
    for path in (f"/s/{table.public_id}/hand/", "/check/"):
        page.goto(live_server.url + path)
        for sight in (Sight(360, 640), Sight(320, 454), Sight(740, 360)):
            see(page, sight)
            assert page.locator(".keys:not([hidden]) .key").evaluate_all(OVERLAPS) == [], (path, sight)
            assert page.evaluate("document.documentElement.scrollWidth") <= sight.width


def test_forced_colours_show_where_one_is_and_what_is_held(live_server: LiveServer, page: Page, table: Session) -> None:
    see(page, Sight(360, 640, "forced"))
    page.goto(f"{live_server.url}/s/{table.public_id}/hand/")

    def outlined(element: Locator) -> bool:
        return bool(element.evaluate("each => getComputedStyle(each).outlineStyle !== 'none'"))

    tap(page, "Qs", "Qh")
    assert outlined(row(page, "p1-front"))
    assert not outlined(row(page, "p1-middle"))
    tiles(page, "p1-front").first.tap()
    says(page, "selected")
    assert outlined(tiles(page, "p1-front").first)
    assert not outlined(tiles(page, "p1-front").nth(1))
    # A card that is red on paper is red here: all cards keep their colours.
    page.goto(f"{live_server.url}/s/{table.public_id}/hands/1/")
    assert (
        page.locator(".card.h, .card.bare").first.evaluate("each => getComputedStyle(each).forcedColorAdjust") == "none"
    )


def test_forced_colours_tell_a_foul_and_the_open_tab(live_server: LiveServer, page: Page) -> None:
    session = started(hands=2)  # Bert fouls in the second
    let_in(page, live_server.url, session)
    see(page, Sight(360, 640, "forced"))
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/2/")
    border = "each => getComputedStyle(each).borderTopStyle"
    assert page.locator(".board.foul").first.evaluate(border) == "dashed"
    assert page.locator(".board:not(.foul)").first.evaluate(border) == "solid"
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    colour = "each => getComputedStyle(each).borderBottomColor"
    assert page.locator(".tabs [aria-current]").evaluate(colour) != page.locator(".tabs a").first.evaluate(colour)


BEYOND_ITS_ROW = """selector => [...document.querySelectorAll(".typed.current .row")].flatMap((row) => {
    const box = row.getBoundingClientRect(), text = document.createRange();
    return [...row.querySelectorAll(selector)].filter((each) => each.checkVisibility() && each.textContent.trim())
        .filter((each) => {
            text.selectNodeContents(each);
            const { top, bottom, right } = text.getBoundingClientRect();
            return top < box.top - 1 || bottom > box.bottom + 1 || right > box.right + 1;
        }).map((each) => each.textContent);
})"""
"""The words beside the cards of a row that reach beyond it."""


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES])
def test_the_name_of_a_row_stays_within_it(live_server: LiveServer, page: Page, table: Session, tag: str) -> None:
    page.context.add_cookies([{"name": "language", "value": tag, "url": live_server.url}])
    page.goto(f"{live_server.url}/s/{table.public_id}/seat/1/")
    tap(page, "Qh", "Qd", "2d", *("8h", "8d", "6s", "6c", "9d"), *("Ts", "Th", "Td", "9c", "9h"))
    expect(page.locator("#p1-back-named b")).to_have_text("+6")
    for width, height in ((360, 592), (360, 640), (390, 740)):
        see(page, Sight(width, height))
        assert page.evaluate(BEYOND_ITS_ROW, "label, .named > *") == [], (width, height)
    # The smallest phones may cut a name, but not what the row is worth.
    for width, height in ((375, 553), (320, 454)):
        see(page, Sight(width, height))
        assert page.evaluate(BEYOND_ITS_ROW, "label, .named > b") == [], (width, height)
