"""A page's token opens a stream. Only people who may read a session get a token for it."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from scoring import club, live
from scoring.access import links
from tests.access.conftest import WHO, Cast

MAY = {"viewer", "seat", "scorer", "host", "closed"}


def token(page: str) -> str:
    """The token in the stream's address on the page."""
    found = re.search(r'data-stream="([^"]+)"', page)
    return parse_qs(urlsplit(unescape(found[1])).query)["token"][0] if found else ""


@pytest.mark.parametrize("who", WHO)
def test_pages_carry_a_token_for_their_own_session_only(cast: Cast, who: str) -> None:
    wanted = cast.wants(who)
    for page in ("", "ledger/", "rules/", "screen/", "hands/1/"):
        given = token(cast.browsers[who].get(f"/s/{wanted.public_id}/{page}").content.decode())
        if who not in MAY:
            assert not given
            continue
        admitted = live.admitted(wanted.public_id, given)
        assert admitted is not None
        assert admitted.link == cast.links[who].public_id
        for other in (cast.session, cast.closed):
            if other != wanted:
                assert live.admitted(other.public_id, given) is None


def test_a_new_token_is_given_to_nobody_whose_link_was_revoked(cast: Cast) -> None:
    asked = f"/s/{cast.session.public_id}/version?after=0"
    assert "token" in cast.browsers["viewer"].get(asked).json()["stream"]
    links.revoke(cast.links["viewer"])
    response = cast.browsers["viewer"].get(asked)
    assert response.status_code == 404
    assert "token" not in response.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", ["viewer", "scorer", "host"])
def test_revoking_a_link_ends_the_streams_that_it_opened_and_no_others(
    cast: Cast, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[dict[str, object]] = []
    monkeypatch.setattr(live.local_hub, "hear", heard.append)
    links.revoke(cast.links[role])
    assert [message.get("link") for message in heard] == [cast.links[role].public_id]


@pytest.mark.django_db(transaction=True)
def test_what_is_deleted_ends_the_streams_of_its_sessions(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[dict[str, object]] = []
    monkeypatch.setattr(live.local_hub, "hear", heard.append)
    club.erase(cast.session.club)
    assert {"session": cast.session.public_id, "gone": True} in heard
    assert cast.closed.public_id in [each.public_id for each in club.drop_idle(timezone.now())]
    assert {"session": cast.closed.public_id, "gone": True} in heard
