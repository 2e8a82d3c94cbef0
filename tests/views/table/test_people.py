"""Joining, leaving, sitting out and changing places; how Fantasyland blocks them; who has dealt in this orbit."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import SitOut
from scoring.game.entry import Entry
from scoring.models import Event, Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start, table, verbs


def sent(session: Session, do: str, **changed: str) -> dict[str, str]:
    session.refresh_from_db()
    return {"key": f"people-{do}", "version": str(session.version), "do": do, **changed}


def post(client: Client, session: Session, do: str, **changed: str):
    return client.post(f"/s/{session.public_id}/people/", sent(session, do, **changed))


def page(client: Client, session: Session) -> str:
    return client.get(f"/s/{session.public_id}/people/").content.decode()


def names(session: Session) -> list[str]:
    return [chair.name + (" out" if chair.out else "") for chair in table(session).chairs]


def test_somebody_joins_where_he_sits(client: Client, session: Session) -> None:
    response = post(client, session, "join", name="  Dan ", after="1")
    assert response["Location"] == f"/s/{session.public_id}/people/"
    assert names(session) == ["Ann", "Dan", "Bob", "Cat"]


def test_somebody_leaves_and_comes_back(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=5000)
    assert "Leaves and cashes out" in page(client, session)
    post(client, session, "leave", seat="2")
    assert names(session) == ["Ann", "Cat"]
    assert table(session).stacks == {1: 5000, 3: 5000}
    post(client, session, "join", name="bob")
    assert [chair.number for chair in table(session).chairs] == [1, 3, 2]


def test_sitting_out_and_back(client: Client, session: Session) -> None:
    post(client, session, "sit-out", seat="2")
    assert names(session) == ["Ann", "Bob out", "Cat"]
    assert '<span class="tag">sits out</span>' in page(client, session)
    post(client, session, "sit-in", seat="2")
    assert names(session) == ["Ann", "Bob", "Cat"]


def test_two_change_places(client: Client, session: Session) -> None:
    post(client, session, "swap", seat="1", other="3")
    assert names(session) == ["Cat", "Bob", "Ann"]


@pytest.mark.parametrize(
    ("do", "changed", "said"),
    [
        ("join", {"name": " "}, "Everybody needs a name."),
        ("join", {"name": "bob"}, "Bob is at the table."),
        ("join", {"name": "House"}, "The ledger itself has a House"),
        ("join", {"name": "D" * 41}, "at most 40 characters"),
        ("leave", {"seat": "9"}, "Choose who."),
        ("sit-in", {"seat": "1"}, "Ann is not sitting out"),
        ("swap", {"seat": "1", "other": ""}, "Choose with whom."),
        ("swap", {"seat": "1", "other": "1"}, "It takes two to swap seats."),
        ("dance", {"seat": "1"}, "Say what should happen."),
    ],
)
def test_what_cannot_be_is_refused_in_place(
    client: Client, session: Session, do: str, changed: dict[str, str], said: str
) -> None:
    response = post(client, session, do, **changed)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert f'value="{changed.get("name", "").strip()}"' in response.content.decode()
    assert Event.objects.count() == 1


def test_while_fantasyland_is_pending_the_host_has_to_insist(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    assert "Ann is owed Fantasyland: until that hand is played, nobody joins" in page(client, session)
    response = post(client, session, "join", name="Dan", after="2")
    shown = response.content.decode()
    assert response.status_code == 422
    assert "Nobody joins, leaves or moves while Fantasyland is pending (Ann), unless the host insists." in shown
    assert "<strong>Dan joins</strong>, although Ann is owed Fantasyland?" in shown
    for field, value in (("do", "join"), ("name", "Dan"), ("after", "2"), ("insist", "yes")):
        assert f'<input type="hidden" name="{field}" value="{value}">' in shown
    without = post(client, session, "join", name="Dan", after="2", insist="yes")
    assert without.status_code == 422
    assert "Say why: this goes into the history." in without.content.decode()
    done = post(client, session, "join", name="Dan", after="2", insist="yes", note="he drove two hours")
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


def test_where_nobody_is_dealt_in_no_orbit_is_complete(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(SitOut, session, seat=seat)
    assert "Nobody has dealt yet." in page(client, session)


def test_who_has_the_button_still_for_fantasyland_has_dealt(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert "In this orbit Ann has dealt, Bob and Cat not yet." in page(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=STRONG))
    assert "1 orbit complete: everybody has dealt equally often." in page(client, session)


def test_a_complete_orbit_is_said_so(client: Client, session: Session) -> None:
    for _ in range(3):
        settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    assert "1 orbit complete: everybody has dealt equally often." in page(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    assert (
        "1 orbit complete. In this orbit Ann has dealt, Bob and Cat not yet."
        in client.get(f"/s/{session.public_id}/").content.decode()
    )


def test_sent_twice_he_leaves_once(client: Client, session: Session) -> None:
    form = sent(session, "sit-out", seat="2")
    for _ in range(2):
        assert client.post(f"/s/{session.public_id}/people/", form).status_code == 302
    assert verbs(session) == ["start", "sit-out"]


def test_a_stale_form_is_kept(client: Client, session: Session) -> None:
    form = sent(session, "join", name="Dan")
    settle(session)
    response = client.post(f"/s/{session.public_id}/people/", form)
    assert response.status_code == 409
    assert 'value="Dan"' in response.content.decode()
    assert names(session) == ["Ann", "Bob", "Cat"]


def test_in_a_closed_session_nobody_moves(client: Client, session: Session) -> None:
    act(ledger.close_session, session)
    assert "This session is closed" in page(client, session)
    response = post(client, session, "leave", seat="1")
    assert response.status_code == 422
    assert "reopen it to change anything" in response.content.decode()
    assert 'name="do"' not in response.content.decode()


def test_a_session_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/s/nobody/people/").status_code == 404
    assert client.post("/s/nobody/people/", {"do": "leave"}).status_code == 404
