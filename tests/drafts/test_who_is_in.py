"""Who is in, and the way to the settlement once everybody is: the same words on every page of the table."""

import html

import pytest
from django.test import Client

from scoring import ledger
from scoring.access import links
from scoring.game.entry import Rows
from scoring.models import Session
from tests.drafts.conftest import HTMX, Phone, tied
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle
from tests.pages import follow, form

SETTLE = "See who pays whom"


@pytest.fixture
def viewer(session: Session) -> Client:
    """A phone that may only read along."""
    _, secret = links.issue(club=session.club, session=session, role=links.Role.VIEWER, key="viewer")
    client = Client()
    client.get(f"/l/{secret}")
    return client


def shown(client: Client, session: Session, path: str = "") -> str:
    page = client.get(f"/s/{session.public_id}/{path}").content.decode()
    return " ".join(html.unescape(page).split())


def everybody_in(session: Session) -> list[Phone]:
    """A phone for each player; each has sent its own rows."""
    phones = [tied(session, seat) for seat in (1, 2, 3)]
    for seat, (phone, rows) in enumerate(zip(phones, (PLAIN, WEAK, FOUL), strict=True), start=1):
        phone.send(seat, rows)
    return phones


def test_every_page_of_the_table_says_who_is_in_and_who_is_missing(
    host: Phone, session: Session, viewer: Client
) -> None:
    ann = tied(session, 1)
    for path in ("", "screen/"):
        assert "Waiting for" not in shown(viewer, session, path)
    ann.send(1, PLAIN)
    for client, path in ((viewer, ""), (viewer, "screen/"), (host.client, ""), (viewer, "hand/in/")):
        assert "1 of 3 players is in. Waiting for Bob and Cat." in shown(client, session, path)
    assert "Your cards are in (1 of 3 players). Waiting for Bob and Cat." in shown(ann.client, session, "seat/1/")
    host.send(2, WEAK)
    assert "2 of 3 players are in. Waiting for Cat." in shown(viewer, session)
    assert "2 of 3 players are in. Waiting for Cat." in shown(host.client, session, "seat/3/")


def test_once_everybody_is_in_each_phone_that_may_settle_has_the_button(
    host: Phone, session: Session, viewer: Client
) -> None:
    ann, *_ = everybody_in(session)
    for path in ("", "screen/", "seat/1/"):
        page = shown(host.client, session, path)
        assert "Everyone is in." in page
        assert SETTLE in page
    # The page of all seats has a button of its own.
    assert SETTLE not in shown(host.client, session, "hand/")
    for client, path in ((viewer, ""), (viewer, "screen/"), (ann.client, ""), (ann.client, "seat/1/")):
        page = shown(client, session, path)
        assert "Everyone is in." in page
        assert SETTLE not in page
    preview = follow(host.client.get(f"/s/{session.public_id}/"), SETTLE)
    assert preview.status_code == 200
    assert form(preview, "Settle hand 1").press()["Location"] == f"/s/{session.public_id}/hands/1/"


def test_a_button_left_over_leads_to_the_hand_that_another_phone_has_settled(host: Phone, session: Session) -> None:
    everybody_in(session)
    opened = host.client.get(f"/s/{session.public_id}/")
    form(follow(opened, SETTLE), "Settle hand 1").press()
    assert follow(opened, SETTLE)["Location"] == f"/s/{session.public_id}/hands/1/"


def test_the_button_shows_what_was_changed_meanwhile_instead_of_an_incomplete_hand(
    host: Phone, session: Session
) -> None:
    ann, *_ = everybody_in(session)
    opened = host.client.get(f"/s/{session.public_id}/")
    ann.send(1, Rows(PLAIN.front))
    assert "Not saved yet" not in (page := follow(opened, SETTLE).content.decode())
    assert 'value="7s 8d 9c"' in page


def test_others_see_a_foul_as_a_foul(host: Phone, session: Session, viewer: Client) -> None:
    everybody_in(session)
    page = shown(host.client, session, "seat/1/")
    assert "<b>Cat</b> <small>Foul</small>" in page
    assert "<b>Bob</b> <small>Done ✓</small>" in page
    assert "Everyone is in. Cat fouled." in shown(viewer, session)
    host.open().send(3, FOUL, ruling="dead")
    assert "<b>Cat</b> <small>Dead hand</small>" in shown(host.client, session, "seat/1/")


def test_of_a_hidden_board_it_is_said_that_it_is_in_and_not_that_it_fouled(
    session: Session, host: Phone, viewer: Client
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = (tied(session, seat) for seat in (1, 2, 3))
    ann.send(1, FOUL)
    for client, path in ((viewer, ""), (viewer, "hand/in/"), (host.client, "seat/2/"), (bob.client, "seat/2/")):
        page = shown(client, session, path)
        assert "Foul" not in page
        assert "Ann fouled" not in page
        assert "1 of 3 players is in" in page
    assert "<b>Ann</b> <small>Done ✓</small>" in shown(bob.client, session, "seat/2/")
    bob.send(2, PLAIN)
    cat.send(3, WEAK)
    assert "Everyone is in. Ann fouled." in shown(viewer, session)


def test_a_board_that_stays_hidden_is_no_settlement_yet(session: Session, host: Phone, viewer: Client) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    phones = [tied(session, seat) for seat in (1, 2, 3)]
    for seat, rows in enumerate((STRONG, STRONG, WEAK), start=1):
        phones[seat - 1].send(seat, rows)
    for client in (viewer, host.client):
        page = shown(client, session)
        assert "Ann’s Fantasyland stays hidden: some card is on the table twice." in page
        assert "Settle hand" not in page


def test_a_page_that_knows_the_state_is_told_nothing(session: Session, viewer: Client) -> None:
    at = f"/s/{session.public_id}/hand/in/"
    assert viewer.get(at, {"v": "1.0"}, headers=HTMX).status_code == 204
    tied(session, 1).send(1, PLAIN)
    assert "1 of 3 players is in." in viewer.get(at, {"v": "1.0"}, headers=HTMX).content.decode()
    assert viewer.get(at, {"v": "1.1"}, headers=HTMX).status_code == 204


def test_nobody_is_waited_for_in_a_closed_session(session: Session, viewer: Client) -> None:
    tied(session, 1).send(1, PLAIN)
    act(ledger.close_session, session)
    assert "Waiting for" not in shown(viewer, session, "hand/in/")
