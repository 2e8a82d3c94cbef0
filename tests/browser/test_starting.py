"""From the last evening to the next hand in few taps, and from a host's phone to another."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.access import links
from scoring.ledger import audit
from scoring.models import Session
from scoring.rules.houserules import PRESETS
from tests.access.conftest import issue
from tests.browser.conftest import PHONES, Look
from tests.ledger.conftest import settle, start, table


class Thumb:
    """Taps, and counts them."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1


@pytest.fixture
def played(live_server: LiveServer, page: Page) -> Session:
    """An evening that was played, in the host's browser."""
    session = start(stake=250, pair_stakes=[(1, 3, 1000)], rules="cardplayer", buy_in=50_000)
    settle(session)
    page.goto(f"{live_server.url}/l/{issue(session, links.Role.HOST)[1]}")
    page.goto(live_server.url)
    return session


def test_the_folded_house_rules_say_which_are_chosen(live_server: LiveServer, page: Page, played: Session) -> None:
    page.goto(f"{live_server.url}/new/")
    folded = page.locator("summary", has_text="House rules")
    expect(folded.locator("small")).to_have_text("Regular")
    folded.click()
    page.get_by_role("radio", name="Pineapple").first.check()
    folded.click()
    expect(folded.locator("small")).to_have_text("Pineapple")
    # A browser that brings back what was chosen changes no field that a script hears of.
    page.goto(f"{live_server.url}/check/")
    page.go_back()
    kept = page.locator("[name=rules]:checked + span").first.text_content()
    assert kept
    expect(folded.locator("small")).to_have_text(kept)


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without"])
def test_an_evening_with_one_player_changed_starts_in_six_taps_and_one_name(
    live_server: LiveServer, browser: Browser, javascript: bool
) -> None:
    session = start(stake=250, pair_stakes=[(1, 3, 1000)], rules="cardplayer", buy_in=50_000)
    settle(session)
    with browser.new_context(viewport={"width": 360, "height": 740}, java_script_enabled=javascript) as context:
        page, thumb = context.new_page(), Thumb()
        page.goto(f"{live_server.url}/l/{issue(session, links.Role.HOST)[1]}")
        page.goto(live_server.url)
        thumb.tap(page.get_by_role("link", name="With changes"))
        name = page.get_by_label("Seat 2", exact=True)
        thumb.tap(name)
        name.fill("Dan")  # the one name that is typed
        thumb.tap(page.get_by_role("button", name="Start game"))
        expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    now = Session.objects.latest("pk")
    after = table(now)
    assert [chair.name for chair in after.chairs] == ["Ann", "Dan", "Cat"]
    assert (after.stake, dict(after.pair_stakes), after.rules) == (250, {(1, 3): 1000}, PRESETS["cardplayer"])
    assert after.stacks == {1: 50_000, 2: 50_000, 3: 50_000}
    assert now.club == session.club
    assert thumb.taps <= 6
    assert [str(finding) for finding in audit.of_everything()] == []


def test_the_same_again_is_one_tap(played: Session, page: Page, look: Look) -> None:
    look(page, "a host who returns")
    page.get_by_role("button", name="Same as last time").click()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert table(Session.objects.latest("pk")).stacks == {1: 50_000, 2: 50_000, 3: 50_000}


@pytest.mark.parametrize("place", ["", "screen/"])
def test_a_phone_joins_by_a_code_that_is_one_tap_away(
    live_server: LiveServer, played: Session, page: Page, browser: Browser, place: str
) -> None:
    page.goto(f"{live_server.url}/s/{played.public_id}/{place}")
    page.get_by_role("button", name="Show QR to join").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    address = page.get_by_label("Scan or share it now").input_value()
    assert address.startswith(f"http://{PHONES}:")
    with browser.new_context() as context:
        guest = context.new_page()
        guest.goto(address)
        expect(guest.get_by_role("heading", name=re.compile("Which"))).to_be_visible()
    page.get_by_role("link", name="Done").click()
    page.wait_for_url(f"{live_server.url}/s/{played.public_id}/{place}")
    expect(page.get_by_role("button", name="Show QR to watch")).to_be_visible()


def test_everybody_buys_in_by_one_amount(live_server: LiveServer, page: Page, look: Look) -> None:
    session = start()
    page.goto(f"{live_server.url}/l/{issue(session, links.Role.HOST)[1]}")
    page.goto(f"{live_server.url}/s/{session.public_id}/chips/")
    look(page, "on credit")
    page.get_by_label("Amount").fill("50")
    page.get_by_role("button", name="Buy in").click()
    expect(page.locator(".choice", has_text="Cat")).to_contain_text("50.00")
    assert table(session).stacks == {1: 5000, 2: 5000, 3: 5000}


def test_where_the_middle_is_2_7_nothing_is_asked_that_has_no_effect(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    page.goto(f"{live_server.url}/new/")
    page.locator("summary", has_text="House rules").click()
    page.get_by_role("radio", name=re.compile("^Progressive Pineapple")).check()
    page.get_by_role("button", name="Change single rules").click()
    asked, said = page.get_by_text("Progressive cards?"), page.get_by_text("7-5-4-3-2 in the middle enters, too.")
    expect(asked).to_be_visible()
    expect(said).to_be_hidden()
    page.locator("[name=middle][value='2-7']").check()
    expect(asked).to_be_hidden()
    expect(said).to_be_visible()
    look(page, "rule by rule")
    page.get_by_role("radio", name=re.compile("^Double deck")).check()
    expect(said).to_be_hidden()


def test_a_blank_stake_of_a_pair_shows_the_one_above_as_it_is_now(
    live_server: LiveServer, page: Page, played: Session
) -> None:
    for path, pair in (("/new/", "Seat 1 and Seat 2"), (f"/s/{played.public_id}/stakes/", "Ann and Bob")):
        page.goto(live_server.url + path)
        page.locator("details", has_text="Different stakes").evaluate_all(
            "all => all.forEach(each => each.open = true)"
        )
        page.get_by_label("Stake per point").fill("2.50")
        expect(page.get_by_label(pair, exact=True)).to_have_attribute("placeholder", "2.50")
        page.get_by_label("Stake per point").fill("")
        expect(page.get_by_label(pair, exact=True)).to_have_attribute("placeholder", "–")


def test_enter_in_a_name_starts_the_game_and_moves_no_seat(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/new/")
    page.get_by_label("Seat 1", exact=True).fill("Ann")
    page.get_by_label("Seat 1", exact=True).press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()  # nobody plays alone
    expect(page.get_by_label("Seat 1", exact=True)).to_have_value("Ann")
    page.get_by_label("Seat 2", exact=True).fill("Bob")
    page.get_by_label("Seat 2", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert [chair.name for chair in table(Session.objects.get()).chairs] == ["Ann", "Bob"]
