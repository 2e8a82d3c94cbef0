"""Every link that a page shows works for the browser that sees it, and none leads to another club's games."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import override_settings
from django.urls import resolve

from scoring import club
from scoring.access.links import Role
from scoring.actions.chips import BuyIn
from scoring.game.entry import Entry, Rows
from scoring.models import Link
from tests.access.conftest import Cast, browser, evening, issue
from tests.access.reading import crawl, is_page, read
from tests.access.test_table import TABLE
from tests.ledger.conftest import act, settle, start
from tests.pages import form, post_nothing
from tests.views.start import test_new_session as start_page

pytestmark = pytest.mark.django_db

MINE = ("Ann", "Bob", "Cat")
FOREIGN = ("Zebulon", "Yolanda")


def addresses(cast: Cast, who: str) -> list[str]:
    """Where a visit begins: the start page, and the session if this browser may open it."""
    return ["/", *([f"/s/{cast.wants(who).public_id}/"] if who not in {"nobody", "revoked", "other"} else [])]


@pytest.mark.parametrize("who", ["nobody", "revoked", "other", "viewer", "seat", "scorer", "host", "closed"])
def test_every_link_that_is_shown_leads_somewhere(cast: Cast, who: str) -> None:
    foreign = start(" ".join(FOREIGN))
    settle(foreign, Entry(boards={seat: Rows(ruling="dead") for seat in (1, 2)}))
    visited = dict(crawl(cast.browsers[who], *addresses(cast, who)))
    wrong = {url: response.status_code for url, response in visited.items() if response.status_code not in {200, 302}}
    assert wrong == {}
    pages = {url: read(response, url) for url, response in visited.items() if is_page(response)}
    assert {url: page.faults for url, page in pages.items() if page.faults} == {}
    texts = {url: " ".join(page.text) for url, page in pages.items()}
    assert not [url for url, text in texts.items() if any(name in text for name in FOREIGN)]
    knows = any(name in text for text in texts.values() for name in MINE)
    assert knows == (who not in {"nobody", "revoked", "other"})
    assert len(pages) > 10  # the rules alone are nine pages


@pytest.mark.parametrize("who", ["nobody", "viewer", "seat", "scorer", "host", "closed"])
def test_looking_changes_nothing(cast: Cast, who: str) -> None:
    """A page elsewhere can make a browser GET anything, which notes at most that a link was used, or counts."""
    written: set[str] = set()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if found := re.match(r"(?:INSERT INTO|UPDATE|DELETE FROM)\W+(\w+)", sql):
            written.add(found[1])
        return execute(sql, params, many, context)

    revoked = set(Link.objects.values_list("revoked_at", flat=True))
    with connection.execute_wrapper(note):
        for _ in crawl(cast.browsers[who], *addresses(cast, who)):
            pass
    assert written <= {"scoring_link", "scoring_tally"}
    assert set(Link.objects.values_list("revoked_at", flat=True)) <= revoked


def test_a_host_finds_everything_of_their_club(cast: Cast) -> None:
    second = start("Ann Dan", club=cast.session.club)
    club.rename(cast.session.club, "Thursdays")
    visited = dict(crawl(cast.browsers["host"], "/"))
    found = cast.session.club.public_id
    for page in ("", "standings/", "players/", "links/", "more/", "delete/", "export.json", "statistics.xlsx"):
        assert f"/c/{found}/{page}" in visited
    assert f"/s/{second.public_id}/" in visited
    assert f"/s/{cast.session.public_id}/links/" in visited


NO_LINK_LEADS_THERE = {
    "s/<str:public_id>/version",
    "s/<str:public_id>/record.svg",
    "s/<str:public_id>/hand/blank/",
    "language/<slug:tag>/manifest.webmanifest",
    "sw.js",
    "offline/",
    "healthz",
    "readyz",
    "api/v1/openapi.json",
    "api/v1/docs",
}
"""Addresses for scripts, programs and operators, and of a picture."""


@override_settings(LANGUAGES=[("en", "English"), ("fi", "Suomi")])  # pages lead to the choice where there is one
def test_no_page_is_without_a_way_to_it(cast: Cast) -> None:
    """A host who follows links alone comes to every page that they may read."""
    browser = cast.browsers["host"]
    with_chips = start(club=cast.session.club)
    for seat in (1, 2, 3):
        act(BuyIn, with_chips, seat=seat, amount=1000)
    settle(with_chips)
    visited = [*crawl(browser, "/", "/check/?front=AAQ&middle=66KT9"), *crawl(cast.browsers["closed"], "/")]
    reached = {resolve(urlsplit(url).path).route for url, _ in visited}
    readable = {row.pattern for row in TABLE if row.method == "GET" and row.expected["host"] == 200}
    alone = readable - reached - NO_LINK_LEADS_THERE
    assert alone == set(), "no link on any page leads there"


def test_two_links_in_one_browser_do_not_lend_each_other_rights() -> None:
    mine, theirs = evening(), evening()
    client = browser(issue(mine, Role.HOST)[1], issue(theirs, Role.VIEWER)[1])
    assert client.get(f"/s/{mine.public_id}/penalty/").status_code == 200
    assert client.get(f"/s/{theirs.public_id}/penalty/").status_code == 403
    assert client.get(f"/c/{theirs.club.public_id}/").status_code == 404


def test_a_clubs_address_reaches_nothing_of_another_club(cast: Cast) -> None:
    """The second id in an address is looked up only within the club of the first."""
    host, mine = cast.browsers["host"], cast.session.club.public_id
    other = cast.links["other"].club
    stranger = other.players.get(name="Dan")
    link = cast.links["other"].public_id
    for path in (f"/c/{mine}/players/{stranger.pk}/", f"/c/{mine}/players/{10**30}/"):
        assert host.get(path).status_code == 404
    for path in (f"/c/{mine}/links/{link}/revoke/", f"/c/{mine}/links/{link}/replace/"):
        assert post_nothing(host, path).status_code == 404
    ann = cast.session.club.players.get(name="Ann")
    merging = form(host.get(f"/c/{mine}/players/{ann.pk}/"), "Merge players")
    assert merging.forge({"into": str(stranger.pk)}).status_code == 404
    stakes = form(host.get(f"/c/{mine}/players/"), "Save stake").fill({"stake": "5"})
    assert stakes.forge({"other": str(stranger.pk)}).status_code == 404
    assert start_page.evening(host).forge({"club": other.public_id, "start": "1"}).status_code == 404
    assert cast.links["other"].revoked_at is None
