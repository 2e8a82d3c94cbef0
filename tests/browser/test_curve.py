"""The curve as people see it: names inside the picture, a tap opens a hand, and the big screen follows."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.game.entry import Entry
from scoring.models import Session
from tests.browser.conftest import Look
from tests.browser.sights import complaints
from tests.conftest import let_in
from tests.ledger.conftest import settle, start

INSIDE = """each => {
    const box = each.closest(".curve").getBoundingClientRect();
    return [...each.querySelectorAll("text")].every((text) => {
        const { left, right, width } = text.getBoundingClientRect();
        return width === 0 || (left >= box.left - 1 && right <= box.right + 1);
    });
}"""


def played(*hands: tuple[int, int, int], **terms: object) -> Session:
    """A session of three, in whose hands the first wins so many from the second and the third, and so on."""
    session = start("Ann Bartholomew-the-Second-of-Nottingham Cat", **terms)
    for one, other, third in hands:
        settle(session, Entry(points=((1, 2, one), (1, 3, other), (2, 3, third))))
        session.refresh_from_db()
    return session


def test_a_phone_shows_it_in_two_units_and_a_tap_opens_a_hand(
    live_server: LiveServer, page: Page, look: Look, axe: Axe
) -> None:
    session = played((3, -2, 5), (-7, 1, 0), (6, 6, -6), (-9, 4, 2), pair_stakes=[(1, 2, 1000)])
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    look(page)
    drawing = page.locator(".drawing")
    for part in ("values", "names", "numbers"):
        assert drawing.locator(f".{part}").evaluate(INSIDE)
    money, points = (page.get_by_role("img", name=f"Running totals in {of} after 4 hands") for of in ("EUR", "points"))
    expect(money).to_be_visible()
    expect(points).to_be_hidden()
    page.get_by_text("Points", exact=True).first.click()
    expect(points).to_be_visible()
    expect(money).to_be_hidden()
    page.get_by_text("The same in figures").click()
    expect(page.get_by_role("row", name="4 +2 / −61.00")).to_be_visible()
    assert complaints(page, axe) == {}
    drawing.scroll_into_view_if_needed()
    box = drawing.locator(".lines").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    expect(page).to_have_url(f"{live_server.url}/s/{session.public_id}/hands/2/")


def test_the_big_screen_follows(live_server: LiveServer, page: Page) -> None:
    session = played((3, -2, 5))
    let_in(page, live_server.url, session)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
    expect(page.get_by_role("img", name="after 1 hand:")).to_be_visible()
    ledger.settle_deal(
        session=session, entry=Entry(points=((1, 2, 9), (1, 3, 0), (2, 3, 0))), number=2, key="second", by="host"
    )
    expect(page.get_by_role("img", name="after 2 hands: Ann +10.00")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
