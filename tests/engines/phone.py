"""A phone in somebody's hand: what they do with it, and what they read."""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from tests.engines.connection import Connection

PATIENCE = 30
"""Seconds to wait for a page before a test fails."""

MUCH = 1000
"""Characters of a page that a failure quotes."""

NAMED = """
const [name] = arguments;
const words = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
return [...document.querySelectorAll("a, button, summary, label")].find((each) =>
    each.checkVisibility() && !each.closest("[aria-hidden=true]") &&
    (each.matches("label") ? words(each.innerText).includes(name)
        : [each.getAttribute("aria-label"), each.innerText].map(words).includes(name)));
"""


class Phone:
    """Every verb waits until the page lets it happen, and every look until the page shows it."""

    def __init__(self, browser: WebDriver, connection: Connection, finger: str) -> None:
        self.browser = browser
        self.connection = connection
        self.finger = finger

    # --- Where it is ----------------------------------------------------------------------------

    def open(self, address: str) -> None:
        """Go to a path of the server, or to a whole address, and wait until the page and its scripts are there."""
        self.browser.get(f"http://localhost:{self.connection.port}{address}" if address[0] == "/" else address)
        self.wait(lambda: self.run("return document.readyState") == "complete", "it does not load")

    def back(self) -> None:
        self.browser.back()

    def forward(self) -> None:
        self.browser.forward()

    def reload(self) -> None:
        self.browser.refresh()

    def is_at(self, path: str) -> None:
        self.wait(lambda: urlsplit(self.browser.current_url).path.endswith(path), f"it is not at {path}")

    # --- What a person does ---------------------------------------------------------------------

    def press(self, name: str) -> None:
        """Press the link, button or label of this name."""

        def press() -> bool:
            found = self.run(NAMED, name)
            if found:
                self.run("arguments[0].scrollIntoView({ block: 'center' })", found)
                found.click()
            return bool(found)

        self.wait(press, f"there is no {name!r} to press")

    def touch(self, selector: str) -> None:
        """Tap the element that this selector finds with a finger."""
        self.wait(lambda: self._touch(self.find(selector)), f"there is no {selector} to tap")

    def tap(self, *keys: str) -> None:
        """Tap keys of the card pad, each by its card (``Qh``), its rank (``Q``) or its command (``undo``)."""
        for each in keys:
            self.touch(f".keys:not([hidden]) [data-{'card' if len(each) < 3 else 'act'}='{each}']")

    def type(self, field: str, text: str) -> None:
        """Type into the field of this id, in place of what it holds."""

        def typed() -> bool:
            found = self.find(f"#{field}")
            found.clear()
            found.send_keys(text)
            return True

        self.wait(typed, f"nobody can type into {field}")

    def _touch(self, target: WebElement) -> bool:
        actions = ActionBuilder(self.browser, mouse=PointerInput(self.finger, "finger"), duration=0)
        actions.pointer_action.move_to(target).pointer_down().pointer_up()
        actions.perform()
        return True

    # --- What a person sees ---------------------------------------------------------------------

    def reads(self, *texts: str) -> None:
        """Wait until the page shows all of these texts."""
        self.wait(lambda: all(text in self.text() for text in texts), f"it does not show {texts}")

    def reads_no(self, text: str) -> None:
        """Wait until the page does not show this text."""
        self.wait(lambda: bool(self.text("#main")) and text not in self.text(), f"it still shows {text!r}")

    def says(self, text: str) -> None:
        """Wait until the card pad's line of words begins with this."""
        self.wait(lambda: self.text("[data-pad=says]").startswith(text), f"the pad does not say {text!r}")

    def lists(self, selector: str, *texts: str) -> None:
        """Wait until the elements that this selector finds are so many, and each shows its text."""

        def listed() -> bool:
            found = self.texts(selector)
            return len(found) == len(texts) and all(text in each for text, each in zip(texts, found, strict=True))

        self.wait(listed, f"{selector} does not list {texts}")

    def holds(self, **fields: str) -> None:
        """Wait until the fields of these ids, with ``_`` for ``-``, hold these texts."""
        ids = [name.replace("_", "-") for name in fields]
        read = "return arguments[0].map((id) => document.getElementById(id)?.value ?? null)"
        self.wait(lambda: self.run(read, ids) == [*fields.values()], f"the fields do not hold {fields}")

    def shows_tiles(self, **rows: int) -> None:
        """Wait until the pad shows so many cards in the rows of these fields, with ``_`` for ``-``."""
        tiles = {f".row:has(#{name.replace('_', '-')}) .tiles .card": count for name, count in rows.items()}
        self.wait(
            lambda: all(len(self.texts(row)) == count for row, count in tiles.items()), f"the pad does not show {rows}"
        )

    def text(self, selector: str = "body") -> str:
        return " ".join(self.texts(selector))

    def texts(self, selector: str) -> list[str]:
        """What each element that this selector finds shows, with single spaces."""
        found = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText ?? '')", selector
        )
        if found is None:  # Firefox says so of a page that it is just leaving
            raise WebDriverException("The page is being replaced.")
        return [" ".join(text.split()) for text in found]

    # --- How it is done -------------------------------------------------------------------------

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def run(self, script: str, *given: Any) -> Any:
        return self.browser.execute_script(script, *given)

    def wait(self, condition: Callable[[], bool], complaint: str) -> None:
        """Wait until this holds. A page that is just being replaced is looked at again."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                if condition():
                    return
                error = None
            except WebDriverException as raised:
                error = raised
            if time.monotonic() > until:
                break
            time.sleep(0.02)
        raise AssertionError(
            f"{self.browser.name} at {self.browser.current_url}: {complaint}. {self._seen()}"
        ) from error

    def _seen(self) -> str:
        try:
            fields = self.run(
                "return [...document.querySelectorAll('[data-row]')].map((each) => `${each.id}=${each.value}`)"
            )
            return f"It shows {self.text()[:MUCH]!r}, and holds {fields}"
        except WebDriverException as error:
            return f"It shows nothing: {error.msg}"
