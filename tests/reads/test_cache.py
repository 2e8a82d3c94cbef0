"""A cached page fragment is shown only to people with the same rights, and only as long as it is current."""

import pytest
from django.test import Client
from django.utils.translation import gettext

from scoring import ledger, reads
from scoring.access.links import Role
from scoring.models import Session
from tests.access.conftest import WHO, Cast, browser, evening, issue
from tests.ledger.conftest import act, settle, start
from tests.translations import bracketed

MAY_READ = [who for who in WHO if who not in ("nobody", "revoked", "other", "closed")]


def table(browser: Client, public_id: str) -> str:
    return browser.get(f"/s/{public_id}/").content.decode()


@pytest.mark.parametrize("order", [MAY_READ, MAY_READ[::-1]], ids=["weakest first", "strongest first"])
def test_people_see_only_what_their_own_rights_allow(cast: Cast, order: list[str]) -> None:
    for who in order:
        page = table(cast.browsers[who], cast.session.public_id)
        assert ("Fix button or Fantasyland" in page) == (who == "host"), who
        assert (f'href="/s/{cast.session.public_id}/hand/"' in page) == (who in ("scorer", "host")), who


def test_no_session_shows_the_hands_of_another(cast: Cast) -> None:
    other = evening()
    assert other.version == cast.session.version
    host = browser(issue(other, Role.HOST)[1])
    assert f"/s/{cast.session.public_id}/hands/3/" in table(cast.browsers["host"], cast.session.public_id)
    assert cast.session.public_id not in table(host, other.public_id)


def test_the_next_request_shows_what_has_happened(cast: Cast) -> None:
    viewer, at = cast.browsers["viewer"], cast.session.public_id
    before = table(viewer, at)
    assert f"/s/{at}/hands/4/" not in before
    settle(cast.session)
    assert f"/s/{at}/hands/4/" in (settled := table(viewer, at))
    assert settled.count(">void<") == before.count(">void<")
    act(ledger.undo, cast.session)
    assert table(viewer, at).count(">void<") == before.count(">void<") + 1


@pytest.mark.django_db
def test_words_are_cached_for_each_language() -> None:
    asked: list[Session] = []

    @reads.cached_in_words
    def said(session: Session) -> str:
        asked.append(session)
        return gettext("Hand")

    session = start()
    for _again in range(2):
        assert said(session) == "Hand"
        with bracketed():
            assert said(session) == "⟦Hand⟧"
    assert len(asked) == 2
    settle(session)
    session.refresh_from_db()
    assert said(session) == "Hand"
    assert len(asked) == 3
