"""How pages behave on a phone and how they look: axe finds nothing in light or dark, and no page is wider than the
phone.
"""

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.game.entry import Entry, Rows
from scoring.models import Deal, Session
from tests.browser.conftest import Look
from tests.browser.evening import EVENING
from tests.browser.sights import SIGHTS, Sight, see, wide
from tests.browser.test_evening import type_board
from tests.conftest import let_in


def started(names: str = "Anna Bert Cleo", hands: int = 0, **terms: Any) -> Session:
    """A session of these players at 1.00 a point, with the evening's first hands settled."""
    seats = names.split()
    given: dict[str, Any] = {"stake": 100, "currency": "EUR", "button": len(seats), "by": "host", **terms}
    session = ledger.start_session(names=seats, key=f"start {names}", **given)
    for number, hand in enumerate(EVENING[:hands], start=1):
        boards = {seats.index(name) + 1: Rows(*board.split(" / ")) for name, board in hand.boards.items()}
        ledger.settle_deal(session=session, entry=Entry(boards=boards), number=number, key=f"hand {number}", by="host")
    return session


def test_rows_are_named_as_they_fill_and_a_foul_is_called(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    anna = page.locator("fieldset").first
    anna.get_by_label("Middle").press_sequentially("kk339")
    expect(anna.get_by_text("Two pair, Kings and Threes")).to_be_visible()
    expect(anna.get_by_label("Middle")).to_be_focused()
    anna.get_by_label("Front").fill("QQ")
    expect(anna.get_by_text("2 of 3")).to_be_visible()
    anna.get_by_label("Front").fill("QQ7")
    expect(anna.locator("#p1-front-named")).to_have_text("Pair of Queens")
    anna.get_by_label("Back").fill("Q♦ T 8")
    anna.get_by_label("Back").fill("AA88J")
    expect(anna.get_by_text("+7")).to_be_visible()
    expect(anna.locator("#p1-called")).to_be_empty()
    anna.get_by_label("Back").fill("QQ88J")
    expect(anna.get_by_role("status")).to_contain_text("Foul. The middle, two pair, Kings and Threes (KK339), outranks")
    assert "+7" not in anna.inner_text()


def test_a_pasted_board_is_laid_out_over_its_rows(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/check/")
    front = page.get_by_label("Front")
    front.focus()
    front.evaluate(
        """field => {
            const data = new DataTransfer();
            data.setData("text", "QQ7\\nAA44J\\n89TJQ");
            field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.get_by_label("Middle")).to_have_value("AA44J")
    expect(page.get_by_label("Back")).to_have_value("89TJQ")
    expect(page.get_by_text("Straight, Queen high")).to_be_visible()


def test_a_hand_is_settled_once_however_often_it_is_sent(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    for name, board in EVENING[0].boards.items():
        type_board(page, name, board)
    page.get_by_role("button", name="Show the settlement").click()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    preview = page.url
    page.get_by_role("button", name="Settle hand 1").dblclick()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    page.reload()
    expect(page.get_by_role("heading", name="Hand 1", exact=True)).to_be_visible()
    # The preview of a settled hand leads to that hand, and so does its form.
    for _ in range(2):
        page.go_back()
        expect(page).to_have_url(re.compile(r"/hands/1/$"))
    # With another card it is still the settled hand: the page refuses it and shows what was typed.
    page.goto(preview.replace("QQ7", "QQ8"))
    expect(page.get_by_role("alert")).to_contain_text("Open it to correct it.")
    expect(page.get_by_text("QQ8 / ")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Settle hand"))).to_have_count(0)
    assert Deal.objects.count() == 1


def test_going_back_from_the_preview_keeps_what_was_typed(live_server: LiveServer, page: Page) -> None:
    session = started("Anna Bert")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    for name in ("Anna", "Bert"):
        type_board(page, name, EVENING[0].boards[name])
    page.get_by_role("button", name="Show the settlement").click()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    page.go_back()
    expect(page.locator("#p1-front")).to_have_value("QQ7")
    expect(page.locator("#p2-back")).to_have_value("66875")


def test_house_rules_open_the_chart_only_if_the_table_has_its_own(live_server: LiveServer, page: Page) -> None:
    session = started("Anna Bert")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/rules/edit/")
    queens = page.locator("#chart-front-QQ")
    expect(queens).to_be_hidden()
    page.get_by_label("Your own chart").check()
    queens.fill("-7")
    page.get_by_role("button", name="Save rules").click()
    expect(page.locator("#chart-front-QQ-wrong")).to_contain_text("Points are a whole number")
    expect(page.get_by_role("alert")).to_be_focused()
    queens.fill("8")
    page.get_by_role("button", name="Save rules").click()
    expect(page.get_by_text("The table's own chart.")).to_be_visible()


def test_a_lost_connection_is_reported_and_nothing_is_lost(live_server: LiveServer, browser: Browser) -> None:
    session = started("Anna Bert")
    # A context of its own, because the browser logs a failed request as an error.
    page = browser.new_context(viewport={"width": 360, "height": 640}).new_page()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/penalty/")
    page.get_by_role("radio", name="Anna").check()
    page.get_by_label("Points to each").fill("3")
    page.get_by_label("Reason").fill("late")
    page.route("**/healthz", lambda route: route.abort())  # by which the page would learn that all is well
    page.route("**/version?*", lambda route: route.abort())
    for answer, message in (
        (
            lambda route: route.abort(),
            "No connection. What you typed is still here. "
            "Press “Record penalty” again when it is back: it counts only once.",
        ),
        (
            lambda route: route.fulfill(status=502),
            "The server has a problem. What you typed is still here. "
            "Press “Record penalty” again in a moment: it counts only once.",
        ),
    ):
        page.route("**/penalty/", answer)
        page.get_by_role("button", name="Record penalty").click()
        expect(page.get_by_role("status")).to_have_text(message)
        page.unroute("**/penalty/")
    page.get_by_role("button", name="Record penalty").click()
    expect(page).to_have_url(re.compile("/ledger/$"))


def test_bad_input_is_kept_and_every_problem_stands_at_its_row(live_server: LiveServer, page: Page, look: Look) -> None:
    session = started("Anna Bert")
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    type_board(page, "Anna", "Qs Qh 7d / KK3X9 / 89TJ")
    type_board(page, "Bert", "Qs 2h 7c / 22334 / 55667")
    page.get_by_role("button", name="Show the settlement").click()
    expect(page.get_by_role("alert")).to_be_focused()
    look(page)
    for field, problem in {
        "p1-middle": "“X9” is not a card.",
        "p1-back": "The back takes five cards; here are 4 cards.",
        "p2-front": "The queen of spades is also in Anna's front.",
    }.items():
        expect(page.locator(f"#{field}-wrong")).to_have_text(problem)
        expect(page.locator(f"#{field}")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#p1-middle")).to_have_value("KK3X9")
    assert not Deal.objects.exists()


def test_a_verdict_can_be_sent_as_an_address(live_server: LiveServer, page: Page, look: Look) -> None:
    page.goto(f"{live_server.url}/check/")
    look(page)
    type_board(page, "Player A", "227 / KK339 / QQ88J")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("heading", name="Foul")).to_be_visible()
    expect(page.get_by_text("outranks the back, two pair, Queens and Eights").first).to_be_visible()
    look(page)
    expect(page).to_have_url(re.compile(r"/check/\?rules=regular&a=227/KK339/QQ88J$"))
    shared = page.get_by_label("Share this link").input_value()
    assert shared == page.url.replace("localhost", "127.0.0.1")  # which stands for the local network
    page.get_by_role("link", name="Change the cards").click()
    page.get_by_role("button", name="Add a board").click()
    expect(page.locator("#b-name")).to_be_visible()
    page.locator("#a-name").fill("Hellmuth")
    page.locator("#b-name").fill("Ivey")
    type_board(page, "Player B", "664 / TT9Q8 / 33AA4")
    page.locator("#b-back").fill("55544")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("heading", name="Hellmuth fouled")).to_be_visible()
    page.get_by_text("Hellmuth pays Ivey").click()
    expect(page.get_by_text("Royalties 7 – 0")).to_be_visible()
    look(page)
    page.goto(page.url)
    expect(page.get_by_role("heading", name="Hellmuth fouled")).to_be_visible()


def test_every_other_page_is_fit_to_be_seen(live_server: LiveServer, page: Page, look: Look) -> None:
    session = started(hands=5, pair_stakes=[(1, 2, 1000)])
    large = started("Anna Bert Cleo Dragomir Émile Franziska-Theodora", rules="double-deck")
    rows = {seat: Rows(ruling="dead") for seat in range(2, 7)} | {1: Rows("QQ7", "AA44J", "89TJQ")}
    ledger.settle_deal(session=large, entry=Entry(boards=rows), number=1, key="large", by="host")
    ledger.void_deal(session=session, number=4, note="misdeal", key="void", by="host")
    let_in(page, live_server.url, session, large)
    at = f"/s/{session.public_id}"
    for path in (
        "/",
        "/new/",
        "/rules/",
        "/rules/2-7-pineapple/",
        f"{at}/rules/",
        f"{at}/rules/edit/",
        f"{at}/penalty/",
        f"{at}/next/",
        f"{at}/hand/?mode=points",
        f"{at}/hands/2/",
        f"{at}/hands/4/",
        f"{at}/name/",
        f"{at}/hands/1/void/",
        f"{at}/hands/1/correct/",
        f"{at}/ledger/",
        f"/s/{large.public_id}/",
        f"/s/{large.public_id}/ledger/",
        f"/s/{large.public_id}/hands/1/",
    ):
        page.goto(live_server.url + path)
        look(page)
        for opened in page.locator("details").all():
            opened.evaluate("each => { each.open = true }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_a_missing_page_says_so(live_server: LiveServer, browser: Browser, look: Look) -> None:
    # A context of its own, because the browser logs a 404 as an error.
    page = browser.new_context(viewport={"width": 360, "height": 640}).new_page()
    page.goto(f"{live_server.url}/s/not-a-session/")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    look(page)


def test_a_correction_shows_what_moves_before_it_is_done(live_server: LiveServer, page: Page, look: Look) -> None:
    session = started(hands=2)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    page.get_by_role("link", name="Correct hand 1").click()
    page.locator("#p1-front").fill("JJ7")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="What changes")).to_be_visible()
    look(page)
    # Jacks pay 6 where queens paid 7, and do not enter Fantasyland. So hand 2 was not in Fantasyland, and the button
    # had moved.
    this_hand = page.get_by_role("table", name="This hand", exact=True)
    expect(this_hand.get_by_role("row", name="Anna")).to_contain_text("+28")
    page.get_by_label("Reason in your own words").fill("it was a jack")
    page.get_by_role("button", name="Correct hand 1").click()
    expect(page.get_by_text("2. Corrected")).to_be_visible()
    expect(page.get_by_text("it was a jack")).to_be_visible()
    look(page)
    page.get_by_text("1. Settled").click()
    expect(page.get_by_text("which no longer counts")).to_be_visible()
    expect(page.locator(".board").first).to_contain_text("+30")


def test_points_that_are_typed_outlive_a_reload_and_a_look_at_another_page(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/?mode=points")
    page.get_by_label("Who wins, Anna or Bert").select_option("Bert wins")
    page.locator("#points-1-2").press_sequentially("12")
    page.reload()
    expect(page.locator("#points-1-2")).to_have_value("12")
    page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("heading", name="Ledger")).to_be_visible()
    page.go_back()
    expect(page.locator("#points-1-2")).to_have_value("12")
    expect(page.get_by_label("Who wins, Anna or Bert")).to_have_value("2")
    page.get_by_role("button", name="Show the settlement").click()
    expect(page.get_by_role("button", name="Settle hand 1")).to_be_visible()


BROKEN = """() => {
    const broken = [];
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { currentNode: text } = texts;
        for (const number of text.data.matchAll(/[−+]?\\d+(?:[.,]\\d+)*/g)) {
            const range = document.createRange();
            range.setStart(text, number.index);
            range.setEnd(text, number.index + number[0].length);
            if (range.getClientRects().length > 1) broken.push(number[0]);
        }
    }
    for (const card of document.querySelectorAll(".felt .card")) {
        const { left, right } = card.getBoundingClientRect();
        const felt = card.closest(".felt").getBoundingClientRect();
        if (left < felt.left || right > felt.right) broken.push(card.textContent.trim());
    }
    return broken;
}"""
"""The numbers that do not stand on one line, and the cards that reach over the edge of their board."""


def test_with_the_largest_letters_numbers_and_cards_stay_whole(live_server: LiveServer, page: Page) -> None:
    session = started(hands=3)
    let_in(page, live_server.url, session)
    at = f"{live_server.url}/s/{session.public_id}/"
    for path in ("", "hands/1/", "close/"):
        page.goto(f"{at}{path}")
        # The six words of a record are any, and this is one of the widest.
        page.evaluate("document.querySelector('.witness summary b').textContent = 'mammogram '.repeat(6)")
        see(page, Sight(360, 740, font=32))
        assert page.evaluate(BROKEN) == [], path
        assert wide(page, Sight(360, 740, font=32)) == [], path
    see(page, SIGHTS[0])
