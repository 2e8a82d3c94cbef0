"""An evening with limited chips. Hand 3 is corrected after hand 12, and exactly what the preview showed changes."""

import re

from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.actions.chips import BuyIn
from scoring.ledger import audit
from scoring.models import Session
from tests.browser.conftest import Look
from tests.browser.test_evening import type_board
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, WEAK, act, entry, settle, start

NAMES = ("Ann", "Bob", "Cat")


def buy_in(page: Page, name: str, amount: str) -> None:
    page.get_by_role("radio", name=name).check()
    page.get_by_label("Amount").fill(amount)
    page.get_by_role("button", name="Buy in").click()
    expect(page.locator(".choice", has_text=name)).to_contain_text("in stack")


def amount(text: str) -> int:
    """Read points or minor units from the text on a page."""
    return int(re.sub(r"[^0-9\-]", "", text.replace("−", "-").replace("–", "0")) or 0)


def totals(page: Page, base: str, session: Session) -> dict[str, tuple[int, int]]:
    """Points and money of each player, from the ledger page."""
    page.goto(f"{base}/s/{session.public_id}/ledger/")
    expect(page.get_by_text("Chips on the table match the bank.")).to_be_visible()
    foot = page.locator(".ledger tfoot tr").first
    return {name: _pair(foot.locator("td").nth(NAMES.index(name))) for name in NAMES}


def _pair(cell: Locator) -> tuple[int, int]:
    points, money = (each.inner_text().split()[0] for each in (cell.locator("b"), cell.locator(":scope > span").first))
    return amount(points), amount(money)


def test_hand_3_is_corrected_after_hand_12(live_server: LiveServer, page: Page, look: Look) -> None:
    session = start()
    base = live_server.url
    let_in(page, base, session)
    page.goto(f"{base}/s/{session.public_id}/")
    page.get_by_role("link", name="Chips").click()
    expect(page.get_by_role("heading", name="Chips")).to_be_visible()
    look(page)
    for name, bought in (("Ann", "100"), ("Bob", "60,00"), ("Cat", "35.00")):
        buy_in(page, name, bought)
    # Cat loses 12 points a hand. In the third one Cat cannot pay in full and then buys in again, and so on.
    for number in range(1, 13):
        settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
        if number in (3, 6, 9, 11):
            act(BuyIn, session, seat=3, amount=3000)
    before = totals(page, base, session)
    look(page, "with stacks")

    page.goto(f"{base}/s/{session.public_id}/hands/3/")
    expect(page.locator(".unpaid")).to_contain_text("Cat is all-in: 5.00 of 6.00 paid, the other 1.00 is not owed")
    look(page)
    page.get_by_role("link", name="Correct hand 3").click()
    # In truth Cat had the good board, and Ann fouled.
    for name, rows in (("Ann", FOUL), ("Cat", PLAIN)):
        type_board(page, name, f"{rows.front} / {rows.middle} / {rows.back}")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="What changes")).to_be_visible()
    look(page)
    difference = {}
    for name in NAMES:
        row = page.get_by_role("table", name="All changes together").get_by_role("row", name=name)
        points, money = row.get_by_role("cell").all_inner_texts()
        difference[name] = (amount(points), amount(money))
    later = page.locator("table.moved caption").all_inner_texts()
    assert "because of the stacks" in " ".join(later)
    page.get_by_label("Reason in your own words").fill("boards of Ann and Cat mixed up")
    page.get_by_role("button", name="Correct hand 3").click()
    expect(page.get_by_text("2. Corrected")).to_be_visible()

    after = totals(page, base, session)
    moved = {name: tuple(b - a for a, b in zip(before[name], after[name], strict=True)) for name in NAMES}
    assert moved == difference
    assert any(points for points, _ in difference.values())
    assert list(map(str, audit.of_everything())) == []

    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="History").click()
    newest = page.locator(".told > li").first
    expect(newest).to_contain_text("Hand 3 corrected")
    expect(newest).to_contain_text("boards of Ann and Cat mixed up")
    look(page)
    page.get_by_role("link", name="Table", exact=True).click()
    page.get_by_role("button", name="Undo: hand 3 corrected").click()
    expect(page.get_by_role("button", name="Undo hand 12")).to_be_visible()
    assert totals(page, base, session) == before
