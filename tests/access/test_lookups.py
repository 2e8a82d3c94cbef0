"""What a lookup costs, and that it asks nothing of the database that the database would refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import Http404

from scoring import access
from scoring.access import links
from scoring.access.links import Role
from scoring.models import Deal, Link, Seat, Session
from tests.access.conftest import browser, issue
from tests.ledger.conftest import key, settle
from tests.pages import post_nothing


@pytest.fixture
def tied(session: Session) -> tuple[Link, str]:
    """Ann's link."""
    return issue(session, Role.SCORER, seat=session.seats.get(number=1))


def by_secret(link: Link, secret: str) -> Link | None:
    return links.by_secret(secret)


def by_name(link: Link, secret: str) -> Link | None:
    return access.link(link.club, link.public_id)


@pytest.mark.parametrize("find", [by_secret, by_name], ids=lambda find: find.__name__)
def test_a_link_comes_with_its_places(
    tied: tuple[Link, str], find: Callable[[Link, str], Link | None], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        link = find(*tied)
        assert link is not None
        assert link.session is not None
        assert link.seat is not None
        assert (link.club.pk, link.session.pk, link.seat.name) == (link.club_id, link.session_id, "Ann")


def test_a_request_learns_of_its_grant_by_one_statement(
    session: Session, tied: tuple[Link, str], django_assert_num_queries: Any
) -> None:
    request: Any = browser(tied[1]).get(f"/s/{session.public_id}/").wsgi_request
    grant = request.grant
    with django_assert_num_queries(0):
        assert (grant.by, grant.seat) == ("Ann", 1)


NUMBERS: list[tuple[str, int, Callable[[Session, int], Any]]] = [
    ("deal", 31, access.deal),
    ("dispute", 31, lambda session, number: access.dispute(Deal.objects.get(session=session), number)),
    ("seat", 15, access.seat),
    ("player", 63, lambda session, number: access.player(session.club, number)),
]


@pytest.mark.parametrize(("bits", "find"), [row[1:] for row in NUMBERS], ids=[row[0] for row in NUMBERS])
def test_a_number_beyond_its_column_is_not_looked_for(
    session: Session, bits: int, find: Callable[[Session, int], Any], django_assert_num_queries: Any
) -> None:
    settle(session)
    around = 1 if bits == 31 and find is not access.deal else 0  # the dispute's deal
    assert session.club is not None
    with django_assert_num_queries(around), pytest.raises(Http404):
        find(session, 2**bits)
    with django_assert_num_queries(around + 1), pytest.raises(Http404):
        find(session, 2**bits - 1)


@pytest.mark.parametrize("number", [-1, -2])
def test_the_bank_has_no_page(session: Session, number: int) -> None:
    assert Seat.objects.filter(session=session, number=number).exists()
    with pytest.raises(Http404):
        access.seat(session, number)


def test_half_a_character_is_no_secret(db: None) -> None:
    assert links.by_secret("\ud800") is None


def test_pages_that_depend_on_the_cookie_say_so(session: Session, tied: tuple[Link, str]) -> None:
    client = browser(tied[1])
    response = client.get(f"/s/{session.public_id}/")
    assert "Cookie" in response["Vary"].split(", ")
    assert "private" in response["Cache-Control"].split(", ")
    post_nothing(client, "/forget/")
    assert client.cookies[access.COOKIE]["samesite"] == "Lax"
    assert client.cookies[access.COOKIE].value == ""


def test_a_link_without_a_name_is_called_by_its_seat_or_role(session: Session) -> None:
    seat = session.seats.get(number=1)
    given: dict[str, Any] = {"club": session.club, "session": session}
    assert links.issue(**given, role=Role.SCORER, seat=seat, key=key())[0].name == "Ann"
    assert links.issue(**given, role=Role.SCORER, key=key())[0].name == "Scorer"
