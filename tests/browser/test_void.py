"""The page of a void hand: what it would have paid is struck through, and nothing else."""

from __future__ import annotations

from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from tests.browser.conftest import Look
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, STRONG, act, entry, settle, start

PARTS = ".hand :is(caption, .settlement, .boards)"
STRUCK = """(parts) => Object.fromEntries([...document.querySelectorAll(parts)].map((each) => {
    const figures = (each.closest("table") ?? each).querySelectorAll(".figure, .n");
    const struck = [...figures].filter((figure) => getComputedStyle(figure).textDecorationLine !== "none");
    return [each.localName === "caption" ? each.textContent : each.localName, [struck.length, figures.length]];
}))"""
"""How many figures are struck through, of how many, in each part of a hand's page. Heads of columns are among them."""


def test_what_a_void_hand_would_have_paid_is_struck_through_and_nothing_else(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = start()
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    act(ledger.void_deal, session, number=2, note="misdeal")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/2/")
    look(page)
    struck = page.evaluate(STRUCK, PARTS)
    assert struck == {"ol": [6, 6], "Result": [6, 8], "Totals now": [0, 8], "section": [6, 6]}
