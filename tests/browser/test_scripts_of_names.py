"""Four players write their names in four scripts: nothing scrolls sideways, and no sign or figure changes sides.

A browser draws a name from right to left together with the figures and signs beside it, unless something keeps
them apart.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from scoring.actions.chips import BuyInAll
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.models import Session
from tests.browser.sights import Sight, see
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, key, settle

pytestmark = pytest.mark.looks

HEBREW, ARABIC, CYRILLIC, JAPANESE, LATIN = "דוד לוי", "محمد علي", "Ольга Щ.", "山田太郎", "Z\u0308oe\u0301 Q\u0303"

JUMPED = r"""() => {
    const found = [];
    const inline = (element) => getComputedStyle(element).display === "inline";
    const block = (node) => {
        let element = node.parentElement;
        while (inline(element)) element = element.parentElement;
        return element;
    };
    const lines = new Map();
    const nodes = document.createTreeWalker(document.querySelector("#main"), NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
        const node = nodes.currentNode;
        if (!node.data.trim() || !node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
        if (node.parentElement.closest(".visually-hidden, option, [dir=rtl]")) continue;
        // A name from right to left is one piece, in whatever order its letters stand; all else stands sign by sign.
        for (const piece of node.data.matchAll(/[\u0590-\u08ff]+( [\u0590-\u08ff]+)*|\p{L}\p{M}*|[^\s\p{M}\p{C}]/gu)) {
            const range = document.createRange();
            range.setStart(node, piece.index);
            range.setEnd(node, piece.index + piece[0].length);
            const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
            if (boxes.length === 0) continue;
            const of = lines.get(block(node)) ?? [];
            lines.set(block(node), of);
            const on = (line) => Math.min(...boxes.filter((box) => box.top === line.top).map((box) => box.left));
            const [first, last] = [boxes[0], boxes.at(-1)];
            of.push({ said: piece[0], first, last, begins: on(first), ends: on(last) });
        }
    }
    for (const [element, pieces] of lines) {
        for (let at = 1; at < pieces.length; at++) {
            const [before, after] = [pieces[at - 1], pieces[at]];
            const apart = Math.abs(before.last.top - after.first.top);
            if (apart < 0.5 * Math.min(before.last.height, after.first.height) && after.begins < before.ends - 1) {
                const line = element.innerText.replace(/\s+/g, " ").slice(0, 120);
                found.push(`${after.said} jumps over ${before.said} in: ${line}`);
                break;
            }
        }
    }
    return found;
}"""
"""The lines in which something is drawn to the left of what the text says before it."""


@pytest.fixture(params=[(HEBREW, CYRILLIC, JAPANESE, LATIN), (LATIN, HEBREW, ARABIC, JAPANESE)], ids=["one", "two"])
def session(request: pytest.FixtureRequest, db: None) -> Session:
    """Four who have paid each other in every way, of whom one or two write from right to left."""
    session = ledger.start_session(
        names=list(request.param),
        stake=100,
        currency="EUR",
        button=1,
        pair_stakes=[(1, 2, 250)],
        key=key(),
        by="Host",
        buy_in=50_000,
    )
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL, s4=WEAK))
    act(Penalty, session, seat=1, points=2, note="late")
    act(SideBet, session, payer=2, payee=3, amount=400, note="red")
    act(Fee, session, amount=200, note="room")
    for seat in (2, 3):
        act(SetNext, session, button=seat, note="drew the high card")
    act(BuyInAll, session, amount=50_000)
    act(ChangeTerms, session, pair_stakes=[(1, 3, 150), (2, 3, 50)])
    settle(session, entry(s1=WEAK, s2=STRONG, s3=PLAIN, s4=FOUL))
    return session


@pytest.mark.parametrize("tag", ["en", "de", "ja"])
def test_names_of_four_scripts_leave_everything_beside_them_in_its_place(
    live_server: LiveServer, page: Page, session: Session, tag: str
) -> None:
    let_in(page, live_server.url, session)
    page.context.add_cookies([{"name": "language", "value": tag, "url": live_server.url}])
    found = {}

    def look(*paths: str) -> None:
        for path in paths:
            page.goto(f"{live_server.url}/s/{session.public_id}/{path}")
            see(page, Sight(360, 640))
            page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            wrong = page.evaluate(JUMPED)
            if page.evaluate("document.documentElement.scrollWidth") > 360:
                wrong.append("scrolls sideways")
            if wrong:
                found[path, session.closed_at is None] = wrong

    look("", "hand/", "hands/1/", "hands/2/", "ledger/", "history/", "people/")
    act(ledger.close_session, session)
    session.refresh_from_db()
    look("", "ledger/", "record/", "record/hands/")
    assert found == {}


TURNED = """(texts) => {
    const found = [];
    const nodes = document.createTreeWalker(document.querySelector("#main"), NodeFilter.SHOW_TEXT);
    const left = (node, at, length) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + length);
        return range.getBoundingClientRect();
    };
    while (nodes.nextNode()) {
        const node = nodes.currentNode;
        if (node.parentElement.closest(".visually-hidden, option")) continue;
        if (!node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
        for (const text of texts) {
            const seen = node.data.match([...text].join("[\\u2068\\u2069]*"));
            if (!seen) continue;
            const [first, last] = [left(node, seen.index, 1), left(node, seen.index + seen[0].length - 1, 1)];
            if (first.top === last.top && last.left > first.left) {
                found.push(`${text}: ${node.parentElement.outerHTML}`);
            }
        }
    }
    return found;
}"""
"""The elements in which the end of a name or a note from right to left stands at the right of its beginning."""


def test_a_figure_in_a_name_or_a_note_from_right_to_left_stands_where_its_reader_expects_it(
    live_server: LiveServer, page: Page
) -> None:
    one, other, note = "שרה 2", "7 דנה", "בשביל 5 כוסות"
    names = ["Anna", one, other]
    session = ledger.start_session(names=names, stake=100, currency="EUR", button=1, key=key(), by="host")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(SideBet, session, payer=2, payee=3, amount=400, note=note)
    let_in(page, live_server.url, session)
    wrong: dict[str, list[str]] = {}
    for path in ("", "seat/", "hands/1/", "ledger/", "history/", "people/", "stakes/", "screen/", "close/", "record/"):
        page.goto(f"{live_server.url}/s/{session.public_id}/{path}")
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        wrong |= {path: found} if (found := page.evaluate(TURNED, [one, other, note])) else {}
    assert wrong == {}
