"""A settled hand is corrected on the pad that entered it, on the boards as they lie, in as few taps as there can be."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.game.entry import Entry, Rows
from scoring.models import Revision, Session
from tests.browser.conftest import Look
from tests.browser.pad import BOARDS, cards, key, says, tiles
from tests.browser.test_phone import started
from tests.conftest import let_in
from tests.ledger.conftest import act, settle


class Thumb:
    """Taps, and counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, *places: Locator) -> None:
        for place in places:
            place.tap()
            self.taps += 1

    def keys(self, *cards: str) -> None:
        self.tap(*(key(self.page, card) for card in cards))

    def correct(self) -> None:
        """The link under a hand that leads to its correction."""
        self.tap(self.page.get_by_role("link", name=re.compile("^Correct hand")))

    def preview(self) -> None:
        self.keys("done")

    def record(self) -> None:
        self.tap(self.page.get_by_role("button", name=re.compile("^Correct hand")))
        expect(self.page.get_by_text("2. Corrected")).to_be_visible()


def rows(name: str) -> list[str]:
    """A player's rows as the pad writes them: ``6h 6c 4d`` and so on."""
    placed = cards(BOARDS[name])
    return [" ".join(row) for row in (placed[:3], placed[3:8], placed[8:])]


DEALT = Entry(boards={seat: Rows(*rows(name)) for seat, name in enumerate(("Anna", "Bert", "Cleo"), start=1)})
"""The last hand of the evening, in which Cleo fouls."""


@pytest.fixture
def session(live_server: LiveServer, page: Page) -> Session:
    """One hand, settled; the phone shows it."""
    session = started("Anna Bert Cleo")
    settle(session, DEALT)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    return session


def corrected(seat: int) -> list[str]:
    """The rows of a seat as the second version of the hand has them."""
    board = Revision.objects.get(n=2).entry["boards"][str(seat)]
    return [board[name] for name in ("front", "middle", "back")]


def test_one_card_of_the_last_hand_is_corrected_in_5_taps_and_no_typing(
    session: Session, page: Page, look: Look
) -> None:
    thumb = Thumb(page)
    thumb.correct()
    expect(tiles(page, "p1-front")).to_have_count(3)
    says(page, "Tap the card that is wrong, then the right one.")
    look(page, "as it lies")
    thumb.tap(tiles(page, "p1-front").nth(2))
    thumb.keys("4c")
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4c")
    thumb.preview()
    look(page, "preview")
    thumb.record()
    assert thumb.taps == 5
    assert corrected(1) == ["6h 6c 4c", *rows("Anna")[1:]]


def test_a_card_of_any_player_is_corrected_in_5_taps_from_their_board(session: Session, page: Page, look: Look) -> None:
    thumb = Thumb(page)
    look(page, "the hand")
    thumb.tap(page.get_by_role("link", name="Correct Cleo’s cards"))
    expect(page.locator("[data-to='2']")).to_have_attribute("aria-current", "true")
    says(page, "Tap the card that is wrong, then the right one.")
    expect(page.locator("[data-pad=top]")).to_be_in_viewport(ratio=1)
    look(page, "the third board")
    thumb.tap(tiles(page, "p3-front").first)
    thumb.keys("2s")
    thumb.preview()
    thumb.record()
    assert thumb.taps == 5
    assert corrected(3) == [f"2s {rows('Cleo')[0][3:]}", *rows("Cleo")[1:]]


def test_a_correction_on_the_pad_keeps_another_one_that_was_made_meanwhile(
    session: Session, page: Page, look: Look
) -> None:
    """Cleo's front is put right on another phone while Anna's is on this one."""
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").nth(2))
    thumb.keys("4c")
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4c")
    front, middle, back = rows("Cleo")
    theirs = Entry(boards={**DEALT.boards, 3: Rows(f"2s {front[3:]}", middle, back)})
    act(ledger.correct_deal, session, number=1, entry=theirs, note="a two")
    thumb.preview()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Hand 1 was changed since this page was opened.")
    look(page, "late")
    thumb.preview()
    thumb.tap(page.get_by_role("button", name=re.compile("^Correct hand")))
    expect(page.get_by_text("3. Corrected")).to_be_visible()
    boards = Revision.objects.get(n=3).entry["boards"]
    assert (boards["1"]["front"], boards["3"]["front"]) == ("6h 6c 4c", f"2s {front[3:]}")


def test_cards_that_lie_in_each_others_row_change_places_with_two_taps(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").nth(2), tiles(page, "p1-back").nth(3))
    says(page, "Four of diamonds and two of diamonds swapped.")
    thumb.preview()
    thumb.record()
    assert thumb.taps == 5
    assert corrected(1) == ["6h 6c 2d", rows("Anna")[1], "3h 3c 3s 4d 2c"]


def test_a_row_is_corrected_with_one_tap_a_card_and_four_more(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").first)
    thumb.keys("2s", "3d")
    expect(page.locator(".tiles .following")).to_have_accessible_name("Four of diamonds")
    says(page, "The next key replaces the four of diamonds.")
    thumb.keys("7s")
    thumb.preview()
    thumb.record()
    assert thumb.taps == 3 + 4
    assert corrected(1)[0] == "2s 3d 7s"


def test_after_a_new_card_a_tap_on_another_lifts_it_and_moves_none(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").first)
    thumb.keys("Js")
    thumb.tap(tiles(page, "p1-middle").first)
    thumb.keys("Jh")
    expect(page.locator("#p1-front")).to_have_value("Js 6c 4d")
    expect(page.locator("#p1-middle")).to_have_value("Jh Tc 9d Qh 8s")
    thumb.keys("undo", "undo")
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4d")


def test_a_card_that_lies_elsewhere_is_swapped_for_the_one_in_hand(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").nth(2))
    thumb.keys("4h")
    says(page, "The four of hearts is in Cleo's back.")
    thumb.tap(page.get_by_role("button", name="Swap them"))
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4h")
    expect(page.locator("#p3-back")).to_have_value("Qd Qc Jd 8d 4d")


def test_a_card_in_hand_changes_places_with_one_on_another_players_board(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").nth(2), page.locator("[data-to='1']"))
    says(page, "Four of diamonds selected. Tap the card to swap it with.")
    thumb.tap(tiles(page, "p2-front").nth(2))
    expect(page.locator("#p1-front")).to_have_value("6h 6c Qs")
    expect(page.locator("#p2-front")).to_have_value("Ad Kd 4d")


def test_done_asks_for_the_card_that_a_row_lacks(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(page.locator("[data-to='1']"), tiles(page, "p2-back").first)
    thumb.keys("clear", "done")
    says(page, "Bert's back: 1 more card.")
    thumb.keys("As", "Ts")
    says(page, "The ten of spades is in Anna's middle.")


def test_a_hand_that_was_entered_without_suits_is_corrected_without_suits(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = started("Anna Bert")
    settle(session, Entry(boards={1: Rows("QQ7", "AA44J", "KJ987f"), 2: Rows("K52", "99J32", "TT884")}))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").nth(2))
    thumb.keys("6")
    look(page, "ranks")
    thumb.preview()
    thumb.record()
    assert thumb.taps == 5
    assert corrected(1) == ["QQ6", "AA44J", "KJ987f"]


def test_an_earlier_hand_is_not_corrected_without_a_reason_and_a_ready_one_is_one_tap(
    session: Session, page: Page, look: Look
) -> None:
    settle(session, DEALT)
    thumb = Thumb(page)
    thumb.correct()
    thumb.tap(tiles(page, "p1-front").nth(2))
    thumb.keys("4c")
    thumb.preview()
    page.get_by_role("button", name="Correct hand 1").tap()
    expect(page.get_by_label("Reason in your own words")).to_be_focused()
    assert Revision.objects.count() == 2
    thumb.tap(page.get_by_text("Misread card"))
    look(page, "a reason")
    thumb.record()
    assert thumb.taps == 6
    assert Revision.objects.get(deal__number=1, n=2).event.note == "Misread card"


def test_dead_hand_as_a_reason_leads_to_the_rulings(session: Session, page: Page, look: Look) -> None:
    thumb = Thumb(page)
    thumb.correct()
    page.get_by_role("radio", name="Dead hand").tap()
    look(page, "no ruling yet")
    page.get_by_role("link", name="Rule a hand dead").tap()
    page.get_by_label("Ruling on Bert").select_option("dead")
    expect(page.get_by_text("No hand is ruled dead yet.")).to_be_hidden()
    expect(page.get_by_role("button", name="Bert: dead")).to_be_visible()
    look(page, "rulings")
    page.get_by_role("button", name="Preview changes").tap()
    expect(page.get_by_text("No hand is ruled dead yet.")).to_be_hidden()
    thumb.record()
    revision = Revision.objects.get(n=2)
    assert (revision.event.note, revision.entry["boards"]["2"]["ruling"]) == ("Dead hand", "dead")


def test_the_way_back_from_a_preview_to_the_rulings_shows_them(session: Session, page: Page) -> None:
    thumb = Thumb(page)
    thumb.correct()
    tiles(page, "p1-front").last.tap()
    thumb.keys("4c")
    thumb.preview()
    expect(page.get_by_role("heading", name="What changes")).to_be_visible()
    page.get_by_role("radio", name="Dead hand").tap()
    page.get_by_role("textbox", name="Reason in your own words").fill("two cards in the muck")
    page.get_by_role("button", name="Rule a hand dead").tap()
    expect(page.get_by_label("Ruling on Anna")).to_be_focused()
    expect(page.get_by_label("Ruling on Anna")).to_be_in_viewport()
    expect(page.get_by_role("textbox", name="Reason in your own words")).to_have_value("two cards in the muck")


def test_a_correction_leaves_the_hand_that_is_being_entered_alone(session: Session, page: Page) -> None:
    at = page.url.removesuffix("hands/1/")
    page.goto(f"{at}hand/")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        Thumb(page).keys("2s", "2h", "7d")
    page.goto(f"{at}hands/1/correct/")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4d")
    thumb = Thumb(page)
    thumb.tap(tiles(page, "p1-front").nth(2))
    thumb.keys("4c")
    expect(page.locator("#p1-front-named")).to_have_text("Pair of Sixes+1")
    thumb.preview()
    expect(page.get_by_role("button", name="Correct hand 1")).to_be_visible()
    page.go_back()
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4c")
    page.goto(f"{at}hand/")
    expect(page.locator("#p2-front")).to_have_value("2s 2h 7d")
    expect(page.locator("#p1-front")).to_have_value("")
    assert posted == []


def test_the_pad_says_that_an_undone_hand_is_entered_under_another_number(
    session: Session, page: Page, look: Look
) -> None:
    page.get_by_role("link", name="Table", exact=True).last.tap()
    page.get_by_role("button", name="Undo hand 1").tap()
    says(page, "Hand 1 was undone. Its cards are entered again as hand 2.")
    look(page, "undone")
    page.get_by_role("button", name="Type").tap()
    expect(page.locator("[data-undone]")).to_be_visible()
