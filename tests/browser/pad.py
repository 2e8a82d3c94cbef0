"""Taps cards on the pad, and finds what the pad shows."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.evening import EVENING

BOARDS = {
    # The last hand of the evening: Cleo fouls, and Anna and Bert have the boards of Wikipedia's example.
    name: board.replace("♦", "d").replace("♠", "s").title().replace(" / ", "/")
    for name, board in EVENING[-1].boards.items()
}

CUT_LINE = """says => {
    const text = document.createRange();
    text.selectNodeContents(says);
    return [...text.getClientRects()].filter(({ left, right, top, bottom }) =>
        document.elementFromPoint((left + right) / 2, top + 1) !== says
        || document.elementFromPoint((left + right) / 2, bottom - 1) !== says).length;
}"""
"""How many lines of the pad's words something cuts or covers."""


def cards(board: str) -> list[str]:
    """The thirteen cards of a board as the pad's keys name them, front to back."""
    return [card[0] + card[1].lower() for card in board.replace("/", " ").split()]


PLACE = """selector => {
    const key = document.querySelector(selector);
    if (!key || key.disabled) return null;
    const { left, top, width, height } = key.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return key.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}"""
"""Where a thumb would tap a key; null if it would miss it."""


def of_key(card: str) -> str:
    return f".keys:not([hidden]) [data-{'card' if len(card) < 3 else 'act'}='{card}']"


def key(page: Page, card: str) -> Locator:
    """The key of a card (``Qh``), of a rank in turbo (``Q``), or of a command (``undo``)."""
    return page.locator(of_key(card))


def tap(page: Page, *keys: str) -> None:
    """Tap each of these keys once.

    Playwright waits for two frames before a tap and for the click after it. So only the first and the last are tapped
    like that, and all others as soon as a thumb would meet them.
    """
    for n, each in enumerate(keys):
        place = page.evaluate(PLACE, of_key(each)) if 0 < n < len(keys) - 1 else None
        if place:
            page.touchscreen.tap(*place)
        else:
            key(page, each).tap()


def row(page: Page, field: str) -> Locator:
    """A row on the pad by its field's id, such as ``p1-front``."""
    return page.locator(".row", has=page.locator(f"#{field}"))


def tiles(page: Page, field: str) -> Locator:
    """The placed cards of a row."""
    return row(page, field).locator(".tiles .card")


def inside(inner: Locator, outer: Locator) -> bool:
    """Whether ``inner`` lies within ``outer``, looking at top and bottom edges only."""
    a, b = inner.bounding_box(), outer.bounding_box()
    assert a
    assert b
    return b["y"] <= a["y"] and a["y"] + a["height"] <= b["y"] + b["height"]


def open_in(page: Page, language: str) -> None:
    """Open the page anew in this language, with a connection.

    Meanwhile there is no page, because one that asks for something then would load itself anew as well.
    """
    here = page.url
    page.goto("about:blank")
    page.context.add_cookies([{"name": "language", "value": language, "url": here}])
    page.context.set_offline(False)
    page.goto(here)


def says(page: Page, text: str) -> None:
    """Expect this text in the pad's status line."""
    expect(page.locator("[data-pad=says]")).to_contain_text(text)


def comes_true(page: Page, expression: str) -> None:
    """Wait until this expression is true on the page.

    Playwright's own ``wait_for_function`` looks a second time with ``eval``, which the app's content policy refuses.
    """
    page.evaluate(f"""() => new Promise((done) => {{
        const look = () => ({expression}) ? done() : requestAnimationFrame(look);
        look();
    }})""")
