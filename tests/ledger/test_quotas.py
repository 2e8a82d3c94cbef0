"""What one club may hold is limited, far beyond what a club of ten years needs, and hosts are told in a sentence."""

import pytest
from django.test import Client, override_settings

from scoring import ledger
from scoring.access import links
from scoring.actions.people import Join
from scoring.game.errors import LedgerError
from scoring.models import Link, Player, Session
from tests.conftest import HostsBrowser
from tests.ledger.conftest import act, settle, start
from tests.pages import form

pytestmark = pytest.mark.django_db


def again(club: object) -> Session:
    return start(club=club)


@pytest.mark.parametrize("quota", ["SESSIONS_PER_HOUR", "SESSIONS_PER_CLUB"])
def test_sessions_of_a_club(quota: str) -> None:
    with override_settings(**{quota: 2}):
        club = start().club
        second = again(club)
        with pytest.raises(LedgerError, match="sessions"):
            again(club)
        assert Session.objects.filter(club=club).count() == 2
        start()  # another club
        client = HostsBrowser()
        client.get(f"/s/{second.public_id}/")
        page = form(client.get(f"/c/{club.public_id}/"), action=f"/c/{club.public_id}/again/").press()
        assert page.status_code == 422
        assert "sessions" in page.content.decode()


@override_settings(PLAYERS_PER_CLUB=3)
def test_players_of_a_club() -> None:
    session = start()
    with pytest.raises(LedgerError, match="players"):
        act(Join, session, name="Dan")
    with pytest.raises(LedgerError, match="players"):
        start("Ann Dan", club=session.club)
    again(session.club)  # the same people
    assert Player.objects.count() == 3


@override_settings(HANDS_PER_SESSION=2)
def test_hands_of_a_session() -> None:
    session = start()
    settle(session)
    settle(session)
    with pytest.raises(LedgerError, match="hands"):
        settle(session)
    act(ledger.close_session, session)


@override_settings(EVENTS_PER_SESSION=2)
def test_events_of_a_session_which_can_always_be_closed() -> None:
    session = start()
    settle(session)
    with pytest.raises(LedgerError, match="history"):
        act(ledger.rename_session, session, name="Friday")
    act(ledger.close_session, session)


@override_settings(LINKS_PER_SESSION=2)
def test_links_of_a_session_and_of_a_club() -> None:
    session = start()
    client: Client = HostsBrowser()
    opened = form(client.get(f"/s/{session.public_id}/links/"), "Make the link")
    assert opened.press().status_code == 200
    assert opened.press().status_code == 200  # the same form makes the same link
    made = Link.objects.get(session=session)
    replacing = f"/c/{session.club.public_id}/links/{made.public_id}/replace/"
    first = form(client.get(f"/s/{session.public_id}/links/"), action=replacing)
    assert first.press().status_code == 200
    new = Link.objects.get(replaces=made)
    replacing = f"/c/{session.club.public_id}/links/{new.public_id}/replace/"
    page = client.get(f"/s/{session.public_id}/links/")
    for refused in (form(page, "Make the link").press(), form(page, action=replacing).press()):
        assert refused.status_code == 422
        assert "This session has had 2 links" in refused.content.decode()
    assert Link.objects.filter(session=session).count() == 2
    at = f"/c/{session.club.public_id}/links/"
    assert form(client.get(at), action=at).press().status_code == 200
    assert form(client.get(at), action=at).press().status_code == 422
    # An operator can always let a host in again.
    links.issue(club=session.club, role=links.Role.HOST, key="rescue", limited=False)
