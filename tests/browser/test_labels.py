"""Every page of a host at 360 pixels, in every language: no word is broken inside, and no choice is cut."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.models import Session
from tests.browser.test_phone import started
from tests.conftest import let_in
from tests.ledger.conftest import act, key

pytestmark = pytest.mark.looks

BROKEN_WORDS = """() => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode, range = document.createRange();
        const { parentElement: parent } = text;
        const left_out = ".visually-hidden, option, textarea, .digits, [translate=no]";
        if (!parent.checkVisibility() || parent.closest(left_out)) continue;
        for (const word of text.data.matchAll(/[\\p{Script=Latin}\\p{Script=Cyrillic}]{2,}/gu)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (lines.size > 1) found.push(`breaks ${word[0]} in ${parent.outerHTML.slice(0, 90)}`);
        }
    }
    return found;
}"""

CUT_CHOICES = """() => [...document.querySelectorAll("select:not([name=currency])")].flatMap((each) => {
    const style = getComputedStyle(each), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const room = each.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd);
    const longest = Math.max(...[...each.options].map(({ text }) => pen.measureText(text).width));
    const whole = each.closest("form").clientWidth - 40;
    return each.checkVisibility() && longest > room + 1 && each.offsetWidth < whole ? [`cuts ${each.outerHTML}`] : [];
})"""
"""The choices that do not show their longest option, although their form has more room. A currency is known by less."""

OF_A_SESSION = (
    "", "hand/", "hand/?mode=points", "hands/1/", "hands/1/correct/", "hands/1/void/", "people/", "stakes/", "fee/",
    "penalty/", "side-bet/", "more/", "chips/", "links/", "name/", "rules/", "rules/edit/", "ledger/", "history/",
    "statistics/", "record/", "send/", "close/", "next/", "seat/1/",
    "", "hands/1/",  # once more, as the phone of a player, which the page before has made of it
)  # fmt: skip
OF_A_CLUB = ("", "players/", "standings/", "statistics/", "what-if/", "more/", "delete/", "links/")
OF_ANYBODY = ("/", "/new/", "/check/", "/rules/", "/language/")


@pytest.fixture
def evenings() -> tuple[Session, Session]:
    """One that goes on, after a hand, and one before it, of which somebody still owes on the tab."""
    before = started("Ann Bob Cat")
    act(SideBet, before, payer=2, payee=1, amount=75_000, note="red")
    act(ledger.close_session, before, tab=True)
    return before, started("Anna Bert Cleo", hands=1, club=before.club)


@pytest.mark.parametrize("language", [tag for tag, _ in settings.LANGUAGES if tag not in {"ja", "zh-hans", "zh-hant"}])
def test_no_word_is_broken_and_no_choice_cut(
    live_server: LiveServer, page: Page, evenings: tuple[Session, Session], language: str
) -> None:
    _, session = evenings
    page.set_viewport_size({"width": 360, "height": 740})
    let_in(page, live_server.url, session)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    at, club = f"/s/{session.public_id}/", f"/c/{session.club.public_id}/"
    wrong: list[str] = []
    for path in (*(at + each for each in OF_A_SESSION), *(club + each for each in OF_A_CLUB), *OF_ANYBODY):
        page.goto(live_server.url + path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        wrong += [f"{path.replace(session.public_id, 'ID')}: {each}" for each in page.evaluate(BROKEN_WORDS)]
        wrong += [f"{path.replace(session.public_id, 'ID')}: {each}" for each in page.evaluate(CUT_CHOICES)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", [tag for tag, _ in settings.LANGUAGES if tag not in {"ja", "zh-hans", "zh-hant"}])
def test_stacks_of_five_digits_leave_the_words_beside_them_whole(
    live_server: LiveServer, page: Page, language: str
) -> None:
    session = started("Anna Bert Cleo", hands=1, stake=10_050, currency="RUB", buy_in=5_000_000)
    page.set_viewport_size({"width": 360, "height": 740})
    let_in(page, live_server.url, session)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    wrong: list[str] = []
    for path in ("", "hands/1/", "hands/1/correct/", "chips/", "ledger/", "history/", "close/", "people/"):
        page.goto(f"{live_server.url}/s/{session.public_id}/{path}")
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        wrong += [f"{path}: {each}" for each in page.evaluate(BROKEN_WORDS)]
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            wrong.append(f"{path}: scrolls sideways")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", [tag for tag, _ in settings.LANGUAGES])
def test_three_players_fit_beside_what_is_remarked_of_a_hand(
    live_server: LiveServer, page: Page, language: str
) -> None:
    session = started("Anna Bert Cleo", hands=3)
    act(ledger.dispute, session, number=3, note="was that a foul?")
    act(ledger.correct_deal, session, number=3, entry=Entry(points=((1, 2, 3),)), note="points were agreed")
    ledger.void_deal(session=session, number=1, note="misdeal", key=key(), by="host")  # hand 2 was a Fantasyland
    page.set_viewport_size({"width": 360, "height": 740})
    let_in(page, live_server.url, session)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    page.goto(f"{live_server.url}/s/{session.public_id}/ledger/")
    expect(page.locator(".ledger tbody th > .tag")).to_have_count(4)
    assert (
        page.locator(".scrolls[aria-labelledby=hands-title]").evaluate("each => each.scrollWidth - each.clientWidth")
        <= 1
    )
