"""What could be abused is counted for each client, over all processes, and no client can pass for another."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import connections
from django.test import Client, RequestFactory, override_settings

from scoring.access import limits
from scoring.access.links import Role
from scoring.models import Club, Link, Session, Tally
from tests.access.conftest import browser, issue
from tests.ledger.conftest import start
from tests.views.start.test_new_session import FORM

pytestmark = pytest.mark.django_db

DOCUMENT = '{"players": [{"name": "Ann", "front": "QQ7", "middle": "AA44J", "back": "89TJQ"}]}'


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The clock stands; `pass_` moves it."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def pass_(seconds: float) -> None:
        now[0] += seconds

    return pass_


def score(**extra: Any) -> int:
    return Client().post("/api/v1/score", DOCUMENT, content_type="application/json", **extra).status_code


@override_settings(API_PER_MINUTE=30)
def test_the_api_answers_so_often_and_then_again_later(noon: Any) -> None:
    assert [score() for _ in range(31)] == [200] * 30 + [429]
    assert score(REMOTE_ADDR="203.0.113.9") == 200
    response = Client().post("/api/v1/score", DOCUMENT, content_type="application/json")
    assert response["Retry-After"] == "60"
    assert response.json()["errors"][0]["code"] == "too-many"
    noon(60)
    assert score() == 200
    assert Tally.objects.count() == 1  # what is over is forgotten


def test_each_limit_forgets_its_own_counts_alone(noon: Any) -> None:
    hours, minutes = limits.Limit("hours", 60 * 60, lambda: 1), limits.Limit("minutes", 60, lambda: 1)
    assert hours.allows("Ann")
    noon(60 * 60)
    assert minutes.allows("Ann")
    assert Tally.objects.count() == 2
    assert hours.allows("Ann")
    assert Tally.objects.count() == 2


@override_settings(API_PER_MINUTE=30)
def test_processes_count_together() -> None:
    mine = limits.Limit("api", 60, lambda: 30, block=20)
    theirs = limits.Limit("api", 60, lambda: 30, block=20)
    allowed = [limit.allows("203.0.113.4") for _ in range(40) for limit in (mine, theirs)]
    assert sum(allowed) == 30


def test_who_is_over_his_limit_costs_the_database_nothing(django_assert_num_queries: Any) -> None:
    limit = limits.Limit("api", 60, lambda: 3)
    assert [limit.allows("x") for _ in range(4)] == [True, True, True, False]
    with django_assert_num_queries(0):
        assert not limit.allows("x")


def test_what_is_cheap_is_counted_by_the_block(django_assert_num_queries: Any) -> None:
    limit = limits.Limit("api", 60, lambda: 600, block=20)
    limit.allows("x")
    with django_assert_num_queries(1):
        for _ in range(20):
            limit.allows("x")


@pytest.mark.django_db(transaction=True)
def test_threads_at_once_are_not_allowed_more() -> None:
    limit = limits.Limit("api", 60, lambda: 50)
    allowed: list[bool] = []

    def ask() -> None:
        try:
            allowed.extend(limits.Limit("api", 60, lambda: 50).allows("x") for _ in range(20))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(allowed) == 50
    assert not limit.allows("x")


@override_settings(WRONG_LINKS_PER_TEN_MINUTES=3)
def test_who_guesses_links_is_turned_away_even_with_a_right_one(noon: Any) -> None:
    _, secret = issue(start(), Role.VIEWER)
    client = Client()
    assert [client.get(f"/l/guess-{n}").status_code for n in range(4)] == [404, 404, 404, 429]
    assert client.get(f"/l/{secret}").status_code == 429
    assert Client(REMOTE_ADDR="203.0.113.9").get(f"/l/{secret}").status_code == 302
    noon(600)
    assert client.get(f"/l/{secret}").status_code == 302


@override_settings(WRONG_LINKS_PER_TEN_MINUTES=3)
def test_right_links_are_opened_as_often_as_one_likes() -> None:
    _, secret = issue(start(), Role.VIEWER)
    assert {Client().get(f"/l/{secret}").status_code for _ in range(10)} == {302}


@override_settings(NEW_CLUBS_PER_HOUR=2)
def test_clubs_are_made_so_often() -> None:
    statuses = [Client().post("/new/", {**FORM, "key": f"club {n}"}).status_code for n in range(3)]
    assert statuses == [302, 302, 429]
    assert Club.objects.count() == 2


@override_settings(NEW_CLUBS_PER_HOUR=1)
def test_a_host_starts_sessions_of_his_club_as_often_as_he_likes() -> None:
    session = start()
    client = browser(issue(session, Role.HOST)[1])
    for n in range(3):
        form = {**FORM, "key": f"evening {n}", "club": session.club.public_id}
        assert client.post("/new/", form).status_code == 302
    assert Session.objects.filter(club=session.club).count() == 4


@override_settings(NEW_CLUBS_PER_HOUR=1)
def test_a_form_that_is_refused_counts_for_nothing() -> None:
    assert Client().post("/new/", {**FORM, "name-2": "", "name-3": ""}).status_code == 422
    assert Client().post("/new/", FORM).status_code == 302


# --- Whose request it is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "who"),
    [
        ("203.0.113.4", "203.0.113.4"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.4", "203.0.113.4"),
        ("", "unknown"),
        ("unix:", "unknown"),
    ],
)
def test_a_client_is_an_address_or_a_households_network(address: str, who: str) -> None:
    assert limits.client(RequestFactory().get("/", REMOTE_ADDR=address)) == who


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP", "X-Client-IP"])
@override_settings(API_PER_MINUTE=2)
def test_a_header_makes_nobody_another_client(header: str) -> None:
    statuses = [score(headers={header: f"203.0.113.{n}"}) for n in range(3)]
    assert statuses == [200, 200, 429]


def test_the_count_has_its_place_in_the_database() -> None:
    """The statement is written by hand: it names what the model has."""
    assert Tally._meta.db_table == "scoring_tally"
    limits.Limit("x", 60, lambda: 5).allows("y")
    limits.Limit("x", 60, lambda: 5).allows("y")
    assert list(Tally.objects.values_list("what", "count")) == [("x y", 2)]


@override_settings(
    NEW_CLUBS_PER_HOUR=1, WRONG_LINKS_PER_TEN_MINUTES=1, LOGINS_PER_TEN_MINUTES=1, FLAGS_PER_HOUR=1, API_PER_MINUTE=1
)
def test_a_host_makes_links_without_a_limit() -> None:
    session = start()
    host = browser(issue(session, Role.HOST)[1])
    for number in range(5):
        form = {"key": f"link-{number}", "role": "viewer", "name": ""}
        assert host.post(f"/s/{session.public_id}/links/", form).status_code == 200
    assert Link.objects.filter(session=session).count() == 5
