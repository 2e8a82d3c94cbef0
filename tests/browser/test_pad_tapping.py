"""The card pad under a thumb: one tap for each card, and every mistake can be undone without a question."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import Look, until
from tests.browser.evening import EVENING
from tests.browser.pad import BOARDS, cards, key, row, says, tap, tiles
from tests.browser.test_evening import read_settlement
from tests.browser.test_phone import started
from tests.conftest import let_in


def opened(page: Page, server: LiveServer, names: str = "Anna Bert Cleo", rules: str = "regular") -> None:
    """Open the pad for the first hand of a new session."""
    session = started(names, rules=rules)
    let_in(page, server.url, session)
    page.goto(f"{server.url}/s/{session.public_id}/hand/")


def are_at_least(keys: Locator, width: int, height: int) -> None:
    for each in keys.all():
        box = each.bounding_box()
        assert box
        assert box["width"] >= width
        assert box["height"] >= height


def test_39_taps_and_no_other_gesture_from_an_empty_hand_to_its_settlement(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    opened(page, live_server)
    look(page, "empty")
    asked: list[str] = []
    # Ignore the polling of a page without a stream; it has nothing to do with the pad.
    own = re.compile(r"/hand/(\d+/|\?)")
    page.on("request", lambda request: asked.append(request.url) if own.search(request.url) else None)

    def is_sent(players: int) -> None:
        until(page, lambda: len(asked) == players)

    taps = 0
    for number, name in enumerate(("Anna", "Bert", "Cleo"), start=1):
        expect(page.locator("[data-pad=players] [aria-current=true]")).to_contain_text(name)
        for card in cards(BOARDS[name]):
            assert len(asked) <= number - 1, "something was sent before the player was in"
            tap(page, card)
            taps += 1
        if number < 3:  # the third goes straight to the settlement
            is_sent(number)
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    assert taps == 39
    # The settlement of the evening's last hand, with Anna under the gun instead of Cleo.
    assert sorted(read_settlement(page)) == sorted(
        [("Bert", "Anna", "4", "4.00"), *(pay for pay in EVENING[-1].pays if pay[0] == "Cleo")]
    )
    page.get_by_role("link", name="Edit").click()
    expect(tiles(page, "p1-back")).to_have_count(5)
    look(page, "full")


def test_the_pad_fills_the_smallest_phone_and_nothing_moves_as_rows_fill(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)

    def measured() -> object:
        return page.evaluate(
            """[...document.querySelectorAll(".keys:not([hidden]) .key, .current .row, [data-to]")]
                .map((each) => each.getBoundingClientRect())
                .flatMap((box) => [box.x, box.y, box.width, box.height])"""
        )

    empty = measured()
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [360, 640]
    are_at_least(page.locator(".keys:not([hidden]) .key"), 47, 44)
    are_at_least(page.locator(".pad-back, .pad-menu > summary, [data-to], .row.active .jump"), 44, 44)
    tap(page, *cards("2s 2h 7d / Ks Kh 3d 3c 9c / Qs Qd 8h 8c"))
    expect(page.get_by_text("Two pair, Kings and Threes")).to_be_visible()
    page.locator("[data-to='1']").tap()
    page.locator("[data-to='0']").tap()
    assert measured() == empty


@pytest.mark.parametrize("path", ["hand/", "seat/1/"])
def test_under_the_bars_of_a_browser_the_keys_stay_whole(
    live_server: LiveServer, page: Page, look: Look, path: str
) -> None:
    session = started("Maximilian Христина Cleo Dan")
    let_in(page, live_server.url, session)
    page.set_viewport_size({"width": 360, "height": 584})
    page.goto(f"{live_server.url}/s/{session.public_id}/{path}")
    look(page)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [360, 584]
    are_at_least(page.locator(".keys:not([hidden]) .key"), 47, 44)
    are_at_least(page.locator(".pad-back, .pad-menu > summary, [data-to]:visible, .row.active .jump"), 44, 44)


def test_a_foul_is_called_as_soon_as_the_player_is_in(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    tap(page, *cards("2s 2h 7d / Ks Kh 3d 3c 9c / Qs Qd 8h 8c Js"))
    says(page, "Anna: Foul. The middle, two pair, Kings and Threes (KK339), outranks the back")
    expect(page.get_by_role("button", name="Anna: fouled")).to_contain_text("Foul")


def test_a_used_card_says_where_it_is_and_moves_here(live_server: LiveServer, page: Page, look: Look) -> None:
    opened(page, live_server)
    tap(page, *cards(BOARDS["Anna"]), "Ad", "Kd")
    expect(key(page, "6h")).to_have_text("6A")
    expect(key(page, "6h")).to_have_accessible_name("Six of hearts, in Anna's front")
    tap(page, "6h")
    says(page, "The six of hearts is in Anna's front.")
    look(page, "an offer")
    page.get_by_role("button", name="Move it here").tap()
    says(page, "Six of hearts to Bert's front.")
    expect(page.locator("#p1-front")).to_have_value("6c 4d")
    expect(page.locator("#p2-front")).to_have_value("Ad Kd 6h")
    expect(key(page, "6h")).to_have_text("6B")
    # Undo brings the card back, and the pad returns to Bert's row.
    tap(page, "undo")
    expect(page.locator("#p1-front")).to_have_value("6h 6c 4d")
    tap(page, "Qs")
    expect(page.locator("#p2-front")).to_have_value("Ad Kd Qs")


def test_cards_are_lifted_put_elsewhere_exchanged_taken_off_and_brought_back(
    live_server: LiveServer, page: Page
) -> None:
    opened(page, live_server)
    front, middle, back = (page.locator(f"#p1-{name}") for name in ("front", "middle", "back"))
    tap(page, *cards("6h 6c 4d / Ts Tc"))
    # Two taps move a card to the end of another row.
    tiles(page, "p1-middle").first.tap()
    says(page, "Ten of spades selected")
    row(page, "p1-back").tap(position={"x": 300, "y": 20})
    expect(middle).to_have_value("Tc")
    expect(back).to_have_value("Ts")
    # Two cards change places.
    tiles(page, "p1-front").nth(1).tap()
    tiles(page, "p1-back").first.tap()
    expect(front).to_have_value("6h Ts 4d")
    expect(back).to_have_value("6c")
    # To replace a wrong card, lift it and tap the right one.
    tiles(page, "p1-front").nth(1).tap()
    tap(page, "6s")
    expect(front).to_have_value("6h 6s 4d")
    expect(key(page, "Ts")).to_have_text("10")
    # A lifted card can be put back, and taken off.
    tiles(page, "p1-front").first.tap()
    tiles(page, "p1-front").first.tap()
    expect(front).to_have_value("6h 6s 4d")
    tiles(page, "p1-front").first.tap()
    tap(page, "clear")
    expect(front).to_have_value("6s 4d")
    says(page, "Six of hearts removed from Anna's front.")
    tap(page, "clear")
    expect(front).to_have_value("")
    tap(page, "undo", "undo", "undo", "undo", "undo")
    for field, cards_now in ((front, "6h 6c 4d"), (middle, "Ts Tc"), (back, "")):
        expect(field).to_have_value(cards_now)
    # After a tap on a row, the next card goes to that row.
    row(page, "p1-back").tap(position={"x": 300, "y": 20})
    tap(page, "2c")
    expect(back).to_have_value("2c")


def test_cards_that_change_on_a_complete_board_leave_the_pad_where_it_is(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    tap(page, *cards(BOARDS["Anna"]))
    says(page, "Bert's front next.")
    page.get_by_role("button", name="Anna: all in").tap()
    # Two cards of Anna's are swapped, and the board stays legal. Then a card is replaced, and it fouls.
    tiles(page, "p1-front").last.tap()
    tiles(page, "p1-middle").last.tap()
    says(page, "Four of diamonds and eight of spades swapped.")
    expect(row(page, "p1-middle")).to_have_class(re.compile("active"))
    tiles(page, "p1-middle").first.tap()
    tap(page, "7h")
    says(page, "Anna: Foul.")
    expect(row(page, "p1-middle")).to_have_class(re.compile("active"))
    tiles(page, "p1-middle").first.tap()
    tap(page, "Ts")
    says(page, "Ten of spades.")
    # A board that is completed again moves on, also with its last card from another row.
    tiles(page, "p1-front").last.tap()
    tap(page, "clear", "Ks")
    says(page, "Bert's front next.")


def test_a_card_that_changes_once_everybody_is_in_settles_nothing_by_itself(
    live_server: LiveServer, page: Page
) -> None:
    opened(page, live_server)
    tap(page, *cards(BOARDS["Anna"]), *cards(BOARDS["Bert"]), *cards(BOARDS["Cleo"]))
    page.get_by_role("link", name="Edit").tap()
    tiles(page, "p1-front").last.tap()
    tap(page, "7h")
    says(page, "All cards in. Tap Done to see who pays whom.")
    tap(page, "done")
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()


def test_undo_opens_the_cards_of_the_hand_and_five_taps_settle_it_with_one_of_them_changed(
    live_server: LiveServer, page: Page
) -> None:
    session = started(hands=6)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    page.get_by_role("button", name="Undo").tap()
    says(page, "Hand 6 was undone. Its cards are entered again as hand 7.")
    expect(tiles(page, "p1-front")).to_have_count(3)
    # The pad opens at the first board.
    tiles(page, "p3-front").last.tap()
    tap(page, "5c", "done")
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    page.get_by_role("button", name="Settle hand 7").tap()
    expect(page).to_have_url(re.compile(r"/hands/7/$"))
    expect(page.get_by_role("table").filter(has_text="Totals now")).to_contain_text("Cleo")


def test_cards_are_dragged(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    tap(page, *cards("6h 6c 4d / Ts Tc"))

    def drag(start: str, end: str) -> None:
        page.locator(start).hover()
        page.mouse.down()
        box = page.locator(end).bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()

    drag("[aria-label='Ten of clubs']:not(.key)", "label[for=p1-back]")
    expect(page.locator("#p1-back")).to_have_value("Tc")
    drag("[aria-label='Six of clubs']:not(.key)", "[aria-label='Ten of spades']:not(.key)")
    expect(page.locator("#p1-front")).to_have_value("6h Ts 4d")
    drag("[aria-label='Six of hearts']:not(.key)", "[data-card='2c']")
    expect(page.locator("#p1-front")).to_have_value("Ts 4d")
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_sliding_finger_types_the_key_where_it_is_lifted(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    key(page, "As").hover()
    page.mouse.down()
    expect(key(page, "As")).to_have_class(re.compile(r"\bdown\b"))
    key(page, "Ks").hover()
    page.mouse.up()
    expect(page.locator("#p1-front")).to_have_value("Ks")


def test_done_goes_to_missing_rows_and_a_ruling_replaces_cards(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    tap(page, *cards(BOARDS["Anna"]), *cards(BOARDS["Bert"])[:-1], "done")
    says(page, "Bert's back: 1 more card.")
    tap(page, "7c", "done")
    says(page, "Cleo's front: 3 more cards.")
    tap(page, "text")
    expect(page.locator("#p3-front")).to_be_focused()
    page.locator("fieldset").last.locator("summary").click()
    page.get_by_label("Ruling on Cleo").select_option("dead")
    page.get_by_role("button", name="Card pad").tap()
    says(page, "All cards in. Tap Done")
    tap(page, "done")
    expect(page.get_by_text("Dead hand.")).to_be_visible()


def test_typed_cards_show_on_the_pad_and_tapped_cards_in_the_fields(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    tap(page, "Qs", "Qh", "text")
    expect(page.locator("#p1-front")).to_have_value("Qs Qh")
    page.locator("#p1-front").fill("10♠, qh 7D")
    page.locator("#p1-middle").fill("KK339")
    page.locator("#p1-back").fill("QQ88X")
    page.reload()
    page.get_by_role("button", name="Card pad").tap()
    expect(tiles(page, "p1-front")).to_have_count(3)
    expect(tiles(page, "p1-front").first).to_have_accessible_name("Ten of spades")
    expect(key(page, "Ts")).to_have_accessible_name("Ten of spades, in Anna's front")
    expect(row(page, "p1-back")).to_contain_text("QQ88X")


def test_letters_of_the_readers_language_show_as_cards_on_the_pad(live_server: LiveServer, page: Page) -> None:
    page.context.add_cookies([{"name": "language", "value": "ru", "url": live_server.url}])
    opened(page, live_server)
    tap(page, "text")
    page.locator("#p1-front").fill("ДД７")
    page.locator("#p1-middle").fill("КК ВВ А")
    page.locator("#p1-back").fill("ТТ987")
    page.locator("[data-act='pad']").tap()
    page.locator("[data-to='0']").tap()
    expect(tiles(page, "p1-front")).to_have_text(["Q", "Q", "7"])
    expect(tiles(page, "p1-middle")).to_have_text(["K", "K", "J", "J", "A"])
    expect(row(page, "p1-back")).to_contain_text("ТТ987")


def test_dictated_cards_show_on_the_pad(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    tap(page, "text")
    page.locator("#p1-front").fill("queen queen seven")
    expect(page.locator("#p1-front-named")).to_contain_text("Pair of Queens")
    page.locator("#p1-middle").fill("Ace of hearts, ace of clubs 4 of spades four of hearts Jack of clubs")
    expect(page.locator("#p1-middle-named")).to_contain_text("Two pair, Aces and Fours")
    page.locator("#p1-back").fill("king jack nine eight seven flush")
    page.get_by_role("button", name="Card pad").tap()
    page.locator("[data-to='0']").tap()
    expect(tiles(page, "p1-front")).to_have_text(["Q", "Q", "7"])
    expect(tiles(page, "p1-middle").first).to_have_accessible_name("Ace of hearts")
    expect(row(page, "p1-back").locator(".jump")).to_have_accessible_name(re.compile("seven, a flush$"))


def test_the_pad_is_there_at_first_sight(live_server: LiveServer, page: Page) -> None:
    page.add_init_script(
        "window.moved = 0;"
        "new PerformanceObserver((list) => list.getEntries().forEach((each) => { moved += each.value; }))"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    opened(page, live_server)
    tap(page, *cards(BOARDS["Anna"]))
    says(page, "Bert's front next.")
    assert page.evaluate("moved") < 0.02


def test_two_decks_count_down_and_six_players_fit(live_server: LiveServer, page: Page, look: Look) -> None:
    opened(page, live_server, "Anna Bert Arne Dragomir Émile Franziska-Theodora", rules="double-deck")
    expect(key(page, "Ah")).to_have_text("A2")
    tap(page, "Ah", "Ah", "Kc")
    expect(page.locator("#p1-front")).to_have_value("Ah Ah Kc")
    expect(key(page, "Kc")).to_have_text("K1")
    expect(key(page, "Ah")).to_have_text("AAn An")
    tap(page, "Ah")
    says(page, "The ace of hearts is in Anna's front.")
    players = page.locator("[data-pad=players]")
    expect(players.locator("[data-to]")).to_have_text(["Anna3/13", "B0/13", "Ar0/13", "D0/13", "É0/13", "F0/13"])
    page.locator("[data-to='5']").tap()
    expect(players).to_contain_text("Franziska-Theodora")
    look(page)


def test_turbo_ranks_only_and_flush(live_server: LiveServer, page: Page, look: Look) -> None:
    opened(page, live_server)
    page.get_by_text("Options").tap()
    page.get_by_label("Fast entry").tap()
    look(page)
    are_at_least(page.locator(".keys:not([hidden]) .key"), 66, 60)
    flush = key(page, "flush")
    tap(page, *"QQ7", *"AA44J")
    expect(flush).to_have_attribute("aria-disabled", "true")
    tap(page, *"KJ987")
    expect(flush).to_have_accessible_name("Flush: Anna's back")
    tap(page, "flush")
    expect(page.locator("#p1-back")).to_have_value("KJ987f")
    expect(key(page, "A")).to_have_text("A2")
    tap(page, *"K52", *"33962", *"789TJ")
    says(page, "Flush, if Bert's back is one.")
    tap(page, *"A94", *"TT358", *"AQ5")
    # All aces are used.
    tap(page, "A")
    says(page, "All four aces are used.")
    tap(page, *"32")
    # The last row may be a flush, so the pad waits for Flush or Done.
    expect(page.locator("#p3-back")).to_have_value("AQ532")
    expect(flush).to_have_accessible_name("Flush: Cleo's back")
    tap(page, "flush")
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    expect(page.get_by_text("Entered without suits")).to_have_count(3)
    look(page)


@pytest.mark.browser_context_args(viewport={"width": 1280, "height": 800}, has_touch=False, is_mobile=False)
def test_a_hand_by_keyboard_alone(live_server: LiveServer, page: Page) -> None:
    opened(page, live_server)
    expect(page.get_by_label("On a keyboard")).to_be_visible()
    expect(page.get_by_role("button", name="Anna's front: empty")).to_be_focused()
    press = page.keyboard.press

    def holds(**rows: str) -> None:
        for name, text in rows.items():
            expect(page.locator(f"#p1-{name}")).to_have_value(text)

    page.keyboard.type("6h6c4d10sTc9d")
    holds(front="6h 6c 4d", middle="Ts Tc 9d")
    press("Backspace")
    holds(middle="Ts Tc")
    # Left lifts the last card, and the next card typed takes its place.
    press("ArrowLeft")
    page.keyboard.type("8s")
    holds(middle="Ts 8s")
    press("u")
    holds(middle="Ts Tc")
    # Arrows and Space move a lifted card to another row.
    press("ArrowLeft")
    press("ArrowDown")
    press("Space")
    holds(middle="Ts", back="Tc")
    press("u")
    press("ArrowUp")
    press("Delete")
    holds(front="")
    press("Control+z")
    press("Enter")
    page.keyboard.type("9dQh8s3h3c3s2d2c")
    for name in ("Bert", "Cleo"):
        page.keyboard.type("".join(cards(BOARDS[name])))
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    assert len(read_settlement(page)) == 3
    # The pad's own keys are a single Tab stop, and arrows move between them.
    opened(page, live_server, "Dora Emil")
    page.locator(".keys:not([hidden]) .key").first.focus()
    for step in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        press(step)
    expect(key(page, "7s")).to_be_focused()
    press("Enter")
    expect(page.locator("#p1-front")).to_have_value(re.compile("7s$"))
