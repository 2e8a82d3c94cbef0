"""Same as last time: the club's people sit down again on the same terms."""

from __future__ import annotations

import pytest

from scoring import club, ledger, reads
from scoring.access.links import Role
from scoring.actions.people import Leave, Swap
from scoring.actions.terms import ChangeTerms
from scoring.models import Player, Session
from scoring.wording.session import title, titles
from tests.access.conftest import browser, host, issue
from tests.ledger.conftest import LEVEL, act, entry, settle, start, table
from tests.pages import form
from tests.views.club.conftest import named

pytestmark = pytest.mark.django_db


def test_the_same_people_sit_down_on_the_same_terms(session: Session) -> None:
    act(ChangeTerms, session, stake=250, pair_stakes=[(1, 3, 1000)], rules="cardplayer")
    act(Swap, session, first=1, second=2)
    settle(session, entry(s1=LEVEL.boards[1], s2=LEVEL.boards[2], s3=LEVEL.boards[3]))
    client = host(session)
    opened = form(client.get(f"/c/{session.club.public_id}/"), "Same as last time")
    response = opened.press()
    again = Session.objects.latest("pk")
    assert response["Location"] == f"/s/{again.public_id}/"
    before, after = table(session), table(again)
    assert [chair.name for chair in after.chairs] == [chair.name for chair in before.chairs] == ["Bob", "Ann", "Cat"]
    assert after.name(after.button) == before.name(before.button)
    assert (after.stake, after.rules) == (250, before.rules)
    assert {frozenset(map(after.name, pair)): stake for pair, stake in after.pair_stakes.items()} == {
        frozenset({"Ann", "Cat"}): 1000
    }
    assert again.club == session.club
    assert Player.objects.count() == 3
    assert opened.press()["Location"] == f"/s/{again.public_id}/"
    assert Session.objects.count() == 2


def test_two_hosts_start_one_session(session: Session) -> None:
    """Each of them sees what the other has done, and may still start another one."""
    again = "Same as last time"
    new = (f"/new/?club={session.club.public_id}", "Start game")
    for address, button in ((f"/c/{session.club.public_id}/", again), ("/", again), new):
        client = host(session)
        mine, theirs = (form(client.get(address), button) for _ in range(2))
        count = Session.objects.count()
        assert theirs.press(button).status_code == 302
        late = mine.press(button)
        assert late.status_code == 409
        assert "A session was started in this club since this page was opened." in late.content.decode()
        assert Session.objects.count() == count + 1
        assert form(late, button).press(button).status_code == 302


def test_a_form_for_a_new_session_that_is_moved_to_another_club_is_not_late(session: Session) -> None:
    elsewhere = start("Dan Eve")
    other, client = elsewhere.club, browser(*(issue(each, Role.HOST)[1] for each in (session, elsewhere)))
    opened = form(client.get(f"/new/?club={session.club.public_id}"), "Start game")
    assert opened.fill({"club": other.public_id}).press("Start game").status_code == 302
    assert Session.objects.filter(club=other).count() == 2


def test_players_who_left_or_retired_are_not_in_the_next_session(db: None) -> None:
    session = start("Ann Bob Cat Dan")
    act(Leave, session, seat=2)
    club.retire(named(session, "Dan"))
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names == ["Ann", "Cat"]


def test_if_fewer_than_two_stayed_the_next_session_has_everybody(session: Session) -> None:
    act(Leave, session, seat=1)
    act(Leave, session, seat=2)
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names == ["Ann", "Bob", "Cat"]


def test_without_enough_players_the_same_again_is_refused(session: Session) -> None:
    opened = form(host(session).get(f"/c/{session.club.public_id}/"), "Same as last time")
    for player in Player.objects.all():
        club.retire(player)
    response = opened.press()
    assert response.status_code == 422
    assert "at least two players" in response.content.decode()


def test_two_sessions_of_one_day_are_told_apart_by_their_time(session: Session) -> None:
    client = host(session)
    form(client.get(f"/c/{session.club.public_id}/"), "Same as last time").press()
    both = list(Session.objects.order_by("pk"))
    for each in both:
        issue(each, Role.VIEWER)
    for page in ("/", f"/c/{session.club.public_id}/", f"/c/{session.club.public_id}/links/"):
        shown = client.get(page).content.decode()
        for each, said in zip(both, titles(both), strict=True):
            assert said.startswith(f"{title(each)}, ")
            assert f"<span>{said}</span>" in shown, page


def test_a_void_hand_is_not_counted_among_the_hands_of_a_session(session: Session) -> None:
    settle(session)
    settle(session)
    settle(session)
    act(ledger.void_deal, session, number=2, note="misdeal")
    client = host(session)
    pages = ("/", f"/c/{session.club.public_id}/")
    assert ["2 hands" in client.get(page).content.decode() for page in pages] == [True, True]
    act(ledger.close_session, session)
    assert ["2 hands, closed" in client.get(page).content.decode() for page in pages] == [True, True]
    act(ledger.reopen_session, session)
    act(ledger.restore_deal, session, number=2, note="it was none")
    assert ["3 hands" in client.get(page).content.decode() for page in pages] == [True, True]
