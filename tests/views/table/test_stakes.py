"""Changing what a point is worth from the next hand on."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.people import Join, Leave
from scoring.models import Event, Session
from tests.ledger.conftest import act, money, settle, start, table
from tests.pages import Form, form


def stakes(client: Client, session: Session, **typed: str) -> Form:
    """The form for the stakes, with this typed into it."""
    return form(client.get(f"/s/{session.public_id}/stakes/")).fill(typed)


def page(client: Client, session: Session) -> str:
    return client.get(f"/s/{session.public_id}/stakes/").content.decode()


def test_a_stake_of_a_player_who_has_left_meanwhile_is_shown_as_not_saved(client: Client, session: Session) -> None:
    changing = stakes(client, session, **{"pair-1-2": "9", "pair-1-3": "8"})
    act(Leave, session, seat=2)
    late = changing.press("Save stakes")
    assert late.status_code == 409
    shown = " ".join(late.content.decode().split())
    assert "Not saved: Ann and Bob 9" in shown
    again = form(late, "Save stakes")
    assert (again.fields()["pair-1-3"], "Not saved: Ann and Cat" in shown) == (["8"], False)
    again.press()
    assert table(session).pair_stakes == {(1, 3): 800}


def test_a_stake_that_was_taken_from_a_player_who_has_left_meanwhile_is_named_and_an_untouched_one_is_not(
    client: Client, db: None
) -> None:
    session = start(pair_stakes=[(1, 2, 1000), (2, 3, 500)])
    changing = stakes(client, session, **{"pair-1-2": ""})
    act(Leave, session, seat=2)
    shown = " ".join(changing.press("Save stakes").content.decode().split())
    assert "Not saved: Ann and Bob –" in shown
    assert "Not saved: Bob and Cat" not in shown


def test_a_pair_that_had_the_stake_of_all_as_its_own_keeps_it_without_a_change(client: Client, db: None) -> None:
    session = start(pair_stakes=[(1, 2, 1000)])
    act(Leave, session, seat=2)
    stakes(client, session, stake="10").press()
    act(Join, session, name="Bob")
    response = stakes(client, session).press("Save stakes")
    assert "This is how it is already. Change something first." in response.content.decode()
    assert Event.objects.filter(verb="terms").count() == 1


def test_a_pair_keeps_its_own_stake_when_that_of_all_comes_to_equal_it_and_moves_on(client: Client, db: None) -> None:
    session = start(pair_stakes=[(1, 2, 200)])
    stakes(client, session, stake="2").press()
    assert table(session).pair_stakes == {(1, 2): 200}
    stakes(client, session, stake="0.9").press()
    assert (table(session).stake, table(session).pair_stakes) == (90, {(1, 2): 200})


def test_new_stakes_hold_from_the_next_hand_on(client: Client, session: Session) -> None:
    settle(session)
    assert "from hand 2" in page(client, session)
    changing = stakes(client, session, stake="2,50", **{"pair-1-2": "10"})
    assert changing.press("Save stakes").status_code == 302
    assert money(session) == {1: 1200, 2: 0, 3: -1200}
    settle(session)
    assert money(session) == {1: 1200 + 6000 + 1500, 2: -6000 + 1500, 3: -1200 - 3000}


def test_the_form_shows_what_is_played_for(client: Client, db: None) -> None:
    session = start(stake=12345600, pair_stakes=[(1, 3, 0)])
    shown = page(client, session)
    assert 'name="stake" value="123456.00"' in shown
    assert 'name="pair-1-3" value="0.00"' in shown
    assert 'name="pair-1-2" value="" inputmode="decimal" autocomplete="off" placeholder="123456.00"' in shown
    stakes(client, session, **{"pair-2-3": "1"}).press()
    assert (table(session).stake, table(session).pair_stakes) == (12345600, {(1, 3): 0, (2, 3): 100})


def test_a_pair_left_empty_or_the_same_plays_for_the_stake_of_all(client: Client, db: None) -> None:
    session = start(pair_stakes=[(1, 2, 1000), (1, 3, 500)])
    stakes(client, session, stake="2", **{"pair-1-2": "", "pair-1-3": "2.00", "pair-2-3": "7"}).press()
    assert table(session).pair_stakes == {(2, 3): 700}


def test_a_player_who_has_left_keeps_their_stakes(client: Client, db: None) -> None:
    session = start(pair_stakes=[(1, 2, 1000)])
    act(Leave, session, seat=2)
    assert "pair-1-2" not in page(client, session)
    stakes(client, session, stake="2").press()
    assert table(session).pair_stakes == {(1, 2): 1000}


@pytest.mark.parametrize(
    ("changed", "wrong", "said"),
    [
        ({"stake": "1.000"}, "stake", "no thousands separator"),
        ({"stake": "-1"}, "stake", "Enter the number alone"),
        ({"stake": "12345678901234567"}, "stake", "amount is too large"),
        ({"pair-1-2": "ten"}, "pair-1-2", "Enter a number"),
    ],
)
def test_what_is_no_amount_is_marked_and_kept(
    client: Client, session: Session, changed: dict[str, str], wrong: str, said: str
) -> None:
    response = stakes(client, session, **changed).press()
    shown = response.content.decode()
    assert response.status_code == 422
    assert f'aria-describedby="{wrong}-wrong"' in shown
    assert said in shown
    assert f'value="{changed[wrong]}"' in shown
    assert Event.objects.count() == 1
    again = form(response).fill({wrong: "5"}).press()
    assert again.status_code == 302


def test_what_is_no_amount_is_not_repeated_at_length(client: Client, session: Session) -> None:
    """The page shows the common stake again in the field of every pair."""
    refused = stakes(client, session, stake='"' * 60_000).press()
    assert refused.status_code == 422
    assert len(refused.content) < 100_000


def test_sent_twice_they_are_changed_once_and_stale_they_are_kept(client: Client, session: Session) -> None:
    changing, other = stakes(client, session, stake="3.00"), stakes(client, session, stake="4.00")
    for _ in range(2):
        assert changing.press().status_code == 302
    assert Event.objects.filter(verb="terms").count() == 1
    response = other.press()
    assert response.status_code == 409
    assert 'value="4.00"' in response.content.decode()
    assert table(session).stake == 300
    assert form(response).press().status_code == 302
    assert table(session).stake == 400


def test_in_a_closed_session_they_stay(client: Client, session: Session) -> None:
    changing = stakes(client, session, stake="2")
    act(ledger.close_session, session)
    assert "This session is closed" in page(client, session)
    assert changing.press().status_code == 409
    assert table(session).stake == 100


def test_what_cannot_be_read_is_told_that_the_session_was_closed_meanwhile(client: Client, session: Session) -> None:
    changing = stakes(client, session, stake="two")
    act(ledger.close_session, session)
    response = changing.press()
    assert response.status_code == 409
    assert "This session is closed" in response.content.decode()
    assert 'value="two"' in response.content.decode()


def test_a_session_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/s/nobody/stakes/").status_code == 404


def test_every_page_shows_stakes_that_differ(client: Client, db: None) -> None:
    session = start(pair_stakes=[(1, 2, 1000)])
    assert "1.00 EUR a point, 10.00 between Ann and Bob, Regular" in page(client, session)
    stakes(client, session, stake="0", **{"pair-2-3": "5"}).press()
    assert (
        "0.00 EUR a point, different stakes for 2 pairs of players, Regular"
        in client.get(f"/s/{session.public_id}/").content.decode()
    )
