"""A phone's browser, and the checks that every page must pass."""

import time
from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import Page, expect

from ofcscore import network
from tests.browser.sights import MATTER_OF_COLOUR

Look = Callable[..., None]
"""Checks a page. The optional second argument names the state that the page is in."""


@pytest.fixture(scope="session")
def axe() -> Axe:
    return Axe()


PATIENCE = 45_000
"""Milliseconds to wait for a page before a test fails, generous for busy machines. `make bench` measures real speed."""

expect.set_options(timeout=PATIENCE)


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until this holds, at most `PATIENCE`. Meanwhile the test hears what the browser tells Playwright."""
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


@pytest.fixture(autouse=True)
def local_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the one address at which the tests' server listens stand for that by which a local network reaches it."""
    monkeypatch.setattr(network, "addresses", lambda: [PHONES])


PHONES = "127.0.0.1"
"""Where links lead other phones. The host's browser in these tests came by another name, localhost."""


@pytest.fixture(autouse=True)
def impatience(page: Page) -> None:
    """Let a test that waits in vain fail after `PATIENCE`."""
    page.set_default_timeout(PATIENCE)


@pytest.fixture(autouse=True)
def by_text(page: Page, request: pytest.FixtureRequest) -> None:
    """Turn the card pad off, except in the tests of the pad."""
    if not request.path.stem.startswith("test_pad"):
        page.add_init_script("try { localStorage.setItem('pad', 'off') } catch { /* a page without storage */ }")


@pytest.fixture
def look(axe: Axe, request: pytest.FixtureRequest) -> Look:
    """Check that the page does not scroll sideways, and that axe finds nothing in light or dark colours.

    An address is checked again in the same test only if its title or the given ``state`` differs. What colours do not
    decide is looked at in dark ones alone.
    """
    seen: set[tuple[str, str, str]] = set()

    def looked(page: Page, state: str = "") -> None:
        expect(page.locator("#main")).to_be_visible()  # a page that is still loading cannot be measured
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, f"{page.url} is {width} px wide"
        shape = (page.url.split("?")[0], page.title(), state)
        if shape in seen:
            return
        seen.add(shape)
        schemes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
        page.evaluate(axe.axe_script)
        for scheme in schemes:
            # Colours must have stopped changing before axe judges them, so this turns animations off.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            options: dict[str, Any] = {"resultTypes": ["violations"]}
            if scheme == "light":
                options["runOnly"] = {"type": "rule", "values": MATTER_OF_COLOUR}
            result = page.evaluate("options => axe.run(options).then(({ violations }) => ({ violations }))", options)
            found = AxeResults(result)
            assert found.violations_count == 0, f"{page.url} in {scheme}: {found.generate_report()}"

    return looked
