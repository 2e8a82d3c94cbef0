"""Requests that could be abused are limited for each client, over all processes, and no client can pose as another."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext

from scoring.access import limits
from scoring.access.links import Role
from scoring.models import Club, Link, Session, Tally
from tests.access.conftest import browser, issue
from tests.ledger.conftest import start
from tests.pages import form, text
from tests.views.start.test_new_session import sit_down

pytestmark = pytest.mark.django_db

DOCUMENT = '{"players": [{"name": "Ann", "front": "QQ7", "middle": "AA44J", "back": "89TJQ"}]}'


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stop the clock; `pass_` moves it."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def pass_(seconds: float) -> None:
        now[0] += seconds

    return pass_


def score(**extra: Any) -> int:
    return Client().post("/api/v1/score", DOCUMENT, content_type="application/json", **extra).status_code


@override_settings(API_PER_MINUTE=30)
def test_the_api_refuses_a_client_over_its_limit_until_a_minute_has_passed(noon: Any) -> None:
    assert [score() for _ in range(31)] == [200] * 30 + [429]
    assert score(REMOTE_ADDR="203.0.113.9") == 200
    response = Client().post("/api/v1/score", DOCUMENT, content_type="application/json")
    assert response["Retry-After"] == "60"
    assert response.json()["errors"][0]["code"] == "too-many"
    noon(60)
    assert score() == 200
    assert Tally.objects.count() == 1  # counts of the past are deleted


def test_each_limit_forgets_its_own_counts_alone(noon: Any) -> None:
    hours, minutes = limits.Limit("hours", 60 * 60, lambda: 1), limits.Limit("minutes", 60, lambda: 1)
    assert hours.allows("Ann")
    noon(60 * 60)
    assert minutes.allows("Ann")
    assert Tally.objects.count() == 2
    assert hours.allows("Ann")
    assert Tally.objects.count() == 2


def test_a_limit_of_one_failure_is_reached_by_one() -> None:
    once = limits.Limit("once", 60, lambda: 1)
    assert not once.spent("Ann")
    once.count("Ann")
    assert once.spent("Ann")
    assert not once.spent("Bob")


@override_settings(API_PER_MINUTE=30)
def test_processes_count_together() -> None:
    mine = limits.Limit("api", 60, lambda: 30, block=20)
    theirs = limits.Limit("api", 60, lambda: 30, block=20)
    allowed = [limit.allows("203.0.113.4") for _ in range(40) for limit in (mine, theirs)]
    assert sum(allowed) == 30


def test_a_client_over_its_limit_costs_no_query(django_assert_num_queries: Any) -> None:
    limit = limits.Limit("api", 60, lambda: 3)
    assert [limit.allows("x") for _ in range(4)] == [True, True, True, False]
    with django_assert_num_queries(0):
        assert not limit.allows("x")


def test_cheap_requests_are_counted_in_blocks() -> None:
    limit = limits.Limit("api", 60, lambda: 600, block=20)
    limit.allows("x")
    with CaptureQueriesContext(connection) as seen:
        for _ in range(20):
            limit.allows("x")
    assert sum("INSERT" in each["sql"] for each in seen) == 1


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
def test_a_client_that_guesses_links_is_refused_but_no_valid_link_is(noon: Any) -> None:
    """A page elsewhere that shows wrong links as images must not lock the household of its reader out."""
    _, secret = issue(start(), Role.VIEWER)
    client = Client()
    assert [client.get(f"/l/guess-{n}").status_code for n in range(4)] == [404, 404, 404, 429]
    assert client.get(f"/l/{secret}").status_code == 302
    assert Client(REMOTE_ADDR="203.0.113.9").get("/l/guess").status_code == 404
    assert client.get("/l/guess").status_code == 429
    noon(600)
    assert client.get("/l/guess").status_code == 404


@override_settings(WRONG_LINKS_PER_TEN_MINUTES=3)
def test_links_that_are_refused_are_counted_no_further(django_assert_num_queries: Any) -> None:
    for n in range(3):
        Client().get(f"/l/guess-{n}")
    with django_assert_num_queries(2):  # no link, and the count
        assert Client().get("/l/guess").status_code == 429
    assert Tally.objects.get().count == 3


@override_settings(WRONG_LINKS_PER_TEN_MINUTES=3, ALLOW_NEW_CLUBS="code", NEW_CLUB_CODE="let me in")
def test_wrong_links_use_up_no_attempt_at_the_code_for_a_new_club() -> None:
    for n in range(4):
        Client().get(f"/l/guess-{n}")
    assert sit_down(Client(), code="let me in").status_code == 302
    statuses = [sit_down(Client(), code=f"guess {n}").status_code for n in range(4)]
    assert statuses == [422] * 4
    assert sit_down(Client(), code="let me in").status_code == 422


@override_settings(WRONG_LINKS_PER_TEN_MINUTES=3)
def test_valid_links_are_opened_without_a_limit() -> None:
    _, secret = issue(start(), Role.VIEWER)
    assert {Client().get(f"/l/{secret}").status_code for _ in range(10)} == {302}


@override_settings(NEW_CLUBS_PER_HOUR=2)
def test_new_clubs_are_limited() -> None:
    answers = [sit_down(Client()) for _ in range(3)]
    assert [each.status_code for each in answers] == [302, 302, 429]
    assert "Try again in a few minutes. It will work again within an hour." in text(answers[-1])
    assert "Not saved: Ann" in text(answers[-1])
    assert Club.objects.count() == 2


@override_settings(NEW_CLUBS_PER_HOUR=1)
def test_a_host_starts_sessions_without_a_limit() -> None:
    session = start()
    client = browser(issue(session, Role.HOST)[1])
    for _ in range(3):
        assert sit_down(client).status_code == 302
    assert Session.objects.filter(club=session.club).count() == 4


@override_settings(NEW_CLUBS_PER_HOUR=1)
def test_a_refused_form_does_not_count() -> None:
    refused = sit_down(Client(), **{"name-2": "", "name-3": ""})
    assert refused.status_code == 422
    assert form(refused).fill({"name-2": "Bob"}).press("Start game").status_code == 302


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
def test_a_header_does_not_make_another_client(header: str) -> None:
    statuses = [score(headers={header: f"203.0.113.{n}"}) for n in range(3)]
    assert statuses == [200, 200, 429]


def test_counts_are_stored_in_the_table_of_the_model() -> None:
    """The hand-written SQL statement uses the names that the model has."""
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
    for _ in range(5):
        assert form(host.get(f"/s/{session.public_id}/links/"), "Create link").press().status_code == 200
    assert Link.objects.filter(session=session).count() == 5
