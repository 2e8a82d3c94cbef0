"""The books of a full table on a phone: one table for all hands, whose heads and totals stay in view."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.game.entry import Entry
from scoring.models import Session
from tests.browser.conftest import Look
from tests.browser.test_phone import started
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK

LONG_NAMES = "Maximilian Христина Guðmundur Bartholomew Konstantinos Wilhelmina Jo Émile"
NAMES = "Maximilian Христина Jo Bartholomew Konstantinos Franziska-Eva Émile Bob"


def at_table(players: int) -> Session:
    """Twenty hands of so many players, in each of which the first wins 120 from each of the others."""
    session = started(" ".join(NAMES.split()[:players]), rules="double-deck")
    pairs = [(one, other) for one in range(1, players + 1) for other in range(one + 1, players + 1)]
    entry = Entry(points=tuple((one, other, 120 if one == 1 else 0) for one, other in pairs))
    for number in range(1, 21):
        ledger.settle_deal(session=session, entry=entry, number=number, key=f"points {number}", by="host")
    session.refresh_from_db()
    return session


def with_boards(players: int) -> Session:
    """One hand with cards by so many players with long names; two of them foul if there are eight."""
    session = started(" ".join(LONG_NAMES.split()[:players]), rules="double-deck")
    boards = (STRONG, PLAIN, FOUL, WEAK) * 2
    entry = Entry(boards=dict(enumerate(boards[:players], start=1)))
    ledger.settle_deal(session=session, entry=entry, number=1, key="boards", by="host")
    session.refresh_from_db()
    return session


def top(element: Locator) -> float:
    return float(element.evaluate("each => each.getBoundingClientRect().top"))


def left(element: Locator) -> float:
    return float(element.evaluate("each => each.getBoundingClientRect().left"))


def broken(element: Locator) -> list[str]:
    """The words of an element that are broken inside."""
    found: list[str] = element.evaluate(
        """each => {
            const text = each.firstChild;
            return [...text.data.matchAll(/[^\\s-]+/g)].filter((word) => {
                const range = document.createRange();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                return range.getClientRects().length > 1;
            }).map((word) => word[0]);
        }"""
    )
    return found


@pytest.mark.parametrize("players", [4, 6, 8])
def test_the_ledger_scrolls_under_its_hands_names_and_totals(
    live_server: LiveServer, page: Page, look: Look, players: int
) -> None:
    session = at_table(players)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    look(page)
    box = page.get_by_role("region", name="Hands")
    rows = box.locator("tbody tr")
    for cell in rows.first.locator("td").all():
        assert top(cell) == top(rows.first.locator("td").first)  # a row is no block
    for name in box.locator("thead th span").all():
        assert broken(name) == []
    hand, total, head = (box.get_by_role("rowheader", name=each, exact=True) for each in ("20", "Total", "1"))
    before = left(hand), top(total)
    box.evaluate("each => each.scrollTo(200, 200)")
    assert box.evaluate("each => each.scrollLeft") > 0
    assert (left(hand), top(total)) == before
    assert left(head) == before[0]
    assert top(box.locator("thead th").first) == pytest.approx(top(box), abs=1)
    for name in page.get_by_role("region", name="Head to head").locator("th span:not(.visually-hidden)").all():
        assert broken(name) == []


def test_a_closed_evening_is_fit_to_be_seen(live_server: LiveServer, page: Page, look: Look) -> None:
    session = at_table(8)
    small = started("Maximilian Христина Jo", hands=0)
    ledger.close_session(session=session, key="close", by="host")
    ledger.close_session(session=small, key="close", by="host")
    let_in(page, live_server.url, session, small)
    for each in (session, small):
        for path in ("", "screen/", "record/", "close/", "ledger/"):
            page.goto(f"{live_server.url}/s/{each.public_id}/{path}")
            look(page)
    for width, height in ((1024, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert top(page.locator(".stood-out")) >= float(
            page.locator(".paid").evaluate("each => each.getBoundingClientRect().bottom")
        )


@pytest.mark.parametrize("players", [3, 4, 5, 8])
def test_the_big_screen_shows_every_payment_whatever_the_names(
    live_server: LiveServer, page: Page, players: int
) -> None:
    session = with_boards(players)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
    for width, height in ((1024, 768), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for name in page.locator(".seats .name, .paid strong").all():
            assert broken(name) == []
        payments = page.locator(".paid > li")
        assert payments.count() == players * (players - 1) // 2
        ends = payments.evaluate_all("all => Math.max(...all.map((each) => each.getBoundingClientRect().bottom))")
        below = page.locator(".below")  # the boards and the curve
        assert ends <= (top(below) if below.is_visible() else height)


def test_the_big_screen_is_shown_once_all_of_it_has_come(live_server: LiveServer, page: Page) -> None:
    """Its type is smaller the more there is on it, so what comes later would move what is there."""
    session = with_boards(3)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
    expect(page.locator(".screen")).to_be_visible()
    page.locator("#status").evaluate("last => last.remove()")
    expect(page.locator(".screen")).to_be_hidden()


def test_whoever_hears_the_ledger_hears_what_each_figure_is(live_server: LiveServer, page: Page) -> None:
    session = started(hands=5)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    hands, pairs = page.get_by_role("table", name="Hands"), page.get_by_role("table", name="Head to head")
    first = hands.get_by_role("row").filter(has=page.get_by_role("rowheader", name="1", exact=True))
    expect(first.get_by_role("cell", name="+30 points, +30.00 EUR", exact=True)).to_be_visible()
    # A dash that is seen is nothing that is said.
    expect(hands.get_by_role("cell", name=re.compile("–"))).to_have_count(0)
    expect(pairs.get_by_role("columnheader")).to_have_text(["Player", "Anna", "Bert", "Cleo"])
    expect(pairs.get_by_role("rowheader")).to_have_text(["Anna", "Bert", "Cleo"])
    number = first.get_by_role("link", name="1", exact=True).bounding_box()
    assert number
    assert number["width"] >= 24
    assert number["height"] >= 44
