"""The page of a session's statistics, that of the club, and the section on a player's page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from scoring import club, ledger
from scoring.actions.people import Join, Leave
from scoring.game.entry import Entry
from scoring.models import Player, Session
from scoring.wording.session import title, titles
from tests.access.conftest import host
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start

pytestmark = pytest.mark.django_db


def text(client: Client, address: str) -> str:
    """The page as people read it, with single spaces."""
    response = client.get(address)
    assert response.status_code == 200
    page = response.content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page[page.index("<main") :])).split())


def of_session(session: Session) -> str:
    return text(host(session), f"/s/{session.public_id}/statistics/")


def of_club(session: Session) -> str:
    return text(host(session), f"/c/{session.club.public_id}/statistics/")


def of_player(session: Session, name: str) -> str:
    player = Player.objects.get(name=name, club=session.club)
    return text(host(session), f"/c/{session.club.public_id}/players/{player.pk}/")


def test_before_the_first_hand_each_page_says_so(session: Session) -> None:
    assert "No hands yet" in of_session(session)
    assert "No hands yet" in of_club(session)
    assert "No hands yet" in of_player(session, "Ann")
    assert "Head to head" not in of_player(session, "Ann")


def test_a_session_of_void_hands_has_none(session: Session) -> None:
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    assert "No hands yet" in of_session(session)
    assert "No hands yet" in of_club(session)


def test_one_hand_says_that_it_is_only_one(session: Session) -> None:
    settle(session)
    page = of_session(session)
    assert "“Only” stands where a rate is over fewer than 20 hands" in page
    assert "Ann 1 +12 +12.0 only 1 hand +12.00 +12.00 only 1 hand" in page
    assert f"Cat {4 * '0.0 only 1 hand '}1 of only 1 hand" in page  # royalties, and fouls
    assert "Ann 1 to 0 of 1 1 to 0 of 1 1 to 0 of 1 2 of 2, in only 1 hand 0 of 2, in only 1 hand" in page
    assert "Ann against Bob 1 +6 +6.00 EUR 1 to 0 of 1 1 to 0 of 1 1 to 0 of 1 1 to 0 of 1" in page


def test_twenty_hands_have_percentages(session: Session) -> None:
    for _ in range(20):
        settle(session)
    page = of_session(session)
    assert "20 of 20 hands, 100 %" in page
    before = page[page.index("Results") : page.index("Fantasyland")]
    assert "only" not in before


def test_a_figure_leads_to_its_hand(session: Session) -> None:
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    page = host(session).get(f"/s/{session.public_id}/statistics/").content.decode()
    assert f'href="/s/{session.public_id}/hands/2/"' in page
    club_page = host(session).get(f"/c/{session.club.public_id}/statistics/").content.decode()
    assert f'href="/s/{session.public_id}/hands/2/"' in club_page


def test_the_clubs_records_name_who_set_them(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    page = of_club(session)
    assert "2 hands in 1 session." in page
    for words in (
        "Highest royalties of one hand +31 Ann",
        "Longest Fantasyland 1 hand Ann",
        "won in one hand +74.00 EUR Ann",
        "Most fouls in a session 2 Cat",
    ):
        assert words in page


def test_a_player_over_two_sessions_in_two_currencies(session: Session) -> None:
    settle(session)
    other = start("Ann Bob", club=session.club, currency="JPY", minor_digits=0, stake=5)
    settle(other, entry(s1=PLAIN, s2=STRONG))
    page = of_player(session, "Ann")
    assert "2 hands in 2 sessions." in page
    assert "EUR +12.00 EUR per hand only 1 hand +12.00 JPY −185 JPY per hand only 1 hand −185" in page
    assert "Bob 2 −31 +6.00 EUR, −185 JPY" in page
    assert "Worst session −185 JPY" in page


def test_two_sessions_of_one_day_are_told_apart_by_their_time(session: Session) -> None:
    """On the page of a player who won in the one and lost in the other, and among the records of the club."""
    settle(session)
    other = start("Ann Bob", club=session.club, currency="USD")
    settle(other, entry(s1=PLAIN, s2=STRONG))
    first, second = titles([session, other])
    assert first.startswith(f"{title(session)}, ")
    page = of_player(session, "Ann")
    assert f"Best session +12.00 EUR, {first} +12" in page
    assert f"Worst session −37.00 USD, {second} −37" in page
    assert f"+12.00 EUR, {first}, hand 1" in page
    records = of_club(session)
    assert f"Ann {first}, hand 1" in records
    assert f"Bob {second}, hand 1" in records


def test_a_clubs_pages_count_the_same_sessions_of_a_player(session: Session) -> None:
    """Those in which a hand of theirs counts: not the one where no hand was settled, nor that of a void hand."""
    settle(session)
    start("Ann Bob", club=session.club)
    void = start("Ann Bob", club=session.club)
    settle(void, entry(s1=PLAIN, s2=STRONG))
    act(ledger.void_deal, void, number=1, note="misdeal")
    act(ledger.close_session, void)
    assert "1 hand in 1 session." in of_player(session, "Ann")
    at = f"/c/{session.club.public_id}"
    assert "Ann 1 session, 1 hand +12" in text(host(session), f"{at}/standings/")
    assert "Ann 1 session Bob 1 session Cat 1 session" in text(host(session), f"{at}/players/")


def test_long_names_and_large_figures_are_shown_whole() -> None:
    name = "Maximiliana Konstantinopolous-Wilhelmina"
    session = start("Ann Bob")
    club.rename_player(Player.objects.get(name="Bob"), name)
    settle(session, Entry(points=((1, 2, 654321),)))
    assert "+654 321" in of_session(session)
    assert f"{name} 1 +654 321 +654 321.00 EUR" in of_player(session, "Ann")
    assert name in of_club(session)


def test_a_session_of_twenty_four_people_has_a_line_for_each() -> None:
    session = start("P1 P2")
    for number in range(3, 25):
        settle(session, Entry(points=((number - 2, number - 1, 1),)))
        act(Join, session, name=f"P{number}")
        act(Leave, session, seat=number - 2, insist=True)
    page = of_session(session)
    for number in range(1, 24):
        assert f"P{number} " in page[: page.index("Rows won and lost")]


def test_the_page_has_no_form(session: Session) -> None:
    settle(session)
    page = host(session).get(f"/s/{session.public_id}/statistics/").content.decode()
    assert "csrf" not in page[page.index("<main") : page.index("</main")]
