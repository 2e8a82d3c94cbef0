"""A phone at the table, and what every page of it must satisfy."""

from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

Look = Callable[..., None]
"""Takes the page, and a word for the state that it is in."""


@pytest.fixture(scope="session")
def axe() -> Axe:
    """The accessibility checker."""
    return Axe()


PATIENCE = 15_000
"""Milliseconds after which what is not there is not there, however busy the machine; how fast, `make bench` tells."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def impatience(page: Page) -> None:
    """A test that waits in vain says so."""
    page.set_default_timeout(PATIENCE)


@pytest.fixture(autouse=True)
def by_text(page: Page, request: pytest.FixtureRequest) -> None:
    """Whoever is not about the card pad has chosen Text on it."""
    if not request.path.stem.startswith("test_pad"):
        page.add_init_script("try { localStorage.setItem('pad', 'off') } catch { /* a page without storage */ }")


@pytest.fixture
def look(axe: Axe, request: pytest.FixtureRequest) -> Look:
    """Look at the page as it is: nothing scrolls sideways, and axe is silent in light and in dark.

    Pages that look alike need to be looked at once in a test: an address is looked at again only if its title changed,
    or the ``state`` that is given.
    """
    seen: set[tuple[str, str, str]] = set()

    def looked(page: Page, state: str = "") -> None:
        expect(page.locator("#main")).to_be_visible()  # a page that is just coming has nothing to be measured yet
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, f"{page.url} is {width} px wide"
        shape = (page.url.split("?")[0], page.title(), state)
        if shape in seen:
            return
        seen.add(shape)
        schemes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
        for scheme in schemes:
            # Colours are judged when they have arrived, so nothing may move.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = axe.run(page)
            assert found.violations_count == 0, f"{page.url} in {scheme}: {found.generate_report()}"

    return looked
