"""A hand without a connection, from before its first card to after Settle, and what a phone keeps for that."""

from __future__ import annotations

import re
import threading
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings as given
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from scoring import drafts, ledger
from scoring.access import links
from scoring.actions.people import SitOut
from scoring.game.entry import Entry, Rows
from scoring.ledger import audit
from scoring.models import Deal, Draft, Session
from scoring.views.kept import worker
from scoring.wording.session import title
from tests.browser import conftest
from tests.browser.conftest import PATIENCE, Look
from tests.browser.evening import EVENING
from tests.browser.pad import BOARDS, cards, says, tap, tiles
from tests.browser.test_phone import started
from tests.conftest import host_secret
from tests.ledger.conftest import act
from tests.live.phones import wait_for
from tests.servers import Router, Way

WAITING = "Waiting to be sent. Not settled yet, as far as this phone knows."
KEPT = "Object.keys(localStorage).filter((key) => /^(hand|waiting) /.test(key)).sort()"


@dataclass
class Phone:
    """A phone with its own way to the server, which it can lose."""

    context: BrowserContext
    page: Page
    router: Router

    def loses(self) -> None:
        """The router is gone, and the phone knows."""
        self.router.goes(Way.CLOSED)
        self.context.set_offline(True)

    def finds(self) -> None:
        """The connection is back, and the phone knows."""
        self.router.goes(Way.OPEN)
        self.context.set_offline(False)

    def opens(self, session: Session, path: str = "") -> None:
        """Open a page of the session."""
        self.page.goto(f"{self.router.url}/s/{session.public_id}/{path}")

    def speaks(self, language: str) -> None:
        """Have the pages in this language from now on."""
        self.context.add_cookies([{"name": given.LANGUAGE_COOKIE_NAME, "value": language, "url": self.router.url}])

    def comes_in(self, session: Session, language: str = "en") -> None:
        """Open the host's link, and the table; wait until the phone keeps all that it will need."""
        self.page.goto(f"{self.router.url}/l/{host_secret(session.club)}")
        self.opens(session)
        until(self.page, "(await navigator.serviceWorker.ready).active.state === 'activated'")
        self.keeps_pad_of(session, session.version, language)

    def comes_to_a_new_table(self) -> tuple[Session, Page]:
        """Open the host's link of a session that has just begun."""
        session = started()
        self.comes_in(session)
        return session, self.page

    def previews_at_a_new_table(self) -> tuple[Session, Page]:
        """Come to a new table, and see who pays whom in its first hand."""
        session, page = self.comes_to_a_new_table()
        self.previews(session)
        return session, page

    def leaves_a_hand_waiting(self) -> tuple[Session, Page]:
        """Lose the connection before the first hand of a new table is settled. It waits to be sent."""
        session, page = self.previews_at_a_new_table()
        self.loses()
        self.settles()
        return session, page

    def keeps_pad_of(self, session: Session, version: int, language: str = "en") -> None:
        """Wait until the phone keeps the blank pad of this version."""
        address = f"/s/{session.public_id}/hand/blank/?{version}.{language}"
        until(self.page, f"(await (await caches.open('pads')).match('{address}', {{ignoreVary: true}}))")

    def enters(self, *names: str) -> None:
        """Tap the boards of these players in."""
        for name in names:
            tap(self.page, *cards(BOARDS[name]))

    def previews(self, session: Session) -> None:
        """Enter the whole next hand, and see who pays whom."""
        self.opens(session, "hand/")
        self.enters("Anna", "Bert", "Cleo")
        expect(self.page.get_by_text("Preview – not saved yet")).to_be_visible()

    def settles(self) -> None:
        """Press Settle without a connection."""
        button = self.page.get_by_role("button", name=re.compile("^Settle hand"))
        button.click()
        expect(self.page.get_by_text(WAITING)).to_be_visible()
        expect(button).to_be_hidden()


def until(page: Page, expression: str) -> None:
    """Wait until this expression, which may await something, is true on the page."""
    _on_the_page(
        page,
        f"""async () => {{
        const end = Date.now() + {PATIENCE};
        while (!({expression})) {{
            if (Date.now() > end) throw new Error("in vain");
            await new Promise((next) => setTimeout(next, 20));
        }}
    }}""",
    )


def asked(page: Page, expression: str) -> Any:
    """The value of an expression that may await something."""
    return _on_the_page(page, f"async () => ({expression})")


def _on_the_page(page: Page, script: str) -> Any:
    """What a script returns. A page that goes to another one meanwhile, as a revoked link makes it, is asked there.

    Chromium sometimes never says what became of a cache, and Playwright would wait for ever.
    """
    too_long = f"new Promise((_, fail) => setTimeout(() => fail(new Error('no answer')), {2 * PATIENCE}))"
    while True:
        try:
            return page.evaluate(f"() => Promise.race([({script})(), {too_long}])")
        except Error as error:
            if "context was destroyed" not in error.message:
                raise
            page.wait_for_load_state()


def another_phone_settles(session: Session) -> None:
    """Hand 1 is settled by somebody else."""
    boards = {seat: Rows(*board.split(" / ")) for seat, board in enumerate(EVENING[0].boards.values(), 1)}
    ledger.settle_deal(session=session, entry=Entry(boards=boards), number=1, key="another phone", by="host")


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, settings: Settings) -> Generator[Phone]:
    # A context of its own, because the browser logs a lost connection as an error.
    settings.SERVICE_WORKER = True
    port = int(live_server.url.rpartition(":")[2])
    with (
        Router(port) as router,
        browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True) as context,
    ):
        threading.Thread(target=router.serve_forever, daemon=True).start()
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield Phone(context, page, router)
        router.goes(Way.CLOSED)
        router.shutdown()


def test_a_hand_is_entered_to_its_end_without_a_connection_and_settled_once(phone: Phone, look: Look) -> None:
    _session, page = phone.comes_to_a_new_table()
    phone.loses()
    page.get_by_role("link", name="Enter hand 1").click()
    says(page, "Anna's front: 3 more cards.")
    expect(page.get_by_role("button", name="Cleo, has the button: 0 of 13 cards")).to_be_visible()
    look(page)
    phone.enters("Anna", "Bert")
    # The screen locks, or the phone restarts, and the pad is opened again.
    page.reload()
    says(page, "No connection. Everything is kept on this phone")
    expect(page.get_by_role("button", name="Bert: all in")).to_be_visible()
    phone.enters("Cleo")
    says(page, "All cards are in. Waiting for a connection to show who pays whom.")
    assert not Draft.objects.exists()
    phone.finds()
    # Nobody has seen the settlement yet, so it is shown and not settled.
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    assert not Deal.objects.exists()
    phone.loses()
    phone.settles()
    look(page, "waiting")
    page.goto(page.url)  # the phone restarts once more
    expect(page.get_by_text(WAITING)).to_be_visible()
    look(page, "the pad, waiting")
    assert not Deal.objects.exists()
    phone.finds()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    expect(page.get_by_text(WAITING)).to_have_count(0)
    assert Deal.objects.get().revisions.get().boards.get(seat__name="Cleo").front == "Ah As 5d"
    assert page.evaluate(KEPT) == []
    assert [str(finding) for finding in audit.of_everything()] == []


def test_the_page_that_settled_shows_the_hand_as_soon_as_it_is_sent(phone: Phone) -> None:
    session, page = phone.previews_at_a_new_table()
    # The phone keeps its wireless network, and does not know that nothing is behind it.
    phone.router.goes(Way.CLOSED)
    phone.settles()
    phone.router.goes(Way.OPEN)
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.count() == 1
    # The next hand's pad is kept, so that it can be entered without a connection, too.
    phone.keeps_pad_of(session, Session.objects.get().version)
    phone.loses()
    page.get_by_role("link", name="Enter hand 2").click()
    expect(page.get_by_text("0/13")).to_have_count(3)
    expect(page).to_have_title(re.compile("^Enter hand 2"))


def test_a_hand_goes_out_although_it_was_sent_before_and_the_answer_lost(phone: Phone) -> None:
    _session, page = phone.previews_at_a_new_table()
    phone.router.goes(Way.THERE)
    page.get_by_role("button", name="Settle hand 1").click()
    wait_for(Deal.objects.exists)
    phone.loses()
    expect(page.get_by_text(WAITING)).to_be_visible()
    second = phone.context.new_page()
    second.goto(f"{phone.router.url}/")
    expect(second.get_by_role("heading", name="No connection")).to_be_visible()
    expect(second.get_by_text(WAITING)).to_be_visible()
    phone.finds()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    expect(second.get_by_text(WAITING)).to_have_count(0)
    assert Deal.objects.count() == 1


def test_a_refusal_is_told_and_the_cards_are_in_the_form(phone: Phone, look: Look) -> None:
    session, page = phone.leaves_a_hand_waiting()
    another_phone_settles(session)
    phone.finds()
    expect(page.get_by_text("Your cards for hand 1 were not settled.")).to_be_visible()
    look(page, "refused")
    assert Deal.objects.count() == 1
    page.reload()
    expect(page.get_by_text("Your cards for hand 1 were not settled.")).to_be_visible()
    page.get_by_role("link", name="Show these cards").click()
    page.get_by_role("button", name="Cleo, has the button: fouled").tap()
    expect(tiles(page, "p3-back")).to_have_count(5)
    expect(page.get_by_text("Your cards for hand 1 were not settled.")).to_have_count(0)
    assert Deal.objects.count() == 1


def changes(number: int, seat: int, rows: Rows) -> None:
    """Another phone, which has seen the rows that this one sent, has other ones."""
    draft = Draft.objects.get(seat__number=seat)
    drafts.keep(session=draft.session, number=number, seat=seat, rows=rows, base=draft.revision, device="other")


def test_a_hand_that_another_phone_has_overtaken_says_what_that_phone_did(phone: Phone) -> None:
    session, page = phone.previews_at_a_new_table()
    wait_for(lambda: Draft.objects.filter(done=True).count() == 3)
    phone.loses()
    phone.settles()
    front, middle, _ = BOARDS["Anna"].split("/")
    changes(1, 1, Rows(front, middle, "3h 3c 3s 2d Ac"))
    phone.finds()
    expect(page.locator("#waiting p").first).to_have_text(
        "Your cards for hand 1 were not settled. Another phone has changed the cards of Anna."
    )
    # The same if the settlement is open, and what was taken back is missing now.
    page.get_by_role("button", name="Remove these cards").click()
    phone.opens(session, "hand/")
    page.locator("[data-act=done]").first.tap()
    settle_hand = page.get_by_role("button", name="Settle hand 1")
    expect(settle_hand).to_be_visible()
    changes(1, 1, Rows(front, middle, ""))
    settle_hand.click()
    says(page, "Not settled yet. Another phone has taken back cards of Anna. Anna's back: 5 more cards.")
    assert not Deal.objects.exists()


def test_a_hand_goes_on_waiting_where_its_form_cannot_be_opened(phone: Phone) -> None:
    session, page = phone.leaves_a_hand_waiting()
    (waiting,) = (name for name in page.evaluate(KEPT) if name.startswith("waiting"))
    asked(page, "await caches.delete('pads')")
    phone.opens(session, f"hand/?edit=1&key={waiting.split()[-1]}")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_text(WAITING)).to_be_visible()
    page.goto(f"{phone.router.url}/")
    expect(page.get_by_text(WAITING)).to_be_visible()
    phone.finds()
    wait_for(Deal.objects.exists)


def test_a_card_that_changes_while_its_hand_waits_calls_the_hand_back(phone: Phone) -> None:
    session, page = phone.leaves_a_hand_waiting()
    phone.opens(session, "hand/")  # without taking the way of Edit
    expect(page.get_by_text(WAITING)).to_be_visible()
    page.get_by_role("button", name="Cleo, has the button: all in").tap()
    tiles(page, "p3-back").last.click()
    tap(page, "4c")
    expect(page.get_by_text(WAITING)).to_have_count(0)
    expect(page.locator("#status")).to_have_text("Hand 1 is no longer waiting to be sent. Settle it again.")
    phone.finds()
    page.locator("[data-act=done]").first.tap()
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.get().revisions.get().boards.get(seat__name="Cleo").back == "Qd Qc Jd 8d 4c"


def test_back_from_a_hand_that_waits_leads_to_its_cards_also_on_a_phone_that_entered_none(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    phone.keeps_pad_of(session, session.version)
    for seat, name in enumerate(("Anna", "Bert", "Cleo"), 1):
        rows = Rows(*BOARDS[name].split("/"))
        drafts.keep(session=session, number=1, seat=seat, rows=rows, base=0, device="other")
    page.get_by_role("link", name="Enter hand 1").click()
    expect(page.get_by_role("button", name="Anna: all in")).to_be_visible()
    page.locator("[data-act=done]").first.tap()
    expect(page.get_by_text("Preview – not saved yet")).to_be_visible()
    phone.loses()
    phone.settles()
    page.go_back()
    expect(page.locator("#status")).to_have_text("Hand 1 is no longer waiting to be sent. Settle it again.")
    expect(page.get_by_role("button", name="Anna: all in")).to_be_visible()
    expect(page.get_by_role("button", name="Bert: all in")).to_be_visible()
    phone.finds()
    page.locator("[data-act=done]").first.tap()
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))


def test_a_revoked_link_shows_once_more_what_was_typed(phone: Phone) -> None:
    session, page = started(), phone.page
    link, secret = links.issue(club=session.club, session=session, role=links.Role.SCORER, key="scorer", name="Scorer")
    let_in_by(page, phone.router.url, secret)
    phone.opens(session)
    phone.keeps_pad_of(session, session.version)
    phone.opens(session, "hand/")
    phone.loses()
    phone.enters("Anna")
    link.delete()
    phone.finds()
    expect(page.get_by_text("Your cards for hand 1 were not settled. This phone may no longer")).to_contain_text(
        "They were: 6h 6c 4d / Ts Tc 9d Qh 8s / 3h 3c 3s 2d 2c"
    )
    assert page.evaluate(KEPT) == []


def test_a_link_revoked_while_cards_are_typed_shows_them(phone: Phone) -> None:
    session, page = started(), phone.page
    link, secret = links.issue(club=session.club, session=session, role=links.Role.SCORER, key="scorer", name="Scorer")
    let_in_by(page, phone.router.url, secret)
    phone.opens(session, "hand/")
    phone.enters("Anna")
    links.revoke(link)
    expect(page.get_by_role("heading", name="This link was revoked")).to_be_visible()
    expect(page.get_by_text("Your cards for hand 1 were not settled. This phone may no longer")).to_contain_text(
        "They were: 6h 6c 4d / Ts Tc 9d Qh 8s / 3h 3c 3s 2d 2c"
    )


def test_only_an_answer_that_counts_ends_the_waiting(phone: Phone) -> None:
    _session, page = phone.leaves_a_hand_waiting()
    page.route("**/hand/", lambda route: route.fulfill(status=429))
    phone.finds()
    page.get_by_role("button", name="Send now").click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(page.get_by_text(WAITING)).to_be_visible()
    assert [name.split()[0] for name in page.evaluate(KEPT)] == ["hand", "waiting"]
    page.unroute("**/hand/")
    again.click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.count() == 1


def test_a_table_that_cannot_deal_any_more_refuses_once(phone: Phone) -> None:
    session, page = phone.leaves_a_hand_waiting()
    for seat in (1, 2):
        act(SitOut, session, seat=seat)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    phone.finds()
    expect(page.get_by_text("Your cards for hand 1 were not settled.")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Your cards for hand 1 were not settled.")).to_be_visible()
    assert len([each for each in sent if each.endswith("/hand/")]) == 1


def test_a_hand_goes_out_although_there_is_no_room_for_a_pad(phone: Phone) -> None:
    _session, page = phone.previews_at_a_new_table()
    page.evaluate("() => { Cache.prototype.put = () => Promise.reject(new DOMException('', 'QuotaExceededError')); }")
    phone.loses()
    phone.settles()
    phone.finds()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.count() == 1


def test_a_hand_that_was_sent_is_not_offered_any_more(phone: Phone) -> None:
    _session, page = phone.leaves_a_hand_waiting()
    page.goto(f"{phone.router.url}/")
    expect(page.get_by_text(WAITING)).to_be_visible()
    phone.finds()
    wait_for(Deal.objects.exists)
    until(page, f"{KEPT}.length === 0")
    until(page, "!(await (await caches.open('pads')).keys()).length")


def test_removing_games_says_that_a_hand_would_be_lost(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.goto(f"{phone.router.url}/")
    page.get_by_text("Remove games from this phone").click()
    warning = page.get_by_text("A hand on this phone is waiting to be sent")
    expect(warning).to_be_hidden()
    phone.previews(session)
    phone.router.goes(Way.PORTAL)  # which answers, so that the page below can be opened from the copy of the browser
    phone.settles()
    page.route("**/hand/blank/", lambda route: route.abort())
    phone.router.goes(Way.OPEN)
    page.goto(f"{phone.router.url}/")
    page.get_by_text("Remove games from this phone").click()
    expect(warning).to_be_visible()


def test_a_download_without_a_connection_leaves_the_page(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    phone.opens(session, "record/")
    phone.loses()
    page.get_by_role("link", name="Download the record").first.click()
    expect(page.locator("#status")).to_contain_text("No connection. Nothing on this page is lost.")


def test_the_page_for_no_connection_does_not_load_itself_again_and_again(phone: Phone) -> None:
    page, loaded = phone.page, []
    page.clock.install()
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    page.goto(f"{phone.router.url}/offline/")
    conftest.until(page, lambda: len(loaded) == 2)
    for _ in range(5):
        page.clock.run_for(1_500)
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert len(loaded) == 2


def test_cards_can_be_edited_while_they_wait(phone: Phone) -> None:
    session, page = phone.leaves_a_hand_waiting()
    phone.opens(session, "ledger/")  # which cannot be reached
    page.get_by_role("link", name="Edit").click()
    page.get_by_role("button", name="Cleo, has the button: all in").tap()
    expect(page.get_by_text(WAITING)).to_have_count(0)
    tiles(page, "p3-back").last.click()
    tap(page, "4c")
    phone.finds()
    page.locator("[data-act=done]").first.tap()
    page.get_by_role("button", name="Settle hand 1").click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.get().revisions.get().boards.get(seat__name="Cleo").back == "Qd Qc Jd 8d 4c"


def test_the_answer_of_a_network_that_wants_a_login_does_not_count(phone: Phone) -> None:
    _session, page = phone.previews_at_a_new_table()
    phone.router.goes(Way.PORTAL)
    phone.settles()
    page.get_by_role("button", name="Send now").click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(page.get_by_text(WAITING)).to_be_visible()
    phone.router.goes(Way.OPEN)
    again.click()
    expect(page).to_have_url(re.compile(r"/hands/1/$"))
    assert Deal.objects.count() == 1


def test_without_a_worker_a_hand_waits_on_any_page(phone: Phone, settings: Settings) -> None:
    settings.SERVICE_WORKER = False
    session, page = started(), phone.page
    page.add_init_script("delete window.caches; delete Navigator.prototype.serviceWorker")
    page.goto(f"{phone.router.url}/l/{host_secret(session.club)}")
    assert page.evaluate("!('caches' in window) && !navigator.serviceWorker")
    phone.previews(session)
    phone.loses()
    phone.settles()
    page.close()
    phone.finds()
    phone.page = phone.context.new_page()
    phone.page.goto(f"{phone.router.url}/rules/")
    expect(phone.page.get_by_text("Hand 1 is settled.")).to_be_visible()
    phone.page.get_by_role("link", name="See hand 1").click()
    expect(phone.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert Deal.objects.count() == 1


def test_a_page_that_does_not_come_is_told_of_after_four_seconds(phone: Phone, look: Look) -> None:
    session, page = phone.comes_to_a_new_table()
    phone.opens(session, "hand/")
    phone.enters("Anna")
    phone.router.goes(Way.SILENT)
    phone.opens(session, "ledger/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("link", name=f"{title(session)}: hand 1, 13 cards")).to_be_visible()
    look(page)
    phone.router.goes(Way.OPEN)
    expect(page.get_by_role("heading", name="No hands yet")).to_be_visible()


def let_in_by(page: Page, base: str, secret: str) -> None:
    """Open a link, in a browser that may hold others."""
    page.goto(f"{base}/l/{secret}")
    question = page.get_by_role("button", name="Open link")
    if question.count():
        question.click()
        page.wait_for_url(lambda url: "/l/" not in url)


def names_kept(page: Page) -> list[str]:
    """What the phone keeps that is no static file: the addresses in its caches, and what was typed."""
    requests = "(await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))).flat()"
    addresses = f"{requests}.map(({{ url }}) => new URL(url).pathname)"
    kept: list[str] = asked(page, f"[...{addresses}.filter((path) => !path.startsWith('/static/')), ...{KEPT}]")
    return sorted(kept)


def test_no_page_is_kept_but_the_blank_pad_and_the_offline_page(phone: Phone) -> None:
    session, page = started(hands=1), phone.page
    phone.comes_in(session)
    page.goto(f"{phone.router.url}/l/{host_secret(session.club)}")
    for path in ("", "ledger/", "hands/1/", "history/", "hand/"):
        phone.opens(session, path)
    phone.keeps_pad_of(session, session.version)
    assert names_kept(page) == ["/offline/", f"/s/{session.public_id}/hand/blank/"]


def test_forgetting_clears_what_was_kept(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    phone.opens(session, "hand/")
    phone.enters("Anna")
    assert names_kept(page) == ["/offline/", f"/s/{session.public_id}/hand/blank/", f"hand {session.public_id} 1"]
    page.goto(f"{phone.router.url}/")
    page.get_by_text("Remove games from this phone").click()
    page.get_by_role("button", name="Remove all from this phone").click()
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    assert names_kept(page) == ["/offline/"]
    phone.loses()
    phone.opens(session, "hand/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_text("Anna")).to_have_count(0)


def test_a_pad_that_comes_while_people_forget_is_not_kept(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.goto(f"{phone.router.url}/")
    page.evaluate("HTMLFormElement.prototype.submit = () => document.body.append('On its way')")
    page.get_by_text("Remove games from this phone").click()
    page.get_by_role("button", name="Remove all from this phone").click()
    expect(page.get_by_text("On its way")).to_be_visible()
    asked(page, f"(await import('{module_on(page)}')).blank('{session.public_id}', '{session.version}')")
    assert names_kept(page) == ["/offline/"]


def test_a_pad_that_was_asked_for_before_the_hand_was_settled_is_not_kept(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.goto(f"{phone.router.url}/")
    script = f"""(async () => {{
        const {{ blank, drop }} = await import("{module_on(page)}");
        const pad = blank("{session.public_id}", "{session.version}");
        await drop("{session.public_id}");
        await pad;
    }})()"""
    asked(page, script)
    assert names_kept(page) == ["/offline/"]


def module_on(page: Page) -> str:
    """The address of the module that keeps pads."""
    return str(page.locator("script[src*='/page']").get_attribute("src")).replace("page", "kept")


def test_what_was_kept_is_gone_before_the_server_hears_of_it(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.goto(f"{phone.router.url}/")
    page.get_by_text("Remove games from this phone").click()
    page.route("**/forget/", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/forget/")):
        page.get_by_role("button", name="Remove all from this phone").click()
    phone.loses()
    phone.opens(session, "hand/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert names_kept(page) == ["/offline/"]


def test_without_a_connection_nothing_is_forgotten_and_the_page_says_so(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.goto(f"{phone.router.url}/")
    page.get_by_text("Remove games from this phone").click()
    phone.loses()
    page.get_by_role("button", name="Remove all from this phone").click()
    expect(page.locator("#status")).to_contain_text("No connection. What you typed is still here. Press “Remove all")
    assert f"/s/{session.public_id}/hand/blank/" in names_kept(page)
    phone.finds()
    page.get_by_role("button", name="Remove all from this phone").click()
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    assert names_kept(page) == ["/offline/"]


@pytest.mark.parametrize("watches", [False, True])
def test_a_revoked_link_clears_what_was_kept(phone: Phone, watches: bool) -> None:
    session, page = started(), phone.page
    for role in [links.Role.SCORER, *([links.Role.VIEWER] if watches else [])]:
        _, secret = links.issue(club=session.club, session=session, role=role, key=role, name=role.label)
        let_in_by(page, phone.router.url, secret)
    phone.opens(session)
    until(page, "(await navigator.serviceWorker.ready).active.state === 'activated'")
    phone.keeps_pad_of(session, session.version)
    phone.previews(session)
    phone.loses()
    phone.settles()
    links.revoke(session.links.get(role=links.Role.SCORER))
    phone.finds()
    expect(page.get_by_text("Your cards for hand 1 were not settled.")).to_contain_text("Ah As 5d")
    # Somebody who may still watch keeps what they typed themselves, as any player does.
    expected = ["/offline/", *([f"hand {session.public_id} 1"] if watches else [])]
    assert names_kept(page) == expected
    page.get_by_role("button", name="Remove these cards").click()
    page.goto(f"{phone.router.url}/rules/")
    expect(page.get_by_text("Your cards for hand 1")).to_have_count(0)
    assert not Deal.objects.exists()


def test_a_pad_of_a_table_that_was_lost_meanwhile_goes_with_the_next_page(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.goto("about:blank")
    for link in session.club.links.all():
        links.revoke(link)
    page.goto(f"{phone.router.url}/rules/")
    until(page, "!(await (await caches.open('pads')).keys()).length")


def test_a_pad_that_the_session_has_left_behind_goes_at_once(phone: Phone) -> None:
    """Its button and its Fantasyland would be those of another hand."""
    session, page = phone.comes_to_a_new_table()
    page.route("**/hand/blank/", lambda route: route.abort())
    another_phone_settles(session)
    expect(page.get_by_role("link", name="Enter hand 2")).to_be_visible()
    until(page, "!(await (await caches.open('pads')).keys()).length")


def test_a_kept_pad_deletes_no_cards_of_a_later_hand(phone: Phone) -> None:
    session, page = phone.comes_to_a_new_table()
    page.evaluate(f"localStorage.setItem('hand {session.public_id} 2', '{{}}')")
    phone.loses()
    phone.opens(session, "hand/")
    phone.enters("Anna")
    assert page.evaluate(KEPT) == [f"hand {session.public_id} {number}" for number in (1, 2)]


def versions(page: Page) -> list[str]:
    """The releases whose files the phone keeps."""
    return sorted(asked(page, "(await caches.keys()).filter((name) => name.startsWith('files'))"))


def test_a_new_release_waits_until_the_hand_is_over(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    session, page = phone.comes_to_a_new_table()
    (before,) = versions(page)
    phone.opens(session, "hand/")
    phone.enters("Anna")
    old = worker.working()
    monkeypatch.setattr(worker, "working", lambda: old.replace(before.removeprefix("files "), "next"))
    page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")
    until(page, "(await navigator.serviceWorker.ready).waiting")
    phone.enters("Bert")
    assert asked(page, "(await navigator.serviceWorker.ready).waiting.state") == "installed"
    # Another page is opened beside the hand, which is still there.
    second = phone.context.new_page()
    second.goto(f"{phone.router.url}/rules/")
    assert asked(second, "(await navigator.serviceWorker.ready).waiting.state") == "installed"
    second.close()
    assert versions(page) == sorted([before, "files next"])
    phone.opens(session)
    until(page, "!(await navigator.serviceWorker.ready).waiting")
    until(page, "(await caches.keys()).filter((name) => name.startsWith('files')).length === 1")
    assert versions(page) == ["files next"]


def test_a_phone_keeps_the_words_of_its_language_and_after_a_change_those_of_the_new_one(phone: Phone) -> None:
    phone.speaks("fi")
    session = started()
    phone.comes_in(session, "fi")
    words = "(await (await caches.open((await caches.keys()).find((name) => name.startsWith('files')))).keys())"
    words += ".map(({ url }) => new URL(url).pathname).filter((path) => path.includes('/words/')).sort().join(' ')"
    assert asked(phone.page, words) == "/static/pad/words/fi.js /static/words/fi.js"
    phone.speaks("de")
    phone.opens(session)
    phone.keeps_pad_of(session, session.version, "de")
    until(phone.page, "(await (await caches.match('/offline/', { ignoreVary: true })).text()).includes('lang=\"de\"')")
    phone.loses()
    phone.opens(session, "ledger/")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Keine Verbindung")
    phone.opens(session, "hand/")
    phone.enters("Anna")
    expect(phone.page.locator("[data-pad=says]")).to_contain_text("Keine Verbindung")
    expect(tiles(phone.page, "p1-back")).to_have_count(5)


def test_a_worker_that_must_go_goes(phone: Phone, settings: Settings) -> None:
    session, page = phone.comes_to_a_new_table()
    phone.opens(session, "hand/")
    phone.enters("Anna")
    # The browser's own look for a new worker may be on its way still, and would be taken for the next one.
    asked(page, "(await (await navigator.serviceWorker.getRegistration()).update()) && true")
    settings.SERVICE_WORKER = False
    page.reload()
    until(page, "!(await navigator.serviceWorker.getRegistrations()).length")
    until(page, "!(await caches.keys()).filter((name) => name.startsWith('files')).length")
    page.reload()
    expect(page.get_by_role("button", name="Anna: all in")).to_be_visible()
    assert not asked(page, "(await navigator.serviceWorker.getRegistrations()).length")
