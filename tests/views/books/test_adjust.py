"""Penalties, and Undo."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.people import SitOut
from scoring.actions.terms import ChangeTerms
from scoring.models import Event, Session
from tests.ledger.conftest import act, points, settle


def penalty(session: Session, **changed: str) -> dict[str, str]:
    session.refresh_from_db()
    form = {"key": "penalty", "version": str(session.version), "seat": "2", "points": "3", "to": ""}
    return {**form, "note": "out of turn", **changed}


def undo(session: Session, **changed: str) -> dict[str, str]:
    session.refresh_from_db()
    return {"key": "undo", "version": str(session.version), **changed}


def test_a_penalty_to_everyone_stands_in_the_ledger(client: Client, session: Session) -> None:
    settle(session)
    response = client.post(f"/s/{session.public_id}/penalty/", penalty(session))
    assert response["Location"] == f"/s/{session.public_id}/ledger/"
    assert points(session) == {1: 15, 2: -6, 3: -9}
    page = client.get(response["Location"]).content.decode()
    assert "Penalty: Bob pays Ann 3 points, 3.00 EUR; Bob pays Cat 3 points, 3.00 EUR. (out of turn)" in page


def test_a_penalty_before_the_first_hand_and_to_one(client: Client, session: Session) -> None:
    client.post(f"/s/{session.public_id}/penalty/", penalty(session, to="3", points="1"))
    assert points(session) == {1: 0, 2: -1, 3: 1}
    assert "Bob pays Cat 1 point, 1.00 EUR" in client.get(f"/s/{session.public_id}/ledger/").content.decode()


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"points": "0"}, "points"),
        ({"points": "-3"}, "points"),
        ({"points": "1.5"}, "points"),
        ({"points": "9999999"}, "points"),
        ({"points": "9" * 5000}, "points"),
        ({"points": "\u0663"}, "points"),
        ({"note": " "}, "note"),
        ({"seat": "9"}, "seat"),
        ({"seat": "0"}, "seat"),
        ({"to": "2"}, "to"),
        ({"to": "9"}, "to"),
    ],
)
def test_a_penalty_that_cannot_be_is_refused_at_its_field_and_kept(
    client: Client, session: Session, changed: dict[str, str], place: str
) -> None:
    response = client.post(f"/s/{session.public_id}/penalty/", penalty(session, **changed))
    page = response.content.decode()
    assert response.status_code == 422
    assert 'role="alert"' in page
    assert f'id="{place}-wrong"' in page
    assert f'value="{changed.get("points", "3")}"' in page
    assert Event.objects.count() == 1


@pytest.mark.parametrize(("path", "faults"), [("penalty/", 3), ("side-bet/", 4), ("fee/", 3)])
def test_an_empty_form_is_told_everything_at_once(client: Client, session: Session, path: str, faults: int) -> None:
    page = client.post(f"/s/{session.public_id}/{path}", {"key": "empty", "version": "1"}).content.decode()
    assert f"{faults} things do not fit" in page
    assert "Say why" in page


def test_a_penalty_sent_twice_is_booked_once(client: Client, session: Session) -> None:
    form = penalty(session)
    for _ in range(2):
        response = client.post(f"/s/{session.public_id}/penalty/", form)
        assert response["Location"] == f"/s/{session.public_id}/ledger/"
    act(SitOut, session, seat=2)
    assert client.post(f"/s/{session.public_id}/penalty/", form).status_code == 302
    assert points(session)[2] == -6
    assert client.post(f"/s/{session.public_id}/penalty/", {**form, "points": "4"}).status_code == 409


def test_a_penalty_for_a_table_that_has_changed_is_shown_again(client: Client, session: Session) -> None:
    form = penalty(session, points="7")
    act(ChangeTerms, session, stake=1000)
    response = client.post(f"/s/{session.public_id}/penalty/", form)
    page = response.content.decode()
    assert response.status_code == 409
    assert "has changed since" in page
    assert 'name="seat" value="2" checked' in page
    assert 'value="7"' in page
    assert 'value="out of turn"' in page
    # The form as it now stands may be sent again.
    assert 'name="version" value="2"' in page
    assert 'name="key" value="penalty"' not in page
    assert points(session)[2] == 0


def test_a_penalty_in_a_closed_session_is_refused(client: Client, session: Session) -> None:
    form = penalty(session)
    act(ledger.close_session, session)
    assert client.post(f"/s/{session.public_id}/penalty/", form).status_code == 422
    assert points(session)[2] == 0


def test_the_last_thing_is_undone_with_one_tap(client: Client, session: Session) -> None:
    assert "Undo" not in client.get(f"/s/{session.public_id}/").content.decode()
    settle(session)
    assert "Undo: hand 1 settled" in client.get(f"/s/{session.public_id}/").content.decode()
    assert client.post(f"/s/{session.public_id}/undo/", undo(session)).status_code == 302
    assert points(session) == {1: 0, 2: 0, 3: 0}


def test_undone_twice_is_undone_once(client: Client, session: Session) -> None:
    settle(session)
    settle(session)
    form = undo(session)
    for _ in range(2):
        assert client.post(f"/s/{session.public_id}/undo/", form).status_code == 302
    assert points(session)[1] == 12


def test_an_undo_that_comes_too_late_is_refused(client: Client, session: Session) -> None:
    settle(session)
    form = undo(session)
    settle(session)
    response = client.post(f"/s/{session.public_id}/undo/", form)
    assert response.status_code == 409
    assert 'role="alert"' in response.content.decode()
    assert points(session)[1] == 24


def test_there_is_nothing_to_undo(client: Client, session: Session) -> None:
    assert client.post(f"/s/{session.public_id}/undo/", undo(session)).status_code == 422


def test_undo_refuses_a_get_and_both_refuse_strangers(client: Client, session: Session) -> None:
    opened = client.get(f"/s/{session.public_id}/undo/")
    assert (opened.status_code, opened["Allow"]) == (405, "POST")
    assert f'<a class="button" href="/s/{session.public_id}/">To the table</a>' in opened.content.decode()
    assert client.put(f"/s/{session.public_id}/undo/").content == b""
    assert client.post("/s/nobody/undo/", undo(session)).status_code == 404
    assert client.post("/s/nobody/penalty/", penalty(session)).status_code == 404


def test_a_form_without_its_token_is_refused_on_a_page_of_ours(session: Session) -> None:
    response = Client(enforce_csrf_checks=True).post(f"/s/{session.public_id}/penalty/", penalty(session))
    assert response.status_code == 403
    assert "This form was open too long" in response.content.decode()
