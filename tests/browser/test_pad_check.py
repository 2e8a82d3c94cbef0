"""A disputed foul on the card pad: as few taps as there are cards to see, and one more."""

import re

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import Look
from tests.browser.pad import cards, comes_true, key, tap, tiles


def test_a_dispute_is_decided_by_eight_cards_and_one_button(live_server: LiveServer, page: Page, look: Look) -> None:
    page.goto(f"{live_server.url}/check/")
    expect(key(page, "As")).to_be_visible()
    look(page, "empty")
    assert page.evaluate("document.documentElement.scrollHeight") == 640
    taps = cards("As Ah Qd / 6s 6h Kd Td 9c")
    assert len(taps) == 8
    tap(page, *taps, "done")
    expect(page.get_by_role("heading", name="Foul")).to_be_visible()
    expect(
        page.get_by_text("The front, a pair of Aces (AAQ), outranks the middle, a pair of Sixes (66KT9)")
    ).to_be_visible()
    expect(page).to_have_url(re.compile(r"/check/\?rules=regular&a=AsAhQd/6s6hKdTd9c/$"))
    look(page, "foul")
    page.get_by_role("link", name="Change the cards").click()
    expect(tiles(page, "a-middle")).to_have_count(5)
    look(page, "change")


def test_a_whole_board_needs_no_button(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/check/")
    tap(page, *cards("2s 2h 7d / As Ah 4d 4c Jc / 8s 9h Td Jd Qh"))
    expect(page.get_by_role("heading", name="Legal")).to_be_visible()


def test_an_error_goes_when_its_row_is_mended(live_server: LiveServer, page: Page) -> None:
    page.add_init_script("localStorage.setItem('pad', 'off')")
    page.goto(f"{live_server.url}/check/?a=Qs Qh 7d/Qs/89TJQX")
    expect(page.locator("#a-back-wrong")).to_have_text("“X” is not a card.")
    page.locator("#a-back").fill("89TJQ")
    expect(page.locator("#a-back-wrong")).to_be_empty()
    expect(page.locator("#a-back")).not_to_have_attribute("aria-invalid", "true")
    # The card that lay twice is taken from the front, and the error was under the middle.
    expect(page.locator("#a-middle-wrong")).to_contain_text("The queen of spades is also in")
    page.locator("#a-front").fill("Qd Qh 7d")
    expect(page.locator("#a-middle-wrong")).to_be_empty()
    expect(page.locator("[data-problems]")).to_have_count(0)


def test_sharing_sends_the_sentence_with_the_link(live_server: LiveServer, page: Page) -> None:
    page.add_init_script("navigator.share = async (sent) => { window.sent = sent; }")
    page.goto(f"{live_server.url}/check/?rules=regular&a=AAQ/66KT9/")
    page.get_by_role("button", name="Share").click()
    comes_true(page, "window.sent")
    sent = page.evaluate("window.sent")
    assert sent["url"] == page.url.replace("localhost", "127.0.0.1")  # which stands for the local network
    assert sent["text"].startswith("Foul. The front, a pair of Aces (AAQ), outranks the middle")
