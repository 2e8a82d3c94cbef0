"""Every page in a language that is longer than English by 40 % and runs from right to left."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.access.conftest import whole_cast
from tests.browser import pseudo
from tests.browser.sights import Sight, faults, see, wide
from tests.browser.test_looks import pages_of

pytestmark = pytest.mark.looks

PHONE, DESK = Sight(360, 640), Sight(1280, 800)

CUT = """() => [...document.querySelectorAll("#main *, header *, footer *")].filter((each) => {
    const style = getComputedStyle(each);
    const has_text = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return has_text && style.overflowX === "hidden" && each.checkVisibility() && !each.closest(".visually-hidden")
        && each.scrollWidth > each.clientWidth + 1;
}).map((each) => `cuts ${each.outerHTML.slice(0, 200)}`)"""
"""The elements whose own text is wider than they are, and hidden where it does not fit."""

TEXTS = """() => {
    const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
        if (!walker.currentNode.parentElement.closest("script, noscript, style, textarea, [translate=no]"))
            texts.push(walker.currentNode.data);
    for (const name of ["aria-label", "title", "placeholder", "alt"])
        for (const each of document.querySelectorAll(`[${name}]`)) texts.push(each.getAttribute(name));
    return [document.title, ...texts];
}"""
"""Everything that people see or hear of a page."""

SAME = {
    *("Ann", "Bob", "Cat", "Ivey", "Hellmuth", "host", "flush", "misdeal", "Home", "game", "OFC", "Score", "AAA"),
    *("English", "EUR", "WhatsApp", "Telegram", "SMS"),
    *("IBAN", "PayPal", "Venmo", "Revolut", "Swish", "UPI", "PIX"),
}
"""Names, codes and notes as they were typed: they are the same in every language."""


def in_english(text: str) -> list[str]:
    """The words of a text that are not in the language: some of their vowels stand alone."""
    if re.fullmatch("[a-z-]+( [a-z-]+){5}", text):  # the head of a record, which is in words of one list everywhere
        return []
    words = re.findall(r"(?<!\w)[A-Za-z]{3,}(?!\w)", text)
    runs = {word: re.findall("a+|e+|i+|o+|u+", word.lower()) for word in words if word not in SAME}
    return [word for word, vowels in runs.items() if any(len(run) % 2 for run in vowels)]


@pytest.fixture
def offered() -> Iterator[None]:
    with pseudo.offered():
        yield


@pytest.mark.parametrize("who", [pytest.param("host", marks=pytest.mark.looks), "scorer", "viewer"])
def test_every_page_has_room(live_server: LiveServer, page: Page, axe: Axe, offered: None, who: str) -> None:
    cast = whole_cast()
    keys = cast.browsers[who].cookies["keys"].value
    cookies = {"keys": keys, settings.LANGUAGE_COOKIE_NAME: pseudo.TAG}
    page.context.add_cookies([{"name": n, "value": v, "url": live_server.url} for n, v in cookies.items()])
    page.add_init_script("sessionStorage.setItem('reloaded', Date.now() + 3_600_000)")
    words = re.compile(rf"/static/(?:pad/)?words/{pseudo.TAG}\.js")
    said = pseudo.scripts()
    page.route(words, lambda route: route.fulfill(body=said, content_type="text/javascript"))
    wrong, visited = [], 0
    for path in pages_of(cast, who):
        see(page, PHONE)
        page.goto(live_server.url + path)
        assert page.evaluate("document.dir") == "rtl", path
        page.evaluate(axe.axe_script)
        found = [*wide(page, PHONE), *page.evaluate(CUT), *faults(page, all_rules=False), *wide(page, DESK)]
        if "rules/" not in path:  # these are documents, each translated as a whole
            found += [f"says {text!r} in English" for text in page.evaluate(TEXTS) if in_english(text)]
        wrong += [f"{path}: {fault}" for fault in found]
        visited += 1
    assert not wrong, "\n".join(wrong)
    assert visited > 5


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("Show names", "Shoow naamees"),
        ("Hand %(number)s of <b>{name}</b>", "Haand %(number)s oof <b>{name}</b>"),
        ("A &amp; B", "AA &amp; B"),
    ],
)
def test_values_and_tags_stay_as_they_are(text: str, longer: str) -> None:
    assert pseudo.longer(text) == longer
