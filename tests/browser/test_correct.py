"""A settled hand is corrected by the form that the page holds."""

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import reads
from scoring.models import Revision
from tests.browser.conftest import Look
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, WEAK, entry, settle, start


def test_four_at_pineapple_correct_a_hand_in_which_the_button_sat_out(
    live_server: LiveServer, page: Page, look: Look
) -> None:
    session = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    _, table = reads.seating(session)
    assert table.lineup() == (1, 2, 3)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/hands/1/")
    page.get_by_role("link", name="Correct it").click()
    page.get_by_role("group", name="Ann").get_by_label("Front").fill("7s8d4c")
    page.get_by_text("Button and Fantasyland of this hand").click()
    expect(page.get_by_label("Who had the button")).to_have_value("4")
    look(page)
    page.get_by_role("button", name="Show what moves").click()
    expect(page.get_by_role("heading", name="Hand 1 would be")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Correct hand 1").click()
    expect(page.get_by_text("2. Corrected")).to_be_visible()
    corrected = Revision.objects.get(n=2)
    assert (corrected.button, corrected.entry["boards"]["1"]["front"]) == (4, "7s8d4c")
