"""How the tests start Chromium."""

from typing import Any

from playwright.sync_api import BrowserType


def test_a_browser_does_without_all_that_playwright_turns_off(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> None:
    """Chromium heeds only the last list of features, which is ours."""
    automated = {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], "--enable-automation"]}
    with browser_type.launch(**automated) as browser:
        started = browser.new_browser_cdp_session().send("Browser.getBrowserCommandLine")["arguments"]
    given = "--disable-features="
    lists = [set(each.removeprefix(given).split(",")) for each in started if each.startswith(given)]
    assert len(lists) == 2
    assert lists[0] < lists[1]
