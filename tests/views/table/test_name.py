"""Naming a session."""

from typing import Any

import pytest
from django.test import Client

from scoring import ledger, live, reads
from scoring.models import Event, Session
from tests.ledger.conftest import act, settle
from tests.pages import Form, form


def page(client: Client, session: Session, path: str = "") -> str:
    return client.get(f"/s/{session.public_id}/{path}").content.decode()


def naming(client: Client, session: Session) -> Form:
    return form(client.get(f"/s/{session.public_id}/name/"), "Rename session")


def call_it(client: Client, session: Session, name: str) -> None:
    response = naming(client, session).fill({"name": name}).press()
    assert response["Location"] == f"/s/{session.public_id}/more/"


def test_a_host_is_told_whose_agreement_a_new_name_ends(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.close_session, session)
    assert "agreed to the record" not in page(client, session, "name/")
    for seat in (1, 2):
        act(ledger.agree, session, seat=seat, head=reads.head(session).hash)
    for path in ("name/", "close/"):
        assert "Ann and Bob agreed to the record as it is." in page(client, session, path)
    call_it(client, session, "Friday")
    assert "agreed to the record as it is" not in page(client, session, "name/")


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
    assert history.count("Session renamed") == 2
    assert "by date" in history


def test_a_rename_does_not_delay_settling_and_undo_skips_it(client: Client, session: Session) -> None:
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
    for refused, said in (
        (naming(client, session).forge({"name": "x" * 81}), "Names can be up to 80 characters."),
        (naming(client, session).press(), "This is how it is already. Change something first."),
    ):
        assert refused.status_code == 422
        assert said in refused.content.decode()
    assert form(naming(client, session).forge({"name": "x" * 81})).fields()["name"] == ["x" * 81]
    assert Event.objects.count() == events


def test_a_name_for_a_table_that_has_changed_is_kept_and_can_be_given_again(client: Client, session: Session) -> None:
    opened = naming(client, session).fill({"name": "Late show"})
    settle(session)
    late = opened.press()
    assert late.status_code == 409
    assert form(late).press().status_code == 302
    session.refresh_from_db()
    assert session.name == "Late show"


def test_open_pages_hear_of_it(
    session: Session, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(live.local_hub, "hear", heard.append)
    with django_capture_on_commit_callbacks(execute=True):
        act(ledger.rename_session, session, name="Early show")
    assert heard == [{"session": session.public_id, "version": session.version}]
