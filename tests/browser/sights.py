"""How people see one page: on a phone or a desk, in light, dark or forced colours, in small or large print."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect


class Sight(NamedTuple):
    """One way to see a page. ``font`` is the size in pixels that somebody has set in their browser."""

    width: int
    height: int
    colours: str = "light"
    font: int = 16


PHONE, DESK = (390, 844), (1280, 800)
SIGHTS: Final = [
    *(Sight(*size, colours) for size in (PHONE, DESK) for colours in ("light", "dark", "forced")),
    *(Sight(*size, font=32) for size in (PHONE, DESK)),
]

MATTER_OF_COLOUR: Final = ["color-contrast", "link-in-text-block"]
"""axe's rules that colours decide, which are all that differs in dark ones (`test_dark_changes_colours_alone`)."""

MATTER_OF_SIGHT: Final = [*MATTER_OF_COLOUR, "scrollable-region-focusable", "target-size"]
"""axe's rules that colours and room decide. All others depend on what a page says, which is the same to everybody."""


def see(page: Page, sight: Sight) -> None:
    """Make the browser show its page like this. The next page has an ordinary font again."""
    page.set_viewport_size(ViewportSize(width=sight.width, height=sight.height))
    page.emulate_media(
        color_scheme="dark" if sight.colours == "dark" else "light",
        forced_colors="active" if sight.colours == "forced" else "none",
        reduced_motion="reduce",
    )
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": sight.font}})
    devtools.detach()


def complaints(page: Page, axe: Axe) -> dict[Sight, list[str]]:
    """What is wrong with the page, by how it is seen: it scrolls sideways, or axe finds something."""
    expect(page.locator("#main")).to_be_visible()  # a page that is still loading cannot be measured
    page.evaluate(axe.axe_script)
    found = {sight: [*wide(page, sight), *faults(page, all_rules=sight == SIGHTS[0])] for sight in SIGHTS}
    see(page, SIGHTS[0])
    return {sight: wrong for sight, wrong in found.items() if wrong}


def wide(page: Page, sight: Sight) -> list[str]:
    """Show the page like this, and say whether it is wider than its window."""
    see(page, sight)
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return [f"{width} px wide"] if width > sight.width else []


def faults(page: Page, *, all_rules: bool) -> list[str]:
    """What axe finds on the page as it is seen now. The page has axe's script already."""
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    if not all_rules:
        options["runOnly"] = {"type": "rule", "values": MATTER_OF_SIGHT}
    found: list[dict[str, Any]] = page.evaluate("options => axe.run(options).then((all) => all.violations)", options)
    wrong = [(rule["id"], node) for rule in found for node in rule["nodes"]]
    return [f"{rule}: {node['html'][:200]}" for rule, node in wrong if rule != "target-size" or small(page, node)]


def small(page: Page, node: dict[str, Any]) -> bool:
    """Whether axe finds this target too small where a thumb would touch it, not half behind the bar at the edge."""
    target = node["target"][0]
    page.evaluate("target => document.querySelector(target).scrollIntoView({ block: 'center' })", target)
    again = "target => axe.run(target, { runOnly: ['target-size'], rules: { 'target-size': { enabled: true } } })"
    is_small: bool = page.evaluate(f"{again}.then((all) => all.violations.length > 0)", target)
    page.evaluate("scrollTo(0, 0)")
    return is_small
