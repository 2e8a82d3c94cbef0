"""An evening of six hands, typed on a phone, with JavaScript and without."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import Look
from tests.browser.evening import EVENING, NAMES, NEXT_BUTTON, PAIRS, SQUARE, Hand


def sit_down(page: Page, base: str) -> None:
    """From the start page to the table: names, button, stakes. Anna and Bert play for 10, every other pair for 1."""
    page.goto(base)
    page.get_by_role("link", name="Start a session").click()
    for number, name in enumerate(NAMES, start=1):
        page.get_by_label(f"Seat {number}", exact=True).fill(name)
    page.get_by_role("radio", name="Seat 3 has the button").check(force=True)
    page.get_by_label("Stake per point").fill("1.00")
    page.get_by_text("Different stakes between two players").click()
    page.get_by_role("button", name="Show names").click()
    page.get_by_label("Anna and Bert").fill("10,00")
    page.locator("summary", has_text="House rules").click()
    page.get_by_role("radio", name=re.compile("^Regular")).check()
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()


def typed(page: Page, name: str) -> Locator:
    """The three input fields of a player."""
    return page.locator("fieldset", has=page.locator("legend", has_text=name))


def type_board(page: Page, name: str, board: str) -> None:
    for label, row in zip(("Front", "Middle", "Back"), board.split(" / "), strict=True):
        typed(page, name).get_by_label(label).fill(row)


def enter(page: Page, number: int, hand: Hand) -> None:
    """From the table to the preview of the settlement."""
    page.get_by_role("link", name=f"Enter hand {number}").click()
    expect(page.locator("fieldset > legend")).to_have_count(len(hand.order))
    legends = {legend.split()[0]: legend for legend in page.locator("fieldset > legend").all_text_contents()}
    assert tuple(legends) == hand.order
    for name, legend in legends.items():
        assert ("has the button" in legend) == (name == hand.button)
        cards = hand.fantasyland.get(name)
        assert f"Fantasyland {cards}" in legend if cards else "Fantasyland" not in legend
    for name, board in hand.boards.items():
        type_board(page, name, board)
    page.get_by_role("button", name="Show the settlement").click()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()


def read_settlement(page: Page) -> list[tuple[str, str, str, str]]:
    """Payer, payee, points and money of each line, in order."""
    lines = []
    for line in page.locator(".settlement summary").all():
        names = line.locator("strong").all_inner_texts() if "pays" in line.inner_text() else ["", ""]
        points = line.locator(".pts").evaluate("each => each.firstChild.textContent")
        lines.append((names[0], names[1], points, line.locator(".money").inner_text()))
    return lines


def check_hand(page: Page, hand: Hand) -> None:
    assert read_settlement(page) == hand.pays
    for name, figures in hand.won.items():
        board = page.locator(".board", has=page.get_by_role("heading", name=re.compile(f"^{name}")))
        assert tuple(board.locator(".total").inner_text().split()) == figures
        assert ("Foul." in board.inner_text()) == (name in hand.fouls)
        row = page.get_by_role("table").filter(has_text="Result").get_by_role("row", name=name)
        assert tuple(row.get_by_role("cell").all_inner_texts()) == figures


def check_table(page: Page, number: int, total: dict[str, tuple[str, str]]) -> None:
    expect(page.get_by_role("heading", name=f"Hand {number}")).to_be_visible()
    for name, figures in total.items():
        seat = page.locator(".seats > li").filter(has_text=name)
        assert tuple(seat.locator(".held").inner_text().split()) == figures


def figures_in(cell: Locator) -> tuple[str, ...]:
    """The points and the money in a cell of the ledger, without the words for those who hear it."""
    return tuple(each.inner_text().split()[0] for each in (cell.locator("b"), cell.locator(":scope > span").first))


def payments(page: Page) -> list[tuple[str, ...]]:
    """Who pays whom how much, in the way that is chosen."""
    return [
        (*line.locator("strong").all_inner_texts(), line.locator(".figure").inner_text().removesuffix(" EUR"))
        for line in page.locator(".payments li:visible").all()
    ]


def check_ledger(page: Page) -> None:
    for number, hand in enumerate(EVENING, start=1):
        row = page.get_by_role("row", name=str(number), exact=False).filter(
            has=page.get_by_role("link", name=str(number), exact=True)
        )
        for name in NAMES:
            cell = row.locator("td").nth(NAMES.index(name))
            assert figures_in(cell) == hand.won[name]
    total = page.locator("tfoot tr")
    for name, figures in EVENING[-1].total.items():
        assert figures_in(total.locator("td").nth(NAMES.index(name))) == figures
    matrix = page.locator("table", has=page.get_by_role("columnheader", name="Player")).last
    for (one, other), figures in PAIRS.items():
        cell = matrix.get_by_role("row", name=one).last if one != "Anna" else matrix.locator("tbody tr").first
        assert figures_in(cell.locator("td").nth(NAMES.index(other))) == figures
    assert payments(page) == SQUARE
    page.get_by_text("Pair by pair").click()
    lost = {(payer, payee): f"−{amount}" for payer, payee, amount in payments(page)}
    won = {(payee, payer): f"+{amount}" for payer, payee, amount in payments(page)}
    assert len(won) == len(PAIRS)
    assert {pair: figures[1] for pair, figures in PAIRS.items()}.items() <= {**lost, **won}.items()
    expect(page.get_by_text("Balanced: points and money add up to zero.")).to_be_visible()


def play(page: Page, base: str, look: Look | None = None) -> None:
    """Play the whole evening."""
    look = look or (lambda _: None)
    sit_down(page, base)
    look(page)
    for number, hand in enumerate(EVENING, start=1):
        enter(page, number, hand)
        check_hand(page, hand)
        worth_a_look = bool(hand.fouls and hand.fantasyland)
        if worth_a_look:
            look(page)
        page.get_by_role("button", name=f"Settle hand {number}").click()
        expect(page).to_have_url(re.compile(rf"/hands/{number}/$"))
        check_hand(page, hand)
        if worth_a_look:
            look(page)
        page.get_by_role("link", name="Table", exact=True).first.click()
        check_table(page, number + 1, hand.total)
    assert "has the button" in page.locator(".seats > li").filter(has_text=NEXT_BUTTON).inner_text()
    page.get_by_role("link", name="Ledger").first.click()
    expect(page.get_by_role("heading", name="Ledger")).to_be_visible()
    look(page)
    check_ledger(page)


def test_an_evening_on_a_phone(live_server: LiveServer, page: Page, look: Look) -> None:
    play(page, live_server.url, look)


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_an_evening_without_javascript(live_server: LiveServer, page: Page) -> None:
    play(page, live_server.url)
