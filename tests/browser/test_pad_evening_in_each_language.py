"""A short evening in each language, on a phone of 360 pixels: what a host taps, from the names to the settling up.

Buttons are found by their names in the language, which come from the catalogues and the page's own scripts, so that no
name is written twice. With ``EVENING_PICTURES=FOLDER`` five pictures of each language are written there.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.ledger import audit
from scoring.management import messages
from scoring.models import Deal, Event
from tests.browser.evening import NAMES
from tests.browser.pad import BOARDS, cards, tap
from tests.browser.sights import Sight, faults, wide
from tests.browser.test_pseudo_language import CUT, TEXTS

pytestmark = pytest.mark.looks

PHONE = Sight(360, 740)

ROWS_OF_TABS = """() => new Set([...document.querySelectorAll("nav.tabs.snug > a")]
    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().top)).size"""

BROKEN = """() => [...document.querySelectorAll("#main .button")].filter((each) => {
    const letters = document.createRange();
    letters.selectNodeContents(each);
    const lines = new Set([...letters.getClientRects()].map(({ top }) => Math.round(top)));
    return each.checkVisibility() && /^[\\p{L}’-]+$/u.test(each.textContent.trim()) && lines.size > 1
        && !/\\p{Script=Han}|\\p{Script=Katakana}|\\p{Script=Hiragana}/u.test(each.textContent);
}).map((each) => `breaks the word ${each.textContent.trim()}`)"""
"""The buttons whose only word does not fit in one line."""

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANKS = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}

KEPT = {
    *NAMES,
    *("Hellmuth", "Ivey", "English", "Deutsch", "Español", "Suomi"),
    *("OFC", "Score", "WhatsApp", "Telegram", "IBAN", "PayPal", "Venmo", "Revolut", "Swish", "Board", "Game", "Arena"),
    *("HTTP", "Excel", "Backspace", "Delete", "Enter", "Space", "Fantasyland", "Pineapple"),
}
"""Names, codes and words that players of every language say in English."""

ENGLISH = re.compile(r"\b(?:the|and|of|with|this|your|from)\b", re.IGNORECASE)
"""Words that no other of the languages in Latin letters has."""


class Host:
    """A host who reads one language, and looks at each page on the way."""

    def __init__(self, page: Page, axe: Axe, tag: str) -> None:
        self.page, self.axe, self.tag = page, axe, tag
        self.wrong: list[str] = []
        folder = os.environ.get("EVENING_PICTURES")
        self.pictures: Iterator[Path] | None = None
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.pictures = (Path(folder) / f"{tag}-{number}.png" for number in range(1, 100))

    def said(self, message: str, context: str = "", **values: object) -> str:
        """A text of the pages in the language."""
        with translation.override(self.tag):
            text = translation.pgettext(context, message) if context else translation.gettext(message)
            return text % values if values else text

    def card(self, card: str) -> str:
        """The name of a card's key, from the words that the page gave its scripts."""
        words: dict[str, str] = self.page.evaluate("() => ({ ...globalThis.words })")
        texts = RANKS[card[0]], f"{{rank}} of {SUITS[card[1]]}"
        rank, of = (words.get(messages.called(text), text) for text in texts)
        name = of.replace("{rank}", rank)
        return name[0].upper() + name[1:]

    def button(self, message: str, context: str = "", **values: object) -> Locator:
        return self.page.get_by_role("button", name=self.said(message, context, **values), exact=True)

    def link(self, message: str, context: str = "", **values: object) -> Locator:
        return self.page.get_by_role("link", name=self.said(message, context, **values), exact=True)

    def tap_cards(self, *given: str) -> None:
        """Tap the first of these cards by its name, and the others by what the keys show."""
        keys = self.page.locator(".keys:not([hidden])")
        expect(keys).to_be_visible()
        keys.get_by_role("button", name=self.card(given[0]), exact=True).tap()
        tap(self.page, *given[1:])

    def look(self, *, picture: bool = False) -> None:
        """Note what is wrong with the page: too wide, cut, hard to see or hear, or in English."""
        page = self.page
        expect(page.locator("#main")).to_be_visible()
        expect(page.locator("a.htmx-request")).to_have_count(0)  # a link is pale until its page is there
        assert page.locator("html").get_attribute("lang") == self.tag
        page.evaluate(self.axe.axe_script)
        texts = page.evaluate(TEXTS)
        found = [
            *wide(page, PHONE),
            *page.evaluate(CUT),
            *page.evaluate(BROKEN),
            *faults(page, all_rules=True),
            *in_english(texts, self.tag),
        ]
        if page.evaluate(ROWS_OF_TABS) > 1:
            found.append("has tabs in more than one line")
        self.wrong += [f"{urlsplit(page.url).path}: {fault}" for fault in found]
        if picture and self.pictures:
            page.evaluate("document.activeElement?.blur()")
            page.screenshot(path=next(self.pictures), full_page=True)


translations = functools.cache(messages.read)


def in_english(texts: list[str], tag: str) -> list[str]:
    """The texts of a page that are in English, although the language has words for them."""
    if tag == "en":
        return []
    catalogue = translations(tag, messages.SERVER)
    found = []
    for text in {" ".join(text.split()) for text in texts} - {""}:
        if re.fullmatch("[a-z-]+(?: [a-z-]+){5}", text):  # the head of a record, which is in words of one list
            continue
        words = set(re.findall(r"[A-Za-z]{4,}", text)) - KEPT
        known = catalogue.get(text)
        untranslated = known is not None and known.string != text and text not in KEPT
        foreign = words and tag in {"ja", "ru", "zh-hans", "zh-hant"}
        if untranslated or foreign or (words and len(ENGLISH.findall(text)) > 1):
            found.append(f"says {text!r} in English")
    return sorted(found)


@pytest.mark.parametrize(("tag", "own_name"), settings.LANGUAGES)
def test_an_evening_in_each_language(live_server: LiveServer, page: Page, axe: Axe, tag: str, own_name: str) -> None:
    host = Host(page, axe, tag)
    page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    page.goto(live_server.url)
    page.locator("[data-language]").tap()
    page.wait_for_url("**/language/**")
    page.get_by_role("button", name=own_name).tap()
    page.wait_for_url(f"{live_server.url}/")
    host.look()
    # A session of three.
    host.link("Start a session").tap()
    for number, name in enumerate(NAMES, start=1):
        page.get_by_label(host.said("Seat %(number)s", number=number), exact=True).fill(name)
    page.get_by_label(host.said("Stake per point"), exact=True).fill("1")
    host.look()
    host.button("Start game").tap()
    host.button("I’ve saved it").tap()
    expect(host.button("I’ve saved it")).to_have_count(0)
    page.wait_for_load_state()
    host.look()
    # A hand, card by card; Cleo fouls.
    host.link("Enter hand %(number)s", number=1).tap()
    for name in NAMES[:2]:
        host.tap_cards(*cards(BOARDS[name]))
    host.tap_cards(*cards(BOARDS["Cleo"])[:9])
    host.look(picture=True)
    tap(page, *cards(BOARDS["Cleo"])[9:])
    expect(page.get_by_text(host.said("Preview – not saved yet"))).to_be_visible()
    host.look(picture=True)
    host.button("Settle hand %(number)s", number=1).tap()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    host.look()
    # One card was another.
    host.link("Correct hand %(number)s", number=1).tap()
    page.locator(".tiles .card").first.tap()
    host.tap_cards("Js")
    page.get_by_text(host.said("Misread card"), exact=True).tap()
    host.look()
    host.button("Preview changes").tap()
    expect(page.get_by_role("heading", name=host.said("What changes"))).to_be_visible()
    host.look()
    host.button("Correct hand %(number)s", number=1).tap()
    expect(page.locator("#main")).to_contain_text(re.compile("2"))
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    # The books.
    tabs = page.get_by_role("navigation", name=host.said("This session"))
    tabs.get_by_role("link", name=host.said("Ledger"), exact=True).tap()
    expect(page).to_have_url(re.compile(r"/ledger/$"))
    host.look(picture=True)
    host.link("Statistics").tap()
    expect(page).to_have_url(re.compile(r"/statistics/$"))
    host.look(picture=True)
    # The end: closed, and the first payment made.
    page.goto(re.sub(r"statistics/$", "close/", page.url))
    host.look()
    host.button("Close session").tap()
    page.wait_for_url(re.compile(r"/s/[\w-]+/(?:\?|$)"))
    first = page.locator(".payments summary").first
    expect(first).to_be_visible()
    first.tap()
    host.look(picture=True)
    host.link("Mark as paid").first.tap()
    host.look()
    host.button("Record payment").tap()
    expect(page.locator(".payments-made")).to_have_text(host.said("Paid", "payments"))
    host.look()
    assert Deal.objects.count() == 1
    assert {"correct", "close", "pay"} <= set(Event.objects.values_list("verb", flat=True))
    assert list(map(str, audit.of_everything())) == []
    assert not host.wrong, "\n".join(host.wrong)
