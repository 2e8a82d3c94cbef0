"""Every hand on paper, at the widths of its sheets."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring.game.entry import Entry
from scoring.models import Session
from tests.access.conftest import host
from tests.ledger.conftest import settle, start

# What is between the margins of a sheet, at 96 dots an inch.
WIDTHS = {"A4": 702, "Letter": 724}

WIDER = """() => [...document.querySelectorAll("#main *")]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1 && !part.closest(".visually-hidden"))
    .map((part) => part.outerHTML.slice(0, 100))"""

CROWDED = """() => [...document.querySelectorAll(".paper-boards article, .paper-pairs li, .paper td, .paper th")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.textContent.trim().slice(0, 100))"""


def crowded() -> Session:
    """One hand of eight players, one of them with the longest name, at points of six digits."""
    session = start(f"{'W' * 40} Ben Carla Dmitri Eleonora Frank Hannah Ines", rules="double-deck", stake=10_000)
    points = tuple((one, other, 123_456) for one in range(1, 9) for other in range(one + 1, 9))
    settle(session, Entry(points=points))
    return session


@pytest.mark.parametrize("size", WIDTHS)
def test_nothing_is_cut_off_at_eight_players(live_server: LiveServer, page: Page, size: str) -> None:
    session = crowded()
    keys = host(session).cookies["keys"].value
    page.context.add_cookies([{"name": "keys", "value": keys, "url": live_server.url}])
    page.set_viewport_size({"width": WIDTHS[size], "height": 1000})
    page.emulate_media(media="print")
    page.goto(f"{live_server.url}/s/{session.public_id}/record/hands/")
    assert page.evaluate(WIDER) == []
    assert page.evaluate(CROWDED) == []
    # Neither the way around the app nor what only a screen can use is on paper.
    for part in (".top", ".tabs", "[data-print]"):
        assert not page.locator(part).is_visible()


def test_the_button_prints(live_server: LiveServer, page: Page) -> None:
    session = crowded()
    keys = host(session).cookies["keys"].value
    page.context.add_cookies([{"name": "keys", "value": keys, "url": live_server.url}])
    page.add_init_script("window.print = () => { window.printed = true; }")
    page.goto(f"{live_server.url}/s/{session.public_id}/record/hands/")
    page.get_by_role("button", name="Print all hands").click()
    assert page.evaluate("window.printed") is True
