"""Names that are as long as a name may be, and names that are written from right to left, on the narrowest phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.actions.set_next import SetNext
from scoring.game.entry import Entry
from scoring.models import Session
from tests.browser.sights import Sight, see
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, key, settle

pytestmark = pytest.mark.looks

NAMES = ["W" * 40, "Donaudampfschifffahrtsgesellschaftskapit", "محمد بن عبد الله"]
PAGES = (
    "", "send/", "close/", "record/", "record/hands/", "ledger/", "statistics/", "what-if/", "history/", "hands/1/",
    "hands/1/send/", "people/", "more/", "screen/",
)  # fmt: skip


@pytest.mark.parametrize("closed", [False, True])
def test_no_page_scrolls_sideways_because_of_a_name(live_server: LiveServer, page: Page, closed: bool) -> None:
    session = ledger.start_session(
        names=NAMES, stake=100, currency="EUR", button=1, pair_stakes=[(2, 3, 250)], key=key(), by="host"
    )
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    if closed:
        ledger.close_session(session=session, key=key(), by="host")
    let_in(page, live_server.url, session)
    club = f"/c/{session.club.public_id}"
    at = f"{live_server.url}/s/{session.public_id}/"
    addresses = [
        *(at + each for each in PAGES),
        *(f"{live_server.url}{club}/{each}" for each in ("", "players/", "standings/", "statistics/")),
    ]
    found = {}
    for address in addresses:
        page.goto(address)
        for sight in (Sight(360, 740), Sight(1280, 800)):
            see(page, sight)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > sight.width:
                found[address.replace(live_server.url, ""), sight.width] = width
    assert found == {}


def test_a_figure_keeps_its_sign_beside_a_name_that_is_written_from_right_to_left(
    live_server: LiveServer, page: Page
) -> None:
    """A sign stands to the left of its figure, and the figure to the right of the name, as in every other line."""
    session = ledger.start_session(names=NAMES[1:], stake=100, currency="EUR", button=1, key=key(), by="host")
    settle(session, entry(s1=PLAIN, s2=FOUL))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    places = page.locator(".list .figures").first.evaluate("""(line) => {
        const text = [...line.childNodes].find((each) => each.textContent.includes("محمد"));
        const node = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const found = {};
        while (node.nextNode()) for (const sign of ["−", "9", "م"]) {
            const at = node.currentNode.data.lastIndexOf(sign);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node.currentNode, at);
            range.setEnd(node.currentNode, at + 1);
            found[sign] = range.getBoundingClientRect().left;
        }
        return { ...found, text: text && line.textContent };
    }""")
    print(places)
    assert places["−"] > places["م"]


ORDINARY = [
    "Alexander Baumgartner", "Konstantin von Berg", "Maximilian Hohenstein", "Franziska Lindqvist",
    "Bartholomew Nottingham", "Jo",
]  # fmt: skip
LONGEST = ["W" * 40, NAMES[1], "Maximilian Christoph von Hohenstein-Lang", "W W" * 13, "i" * 40, "Jo"]

OVERLAPPING = """() => {
    const rows = ".seats, .seats *, .paid, .paid > li, .paid > li > *, .below";
    const boxes = [...document.querySelectorAll(rows)].map((each) => [each, each.getBoundingClientRect()])
        .filter(([each, box]) => box.width > 1 && !each.matches(".visually-hidden"));
    const said = (each) => `${each.localName}.${each.className} ${each.textContent.trim()}`;
    return boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([other, b]) => !one.contains(other)
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1).map(([other]) => [said(one), said(other)]));
}"""
"""What lies on something else in the rows of the big screen and below them."""

LOWEST = "Math.max(...[...document.querySelectorAll('.seats *')].map((each) => each.getBoundingClientRect().bottom))"


def on_the_screen(names: list[str]) -> Session:
    """One hand by these players. All but the last are due Fantasyland now, and the first has the button."""
    session = ledger.start_session(
        names=names, stake=100, currency="EUR", button=1, key=key(), by="host", rules="double-deck"
    )
    settle(session, Entry(boards=dict(enumerate(([STRONG, PLAIN, FOUL, WEAK] * 2)[: len(names)], start=1))))
    act(SetNext, session, button=1, fantasyland=dict.fromkeys(range(1, len(names)), 14), note="shown")
    return session


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("names", [*(ORDINARY[:players] for players in range(2, 7)), LONGEST[:2], LONGEST], ids=len)
def test_no_row_of_the_big_screen_lies_on_another(
    live_server: LiveServer, page: Page, names: list[str], closed: bool
) -> None:
    session = on_the_screen(names)
    if closed:
        ledger.close_session(session=session, key=key(), by="host")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
    found = {}
    for width, height in ((1280, 800), (1024, 600), (1920, 1080), (390, 844)):
        see(page, Sight(width, height))
        if overlapping := page.evaluate(OVERLAPPING):
            found[width, height] = overlapping
        if width > height:  # a phone scrolls
            assert page.evaluate(LOWEST) <= height
    assert found == {}


def test_the_curve_keeps_its_room_in_large_type(live_server: LiveServer, page: Page) -> None:
    names = [f"Name number {n}" for n in range(1, 4)]
    session = ledger.start_session(names=names, stake=100, currency="EUR", button=1, key=key(), by="host")
    for _ in range(5):
        settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    see(page, Sight(360, 740, font=32))
    lines, whole = (page.locator(each).bounding_box() for each in (".drawing > .lines", ".drawing"))
    assert lines is not None
    assert whole is not None
    assert lines["width"] > 0.4 * whole["width"]
