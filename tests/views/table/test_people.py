"""Joining, leaving, sitting out and changing places; how Fantasyland blocks them; who has dealt in this orbit."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import Leave, SitOut
from scoring.game.entry import Entry
from scoring.models import Event, Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start, table, verbs
from tests.pages import Form, form, post_nothing


def of_seat(client: Client, session: Session, label: str, seat: int) -> Form:
    """The form of this seat that has a button with this label."""
    return form(client.get(f"/s/{session.public_id}/people/"), label, seat=str(seat))


def joining(client: Client, session: Session, name: str, **typed: str) -> Form:
    """The form by which somebody sits down, with this name in it."""
    return form(client.get(f"/s/{session.public_id}/people/"), "Sits down").fill({"name": name, **typed})


def page(client: Client, session: Session) -> str:
    return client.get(f"/s/{session.public_id}/people/").content.decode()


def names(session: Session) -> list[str]:
    return [chair.name + (" out" if chair.out else "") for chair in table(session).chairs]


def test_somebody_joins_where_they_sit(client: Client, session: Session) -> None:
    response = joining(client, session, "  Dan ", after="1").press()
    assert response["Location"] == f"/s/{session.public_id}/people/"
    assert names(session) == ["Ann", "Dan", "Bob", "Cat"]


def test_somebody_leaves_and_comes_back(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=5000)
    of_seat(client, session, "Leaves and cashes out", 2).press("Leaves and cashes out")
    assert names(session) == ["Ann", "Cat"]
    assert table(session).stacks == {1: 5000, 3: 5000}
    joining(client, session, "bob").press()
    assert [chair.number for chair in table(session).chairs] == [1, 3, 2]


def test_sitting_out_and_back(client: Client, session: Session) -> None:
    of_seat(client, session, "Sits out", 2).press("Sits out")
    assert names(session) == ["Ann", "Bob out", "Cat"]
    assert '<span class="tag">sits out</span>' in page(client, session)
    of_seat(client, session, "Deal in again", 2).press("Deal in again")
    assert names(session) == ["Ann", "Bob", "Cat"]


def test_two_change_places(client: Client, session: Session) -> None:
    of_seat(client, session, "Swap", 1).fill({"other": "3"}).press("Swap")
    assert names(session) == ["Cat", "Bob", "Ann"]


@pytest.mark.parametrize(
    ("label", "changed", "said"),
    [
        ("Sits down", {"do": "join", "name": " "}, "Everybody needs a name."),
        ("Sits down", {"do": "join", "name": "bob"}, "Bob is at the table."),
        ("Sits down", {"do": "join", "name": "House"}, "The ledger itself has a House"),
        ("Sits down", {"do": "join", "name": "D" * 41}, "at most 40 characters"),
        ("Leaves", {"do": "leave", "seat": "9"}, "Choose who."),
        ("Sits out", {"do": "sit-in"}, "Ann is not sitting out"),
        ("Swap", {"do": "swap", "other": ""}, "Choose with whom."),
        ("Swap", {"do": "swap", "other": "1"}, "It takes two to swap seats."),
        ("Sits out", {"do": "dance"}, "Say what should happen."),
    ],
)
def test_what_cannot_be_is_refused_in_place(
    client: Client, session: Session, label: str, changed: dict[str, str], said: str
) -> None:
    shown = client.get(f"/s/{session.public_id}/people/")
    opened = form(shown, label) if label == "Sits down" else form(shown, label, seat="1")
    response = opened.forge(dict(changed))
    assert response.status_code == 422
    assert said in response.content.decode()
    assert form(response, "Sits down").fields()["name"] == [changed.get("name", "").strip()]
    assert Event.objects.count() == 1


def test_a_form_that_was_refused_many_times_still_works(client: Client, session: Session) -> None:
    refused = joining(client, session, "bob").press()
    for _ in range(15):
        refused = form(refused, "Sits down").press()
        assert refused.status_code == 422
    assert form(refused, "Sits down").fill({"name": "Dan"}).press().status_code == 302
    assert names(session) == ["Ann", "Bob", "Cat", "Dan"]


def test_joining_beside_a_player_who_has_left_meanwhile(client: Client, session: Session) -> None:
    """The place that is offered instead is the last one, as on a fresh page, not silently the first."""
    opened = joining(client, session, "Dan", after="2")
    act(Leave, session, seat=2)
    late = opened.press()
    assert late.status_code == 409
    assert form(late, "Sits down").fields()["after"] == ["3"]


def test_while_fantasyland_is_pending_the_host_has_to_insist(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    assert "Ann is owed Fantasyland: until that hand is played, nobody joins" in page(client, session)
    response = joining(client, session, "Dan", after="2").press()
    shown = response.content.decode()
    assert response.status_code == 422
    assert "Nobody joins, leaves or moves while Fantasyland is pending (Ann), unless the host insists." in shown
    assert "<strong>Dan joins</strong>, although Ann is owed Fantasyland?" in shown
    without = form(response, "Do it anyway").forge({"note": ""})
    assert without.status_code == 422
    assert "Say why: this goes into the history." in without.content.decode()
    done = form(without, "Do it anyway").fill({"note": "he drove two hours"}).press()
    assert done.status_code == 302
    assert names(session) == ["Ann", "Bob", "Dan", "Cat"]
    assert Event.objects.get(verb="join").note == "he drove two hours"


def test_four_at_a_pineapple_table(client: Client, db: None) -> None:
    session = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    shown = page(client, session)
    assert "The cards suffice for 3 players: whoever has the button sits out, in this hand Dan." in shown
    assert "Nobody has dealt yet." in shown
    settle(session, Entry(points=((1, 2, 1),)))
    shown = page(client, session)
    assert "in this hand Ann." in shown
    assert "In this orbit Dan has dealt, Ann, Bob and Cat not yet." in shown


def test_no_orbit_is_complete_if_everybody_sits_out(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(SitOut, session, seat=seat)
    assert "Nobody has dealt yet." in page(client, session)


def test_a_held_button_counts_as_dealt_once(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert "In this orbit Ann has dealt, Bob and Cat not yet." in page(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=STRONG))
    assert "1 orbit complete: everybody has dealt equally often." in page(client, session)


def test_a_complete_orbit_is_shown(client: Client, session: Session) -> None:
    for _ in range(3):
        settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    assert "1 orbit complete: everybody has dealt equally often." in page(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    assert (
        "1 orbit complete. In this orbit Ann has dealt, Bob and Cat not yet."
        in client.get(f"/s/{session.public_id}/").content.decode()
    )


def test_sent_twice_somebody_sits_out_once(client: Client, session: Session) -> None:
    opened = of_seat(client, session, "Sits out", 2)
    for _ in range(2):
        assert opened.press("Sits out").status_code == 302
    assert verbs(session) == ["start", "sit-out"]


def test_a_stale_form_is_kept(client: Client, session: Session) -> None:
    opened = joining(client, session, "Dan", after="1")
    settle(session)
    response = opened.press()
    assert response.status_code == 409
    assert 'value="Dan"' in response.content.decode()
    assert names(session) == ["Ann", "Bob", "Cat"]
    assert form(response, "Sits down").press().status_code == 302
    assert names(session) == ["Ann", "Dan", "Bob", "Cat"]


def test_players_cannot_be_moved_in_a_closed_session(client: Client, session: Session) -> None:
    opened = of_seat(client, session, "Leaves", 1)
    act(ledger.close_session, session)
    assert "This session is closed" in page(client, session)
    response = opened.press("Leaves")
    assert response.status_code == 422
    assert "reopen it to change anything" in response.content.decode()
    assert 'name="do"' not in response.content.decode()


def test_a_session_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/s/nobody/people/").status_code == 404
    assert post_nothing(client, "/s/nobody/people/").status_code == 404
