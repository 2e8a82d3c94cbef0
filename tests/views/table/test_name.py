"""Naming a session."""

from typing import Any

import pytest
from django.test import Client

from scoring import ledger, live
from scoring.models import Event, Session
from tests.ledger.conftest import act, key, settle


def sent(session: Session, name: str) -> dict[str, str]:
    session.refresh_from_db()
    return {"key": key(), "version": str(session.version), "name": name}


def page(client: Client, session: Session, path: str = "") -> str:
    return client.get(f"/s/{session.public_id}/{path}").content.decode()


def call_it(client: Client, session: Session, name: str, status: int = 302) -> str:
    response = client.post(f"/s/{session.public_id}/name/", sent(session, name))
    assert response.status_code == status
    return response.content.decode()


def test_it_stands_on_every_page_and_in_the_history(client: Client, session: Session) -> None:
    by_day = f"<strong>{session.opened_at:%A}, "
    assert by_day in page(client, session)
    call_it(client, session, "Bob’s <birthday>")
    for path in ("", "ledger/", "more/", "screen/"):
        shown = page(client, session, path)
        assert "Bob’s &lt;birthday&gt;" in shown, path
        assert by_day not in shown, path
    assert 'value="Bob’s &lt;birthday&gt;"' in page(client, session, "name/")
    call_it(client, session, "")
    assert by_day in page(client, session)
    history = page(client, session, "history/")
    assert history.count("Evening named") == 2
    assert "by its day" in history


def test_nobody_who_settles_is_held_up_and_undo_goes_past_it(client: Client, session: Session) -> None:
    seen = session.version
    settle(session)
    version = session.version
    act(ledger.rename_session, session, name="Late show")
    settle(session, version=version)
    with pytest.raises(ledger.Conflict):
        settle(session, version=seen)
    act(ledger.rename_session, session, name="Later show")
    act(ledger.undo, session)
    assert Event.objects.get(session=session, verb="undo").action["verb"] == "settle"
    session.refresh_from_db()
    assert session.name == "Later show"


def test_a_closed_evening_may_be_named(client: Client, session: Session) -> None:
    act(ledger.close_session, session)
    call_it(client, session, "The last one")
    assert "The last one" in page(client, session)
    assert "This session is closed" in page(client, session)


def test_what_is_refused_is_kept(client: Client, session: Session) -> None:
    events = Event.objects.count()
    assert "A name is at most 80 characters." in call_it(client, session, "x" * 81, 422)
    assert f'value="{"x" * 81}"' in call_it(client, session, "x" * 81, 422)
    assert "That is what it is called." in call_it(client, session, "", 422)
    assert Event.objects.count() == events


def test_open_pages_hear_of_it(
    session: Session, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(live.local_hub, "hear", heard.append)
    with django_capture_on_commit_callbacks(execute=True):
        act(ledger.rename_session, session, name="Early show")
    assert heard == [{"session": session.public_id, "version": session.version}]
