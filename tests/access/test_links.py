"""Links are exchanged once, stored only as digests, revoked and replaced at once, and never leak."""

from __future__ import annotations

import logging
import logging.config
import re
import time
from copy import deepcopy
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.core import signing
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring import access
from scoring.access import browser as held_links
from scoring.access import links
from scoring.access.browser import HeldLinks
from scoring.access.links import Role
from scoring.models import Event, Forgotten, Link, Session
from tests.access.conftest import Cast, again, browser, issue, open_link
from tests.ledger.conftest import settle, start
from tests.pages import form, post_nothing
from tests.views.start.test_new_session import evening, sit_down

pytestmark = pytest.mark.django_db


def table(session: Session) -> str:
    return f"/s/{session.public_id}/"


def test_a_link_is_exchanged_for_a_clean_address_and_a_cookie() -> None:
    session = start()
    _, secret = issue(session, Role.VIEWER)
    client = Client()
    response = client.get(f"/l/{secret}")
    assert response["Location"] == table(session)
    assert response["Referrer-Policy"] == "no-referrer"
    assert "no-store" in response["Cache-Control"]
    cookie = client.cookies["keys"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]
    assert secret not in cookie.value
    page = client.get(response["Location"])
    assert page.status_code == 200
    assert secret not in page.content.decode()


def test_behind_https_the_cookie_is_secure() -> None:
    _, secret = issue(start(), Role.VIEWER)
    with override_settings(SESSION_COOKIE_SECURE=True):
        client = browser(secret)
    assert client.cookies["keys"]["secure"]


def test_below_a_path_the_cookie_is_set_and_removed_there() -> None:
    _, secret = issue(start(), Role.VIEWER)
    with override_settings(SESSION_COOKIE_PATH="/ofc/"):
        client = browser(secret)
        assert client.cookies["keys"]["path"] == "/ofc/"
        form(client.get("/"), "Remove all from this phone").press()
    assert (client.cookies["keys"]["path"], client.cookies["keys"].value) == ("/ofc/", "")


@pytest.mark.parametrize(
    ("role", "path"), [(Role.HOST, "/c/{club}/"), (Role.SCORER, "/s/{session}/seat/"), (Role.VIEWER, "/s/{session}/")]
)
def test_a_link_leads_where_its_holder_has_something_to_do(role: Role, path: str) -> None:
    session = start()
    _, secret = issue(session, role)
    response = Client().get(f"/l/{secret}")
    assert response["Location"] == path.format(club=session.club.public_id, session=session.public_id)


def test_a_secret_has_at_least_128_bits_and_is_kept_nowhere() -> None:
    session = start()
    made = [issue(session, Role.VIEWER) for _ in range(50)]
    assert len({secret for _, secret in made}) == 50
    for link, secret in made:
        assert re.fullmatch(r"[\w-]{32}", secret)  # 24 bytes
        kept = Link.objects.filter(pk=link.pk).values_list()[0]
        assert not any(secret in str(value) for value in kept)


def test_the_form_that_asked_makes_one_link_however_often_it_is_sent() -> None:
    session = start()
    first = links.issue(club=session.club, role=Role.HOST, key="once")
    assert links.issue(club=session.club, role=Role.HOST, key="once") == first
    assert links.issue(club=start().club, role=Role.HOST, key="once")[1] != first[1]
    assert Link.objects.count() == 2


def test_what_is_stored_of_a_form_does_not_lead_to_the_secret(client: Client) -> None:
    opened = evening(Client())
    opened.press("Start game")
    stored = Session.objects.get()
    link = Link.objects.get()
    texts = [stored.key, *Event.objects.values_list("key", flat=True), link.public_id, stored.public_id]
    assert opened.fields()["key"][0] not in texts
    for text in texts:
        again, _ = links.issue(club=stored.club, role=Role.HOST, key=text)
        assert again != link


def test_a_link_that_is_opened_twice_is_one_grant() -> None:
    _, secret = issue(start(), Role.VIEWER)
    client = browser(secret)
    once = client.cookies["keys"].value.split(":")[0]
    assert client.get(f"/l/{secret}").status_code == 302
    assert client.cookies["keys"].value.split(":")[0] == once
    assert len(held_ids(client)) == 1


def test_the_strongest_of_several_links_counts() -> None:
    session = start()
    viewer, scorer = issue(session, Role.VIEWER)[1], issue(session, Role.SCORER)[1]
    for order in ([viewer, scorer], [scorer, viewer]):
        assert browser(*order).get(f"{table(session)}hand/").status_code == 200


@pytest.mark.parametrize("who", ["viewer", "seat", "scorer", "host"])
def test_a_revoked_link_opens_nothing_from_then_on(cast: Cast, who: str) -> None:
    client = cast.browsers[who]
    assert client.get(table(cast.session)).status_code == 200
    links.revoke(cast.links[who])
    for page in ("", "ledger/", "hand/", "hands/1/"):
        assert client.get(table(cast.session) + page).status_code == 404
    assert table(cast.session) not in client.get("/").content.decode()


def test_a_revoked_or_unknown_secret_is_404_and_told_to_nobody() -> None:
    link, secret = issue(start(), Role.VIEWER)
    links.revoke(link)
    for path in (f"/l/{secret}", f"/l/{secret}/", "/l/nothing", "/l/%00", "/l/" + "x" * 5000, "/l/%ed%a0%80"):
        response = Client().get(path)
        assert response.status_code == 404
        assert response["Referrer-Policy"] == "no-referrer"
        assert secret not in response.content.decode()


def test_no_answer_to_a_link_names_it_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = issue(start(), Role.VIEWER)
    at, strict = f"/l/{secret}", Client(enforce_csrf_checks=True, raise_request_exception=False)
    answers = {
        "as it should": strict.get(at),
        "a form": post_nothing(strict, at),
        "another method": strict.put(at),
        "another host": strict.get(at, headers={"Host": "elsewhere.example"}),
    }
    monkeypatch.setattr(links, "by_secret", lambda _: 1 / 0)
    answers["our fault"] = strict.get(at)
    assert [each.status_code for each in answers.values()] == [302, 403, 403, 400, 500]
    for why, answer in answers.items():
        assert answer["Referrer-Policy"] == "no-referrer", why
        assert secret not in answer.content.decode(), why


def test_a_replaced_link_gives_way_to_the_new_one(cast: Cast) -> None:
    old = cast.links["scorer"]
    new, secret = links.replace(old, key="new one") or pytest.fail("it stands")
    assert (new.role, new.session, new.name) == (old.role, old.session, old.name)
    assert links.replace(old, key="new one") == (new, secret)
    assert links.replace(old, key="another") is None
    old.refresh_from_db()
    assert old.replaced_by == new
    assert cast.browsers["scorer"].get(table(cast.session)).status_code == 404
    assert browser(secret).get(f"{table(cast.session)}hand/").status_code == 200


def test_a_replaced_link_keeps_its_name(cast: Cast) -> None:
    old, _ = issue(cast.session, Role.SCORER, name="Anna's tablet")
    new, _ = links.replace(old, key="x") or pytest.fail("it stands")
    assert new.name == "Anna's tablet"


def test_a_replaced_link_does_not_give_way_to_just_any_link(cast: Cast) -> None:
    old = cast.links["scorer"]
    links.replace(old, key="one")
    links.issue(club=cast.session.club, role=Role.HOST, key="other", name="Spare")
    assert links.replace(old, key="other") is None


@override_settings(SECRET_KEY="a key that stays as it is while the app is changed, so that its links do")
def test_links_outlive_a_release(cast: Cast) -> None:
    """What the secrets of links are made of may never change, or those that people hold would open nothing."""
    assert links.public("key") == "12e1fccac4b14a5d676b8d83595fdce1c7a4cf1f374586e0a12b48ddcaf7974f"
    cast.session.club.public_id = "club"
    assert links.secret_of(cast.session.club, "key") == "raAFPKytgRQ1jbkzhl6HYQqBg-BzeMBt"
    assert links.recovery_key("key") == "a467ec73024889ff25785ab17388ed9019be91fa87aa1c6b20495e17a0f57ac3"


def test_a_random_key_has_192_bits() -> None:
    assert len({links.new_link_key() for _ in range(9)}) == 9
    assert len(links.new_link_key()) == 24 * 8 // 6


def test_a_link_tied_to_a_seat_stays_tied_when_replaced(cast: Cast) -> None:
    new, _ = links.replace(cast.links["seat"], key="x") or pytest.fail("it stands")
    assert new.seat == cast.links["seat"].seat


def test_a_link_is_revoked_once(cast: Cast) -> None:
    link = cast.links["viewer"]
    links.revoke(link)
    link.refresh_from_db()
    first = link.revoked_at
    links.revoke(link)
    link.refresh_from_db()
    assert link.revoked_at == first


def test_use_is_noted_of_the_link_that_was_used_unless_somebody_has_just_done_so(cast: Cast) -> None:
    used, other = cast.links["scorer"], cast.links["viewer"]
    Link.objects.update(used_at=None)
    used.used_at = None
    links.note_use(used)
    first = Link.objects.get(pk=used.pk).used_at
    assert first is not None
    assert Link.objects.get(pk=other.pk).used_at is None
    links.note_use(used)  # read before the first use was noted, as in a request at the same time
    assert Link.objects.get(pk=used.pk).used_at == first


def test_use_is_noted_again_once_more_than_a_minute_has_passed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    used, noon = cast.links["viewer"], timezone.now()
    statements = {}
    for seconds in (60, 61):
        Link.objects.filter(pk=used.pk).update(used_at=noon)
        used.refresh_from_db()
        monkeypatch.setattr(timezone, "now", lambda after=seconds: noon + timedelta(seconds=after))
        with CaptureQueriesContext(connection) as asked:
            links.note_use(used)
        statements[seconds] = sum("UPDATE" in each["sql"] for each in asked)
    assert statements == {60: 0, 61: 1}


def test_use_is_noted_but_not_at_every_click(cast: Cast) -> None:
    link, client = cast.links["viewer"], cast.browsers["viewer"]
    link.refresh_from_db()
    assert link.used_at is None  # opening a link, as a preview does, is no use of it
    client.get(table(cast.session))
    link.refresh_from_db()
    first = link.used_at
    assert first is not None
    client.get(table(cast.session))
    link.refresh_from_db()
    assert link.used_at == first
    Link.objects.filter(pk=link.pk).update(used_at=first - timedelta(minutes=5))
    client.get(table(cast.session))
    link.refresh_from_db()
    assert link.used_at > first


def test_the_history_says_which_link_it_was(cast: Cast) -> None:
    session = cast.session
    opened = form(cast.browsers["host"].get(f"{table(session)}next/"), "Save button and Fantasyland")
    opened.fill({"button": str(session.button % 3 + 1), "note": "moved"}).press()
    assert Event.objects.filter(session=session).latest("n").by == "Host"


def test_a_scorer_takes_back_only_what_they_settled(cast: Cast) -> None:
    session, client = cast.session, cast.browsers["scorer"]
    hosts = form(cast.browsers["host"].get(table(session)), action=f"{table(session)}undo/")
    assert hosts.by(client).press().status_code == 403
    assert "Undo" not in client.get(table(session)).content.decode()
    settle(session, by="Scorer", link=cast.links["scorer"].pk)
    own = form(client.get(table(session)), "Undo hand 4")
    assert own.press().status_code == 302
    # By now the last event is the host's. A repeat of the scorer's own undo must still succeed.
    assert own.press().status_code == 302
    assert Event.objects.filter(session=session, verb="undo").count() == 1
    assert own.forge({"key": "another"}).status_code == 409  # another hand has been undone since
    now = str(Session.objects.get(pk=session.pk).version)
    assert own.forge({"key": "another", "version": now}).status_code == 403
    assert own.forge({"key": "another", "version": ""}).status_code == 403


def test_two_links_of_one_name_are_two_scorers(cast: Cast) -> None:
    """What may be undone depends on the link, since two people may have links of the same name."""
    session = cast.session
    made, secret = issue(session, Role.SCORER)
    mine, theirs = cast.browsers["scorer"], browser(secret)
    assert made.name == cast.links["scorer"].name
    settle(session, by=made.name, link=made.pk)
    own = form(theirs.get(table(session)), "Undo hand 4")
    assert "Undo" not in mine.get(table(session)).content.decode()
    assert own.by(mine).press().status_code == 403
    assert own.press().status_code == 302


def test_a_settlement_is_recorded_with_its_link(cast: Cast) -> None:
    session, client = cast.session, cast.browsers["scorer"]
    rows = {"front": "7s8d9c", "middle": "6h6d8s9dTc", "back": "7h7d8h8cTs"}
    typed: dict[str, str | bool | list[str]] = {f"p1-{row}": cards for row, cards in rows.items()}
    typed |= {"p2-ruling": "dead", "p3-ruling": "dead"}
    page = form(client.get(f"{table(session)}hand/"), "Show the settlement").fill(typed).press("Show the settlement")
    assert form(page, "Settle hand 4").press().status_code == 302
    event = Event.objects.get(session=session, verb="settle", deal=4)
    assert event.link == cast.links["scorer"].pk
    assert client.get(table(session)).content.decode().count("Undo hand 4") == 1


def test_a_hand_that_an_earlier_release_settled_is_undone_by_a_host_only(cast: Cast) -> None:
    """Its event does not say which link it was; the name is not enough."""
    session = cast.session
    settle(session, by=cast.links["scorer"].name)
    hosts = form(cast.browsers["host"].get(table(session)), "Undo hand 4")
    assert "Undo" not in cast.browsers["scorer"].get(table(session)).content.decode()
    assert hosts.by(cast.browsers["scorer"]).press().status_code == 403
    assert hosts.press().status_code == 302


def test_which_link_it_was_leaves_the_server_in_no_export(cast: Cast) -> None:
    session, host = cast.session, cast.browsers["host"]
    settle(session, by="Scorer", link=987_654_321)
    for path in (f"{table(session)}record.json", f"/c/{session.club.public_id}/export.json"):
        response = host.get(path)
        assert response.status_code == 200
        assert b"987654321" not in b"".join(response)
    assert "987654321" not in host.get(f"{table(session)}history/").content.decode()


def test_links_without_a_name_are_numbered() -> None:
    session, other = start(), start()

    def named(role: Role, at: Session = session, name: str = "") -> str:
        where = None if role is Role.HOST else at
        return links.issue(club=at.club, session=where, role=role, key=links.new_link_key(), name=name)[0].name

    assert [named(Role.SCORER) for _ in range(3)] == ["Scorer", "Scorer 2", "Scorer 3"]
    assert named(Role.SCORER, name="Scorer 4") == "Scorer 4"
    assert named(Role.SCORER) == "Scorer 5"
    assert [named(Role.VIEWER), named(Role.HOST), named(Role.HOST)] == ["Viewer", "Host", "Host 2"]
    assert named(Role.SCORER, other) == "Scorer"
    assert named(Role.SCORER, start(club=session.club)) == "Scorer"
    assert named(Role.HOST, other) == "Host"
    gone = Link.objects.get(session=session, name="Scorer 2")
    links.revoke(gone)
    assert named(Role.SCORER) == "Scorer 6"  # the history still has what "Scorer 2" did
    again = links.issue(club=session.club, session=session, role=Role.SCORER, key="once")
    assert links.issue(club=session.club, session=session, role=Role.SCORER, key="once") == again


# --- The cookie -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forge", ["{}", "{}:1abc:forged", "0.{}:1abc:x", ":::", "\xe9", "x" * 4000])
def test_a_forged_cookie_is_ignored(cast: Cast, forge: str) -> None:
    client = Client()
    client.cookies["keys"] = forge.format(cast.links["host"].public_id)
    assert client.get(table(cast.session)).status_code == 404
    assert client.get("/").status_code == 200


def test_a_cookie_signed_for_another_purpose_is_ignored(cast: Cast) -> None:
    client = Client()
    value = f"1.{cast.links['host'].public_id}"
    client.cookies["keys"] = signing.get_cookie_signer(salt="recovery").sign(value)
    assert client.get(table(cast.session)).status_code == 404
    client.cookies["keys"] = signing.get_cookie_signer(salt="keys").sign(value)
    assert client.get(table(cast.session)).status_code == 200


def test_the_cookie_lasts_as_long_as_it_is_used(cast: Cast) -> None:
    client = cast.browsers["viewer"]
    assert "keys" not in client.get("/").cookies
    value = f"1.{cast.links['viewer'].public_id}"  # as set on another day
    client.cookies["keys"] = signing.get_cookie_signer(salt="keys").sign(value)
    renewed = client.get(table(cast.session)).cookies["keys"]
    assert int(renewed["max-age"]) == access.YEAR
    assert not renewed.value.startswith("1.")


def days_later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    """Moves the clock of the server and of its signatures on by this many days from now."""
    there, signed = timezone.now() + timedelta(days=days), time.time() + days * 24 * 60 * 60
    monkeypatch.setattr(timezone, "now", lambda: there)
    monkeypatch.setattr(time, "time", lambda: signed)


def test_a_copied_cookie_does_not_outlive_the_note_that_its_browser_has_forgotten(cast: Cast) -> None:
    """The server keeps that note for as long as a cookie lasts, so no copy may be renewed meanwhile."""
    client, sooner, later = (cast.browsers[who] for who in ("host", "viewer", "scorer"))
    copy = Client()
    copy.cookies = deepcopy(client.cookies)
    form(client.get("/"), "Remove all from this phone").press()
    note = Forgotten.objects.get()
    with pytest.MonkeyPatch.context() as clock:
        days_later(clock, 300)
        for used in (sooner, later):
            assert "keys" in used.get(table(cast.session)).cookies  # renewed
        for path in ("/", table(cast.session), "/new/"):
            assert "keys" not in copy.get(path).cookies
    with pytest.MonkeyPatch.context() as clock:
        days_later(clock, 365.5)
        form(sooner.get("/"), "Remove all from this phone").press()
        assert Forgotten.objects.filter(pk=note.pk).exists()
    with pytest.MonkeyPatch.context() as clock:
        days_later(clock, 367)
        form(later.get("/"), "Remove all from this phone").press()
        assert not Forgotten.objects.filter(pk=note.pk).exists()
        assert copy.get(table(cast.session)).status_code == 404


def test_copies_of_a_forgotten_cookie_that_open_a_link_are_browsers_of_their_own(cast: Cast) -> None:
    _, secret = issue(cast.session, Role.VIEWER)
    one, other = (again(cast.browsers["host"]) for _ in range(2))
    form(cast.browsers["host"].get("/"), "Remove all from this phone").press()
    for copy in (one, other):
        open_link(copy, secret)
        assert len(held_ids(copy)) == 1
    form(one.get("/"), "Remove all from this phone").press()
    assert one.get(table(cast.session)).status_code == 404
    assert other.get(table(cast.session)).status_code == 200


def test_no_way_to_ask_finds_a_link_in_a_copy_of_a_forgotten_cookie(cast: Cast) -> None:
    """Pages ask for what stands, which is one prepared statement, and the start page for what is valid."""
    copy = holding(again(cast.browsers["host"]))
    assert (len(copy.valid()), len(copy.standing())) == (1, 1)
    form(cast.browsers["host"].get("/"), "Remove all from this phone").press()
    assert (len(copy.valid()), len(copy.standing())) == (0, 0)


def test_a_browser_that_has_forgotten_everything_gets_a_random_name_with_its_next_link(cast: Cast) -> None:
    names = []
    for _ in range(2):
        held = holding(again(cast.browsers["host"]))
        held.forget()
        held.add(cast.links["viewer"])
        response = HttpResponse()
        held.write(response)
        names.append(HeldLinks(asking(values(response.cookies)))._cookie[1])
    assert names[0] != names[1]
    assert [len(name) for name in names] == [16, 16]  # a hundred links have to fit beside it


def test_what_depends_on_the_cookie_says_so(cast: Cast) -> None:
    held, response = holding(cast.browsers["host"]), HttpResponse()
    held.write(response)
    assert "Vary" not in response
    assert held.ids
    held.write(response)
    assert (response["Vary"], response["Cache-Control"]) == ("Cookie", "private")


def asking(cookies: dict[str, str]) -> HttpRequest:
    """A request with these cookies."""
    request = HttpRequest()
    request.COOKIES = cookies
    return request


def values(cookies: SimpleCookie) -> dict[str, str]:
    return {name: each.value for name, each in cookies.items()}


def holding(client: Client) -> HeldLinks:
    """What a browser holds."""
    return HeldLinks(asking(values(client.cookies)))


def test_nothing_is_noted_of_a_browser_that_has_no_name_yet(cast: Cast) -> None:
    client = cast.browsers["viewer"]
    opened = form(client.get("/"), "Remove all from this phone")
    of_0_1_0 = signing.get_cookie_signer(salt="keys").sign(f"1.{cast.links['viewer'].public_id}")
    client.cookies["keys"] = of_0_1_0
    opened.press()
    assert not Forgotten.objects.exists()


def test_a_cookie_is_renewed_another_time_if_the_database_is_busy(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_: held_links.HeldLinks) -> None:
        raise OperationalError("database is locked")

    days_later(monkeypatch, 1)
    monkeypatch.setattr(held_links.HeldLinks, "valid", lambda _: Link.objects.none())
    monkeypatch.setattr(held_links.HeldLinks, "_forgotten", property(busy))
    answer = cast.browsers["viewer"].get("/")
    assert answer.status_code == 200
    assert "keys" not in answer.cookies


def test_a_full_cookie_drops_what_no_longer_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_links, "MOST_LINKS", 3)
    session = start()
    host = issue(session, Role.HOST)
    others = [issue(session, Role.VIEWER) for _ in range(2)]
    client = browser(host[1], *(secret for _, secret in others))
    links.revoke(others[0][0])
    assert open_link(client, issue(session, Role.VIEWER)[1]).status_code == 302
    assert client.get(f"/c/{session.club.public_id}/").status_code == 200
    assert held_ids(client)[1:] == [others[1][0].public_id, host[0].public_id]


def test_a_full_cookie_never_drops_a_hosts_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_links, "MOST_LINKS", 2)
    host, guests = issue(start(), Role.HOST), [issue(start(), Role.VIEWER) for _ in range(3)]
    client = browser(host[1], *(secret for _, secret in guests))
    assert held_ids(client) == [guests[-1][0].public_id, host[0].public_id]


def test_a_browser_full_of_hosts_links_says_so_and_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_links, "MOST_LINKS", 2)
    hosts = [issue(start(), Role.HOST) for _ in range(2)]
    client = browser(*(secret for _, secret in hosts))
    before = held_ids(client)
    answer = open_link(client, issue(start(), Role.HOST)[1])
    assert answer.status_code == 409
    assert "No room for this link" in answer.content.decode()
    assert held_ids(client) == before
    refused = evening(client).fill({"club": ""}).press("Start game")
    assert refused.status_code == 422
    assert "as many hosts’ links as it can keep" in refused.content.decode()
    assert Session.objects.count() == 3  # those of the three links
    links.revoke(hosts[0][0])
    assert open_link(client, issue(start(), Role.HOST)[1]).status_code == 302


def test_a_full_cookie_drops_the_oldest_where_all_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_links, "MOST_LINKS", 3)
    session = start()
    issued = [issue(session, Role.VIEWER) for _ in range(4)]
    client = browser(*(secret for _, secret in issued))
    assert held_ids(client) == [link.public_id for link, _ in reversed(issued[1:])]


def held_ids(client: Client) -> list[str]:
    """The link ids in the browser's cookie, newest first."""
    request = HttpRequest()
    request.COOKIES = {"keys": client.cookies["keys"].value}
    return held_links.HeldLinks(request).ids


def test_a_hundred_links_fit_into_a_cookie() -> None:
    session = start()
    client = browser(*(issue(session, Role.VIEWER)[1] for _ in range(held_links.MOST_LINKS + 1)))
    assert len(client.cookies["keys"].OutputString()) < 4096
    assert client.get(table(session)).status_code == 200


def test_pages_behind_a_link_are_not_cached(cast: Cast) -> None:
    response = cast.browsers["viewer"].get(table(cast.session))
    assert "Cookie" in response["Vary"]
    assert "private" in response["Cache-Control"]


# --- The first link ---------------------------------------------------------------------------------------------------


def test_what_the_recovery_link_is_shown_by_opens_nothing_by_itself() -> None:
    client = Client()
    address = sit_down(client)["Location"]
    shown = re.search(r"/l/([\w-]{32})", client.get(address).content.decode())
    assert shown
    assert not any(shown[1] in cookie.value for cookie in client.cookies.values())
    form(client.get("/"), "Remove all from this phone").press()
    assert client.get(address).status_code == 404


def test_who_removes_their_games_ends_nobody_elses_recovery() -> None:
    one, other = Client(), Client()
    first, second = sit_down(one)["Location"], sit_down(other)["Location"]
    form(one.get("/"), "Remove all from this phone").press()
    assert one.get(first).status_code == 404
    assert re.search(r"/l/[\w-]{32}", other.get(second).content.decode())


def test_where_no_link_is_shown_again_nothing_is_written(cast: Cast, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        links.end_recovery({cast.session.club})


def test_a_start_that_is_sent_again_finds_the_same_club_and_link() -> None:
    client, retry = Client(), Client()
    opened = evening(client)
    address = opened.press("Start game")["Location"]
    assert opened.by(retry).press("Start game")["Location"] == address  # the first answer got lost on its way
    assert retry.get(address).status_code == 200
    assert Link.objects.count() == 1


def test_a_start_that_is_sent_again_after_its_link_was_revoked_opens_nothing() -> None:
    client = Client()
    opened = evening(client)
    address = opened.press("Start game")["Location"]
    links.revoke(Link.objects.get())
    opened.press("Start game")
    assert client.get(address).status_code == 404


def test_a_form_with_somebody_elses_key_and_other_names_opens_nothing() -> None:
    opened = evening(Client())
    address = opened.press("Start game")["Location"]
    stranger = Client()
    assert opened.by(stranger).fill({"name-1": "Zoe"}).press("Start game")["Location"] == address
    assert stranger.get(address).status_code == 404


# --- Logs -------------------------------------------------------------------------------------------------------------


def test_a_secret_is_in_no_log(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, secret = issue(start(), Role.VIEWER)
    logging.config.dictConfig(settings.LOGGING)
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.get(f"/l/{secret}")
    strict.get(f"/l/{secret}x")
    post_nothing(strict, f"/l/{secret}")
    monkeypatch.setattr(links, "by_secret", lambda _: 1 / 0)
    assert strict.get(f"/l/{secret}").status_code == 500
    logged = capsys.readouterr().err
    assert "/l/..." in logged
    assert "ZeroDivisionError" in logged
    assert secret not in logged


SPELLINGS = {
    "as it is": "/l/{}",
    "a space": "/l/%20{}",
    "a tab": "/l/%09{}",
    "a new line": "/l/%0a{}",
    "a quote": "/l/'{}",
    "an encoded letter": "/%6c/{}",
    "an encoded slash": "/l%2F{}",
    "two slashes": "//l/{}",
    "a capital": "/L/{}",
    "a slash behind": "/l/{}/",
    "a backslash": "/l/%5c{}",
    "encoded twice": "/%256C%252f{}",
    "none of ours": "/elsewhere?next={}",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_no_spelling_of_a_links_address_brings_its_secret_into_the_log(
    spelling: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, secret = issue(start(), Role.VIEWER)
    at = spelling.format(secret)

    def fail(*_: object, **__: object) -> None:
        raise ValueError(f"no such link: {at}, {unquote(at)}, {at.encode()!r}")

    logging.config.dictConfig(settings.LOGGING)
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    post_nothing(strict, at)
    assert strict.get(at).status_code in {302, 404}
    strict.get(at, headers={"Host": f"elsewhere.example{at}"})
    monkeypatch.setattr(links, "by_secret", fail)
    strict.get(at)
    for name in ("django.server", "django.request", "uvicorn.error", "asyncio", "scoring"):
        try:
            fail()
        except ValueError:
            logging.getLogger(name).exception('"GET %s HTTP/1.1" from %s', at, unquote(at), stack_info=True)
    logged = capsys.readouterr().err
    assert "ValueError" in logged
    assert secret not in logged
    assert secret not in unquote(unquote(logged))


@pytest.mark.parametrize("spelling", ["/l/{}", "/l/%20{}", "/%2Fl/{}", "/l/{}/"])
def test_no_spelling_of_a_links_address_is_sent_on_as_referer(spelling: str) -> None:
    assert Client().get(spelling.format("x" * 32))["Referrer-Policy"] == "no-referrer"


def test_a_traceback_stays_readable(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    try:
        raise OperationalError("duplicate key in scoring_session_club_number_once_and_for_all")
    except OperationalError:
        logging.getLogger("scoring").exception("a_function_with_quite_a_long_name_of_its_own failed")
    logged = capsys.readouterr().err
    assert "a_function_with_quite_a_long_name_of_its_own failed" in logged
    assert "scoring_session_club_number_once_and_for_all" in logged
    assert "test_a_traceback_stays_readable" in logged
    assert __file__ in logged


def test_the_server_knows_a_browser_with_a_link_by_its_cookie_alone() -> None:
    client = Client()
    assert not access.holds_links("")
    client.get(f"/l/{issue(start(), Role.VIEWER)[1]}")
    cookie = client.cookies[held_links.COOKIE].value
    assert access.holds_links(f"device=x; {held_links.COOKIE}={cookie}; csrftoken=y")
    assert not access.holds_links(f"{held_links.COOKIE}={cookie}x")
    assert not access.holds_links(f"device={cookie}")


def test_an_answer_stands_although_the_use_of_its_link_cannot_be_noted(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(_: Link) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(links, "note_use", locked)
    assert cast.browsers["viewer"].get(table(cast.session)).status_code == 200
