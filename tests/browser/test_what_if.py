"""An evening settled again on a phone: choose, compare, open a hand, and go back."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.exports import making
from scoring.game.entry import Entry
from scoring.views.club import what_if
from tests.browser.conftest import Look
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, entry, settle, start


def test_rules_are_compared_on_a_phone(live_server: LiveServer, page: Page, look: Look) -> None:
    session = start()
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    page.get_by_role("link", name="What if?").click()
    here = f"{live_server.url}/s/{session.public_id}/what-if/"
    expect(page).to_have_url(here)
    look(page, "asks")

    page.get_by_label("Scoring").first.select_option("2-4")
    page.get_by_label("Royalty chart").first.select_option("flat-20")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page).to_have_url(f"{here}?preset=regular&scoring=2-4&royalties=flat-20")
    expect(page.get_by_text("2 of 2 hands differ.")).to_be_visible()
    look(page, "compares")

    page.get_by_role("link", name="1", exact=True).click()
    expect(page.get_by_role("heading", name="Hand 1, what if?")).to_be_visible()
    expect(page.get_by_text("Differs: the bonus and royalties.")).to_be_visible()
    look(page)
    page.get_by_role("link", name="What if?").click()
    expect(page.get_by_text("2 of 2 hands differ.")).to_be_visible()

    page.get_by_text("All choices").click()
    page.get_by_label("Foul", exact=True).check()
    page.get_by_role("button", name="Compare these rules").click()
    expect(page).to_have_url(f"{here}?preset=regular&scoring=2-4&row_order=strict&royalties=flat-20")
    page.go_back()
    expect(page).to_have_url(f"{here}?preset=regular&scoring=2-4&royalties=flat-20")
    expect(page.get_by_label("Scoring").first).to_have_value("2-4")


def test_a_clubs_year_is_compared_on_a_phone(
    live_server: LiveServer, page: Page, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = start()
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    yen = start("Ann Dan", club=session.club, currency="JPY", minor_digits=0, stake=99_999)
    settle(yen, Entry(points=((1, 2, 999_999),)))
    let_in(page, live_server.url, session)
    page.goto(f"{live_server.url}/c/{session.club.public_id}/standings/")
    page.get_by_role("link", name="What if, by other rules?").click()
    here = f"{live_server.url}/c/{session.club.public_id}/what-if/"
    expect(page).to_have_url(here)
    look(page, "asks")

    monkeypatch.setattr(what_if, "_found", lambda *_: making.Making("A" * 16, Path(), Future(), 43))
    page.route(f"{here}**", _stays)
    page.get_by_label("Scoring").first.select_option("2-4")
    page.get_by_label("Year").select_option(str(session.opened_at.year))
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "43")
    look(page, "waits")
    page.unroute(f"{here}**")
    page.reload()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "43")
    monkeypatch.undo()

    query = f"?preset=regular&scoring=2-4&year={session.opened_at.year}"
    expect(page).to_have_url(f"{here}{query}&export={'A' * 16}")  # it looks again by itself
    expect(page.get_by_role("heading", name=f"{session.opened_at.year}, in EUR")).to_be_visible()
    expect(page.get_by_text("2 of 3 hands differ.")).to_be_visible()
    look(page, "compares")
    page.get_by_role("link", name="Settle them again").click()
    expect(page).to_have_url(f"{here}{query}")

    page.get_by_role("link", name="2 of 2 hands differ").click()
    expect(page).to_have_url(f"{live_server.url}/s/{session.public_id}/what-if/?preset=regular&scoring=2-4")
    page.get_by_role("link", name="1", exact=True).click()
    expect(page.get_by_role("heading", name="Hand 1, what if?")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Hands that differ")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(f"{here}{query}")
    expect(page.get_by_text("2 of 3 hands differ.")).to_be_visible()


def _stays(route: Route) -> None:
    """Answer as the server does, but let the page not look again by itself while a test looks at it."""
    answer = route.fetch()
    headers = {name: value for name, value in answer.headers.items() if name != "refresh"}
    route.fulfill(response=answer, headers=headers)
