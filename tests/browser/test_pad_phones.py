"""Several phones enter one hand at once: who is done, whose board is hidden, and which phone came second."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring import drafts, reads
from scoring.access import links
from scoring.actions.people import SitIn, SitOut
from scoring.game.entry import Rows
from scoring.models import Deal, Draft, Session
from tests.browser.conftest import PATIENCE, Look, until
from tests.browser.pad import BOARDS, CUT_LINE, cards, comes_true, inside, key, open_in, row, says, tap, tiles
from tests.browser.test_fragments import held
from tests.browser.test_phone import started
from tests.conftest import let_in
from tests.ledger.conftest import act, remarked, settle

Phone = Callable[[Session], Page]


@pytest.fixture
def phone(live_server: LiveServer, browser: Browser) -> Iterator[Phone]:
    """Opens another phone, which has come in by the host's link."""
    opened: list[BrowserContext] = []

    def another(session: Session) -> Page:
        context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        let_in(page, live_server.url, session)
        return page

    yield another
    for context in opened:
        context.close()


def test_two_phones_enter_the_same_hand_at_once(live_server: LiveServer, page: Page, phone: Phone, look: Look) -> None:
    session = started()
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/hand/")
    bert = phone(session)
    # The link in a table's QR code asks its holder to pick a seat.
    _, secret = links.issue(club=session.club, session=session, role=links.Role.SCORER, key="table")
    bert.goto(f"{live_server.url}/l/{secret}")
    look(bert, "asked")  # because the phone holds a link already
    bert.get_by_role("button", name="Open link").tap()
    expect(bert.get_by_role("link", name="Bert")).to_be_visible()
    look(bert, "pick")
    bert.get_by_role("link", name="Bert").tap()
    expect(bert.get_by_label("How far everyone is")).to_contain_text("Anna –")
    # Both tap in turns, card by card.
    for annas_card, berts_card in zip(cards(BOARDS["Anna"]), cards(BOARDS["Bert"]), strict=True):
        tap(page, annas_card)
        tap(bert, berts_card)
    says(bert, "Your cards are in")
    look(bert, "done")
    expect(page.get_by_role("button", name="Bert: all in")).to_be_visible()
    expect(bert.get_by_label("How far everyone is")).to_contain_text("Anna Done ✓")
    # Bert's phone knows that Anna has this card. Bert may still place it, and then both players are warned.
    tiles(bert, "p2-front").last.tap()
    tap(bert, "6h")
    says(bert, "The six of hearts is in Anna's rows.")
    bert.get_by_role("button", name="Use the second one").tap()
    expect(bert.locator("#p2-front-named")).to_have_text("The six of hearts is also in Anna's front.")
    expect(page.locator("#p1-front-named")).to_have_text("The six of hearts is also in Bert's front.")
    says(bert, "Bert's front: The six of hearts is also in Anna's front.")
    says(page, "Anna's front: The six of hearts is also in Bert's front.")
    expect(page.locator(".pad-players .taken")).to_have_text(["AnnaTwice", "BertTwice"])
    look(bert, "twice")
    assert inside(bert.locator("#p2-front-named"), row(bert, "p2-front"))
    tap(bert, "undo")
    expect(page.locator("#p1-front-named")).to_contain_text("Pair of Sixes")
    expect(page.locator(".pad-players .taken")).to_have_count(0)
    # Bert's rows arrived by themselves, so the host goes on with Cleo.
    says(page, "Cleo's front: 3 more cards.")
    tap(page, *cards(BOARDS["Cleo"]))
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    # Bert's phone goes to the settlement by itself.
    expect(bert).to_have_url(re.compile(r"/hands/1/$"))
    expect(bert.get_by_role("link", name="My cards")).to_be_visible()
    assert Deal.objects.count() == 1
    assert not drafts.of(Session.objects.get())


@pytest.mark.parametrize("settles", ["Anna", "Bert", "Cleo", "the table", "the big screen"])
def test_three_phones_enter_their_own_rows_and_one_tap_leads_to_the_settlement(
    live_server: LiveServer, page: Page, phone: Phone, look: Look, settles: str
) -> None:
    session = started()
    at = f"{live_server.url}/s/{session.public_id}"
    phones = {name: phone(session) for name in (*BOARDS, "the table", "the big screen")}
    for seat, name in enumerate(("Anna", "Bert", "Cleo"), start=1):
        phones[name].goto(f"{at}/seat/{seat}/")
    phones["the table"].goto(f"{at}/")
    phones["the big screen"].goto(f"{at}/screen/")
    watching = [phones[name].locator("#main") for name in ("the table", "the big screen")]
    tap(phones["Cleo"], *cards(BOARDS["Cleo"]))  # a foul, which stays in view
    says(phones["Cleo"], "Foul. The front, a pair of Aces")
    for main in watching:
        expect(main).to_contain_text("1 of 3 players is in. Waiting for Anna and Bert. Cleo fouled.")
    tap(phones["Anna"], *cards(BOARDS["Anna"]))
    says(phones["Anna"], "Your cards are in (2 of 3 players). Waiting for Bert.")
    expect(phones["Anna"].get_by_label("How far everyone is")).to_contain_text("Cleo Foul")
    for each in phones.values():
        expect(each.get_by_text("See who pays whom")).to_have_count(0)
    tap(phones["Bert"], *cards(BOARDS["Bert"]))
    for name in ("Anna", "Bert"):
        says(phones[name], "Everyone is in.")
    for main in watching:
        expect(main).to_contain_text("Everyone is in. Cleo fouled.")
    # Every phone offers the settlement before one of them takes all the others there.
    ways = {name: each.get_by_text("See who pays whom").and_(each.locator(":visible")) for name, each in phones.items()}
    for way in ways.values():
        expect(way).to_have_count(1)
    settling = phones[settles]
    look(settling, "everyone is in")
    ways[settles].tap()
    expect(settling.get_by_text("Preview – not saved yet")).to_be_visible()
    settling.get_by_role("button", name="Settle hand 1").tap()
    for name in (*BOARDS, settles):
        expect(phones[name]).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.count() == 1


def test_a_players_cards_that_another_phone_settled_otherwise_are_shown_before_they_are_gone(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/2/")
    tap(page, *cards(BOARDS["Bert"])[:5])
    says(page, "Bert's middle, 2 of 5.")
    settle(session)
    expect(page.get_by_role("heading", name="Hand 1 has been settled")).to_be_visible()
    expect(page.get_by_text("Not saved:")).to_be_visible()
    expect(page.locator("main li").filter(has_text="Bert")).to_contain_text(cards(BOARDS["Bert"])[0])
    look(page)
    page.get_by_role("link", name="See hand 1 as it was settled").tap()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))


def test_rows_whose_answer_comes_after_the_hand_has_left_the_page_change_nothing_there(
    live_server: LiveServer, page: Page
) -> None:
    """Such an answer would put itself into a page that has taken the form's place, and the browser logs an error."""
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/2/")
    waiting = held(page, "/hand/2/$")
    tap(page, *cards(BOARDS["Bert"])[:5])
    until(page, lambda: bool(waiting))
    settle(session)
    expect(page.get_by_role("heading", name="Hand 1 has been settled")).to_be_visible()
    with page.expect_response(waiting[0].request.url) as answer:
        waiting[0].continue_()
    assert answer.value.headers["hx-retarget"] == "#main"
    page.get_by_role("link", name="See hand 1 as it was settled").tap()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))


def test_a_phone_that_may_not_settle_is_told_that_everyone_is_in(live_server: LiveServer, page: Page) -> None:
    session = started()
    seat = session.seats.get(number=1)
    _, secret = links.issue(club=session.club, session=session, role=links.Role.SCORER, key="anna", seat=seat)
    page.goto(f"{live_server.url}/l/{secret}")
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/1/")
    for number, name in ((2, "Bert"), (3, "Cleo")):
        rows = drafts.readable(Rows(*BOARDS[name].split("/")))
        drafts.keep(session=session, number=1, seat=number, rows=rows, base=0, device="another")
    tap(page, *cards(BOARDS["Anna"]))
    says(page, "Everyone is in.")
    expect(page.get_by_text("See who pays whom")).to_have_count(0)


def test_a_player_who_is_sat_out_with_cards_half_entered_gets_them_back_when_they_are_dealt_in_again(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = started()
    seat = session.seats.get(number=2)
    _, secret = links.issue(club=session.club, session=session, role=links.Role.SCORER, key="bert", seat=seat)
    page.goto(f"{live_server.url}/l/{secret}")
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/2/")
    berts = cards(BOARDS["Bert"])
    tap(page, *berts[:6])
    until(page, lambda: Draft.objects.filter(seat=seat).exists())
    page.route(re.compile("/hand/2/$"), lambda _: None, times=1)  # the rest never arrives
    tap(page, *berts[6:9])
    act(SitOut, session, seat=2)
    expect(page.get_by_role("heading", name="Bert sits out this hand")).to_be_visible()
    expect(page.get_by_text("They come back if Bert is dealt in again.")).to_be_visible()
    look(page, "sat out")
    act(SitIn, session, seat=2)
    expect(tiles(page, "p2-front")).to_have_count(3)
    expect(tiles(page, "p2-middle")).to_have_count(5)
    expect(tiles(page, "p2-back")).to_have_count(1)


def test_a_repeated_card_is_shown_at_both_players_until_one_changes_it(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(page, "6h", "6c", "4d")
    page.locator("[data-to='1']").tap()
    tap(page, "6h")
    page.locator("#p2-front").evaluate(
        "input => { input.value = '6h Kc 2d'; form = input.form.pad; form.rows[3].read(); }"
    )
    page.locator("#p2-front").dispatch_event("input")
    expect(page.locator(".pad-players .taken")).to_have_text(["AnnaTwice", "BertTwice"])
    tiles(page, "p2-front").first.tap()
    tap(page, "Kd")
    expect(page.locator(".pad-players .taken")).to_have_count(0)
    expect(page.locator("#p1-front-named")).to_contain_text("Pair of Sixes")


def test_a_foul_on_ones_own_phone_is_called_and_stays_called(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/3/")
    tap(page, *cards(BOARDS["Cleo"]))
    says(page, "Foul. The front, a pair of Aces")
    page.reload()
    says(page, "Foul. The front, a pair of Aces")


def test_rows_from_another_phone_appear_on_the_board_in_view(live_server: LiveServer, page: Page, phone: Phone) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    page.locator("[data-to='1']").tap()
    bert = phone(session)
    bert.goto(f"{live_server.url}/s/{session.public_id}/seat/2/")
    page.evaluate("document.addEventListener('htmx:afterRequest', () => { window.inserted = true; })")
    tap(bert, *cards(BOARDS["Bert"])[:3])
    expect(tiles(page, "p2-front")).to_have_count(3)
    comes_true(page, "window.inserted")  # htmx has finished
    expect(tiles(page, "p2-front")).to_have_count(3)
    expect(tiles(page, "p2-front").first).to_be_visible()


def test_the_pad_stays_if_the_user_returned_to_a_finished_board(
    live_server: LiveServer, page: Page, phone: Phone
) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(page, *cards(BOARDS["Anna"]))
    page.get_by_role("button", name="Anna: all in").tap()
    bert = phone(session)
    bert.goto(f"{live_server.url}/s/{session.public_id}/seat/2/")
    tap(bert, *cards(BOARDS["Bert"])[:3])
    expect(page.get_by_role("button", name="Bert: 3 of 13 cards")).to_be_visible()
    says(page, "Anna's front is full.")


def test_two_phones_that_disagree_still_do_after_a_reload(live_server: LiveServer, page: Page, phone: Phone) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/1/")
    other = phone(session)
    other.goto(f"{live_server.url}/s/{session.public_id}/seat/1/")
    tap(page, "6h", "6c")
    tap(other, "6h", "6c", "4d")
    expect(page.get_by_role("alert")).to_be_visible()
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Front 6h6c4d")
    page.get_by_role("button", name="Use other").tap()
    says(page, "Anna's middle: 5 more cards.")


@pytest.fixture
def offline(live_server: LiveServer, phone: Phone) -> tuple[Session, Page]:
    """A phone with an empty pad, which hears of nobody."""
    session = started()
    page = phone(session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    page.context.set_offline(True)
    return session, page


def test_rows_that_two_phones_tapped_in_another_order_are_nothing_to_choose_between(
    offline: tuple[Session, Page],
) -> None:
    session, page = offline
    tap(page, "6h", "6c", "4d")
    drafts.keep(session=session, number=1, seat=1, rows=Rows("4d 6c 6h"), base=0, device="other")
    page.context.set_offline(False)
    expect(page.locator("[name=p1-seen]")).to_have_value("4d 6c 6h//")
    here = page.url
    page.goto("about:blank")
    drafts.keep(session=session, number=1, seat=1, rows=Rows("4d 6c 6s"), base=1, device="other")
    page.goto(here)
    expect(page.locator("#p1-front")).to_have_value("4d 6c 6s")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert Draft.objects.get().unchosen == []


def test_a_ruling_that_another_phone_does_not_have_is_asked_about_again_after_a_reload(
    offline: tuple[Session, Page],
) -> None:
    session, page = offline
    tap(page, *cards(BOARDS["Anna"]))
    key(page, "text").tap()
    anna = page.locator("fieldset").first
    anna.get_by_text("Ruling", exact=True).click()
    page.get_by_label("Ruling on Anna").select_option("Dead hand")
    board = Rows(*BOARDS["Anna"].split("/"))
    drafts.keep(session=session, number=1, seat=1, rows=board, base=0, device="other")
    page.context.set_offline(False)
    for _ in range(2):
        expect(page.get_by_role("alert")).to_contain_text("Dead hand")
        page.reload()
    page.get_by_role("button", name="Use other").click()
    expect(page.get_by_label("Ruling on Anna")).to_have_value("")


def test_a_page_of_somebodys_own_cards_takes_no_ruling_back(live_server: LiveServer, page: Page) -> None:
    """It has no field for one, and the pad of the whole hand, which remembers the same rows, must not miss it."""
    session = started()
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/seat/1/")
    tap(page, *cards(BOARDS["Anna"]))
    until(page, lambda: Draft.objects.filter(done=True).exists())
    draft = Draft.objects.get()
    ruled = Rows(draft.front, draft.middle, draft.back, "dead")
    drafts.keep(session=session, number=1, seat=1, rows=ruled, base=draft.revision, device="other")
    board = Rows(*BOARDS["Bert"].split("/"))
    drafts.keep(session=session, number=1, seat=2, rows=board, base=0, device="other")
    expect(page.locator("[name=p1-rev]")).to_have_value(str(Draft.objects.get(seat__number=1).revision))
    page.goto(f"{at}/hand/")
    expect(page.get_by_label("Ruling on Anna")).to_have_value("dead")
    tap(page, *cards(BOARDS["Cleo"]))
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    assert Draft.objects.get(seat__number=1).ruling == "dead"


def test_a_page_of_somebodys_own_cards_keeps_what_this_phone_has_of_the_others(
    live_server: LiveServer, page: Page
) -> None:
    session = started()
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/hand/")
    tap(page, "6h", "6c")  # part of a row, which is on this phone alone
    page.goto(f"{at}/close/")
    expect(page.get_by_text("Some cards of hand 1 are entered.")).to_be_visible()
    page.goto(f"{at}/seat/2/")
    tap(page, "9s", "8s")
    page.goto(f"{at}/hand/")
    expect(page.locator("#p1-front")).to_have_value("6h 6c")
    expect(page.locator("#p2-front")).to_have_value("9s 8s")


def test_the_close_does_not_name_rows_that_another_phone_took_back(
    live_server: LiveServer, page: Page, phone: Phone
) -> None:
    """This phone remembers them, but not as its own."""
    session = started()
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/hand/")
    bert = phone(session)
    bert.goto(f"{at}/hand/")
    tap(bert, "9s", "8s", "7d")
    expect(page.locator("#p1-front")).to_have_value("9s 8s 7d")
    page.wait_for_function("Object.values(localStorage).some((each) => each.includes('9s 8s 7d'))")
    Draft.objects.update(front="", revision=2)
    page.goto(f"{at}/close/")
    expect(page.locator("[data-begun]")).to_have_count(1)
    expect(page.locator("[data-begun]")).to_be_hidden()


def test_the_second_of_two_phones_on_one_seat_is_told_and_chooses(
    live_server: LiveServer, page: Page, phone: Phone, look: Look
) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    other = phone(session)
    other.goto(f"{live_server.url}/s/{session.public_id}/seat/1/")
    tap(page, "6h", "6c")
    tap(other, "6h", "6c", "4d")
    expect(page.get_by_role("alert")).to_contain_text("Anna’s cards were entered on two phones.")
    expect(page.get_by_role("alert")).to_contain_text("Front 6h6c4d")
    expect(page.get_by_role("alert")).to_contain_text("Front 6h6c")
    look(page, "choose")
    tap(page, "4s")
    says(page, "Anna's cards were entered on two phones: choose.")
    assert Draft.objects.get().front == "6h 6c 4d"
    page.get_by_role("button", name="Keep mine").tap()
    expect(page.get_by_role("alert")).to_be_hidden()
    tap(page, "4s")
    # The other phone had nothing unsent, so its rows are replaced, and it is told.
    says(other, "Anna's rows were changed on another phone.")
    expect(other.locator("#p1-front")).to_have_value("6h 6c 4s")
    # Now the other phone comes second: it has an unsent card in the middle when five cards arrive.
    tap(other, "Tc")
    tap(page, "Ts", "Td", "9d", "Qh", "8s")
    expect(other.get_by_role("alert")).to_contain_text("Middle Tc")
    other.get_by_role("button", name="Use other").tap()
    expect(other.locator("#p1-middle")).to_have_value("Ts Td 9d Qh 8s")
    expect(key(other, "Tc")).to_have_text("10")


@pytest.fixture
def at_once(live_server: LiveServer, page: Page, phone: Phone) -> tuple[Session, Page]:
    """The page has Anna's first two cards of a hand. The other phone is hers, and has none yet."""
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    anna = phone(session)
    anna.goto(f"{live_server.url}/s/{session.public_id}/seat/1/")
    tap(page, "6h", "6c")
    return session, anna


def test_who_is_in_the_middle_of_a_board_finishes_it_before_they_choose(
    page: Page, at_once: tuple[Session, Page]
) -> None:
    """A card that is tapped meanwhile lies where it was meant to lie."""
    _, anna = at_once
    page.locator("[data-to='1']").tap()
    *most, last = cards(BOARDS["Bert"])
    tap(page, *most[:2])
    tap(anna, "6h", "6c", "4d")
    says(page, "Anna's cards were entered on two phones: choose. Bert's front: 1 more card.")
    expect(page.locator(".pad-players .taken")).to_have_text(["AnnaChoose"])
    tap(page, *most[2:])
    expect(page.locator("#p2-front")).to_have_value(" ".join(most[:3]))
    says(page, "Bert's back, 4 of 5.")
    # Now they are between two boards, so they choose. A card that is tapped all the same is not passed over in silence.
    tap(page, last)
    says(page, "Anna's cards were entered on two phones: choose.")
    tap(page, "4s")
    says(page, "Four of spades was not entered. Anna's cards were entered on two phones: choose.")
    page.get_by_role("button", name="Use other").tap()
    says(page, "Anna's middle: 5 more cards.")


def test_a_card_that_lay_twice_in_the_rows_that_were_not_chosen_lies_there_no_more(
    page: Page, at_once: tuple[Session, Page]
) -> None:
    _, anna = at_once
    page.locator("[data-to='1']").tap()
    tap(page, "Kc", "Qc", "2d")
    tap(anna, "6h", "6c", "Kc")
    expect(page.locator(".pad-players .taken")).to_have_text(["AnnaChoose", "BertTwice"])
    page.locator("[data-to='0']").tap()
    page.get_by_role("button", name="Keep mine").tap()
    expect(page.locator(".pad-players .taken")).to_have_count(0)
    says(page, "Anna's front: 1 more card.")


@pytest.mark.parametrize(("language", "width", "height"), [("ru", 360, 640), ("de", 360, 640), ("en", 320, 454)])
def test_a_choice_fits_the_pad_of_a_small_phone(
    page: Page, at_once: tuple[Session, Page], language: str, width: int, height: int
) -> None:
    _, anna = at_once
    page.set_viewport_size({"width": width, "height": height})
    open_in(page, language)
    tap(anna, "6h", "6c", "4d")
    shown = page.locator("[data-taken]")
    expect(shown).to_be_visible()
    expect(shown.locator("p").first).to_be_hidden()  # the pad's line says it
    expect(shown.locator("dd")).to_have_count(2)
    seen = page.evaluate(
        """() => [...document.querySelectorAll("[data-taken] :is(dt, dd, button)")].map(each => {
            const { left, top, width, height } = each.getBoundingClientRect();
            const on = document.elementFromPoint(left + width / 2, top + height - 2);
            return on === each && each.scrollWidth <= Math.ceil(width) && height < 50;
        })"""
    )
    assert seen == [True] * 6


@pytest.mark.parametrize(("language", "width", "height"), [("ru", 360, 640), ("en", 320, 454)])
def test_a_choice_between_three_rows_covers_neither_the_line_nor_the_keys(
    offline: tuple[Session, Page], language: str, width: int, height: int
) -> None:
    session, page = offline
    page.set_viewport_size({"width": width, "height": height})
    open_in(page, language)
    page.context.set_offline(True)
    tap(page, *cards(BOARDS["Anna"]))
    rows = Rows(*BOARDS["Cleo"].split("/"))
    drafts.keep(session=session, number=1, seat=1, rows=rows, base=0, device="other")
    page.context.set_offline(False)
    shown = page.locator("[data-taken]")
    expect(shown).to_be_visible()
    assert page.locator("[data-pad=says]").evaluate(CUT_LINE) == 0
    shown.evaluate("each => each.scrollTo(0, each.scrollHeight)")
    assert page.evaluate(
        """() => document.querySelector("[data-taken] dl").getBoundingClientRect().bottom
            <= document.querySelector("[data-taken] .buttons").getBoundingClientRect().top"""
    )
    for each in (key(page, "As"), key(page, "Ks"), shown.locator("button").first, shown.locator("button").last):
        each.tap(trial=True)


def test_the_first_of_two_phones_hears_that_somebody_has_yet_to_choose_on_the_second(
    page: Page, at_once: tuple[Session, Page], look: Look
) -> None:
    _, anna = at_once
    front, *rest = (cards(row) for row in BOARDS["Anna"].split("/"))
    anna.context.set_offline(True)
    tap(anna, "6h", "6c", "4s")
    tap(page, front[2])
    until(page, lambda: Draft.objects.filter(front="6h 6c 4d").exists())
    anna.context.set_offline(False)
    expect(anna.get_by_role("alert")).to_contain_text("Anna’s cards were entered on two phones.")
    differs = "Another phone has something else for Anna: Front 6h6c4s."
    says(page, f"{differs} Anna's middle: 5 more cards.")
    expect(page.locator(".pad-players .taken")).to_have_text(["AnnaDiffers"])
    look(page, "differs")
    tap(page, *rest[0], *rest[1], *cards(BOARDS["Bert"]), *cards(BOARDS["Cleo"]))
    expect(page.get_by_role("alert")).to_contain_text("Look at the cards before you settle.")
    look(page, "preview of what was entered on two phones")
    anna.get_by_role("button", name="Use other").tap()
    expect(anna.get_by_role("alert")).to_be_hidden()
    page.reload()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_an_open_preview_settles_no_cards_that_another_phone_has_changed(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    for name in ("Anna", "Bert", "Cleo"):
        tap(page, *cards(BOARDS[name]))
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    until(page, lambda: Draft.objects.filter(done=True).count() == 3)
    draft = Draft.objects.get(seat__number=1)
    rows = Rows("6h 6c 7h", draft.middle, draft.back)
    drafts.keep(session=session, number=1, seat=1, rows=rows, base=draft.revision, device="hers")
    page.get_by_role("button", name="Settle hand 1").tap()
    expect(page.get_by_role("alert")).to_contain_text("Not settled yet. Another phone has changed the cards of Anna.")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    look(page, "overtaken")
    assert not Deal.objects.exists()
    page.get_by_role("button", name="Settle hand 1").tap()
    page.wait_for_url("**/hands/1/")
    stored = reads.stored_deal(Deal.objects.get())
    assert stored
    assert stored.entry.boards[1].front == "6h 6c 7h"


def test_a_hand_that_is_settled_before_somebody_has_chosen_says_whose_cards_to_check(
    page: Page, at_once: tuple[Session, Page]
) -> None:
    session, anna = at_once
    tap(anna, "6h", "6c", "4d")
    says(page, "Anna's cards were entered on two phones: choose.")
    settle(session)
    told = "Hand 1 was settled on another phone. Check Anna's cards there: this phone had others. See hand 1"
    expect(page.locator("#live .news")).to_have_text(told)
    # Anna's phone says so, or shows their cards once more if by then it asks only what has become of them.
    anna.wait_for_function("""() => document.querySelector("h1").textContent.trim() === "Hand 1 has been settled" ||
        document.querySelector("#live .news")?.textContent === "Hand 1 was settled on another phone. See hand 1" """)


def test_a_fantasyland_board_shows_only_that_it_is_done(live_server: LiveServer, page: Page, phone: Phone) -> None:
    session = started(hands=1)  # Anna enters Fantasyland with queens
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/hand/")
    anna = phone(session)
    anna.goto(f"{at}/seat/1/")
    tap(anna, *cards(BOARDS["Anna"]))
    expect(page.get_by_role("button", name="Anna, Fantasyland 13 cards: all in")).to_be_visible()
    page.locator("[data-to='0']").tap()
    expect(page.get_by_text("Anna is in Fantasyland, on another phone: done.")).to_be_visible()
    form_html = page.locator("form").inner_html().replace('data-card="6h"', "")
    assert not re.search(r"\b6h\b", form_html)  # a token may contain the letters 6h
    # Everybody else is entered here. With the last card Anna's rows appear, and the settlement opens.
    page.locator("[data-to='1']").tap()
    tap(page, *cards(BOARDS["Bert"]), *cards(BOARDS["Cleo"]))
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    expect(page.locator(".board").first).to_contain_text("Pair of Sixes")


def test_a_fantasyland_board_that_is_changed_after_an_undo_waits_for_somebody_to_show_it(
    live_server: LiveServer, page: Page, phone: Phone, look: Look
) -> None:
    """The cards of the undone hand lie there, and it may be that hand or another that Anna enters."""
    session = started(hands=2)  # Anna enters Fantasyland, and plays it
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/")
    page.get_by_role("button", name="Undo hand 2").tap()
    says(page, "Hand 2 was undone. Its cards are entered again as hand 3.")
    anna = phone(session)
    anna.goto(f"{at}/seat/1/")
    tap(anna, "clear", "9h", "9d", "Kc")
    expect(page.get_by_role("button", name="Anna, Fantasyland 13 cards: all in")).to_be_visible()
    expect(page.locator("#p1-board")).to_have_attribute("data-away", "undone")
    tap(page, "done")
    says(page, "Anna is in Fantasyland, on another phone: done.")
    expect(page.get_by_text("Show Anna’s cards only if you are entering hand 2 again.")).to_be_visible()
    look(page, "withheld")
    page.get_by_role("button", name="Show the cards").tap()
    expect(page.locator(".board").first).to_contain_text("Pair of Nines")
    page.get_by_role("button", name="Settle hand 3").tap()
    page.wait_for_url("**/hands/3/")
    assert remarked(session.events.get(verb="settle", deal=3)) == "Other cards than in hand 2, which was undone: Anna."


def test_the_cards_of_a_hand_that_counts_again_after_an_undo_are_not_put_into_the_next_one(
    live_server: LiveServer, page: Page, phone: Phone
) -> None:
    """A phone that had the pad open in between keeps a copy of what lay there."""
    session = started(hands=1)
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/")
    page.get_by_role("button", name="Undo hand 1").tap()
    says(page, "Hand 1 was undone. Its cards are entered again as hand 2.")
    expect(tiles(page, "p1-front")).to_have_count(3)
    page.get_by_role("link", name="Back to the table").tap()
    other = phone(session)
    other.goto(f"{at}/hands/1/restore/")
    other.get_by_role("button", name="Restore hand 1").tap()
    other.wait_for_url("**/hands/1/")
    page.goto(f"{at}/hand/")
    says(page, "Anna's front: 3 more cards.")
    expect(tiles(page, "p1-front")).to_have_count(0)


def test_a_player_in_fantasyland_who_reloads_after_another_phone_entered_their_board_is_asked(
    live_server: LiveServer, page: Page, phone: Phone, look: Look
) -> None:
    session = started(hands=1)  # Anna enters Fantasyland
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    anna = phone(session)
    anna.goto(f"{at}/seat/1/")
    tap(anna, *cards(BOARDS["Anna"]))
    says(anna, "Your cards are in")
    anna.goto(f"{at}/")
    page.goto(f"{at}/hand/")
    page.locator("[data-to='0']").tap()
    page.get_by_role("button", name="Enter them here").tap()
    expect(page.locator("#p1-board")).not_to_have_attribute("data-away", "done")
    tap(page, "2c", "2d", "2h")
    until(page, lambda: Draft.objects.get(seat__number=1).front == "2c 2d 2h")
    anna.goto(f"{at}/seat/1/")
    expect(anna.get_by_role("alert")).to_contain_text("Other phone3 of 13, hidden")
    look(anna, "asked")
    anna.get_by_role("button", name="Keep mine").tap()
    says(anna, "Your cards are in")
    assert Draft.objects.get(seat__number=1).done


def with_twelve_cards_in_fantasyland(url: str, page: Page, phone: Phone) -> str:
    """Opens the pad of a hand of which Anna's phone has all cards but one, hidden. Returns the pad's address."""
    session = started(hands=1)  # Anna enters Fantasyland
    at = f"{url}/s/{session.public_id}"
    let_in(page, url, session)
    anna = phone(session)
    anna.goto(f"{at}/seat/1/")
    tap(anna, *cards(BOARDS["Anna"])[:12])
    page.goto(f"{at}/hand/")
    expect(page.get_by_role("button", name="Anna, Fantasyland 13 cards: 12 of 13")).to_be_visible()
    return f"{at}/hand/"


def test_a_hidden_board_that_lacks_a_card_is_shown_once_everybody_else_is_in_and_settles_nothing(
    live_server: LiveServer, page: Page, phone: Phone
) -> None:
    at = with_twelve_cards_in_fantasyland(live_server.url, page, phone)
    tap(page, *cards(BOARDS["Bert"]), *cards(BOARDS["Cleo"]))
    expect(page.locator("#p1-board")).not_to_have_attribute("data-away", re.compile("."))
    page.locator("[data-to='0']").tap()
    says(page, "Anna's back: 1 more card.")
    expect(page.get_by_text("Please fix")).to_have_count(0)
    assert page.url == at
    tap(page, cards(BOARDS["Anna"])[12])
    expect(page.get_by_role("button", name="Settle hand 2")).to_be_visible()


def test_a_hidden_board_is_entered_here_at_the_first_press_although_everybody_else_is_in(
    live_server: LiveServer, page: Page, phone: Phone
) -> None:
    """Bert has one of its cards, so it stays hidden. The pad waits for it, but not for an empty one."""
    at = with_twelve_cards_in_fantasyland(live_server.url, page, phone)
    tap(page, *cards(BOARDS["Bert"])[:12], cards(BOARDS["Anna"])[0], *cards(BOARDS["Cleo"]))
    expect(page.get_by_text("Anna’s Fantasyland stays hidden: some card is on the table twice.")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollHeight") == 740  # no key is below the edge
    page.locator("[data-to='0']").tap()
    page.get_by_role("button", name="Enter them here").tap()
    expect(page.locator("#p1-board")).not_to_have_attribute("data-away", re.compile("."))
    tap(page, *cards(BOARDS["Anna"])[1:3])
    expect(tiles(page, "p1-front")).to_have_count(2)
    expect(page.get_by_text("Please fix")).to_have_count(0)
    assert page.url == at


def test_leaving_the_page_still_sends_all_rows(live_server: LiveServer, page: Page, phone: Phone) -> None:
    session = started()
    at = f"{live_server.url}/s/{session.public_id}"
    let_in(page, live_server.url, session)
    page.goto(f"{at}/hand/")
    cleo = phone(session)
    cleo.goto(f"{at}/seat/3/")

    requests: list[Route] = []  # the first request is never answered

    def hold(route: Route) -> None:
        requests.append(route)

    cleo.route(re.compile("/hand/3/$"), hold, times=1)
    tap(cleo, *cards(BOARDS["Cleo"])[:3])
    until(cleo, lambda: bool(requests))
    tap(cleo, *cards(BOARDS["Cleo"])[3:8])
    cleo.get_by_role("link", name="Back to the table").tap()
    expect(page.get_by_role("button", name="Cleo, has the button: 8 of 13")).to_be_visible()


def test_another_phone_finds_the_rows_on_the_server(live_server: LiveServer, page: Page, phone: Phone) -> None:
    """If a phone's battery dies, another phone finds every complete row."""
    session = started()
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(page, *cards(BOARDS["Anna"]), *cards(BOARDS["Bert"])[:4])
    expect(page.locator("#p2-front-named")).to_contain_text("Ace high")
    page.close()
    next_phone = phone(session)
    next_phone.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    says(next_phone, "Bert's middle: 4 more cards.")
    watching = phone(session)
    watching.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(next_phone, *cards(BOARDS["Bert"])[4:], *cards(BOARDS["Cleo"]))
    expect(next_phone.get_by_text("Preview – not saved yet")).to_be_visible()
    # The last rows arrive, too, although they are sent after the request for the settlement.
    expect(watching.get_by_role("button", name="Cleo, has the button: fouled")).to_be_visible()
