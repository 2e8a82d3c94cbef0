"""A settled hand is corrected by the form that the page holds."""

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import reads
from scoring.models import Revision
from tests.browser.conftest import Look
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, WEAK, entry, settle, start
from tests.ledger.test_evenings import typed


def test_four_at_pineapple_correct_a_hand_in_which_the_button_sat_out(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    _, table = reads.seating(session)
    assert table.lineup() == (1, 2, 3)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    page.get_by_role("link", name="Correct hand 1").click()
    page.get_by_role("group", name="Ann").get_by_label("Front").fill("7s8d4c")
    page.get_by_text("Rulings, button & Fantasyland in this hand").click()
    expect(page.get_by_text("Dan had the button and sat out.")).to_be_visible()
    expect(page.get_by_label("Who had the button")).to_have_count(0)
    look(page)
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="Hand 1 after the change")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Correct hand 1").click()
    expect(page.get_by_text("2. Corrected")).to_be_visible()
    corrected = Revision.objects.get(n=2)
    assert (corrected.button, corrected.entry["boards"]["1"]["front"]) == (4, "7s8d4c")


def test_the_host_is_asked_about_a_later_hand_before_a_correction_changes_it(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = start("Anna Ben Carla")
    settle(session, typed(s1="QJ7 / AA44J / 89TJQ", s2="J73 / 55KT3 / 99A62", s3="T42 / 22KQ8 / KK653"))
    settle(session, typed(s1="KK2 / AA339 / TTT88", s2="965 / 66J87 / 99A62", s3="J75 / 44QJ7 / QQ5K4"))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/correct/")
    page.get_by_role("group", name="Anna").get_by_label("Front").fill("QQ7")
    page.get_by_label("Reason in your own words").fill("Queens")
    page.get_by_role("button", name="Preview changes").click()
    hand_2 = page.get_by_role("group", name="Hand 2")
    expect(hand_2.get_by_label("As dealt")).to_be_checked()
    expect(page.get_by_text("Hand 2: Anna did not get the Fantasyland they were due.")).to_be_visible()
    look(page)
    hand_2.get_by_text("Anna was in Fantasyland").click()
    page.get_by_role("button", name="Correct hand 1").click()
    expect(page.get_by_text("Hand 3: Anna is no longer due Fantasyland.")).to_be_visible()
    look(page)
    hand_2.get_by_text("As dealt", exact=True).click()
    page.get_by_role("button", name="Show what my choice changes").click()
    expect(page.get_by_text("Hand 2: Anna did not get the Fantasyland they were due.")).to_be_visible()
    page.get_by_role("button", name="Correct hand 1").click()
    expect(page.get_by_role("button", name="Give Anna Fantasyland in hand 3")).to_have_count(0)
    assert reads.state(session).table.fantasyland == {1: 13}


def test_a_reason_typed_beside_the_preview_survives_another_look_at_the_cards(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = start("Anna Ben Carla")
    settle(session, typed(s1="QJ7 / AA44J / 89TJQ", s2="J73 / 55KT3 / 99A62", s3="T42 / 22KQ8 / KK653"))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/correct/")
    anna = page.get_by_role("group", name="Anna")
    anna.get_by_label("Front").fill("877")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="Hand 1 after the change")).to_be_visible()
    page.get_by_label("Reason in your own words").fill("misread")
    page.get_by_role("button", name="Edit cards").click()
    expect(page.get_by_label("Reason in your own words")).to_have_value("misread")
    expect(anna.get_by_label("Front")).to_have_value("877")
    anna.get_by_label("Front").fill("876")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="Hand 1 after the change")).to_be_visible()
    look(page)
    page.get_by_label("Reason in your own words").press("Enter")  # presses the button that records
    expect(page.get_by_text("2. Corrected")).to_be_visible()
    corrected = Revision.objects.get(deal__number=1, n=2)
    assert (corrected.entry["boards"]["1"]["front"], corrected.event.note) == ("876", "misread")
