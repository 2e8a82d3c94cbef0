"""The Undo button."""

from django.test import Client

from scoring import ledger
from scoring.models import Session
from tests.ledger.conftest import act, points, settle
from tests.pages import Form, form, post_nothing


def undo(client: Client, session: Session) -> Form:
    """The form of the Undo button."""
    return form(client.get(f"/s/{session.public_id}/"), action=f"/s/{session.public_id}/undo/")


def test_the_last_thing_is_undone_with_one_tap(client: Client, session: Session) -> None:
    assert "Undo" not in client.get(f"/s/{session.public_id}/").content.decode()
    settle(session)
    assert undo(client, session).press("Undo: hand 1 settled").status_code == 302
    assert points(session) == {1: 0, 2: 0, 3: 0}


def test_undone_twice_is_undone_once(client: Client, session: Session) -> None:
    settle(session)
    settle(session)
    opened = undo(client, session)
    for _ in range(2):
        assert opened.press().status_code == 302
    assert points(session)[1] == 12


def test_an_undo_that_comes_too_late_is_refused(client: Client, session: Session) -> None:
    settle(session)
    opened = undo(client, session)
    settle(session)
    response = opened.press()
    assert response.status_code == 409
    assert 'role="alert"' in response.content.decode()
    assert points(session)[1] == 24


def test_there_is_nothing_to_undo(client: Client, session: Session) -> None:
    settle(session)
    opened = undo(client, session)
    act(ledger.undo, session)
    response = opened.forge({"version": str(session.version)})
    assert response.status_code == 422
    assert "There is nothing to undo." in response.content.decode()


def test_undo_refuses_a_get_and_strangers(client: Client, session: Session) -> None:
    opened = client.get(f"/s/{session.public_id}/undo/")
    assert (opened.status_code, opened["Allow"]) == (405, "POST")
    assert f'<a class="button" href="/s/{session.public_id}/">To the table</a>' in opened.content.decode()
    assert client.put(f"/s/{session.public_id}/undo/").content == b""
    assert post_nothing(client, "/s/nobody/undo/").status_code == 404
