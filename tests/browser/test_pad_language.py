"""A host changes the language in the middle of a hand, and nothing that was tapped or typed is lost."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.pad import BOARDS, CUT_LINE, cards, key, tap, tiles
from tests.browser.sights import Sight, see
from tests.browser.test_phone import started
from tests.browser.test_scripts_of_names import HEBREW, JUMPED
from tests.conftest import let_in


def change_language(page: Page, own_name: str) -> None:
    """As a person does it: by the link at the foot of a page or under a pad's options, back to where they came from."""
    options = page.locator(".padded .pad-menu > summary")
    if options.is_visible():
        options.tap()
        page.locator(".pad-menu [data-language]").tap()
    else:
        page.locator("[data-language]:visible").tap()
    page.wait_for_url("**/language/**")
    page.get_by_role("button", name=own_name).tap()
    page.wait_for_url(lambda url: "/language/" not in url)


def test_the_language_changes_in_the_middle_of_a_hand_and_no_card_is_lost(live_server: LiveServer, page: Page) -> None:
    session = started()
    let_in(page, live_server.url, session)
    at = f"{live_server.url}/s/{session.public_id}/"
    page.goto(f"{at}hand/")
    tap(page, *cards(BOARDS["Anna"]), *cards(BOARDS["Bert"])[:5])
    expect(tiles(page, "p2-middle")).to_have_count(2)
    page.goto(at)
    change_language(page, "Deutsch")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(f"{at}hand/")
    for field, count in {"p1-front": 3, "p1-middle": 5, "p1-back": 5, "p2-front": 3, "p2-middle": 2}.items():
        expect(tiles(page, field)).to_have_count(count)
    expect(page.locator("[data-pad=says]")).to_contain_text("Middle von Bert")
    # Once more, to and fro, with the hand half done.
    tap(page, *cards(BOARDS["Bert"])[5:])
    page.goto(at)
    change_language(page, "日本語")
    page.goto(f"{at}hand/")
    expect(tiles(page, "p2-back")).to_have_count(5)
    expect(page.locator("#p2-back-named")).not_to_be_empty()
    expect(page.locator("[data-pad=says]")).to_contain_text("Cleo")


@pytest.mark.parametrize(
    ("path", "fields"),
    [("hand/", "p1"), ("seat/1/", "p1"), ("/check/", "a"), ("hands/1/correct/", "p1")],
    ids=["hand", "own", "check", "correct"],
)
def test_the_options_of_every_pad_lead_to_the_languages_and_back_to_the_cards(
    live_server: LiveServer, page: Page, path: str, fields: str
) -> None:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    address = live_server.url + (path if path[0] == "/" else f"/s/{session.public_id}/{path}")
    page.goto(address)
    rows = [page.locator(f"#{fields}-{row}") for row in ("front", "middle", "back")]
    if "correct" in path:  # the hand was entered without suits
        tiles(page, "p1-front").last.tap()
        tap(page, "clear")
    else:
        tap(page, "Qs", "Qh", "7d", "Th")
    entered = [each.input_value() for each in rows]
    assert any(entered)
    before = page.locator(".keys:not([hidden])").bounding_box()
    change_language(page, "Deutsch")
    expect(page).to_have_url(address)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert [each.input_value() for each in rows] == entered
    assert page.locator(".keys:not([hidden])").bounding_box() == before
    page.locator(".pad-menu > summary").tap()
    for width, height in ((360, 640), (320, 454)):
        see(page, Sight(width, height))
        menu = page.locator(".pad-menu > div").bounding_box()
        assert menu
        assert menu["x"] >= 0
        assert menu["y"] + menu["height"] <= height


UNCOVERED = """key => {
    const { x, y } = key.getBoundingClientRect();
    return key.contains(document.elementFromPoint(x + 9, y + 3));
}"""
"""Whether a tap at the top of a key reaches it."""


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES])
def test_the_verdict_on_ones_own_foul_can_be_read_to_its_end(live_server: LiveServer, page: Page, tag: str) -> None:
    session = started()
    let_in(page, live_server.url, session)
    page.context.add_cookies([{"name": "language", "value": tag, "url": live_server.url}])
    page.goto(f"{live_server.url}/s/{session.public_id}/seat/3/")
    # Two pairs and a kicker take the most words.
    tap(page, "Qh", "Qd", "2d", *("Kh", "Kd", "8s", "8c", "9d"), *("Kc", "Ks", "7s", "7c", "Td"))
    line = page.locator("[data-pad=says]")
    expect(line).to_contain_text("R7")
    for width, height in ((375, 553), (320, 454), (360, 640), (412, 915)):
        see(page, Sight(width, height))
        assert line.evaluate(CUT_LINE) == 0, (width, height)
    # Whoever picks up a card needs the keys again.
    tiles(page, "p3-front").first.tap()
    expect(line).not_to_contain_text("R7")
    see(page, Sight(360, 640))
    assert key(page, "As").evaluate(UNCOVERED)


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES])
def test_a_name_from_right_to_left_leaves_the_pads_words_in_order(
    live_server: LiveServer, page: Page, tag: str
) -> None:
    name = HEBREW.split()[0]
    session = started(f"{name} Bert Cleo")
    let_in(page, live_server.url, session)
    page.context.add_cookies([{"name": "language", "value": tag, "url": live_server.url}])
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    line = page.locator("[data-pad=says]")
    said, jumped = [], {}

    def look() -> None:
        said.append(line.text_content() or "")
        if wrong := page.evaluate(JUMPED):
            jumped[said[-1]] = wrong

    look()
    for card in cards(BOARDS["Anna"])[:12]:
        tap(page, card)
        look()
    for used in (cards(BOARDS["Anna"])[0], "undo", "undo"):
        tap(page, used)
        look()
    assert sum(name in each for each in said) > 10
    assert jumped == {}


def test_the_big_screen_has_a_link_to_the_languages(live_server: LiveServer, page: Page) -> None:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/screen/")
    change_language(page, "Suomi")
    expect(page).to_have_url(re.compile("/screen/"))
    expect(page.locator("html")).to_have_attribute("lang", "fi")


def test_typed_rows_outlive_a_change_of_language(live_server: LiveServer, page: Page) -> None:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hand/")
    tap(page, "text")
    page.locator("#p1-front").fill("QQ7")
    page.locator("#p1-middle").fill("KK33")
    expect(page.locator("#p1-front-named")).not_to_be_empty()
    change_language(page, "Русский")
    expect(page).to_have_url(re.compile(r"/hand/"))
    expect(page.locator("#p1-front")).to_have_value("QQ7")
    expect(page.locator("#p1-middle")).to_have_value("KK33")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_what_stands_in_a_form_outlives_a_change_of_language(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/new/")
    names = page.locator("input[name^=name]")
    names.nth(0).fill("Väinö")
    names.nth(2).fill("Оля")
    page.locator("[name=stake]").fill("2.50")
    change_language(page, "Suomi")
    expect(page.locator("html")).to_have_attribute("lang", "fi")
    expect(names.nth(0)).to_have_value("Väinö")
    expect(names.nth(1)).to_have_value("")
    expect(names.nth(2)).to_have_value("Оля")
    expect(page.locator("[name=stake]")).to_have_value("2.50")
    # Whoever comes again later begins anew.
    page.goto(live_server.url)
    page.goto(f"{live_server.url}/new/")
    expect(names.nth(0)).to_have_value("")


def test_a_reason_outlives_a_change_of_language(live_server: LiveServer, page: Page) -> None:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/void/")
    note = page.locator("main form [name=note]").first
    note.fill("two cards were swapped")
    change_language(page, "Español")
    expect(note).to_have_value("two cards were swapped")


def test_a_page_whose_language_was_changed_in_another_tab_is_loaded_anew(live_server: LiveServer, page: Page) -> None:
    session = started(hands=1)
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/")
    page.context.add_cookies([{"name": "language", "value": "de", "url": live_server.url}])
    page.locator(f"a[href='/s/{session.public_id}/ledger/']").first.tap()
    expect(page).to_have_url(re.compile("/ledger/"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
