"""The recovery link that the start of a session shows, and how a browser forgets everything."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client
from django.utils import timezone

from scoring.access import links
from scoring.access.links import Role
from scoring.models import Forgotten, Link, Session
from tests.access.conftest import Cast, issue
from tests.access.conftest import browser as browser_of
from tests.ledger.conftest import start
from tests.pages import form, read
from tests.views.start.test_new_session import evening, sit_down

pytestmark = pytest.mark.django_db


def table(session: Session) -> str:
    return f"/s/{session.public_id}/"


def test_forget_this_browser(cast: Cast) -> None:
    client = cast.browsers["host"]
    client.get(f"{table(cast.session)}seat/1/")
    assert client.cookies["device"].value
    assert client.get("/forget/").status_code == 405
    form(client.get("/"), "Remove all from this phone").press()
    assert [client.cookies[name].value for name in ("keys", "device")] == ["", ""]
    assert client.get(table(cast.session)).status_code == 404
    assert "Remove all from this phone" not in client.get("/").content.decode()


def test_a_browser_that_holds_no_link_gets_in_by_one_tap(cast: Cast) -> None:
    _, secret = issue(cast.session, Role.SCORER)
    for client in (Client(), cast.browsers["revoked"]):
        assert client.get(f"/l/{secret}").status_code == 302
        assert client.get(table(cast.session)).status_code == 200


def test_a_link_that_was_revoked_says_so_to_those_who_held_it_alone(cast: Cast) -> None:
    at = table(cast.session)
    link, secret = issue(cast.session, Role.VIEWER)
    guest, stranger = browser_of(secret), Client()
    links.revoke(link)
    for page in (guest.get(at), guest.get(f"{at}ledger/"), stranger.get(f"/l/{secret}")):
        assert page.status_code == 404
        assert "The host has revoked the link that leads here." in page.content.decode()
    for page in (stranger.get(at), guest.get(f"/c/{cast.session.club.public_id}/"), guest.get(table(start("Gus Hal")))):
        assert page.status_code == 404
        assert "Page not found" in page.content.decode()


def test_a_copy_of_a_cookie_that_was_forgotten_learns_of_no_link(cast: Cast) -> None:
    link, secret = issue(cast.session, Role.VIEWER)
    guest = browser_of(secret)
    copied = deepcopy(guest)
    form(guest.get("/"), "Remove all from this phone").press()
    links.revoke(link)
    assert "Page not found" in copied.get(table(cast.session)).content.decode()


@pytest.mark.parametrize(("left", "status"), [(None, 404), (Role.VIEWER, 403)])
def test_what_was_typed_is_shown_to_a_browser_whose_link_was_revoked(
    cast: Cast, left: Role | None, status: int
) -> None:
    link, secret = issue(cast.session, Role.HOST)
    phone = browser_of(secret)
    bet = form(phone.get(f"{table(cast.session)}side-bet/"), "Record side bet")
    typed = bet.fill({"payer": "1", "payee": "2", "amount": "12.5", "note": "<red>"})
    links.revoke(link)
    if left:
        phone.get(f"/l/{issue(cast.session, left)[1]}")
    refused = typed.press()
    assert refused.status_code == status
    shown = refused.content.decode()
    assert "Not saved:" in shown
    assert "<li>12.5</li>" in shown
    assert "<li>&lt;red&gt;</li>" in shown


def test_cards_of_a_preview_are_shown_to_a_browser_whose_link_was_revoked_and_no_other_text(cast: Cast) -> None:
    link, secret = issue(cast.session, Role.SCORER)
    phone = browser_of(secret)
    hand = form(phone.get(f"{table(cast.session)}hand/"), "Show the settlement")
    typed = hand.fill({"p1-front": "Ah Kh Qh", "p2-front": "call me"})
    links.revoke(link)
    shown = typed.press().content.decode()
    assert "<li>Ah Kh Qh</li>" in shown
    assert "call me" not in shown


@pytest.mark.parametrize(
    ("path", "button", "typed", "shown"),
    [
        ("close/", "Close session", {"stack-2": "95", "note": "counted"}, ["95", "counted"]),
        ("stakes/", "Save stakes", {"pair-2-3": "2.5"}, ["2.5"]),
        ("rules/edit/", "Save rules", {"save_as": "Fridays"}, ["Fridays"]),
        ("hand/?mode=points", "Show the settlement", {"points-1-2": "17", "points-1-3": "4"}, ["17", "4"]),
    ],
)
def test_of_a_form_whose_link_was_revoked_everything_typed_is_shown_and_nothing_else(
    path: str, button: str, typed: dict[str, str], shown: list[str]
) -> None:
    session = start(buy_in=10000)
    link, secret = issue(session, Role.HOST)
    phone = browser_of(secret)
    filled = form(phone.get(f"/s/{session.public_id}/{path}"), button).fill(typed)
    links.revoke(link)
    refused = filled.press()
    assert refused.status_code == 404
    assert [each.text for each in read(refused).xpath("//ul[@class='plain-list']/li")] == shown


def test_a_browser_that_holds_other_links_is_asked_before_another_changes_it(cast: Cast) -> None:
    """Any page elsewhere can make it open an address, as an image or by a redirect."""
    client, strangers = cast.browsers["host"], start("Zoe Yan")
    _, secret = issue(strangers, Role.HOST)
    asked = client.get(f"/l/{secret}")
    assert asked.status_code == 200
    assert "run the club" in asked.content.decode()
    assert secret not in asked.content.decode()
    assert "no-store" in asked["Cache-Control"]
    assert client.get(table(strangers)).status_code == 404
    assert form(client.get("/new/"), "Start game").fields()["club"] == [cast.session.club.public_id]
    opened = form(asked, "Open link").press()
    assert opened["Location"] == f"/c/{strangers.club.public_id}/"
    assert client.get(table(strangers)).status_code == 200
    assert client.get(table(cast.session)).status_code == 200
    assert client.get(f"/l/{secret}").status_code == 302  # it is held by now


@pytest.mark.parametrize(
    ("role", "says"), [(Role.VIEWER, "watch"), (Role.SCORER, "enter hands at"), (Role.HOST, "run the club")]
)
def test_the_question_says_what_the_link_opens(cast: Cast, role: Role, says: str) -> None:
    _, secret = issue(cast.session, role)
    assert says in cast.browsers["other"].get(f"/l/{secret}").content.decode()


def test_the_question_about_a_link_that_is_tied_to_a_seat_names_its_player(cast: Cast) -> None:
    _, secret = issue(cast.session, Role.SCORER, seat=cast.session.seats.get(number=2))
    assert "enter Bob’s cards at" in cast.browsers["other"].get(f"/l/{secret}").content.decode()


def test_the_question_is_answered_by_a_form_of_this_server_alone(cast: Cast) -> None:
    _, secret = issue(cast.session, Role.VIEWER)
    asked = cast.browsers["other"].get(f"/l/{secret}")
    # With "no-referrer" a browser sends the form with the origin "null", which is refused.
    assert asked["Referrer-Policy"] == "strict-origin"
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = cast.browsers["other"].cookies
    sent = form(asked, "Open link").by(strict)
    assert sent.forge({"csrfmiddlewaretoken": None}).status_code == 403
    assert sent.press(Origin="null").status_code == 403
    assert strict.get(table(cast.session)).status_code == 404
    assert sent.press(Origin="http://testserver").status_code == 302
    assert strict.get(table(cast.session)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Dest": "empty"},
        {"Sec-Purpose": "prefetch"},
        # Over plain HTTP browsers do not say what it is for, but an image is not asked for as a page is.
        {"Accept": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"},
        {"Accept": "text/css,*/*;q=0.1"},
        {"Accept": "*/*"},
    ],
    ids=str,
)
def test_what_no_person_asked_for_opens_no_link(cast: Cast, headers: dict[str, str]) -> None:
    _, secret = issue(cast.session, Role.VIEWER)
    client = Client()
    asked = client.get(f"/l/{secret}", headers=headers)
    assert asked.status_code == 200
    assert "keys" not in client.cookies
    assert form(asked, "Open link").press().status_code == 302
    assert client.get(table(cast.session)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Dest": "document", "Accept": "*/*"},
        {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
        {},
    ],
    ids=str,
)
def test_what_a_person_may_have_asked_for_opens_it(cast: Cast, headers: dict[str, str]) -> None:
    _, secret = issue(cast.session, Role.VIEWER)
    assert Client().get(f"/l/{secret}", headers=headers).status_code == 302


def test_to_ask_for_the_head_alone_opens_no_link(cast: Cast) -> None:
    _, secret = issue(cast.session, Role.VIEWER)
    client = Client()
    assert client.head(f"/l/{secret}").status_code == 200
    assert "keys" not in client.cookies


def copied(client: Client) -> Client:
    """Another browser with a copy of everything that this one holds."""
    other = Client()
    other.cookies = deepcopy(client.cookies)
    return other


def test_nothing_that_a_browser_held_opens_anything_after_it_was_told_to_forget() -> None:
    client = Client()
    opened = evening(client)
    address = opened.press("Start game")["Location"]
    assert "Save your host link" in client.get(address).content.decode()
    copy = copied(client)
    copy_of_old_page = opened.by(copied(client))
    assert "Save your host link" in copy.get(address).content.decode()
    form(client.get("/"), "Remove all from this phone").press()
    for browser in (client, copy):
        assert browser.get(address).status_code == 404
        assert Session.objects.get().club.public_id not in browser.get("/").content.decode()
    for again in (opened, copy_of_old_page, opened.by(Client())):
        assert again.press("Start game")["Location"] == address
    for browser in (client, copy):
        assert browser.get(address).status_code == 404
    assert Link.objects.count() == 1


def test_who_forgets_ends_the_recovery_of_their_own_clubs_alone() -> None:
    client, other = Client(), Client()
    evening(client).press("Start game")
    address = evening(other).press("Start game")["Location"]
    form(client.get("/"), "Remove all from this phone").press()
    assert "Save your host link" in other.get(address).content.decode()


def test_what_was_copied_and_held_on_to_takes_no_further_link_along(cast: Cast) -> None:
    client, copy = cast.browsers["host"], copied(cast.browsers["host"])
    form(client.get("/"), "Remove all from this phone").press()
    _, secret = issue(cast.closed, Role.VIEWER)
    assert copy.get(f"/l/{secret}").status_code == 302
    assert copy.get(table(cast.closed)).status_code == 200
    assert copy.get(table(cast.session)).status_code == 404


def test_a_browser_that_forgot_can_be_let_in_again_and_others_stay_in(cast: Cast) -> None:
    _, secret = issue(cast.session, Role.VIEWER)
    client, other = browser_of(secret), browser_of(secret)
    form(client.get("/"), "Remove all from this phone").press()
    assert client.get(table(cast.session)).status_code == 404
    assert other.get(table(cast.session)).status_code == 200
    assert client.get(f"/l/{secret}").status_code == 302
    assert client.get(table(cast.session)).status_code == 200


def test_browsers_that_forgot_are_forgotten_when_their_cookies_have_expired(cast: Cast) -> None:
    Forgotten.objects.create(browser="old", at=timezone.now() - timedelta(days=366))
    Forgotten.objects.create(browser="new", at=timezone.now() - timedelta(days=364))
    form(cast.browsers["viewer"].get("/"), "Remove all from this phone").press()
    assert Forgotten.objects.count() == 2
    assert not Forgotten.objects.filter(browser="old").exists()


def test_a_cookie_of_an_earlier_release_is_named_when_it_is_renewed(cast: Cast) -> None:
    client = Client()
    value = f"1.{cast.links['host'].public_id}"
    client.cookies["keys"] = signing.get_cookie_signer(salt="keys").sign(value)
    assert client.get(table(cast.session)).status_code == 200
    copy = copied(client)
    form(client.get("/"), "Remove all from this phone").press()
    assert copy.get(table(cast.session)).status_code == 404


def test_a_cookie_that_names_a_link_twice_opens_it(cast: Cast) -> None:
    client, link = Client(), cast.links["host"].public_id
    for value in (f"1.{link}.{link}", f"1.~name.{link}.{link}"):
        client.cookies["keys"] = signing.get_cookie_signer(salt="keys").sign(value)
        assert client.get(table(cast.session)).status_code == 200


def test_forgetting_logs_the_operator_out(cast: Cast) -> None:
    client = cast.browsers["host"]
    client.force_login(User.objects.create_superuser("operator"))
    assert client.get("/admin/scoring/link/").status_code == 200
    form(client.get("/"), "Remove all from this phone").press()
    assert client.get("/admin/scoring/link/").status_code == 302


def test_the_cookie_of_recovery_starts_no_session() -> None:
    client = Client()
    opened = evening(client)
    address = opened.press("Start game")["Location"]
    [kept] = [cookie.value for cookie in client.cookies.values() if cookie.key == "recovery"]
    assert opened.fields()["key"][0] not in kept
    stranger = Client()
    opened.by(stranger).forge({"key": kept.partition(":")[0]})
    assert stranger.get(address).status_code == 404


def ends_by_opening(client: Client, address: str) -> None:
    shown = re.search(r'value="http://testserver(/l/[\w-]{32})"', client.get(address).content.decode())
    assert shown
    assert Client().get(shown[1]).status_code == 302


def ends_by_putting_away(client: Client, address: str) -> None:
    form(client.get(address), "I’ve saved it").press()


def ends_after_an_hour(client: Client, address: str) -> None:
    Link.objects.update(recoverable_until=timezone.now())


@pytest.mark.parametrize("end", [ends_by_opening, ends_by_putting_away, ends_after_an_hour])
def test_recovery_ends_on_the_server_once(end: Callable[[Client, str], None]) -> None:
    client = Client()
    opened = evening(client)
    address = opened.press("Start game")["Location"]
    copy = copied(client)
    end(client, address)
    page = copy.get(address)
    assert page.status_code == 200  # the copy holds the link itself, too
    assert "Save your host link" not in page.content.decode()
    stranger = Client()
    assert opened.by(stranger).press("Start game")["Location"] == address
    assert stranger.get(address).status_code == 404


def test_a_page_that_shows_a_secret_is_kept_nowhere() -> None:
    client = Client()
    address = sit_down(client)["Location"]
    assert "no-store" in client.get(address)["Cache-Control"]
    form(client.get(address), "I’ve saved it").press()
    assert "no-store" not in client.get(address)["Cache-Control"]


def test_starting_a_session_shows_the_recovery_link_until_it_is_kept() -> None:
    client = Client()
    address = sit_down(client)["Location"]
    opened = client.get(address)
    page = opened.content.decode()
    shown = re.search(r'value="http://testserver(/l/[\w-]{32})"', page)
    assert shown
    assert shown[1] not in client.get(f"{address}ledger/").content.decode()
    again = Client()
    assert again.get(shown[1]).status_code == 302
    assert again.get(address).status_code == 200
    assert "Save your host link" not in again.get(address).content.decode()
    assert form(opened, "I’ve saved it").press()["Location"] == address
    assert "Save your host link" not in client.get(address).content.decode()


def test_a_recovery_link_that_was_replaced_is_shown_no_more() -> None:
    client = Client()
    address = sit_down(client)["Location"]
    link = Link.objects.get()
    listed = client.get(f"/c/{link.club.public_id}/links/")
    assert form(listed, f"Replace {link.name}").press().status_code == 200
    page = client.get(address)
    assert page.status_code == 200
    assert "Save your host link" not in page.content.decode()
