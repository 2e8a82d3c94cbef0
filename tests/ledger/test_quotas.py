"""What one club may hold is limited, far beyond what a club of ten years needs, and hosts are told in a sentence."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from scoring import ledger
from scoring.access import links
from scoring.actions.people import Join, Leave
from scoring.game.errors import LedgerError
from scoring.ledger import quotas
from scoring.models import Link, Player, Session
from tests.conftest import HostsBrowser
from tests.ledger.conftest import act, settle, start
from tests.pages import form

pytestmark = pytest.mark.django_db


def again(club: object) -> Session:
    return start(club=club)


def another(session: Session) -> Session:
    """Start another session of the same club."""
    return again(session.club)


def dan(session: Session) -> object:
    """Dan joins the session."""
    return act(Join, session, name="Dan")


def told(refusal: pytest.ExceptionInfo[LedgerError]) -> tuple[str, str, str]:
    """The code of the only problem, the field that it is about, and its sentence."""
    (problem,) = refusal.value.problems
    return problem.code, problem.where, problem.message


@pytest.mark.parametrize(
    ("quota", "said"),
    [
        ("SESSIONS_PER_HOUR", "This club has started 2 sessions within an hour. Wait a while."),
        ("SESSIONS_PER_CLUB", "A club may have 2 sessions on this server. Its operator can allow more."),
    ],
)
def test_sessions_of_a_club(quota: str, said: str) -> None:
    with override_settings(**{quota: 2}):
        club = start().club
        second = again(club)
        with pytest.raises(LedgerError) as refusal:
            again(club)
        assert told(refusal) == ("quota", "", said)
        assert Session.objects.filter(club=club).count() == 2
        start()  # another club
        client = HostsBrowser()
        client.get(f"/s/{second.public_id}/")
        page = form(client.get(f"/c/{club.public_id}/"), action=f"/c/{club.public_id}/again/").press()
        assert page.status_code == 422
        assert said in page.content.decode()


@override_settings(SESSIONS_PER_HOUR=1)
def test_a_session_of_more_than_an_hour_ago_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    session = start()
    began = session.opened_at
    monkeypatch.setattr(timezone, "now", lambda: began + timedelta(minutes=59))
    with pytest.raises(LedgerError, match="within an hour"):
        again(session.club)
    monkeypatch.setattr(timezone, "now", lambda: began + timedelta(minutes=60))
    assert again(session.club).number == 2


@pytest.mark.parametrize(
    ("quota", "asked", "where", "said"),
    [
        ("SESSIONS_PER_HOUR", another, "", "This club has started 1 session within an hour. Wait a while."),
        ("SESSIONS_PER_CLUB", another, "", "A club may have 1 session on this server. Its operator can allow more."),
        ("PLAYERS_PER_CLUB", dan, "name", "A club may have 1 player on this server. Its operator can allow more."),
        ("PEOPLE_PER_SESSION", dan, "name", "1 person has sat in this session, which is the most. Start a new one."),
        ("HANDS_PER_SESSION", settle, "", "This session has 1 hand, which is the most. Start a new one."),
        (
            "EVENTS_PER_SESSION",
            settle,
            "",
            "The history of this session has 1 entry, which is the most. Start a new one.",
        ),
    ],
)
def test_one_is_not_spoken_of_as_many(quota: str, asked: Callable[[Session], object], where: str, said: str) -> None:
    session = start()
    if quota == "HANDS_PER_SESSION":
        settle(session)
    with override_settings(**{quota: 1}), pytest.raises(LedgerError) as refusal:
        asked(session)
    assert told(refusal) == ("quota", where, said)


@override_settings(PEOPLE_PER_SESSION=4)
def test_people_of_a_session(session: Session) -> None:
    """The three who began count, those who have left, too; who comes back is one of them. Other sessions do not."""
    start("Fay Gus Hal Ian", club=session.club)
    act(Join, session, name="Dan")
    act(Leave, session, seat=4)
    with pytest.raises(LedgerError) as refusal:
        act(Join, session, name="Eve")
    said = "4 people have sat in this session, which is the most. Start a new one."
    assert told(refusal) == ("quota", "name", said)
    act(Join, session, name="Dan")
    assert session.seats.filter(number__gt=0).count() == 4


@override_settings(PLAYERS_PER_CLUB=3)
def test_players_of_a_club() -> None:
    start("Fay Gus Hal")  # another club
    session = start()
    said = "A club may have 3 players on this server. Its operator can allow more."
    with pytest.raises(LedgerError) as refusal:
        act(Join, session, name="Dan")
    assert told(refusal) == ("quota", "name", said)
    with pytest.raises(LedgerError) as refusal:
        start("Ann Dan", club=session.club)
    assert told(refusal) == ("quota", "name", said)
    again(session.club)  # the same people
    assert Player.objects.filter(club=session.club).count() == 3


@override_settings(HANDS_PER_SESSION=2)
def test_hands_of_a_session() -> None:
    session = start()
    settle(session)
    settle(session)
    with pytest.raises(LedgerError) as refusal:
        settle(session)
    assert told(refusal) == ("quota", "", "This session has 2 hands, which is the most. Start a new one.")
    act(ledger.close_session, session)


@override_settings(EVENTS_PER_SESSION=2)
def test_events_of_a_session_which_can_always_be_closed() -> None:
    session = start()
    settle(session)
    with pytest.raises(LedgerError) as refusal:
        settle(session)
    said = "The history of this session has 2 entries, which is the most. Start a new one."
    assert told(refusal) == ("quota", "", said)
    act(ledger.close_session, session)


def test_a_session_with_the_most_events_can_still_be_settled_up(owing: Session) -> None:
    with override_settings(EVENTS_PER_SESSION=owing.version):
        act(ledger.agree, owing, seat=1, head=owing.head)
        paid = act(ledger.pay, owing, payer=2, payee=1, amount=900)
        act(ledger.undo_payment, owing, n=paid.n)
        act(ledger.choose_tab, owing, on=True)
        act(ledger.reopen_session, owing)
        with pytest.raises(LedgerError, match="which is the most"):
            settle(owing)
        act(ledger.close_session, owing)


@override_settings(EVENTS_PER_SESSION=1)
def test_settling_up_does_not_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "TO_SETTLE_UP", 2)
    session = start()
    act(ledger.close_session, session)
    act(ledger.reopen_session, session)
    act(ledger.close_session, session)
    with pytest.raises(LedgerError) as refusal:
        act(ledger.reopen_session, session)
    said = "The history of this session has 3 entries, which is the most. Start a new one."
    assert told(refusal) == ("quota", "", said)


@pytest.mark.parametrize(("most", "all_of_them"), [(1, "1 link"), (2, "2 links")])
def test_a_club_and_its_session_each_have_their_links(most: int, all_of_them: str) -> None:
    session = start()
    with override_settings(LINKS_PER_SESSION=most):
        for where, what in ((session, "session"), (None, "club")):
            role = links.Role.HOST if where is None else links.Role.VIEWER
            for number in range(most):
                links.issue(club=session.club, session=where, role=role, key=f"{what} {number}")
            with pytest.raises(LedgerError) as refusal:
                links.issue(club=session.club, session=where, role=role, key=f"{what} {most}")
            said = f"This {what} has had {all_of_them}, which is the most. The server’s operator can allow more."
            assert told(refusal) == ("quota", "", said)
            # The form that made the last one may be sent again.
            links.issue(club=session.club, session=where, role=role, key=f"{what} {most - 1}")
        other = start()  # another club
        links.issue(club=other.club, role=links.Role.HOST, key="other 1")


@override_settings(LINKS_PER_SESSION=2)
def test_links_of_a_session_and_of_a_club() -> None:
    session = start()
    client: Client = HostsBrowser()
    opened = form(client.get(f"/s/{session.public_id}/links/"), "Create link")
    assert opened.press().status_code == 200
    assert opened.press().status_code == 200  # the same form makes the same link
    made = Link.objects.get(session=session)
    replacing = f"/c/{session.club.public_id}/links/{made.public_id}/replace/"
    first = form(client.get(f"/s/{session.public_id}/links/"), action=replacing)
    assert first.press().status_code == 200
    new = Link.objects.get(replaces=made)
    replacing = f"/c/{session.club.public_id}/links/{new.public_id}/replace/"
    page = client.get(f"/s/{session.public_id}/links/")
    for refused in (form(page, "Create link").press(), form(page, action=replacing).press()):
        assert refused.status_code == 422
        assert "This session has had 2 links" in refused.content.decode()
    assert Link.objects.filter(session=session).count() == 2
    at = f"/c/{session.club.public_id}/links/"
    assert form(client.get(at), action=at).press().status_code == 200
    assert form(client.get(at), action=at).press().status_code == 422
    # An operator can always let a host in again.
    links.issue(club=session.club, role=links.Role.HOST, key="rescue", limited=False)
