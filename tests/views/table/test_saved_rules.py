"""House rules that a club saves under a name. They can start new sessions and never change old ones."""

import pytest
from django.test import Client

from scoring import club, reads
from scoring.game.errors import LedgerError
from scoring.models import SavedRules, Session
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from tests.ledger.conftest import settle, table
from tests.views.table.test_house_rules import address, form

TUESDAY = resolve({"preset": "pineapple", "scoring": "2-4", "fantasyland_entry": "KK"})


def save(client: Client, session: Session, name: str, rules: HouseRules = TUESDAY, **more: str):
    return client.post(address(session), form(rules, save_as=name, preset=rules.preset, **more))


def test_they_are_kept_and_played(client: Client, session: Session) -> None:
    assert save(client, session, "Tuesday").status_code == 302
    assert table(session).rules == TUESDAY
    assert [(kept.name, resolve(kept.rules)) for kept in reads.saved_rules(session.club)] == [("Tuesday", TUESDAY)]


def test_they_can_be_kept_without_changing_the_table(client: Client, session: Session) -> None:
    as_played = table(session).rules
    assert save(client, session, "As always", as_played).status_code == 302
    session.refresh_from_db()
    assert (session.version, table(session).rules) == (1, as_played)
    assert SavedRules.objects.count() == 1


def test_a_new_session_of_the_club_is_offered_them(client: Client, session: Session) -> None:
    save(client, session, "Tuesday")
    page = client.get("/new/", {"club": session.club.public_id}).content.decode()
    assert 'value="kept:Tuesday"' in page
    sent = {"club": session.club.public_id, "rules": "kept:Tuesday", "key": "another", "stake": "1", "currency": "EUR"}
    client.post("/new/", {**sent, "name-1": "Ann", "name-2": "Bob", "button": "2"})
    started = Session.objects.exclude(pk=session.pk).get()
    assert resolve(started.rules) == TUESDAY


def test_another_club_is_not(client: Client, session: Session) -> None:
    club.save_rules(club.new_club(), "Theirs", TUESDAY)
    sent = {"club": session.club.public_id, "rules": "kept:Theirs", "key": "another", "stake": "1", "currency": "EUR"}
    assert "Theirs" not in client.get(address(session)).content.decode()
    assert client.post("/new/", {**sent, "name-1": "Ann", "name-2": "Bob", "button": "2"}).status_code == 422


def test_the_editor_starts_from_them(client: Client, session: Session) -> None:
    club.save_rules(session.club, "Tuesday", TUESDAY)
    page = client.get(address(session), {"preset": "kept:Tuesday"}).content.decode()
    assert 'name="scoring" value="2-4" checked' in page
    assert 'value="kept:Tuesday" selected' in page
    assert 'name="preset" value="pineapple"' in page


def test_saving_again_under_the_name_never_moves_the_past(client: Client, session: Session) -> None:
    save(client, session, "Tuesday", PRESETS["cardplayer"])
    settle(session)
    club.save_rules(session.club, "TUESDAY", TUESDAY)
    kept = SavedRules.objects.get()
    assert (kept.name, resolve(kept.rules)) == ("TUESDAY", TUESDAY)
    assert table(session).rules == PRESETS["cardplayer"]
    document = session.deal_set.get().revisions.get().document
    assert document is not None
    assert document["rules"]["preset"] == "cardplayer"


def test_they_can_be_dropped(client: Client, session: Session) -> None:
    save(client, session, "Tuesday")
    forget = f"/s/{session.public_id}/rules/forget/"
    assert client.get(forget).status_code == 405
    assert SavedRules.objects.count() == 1
    for _ in range(2):
        assert client.post(forget, {"name": "tuesday"}).status_code == 302
    assert not SavedRules.objects.exists()
    assert table(session).rules == TUESDAY


@pytest.mark.parametrize("name", ["x" * 41, "\u200b"])
def test_a_name_that_cannot_be_is_refused_and_nothing_changes(client: Client, session: Session, name: str) -> None:
    response = save(client, session, name)
    assert response.status_code == 422
    assert "name" in response.content.decode()
    assert not SavedRules.objects.exists()
    assert table(session).rules == PRESETS["regular"]


def test_a_stranger_finds_nothing(session: Session) -> None:
    stranger = Client()
    assert save(stranger, session, "Tuesday").status_code == 404
    assert stranger.post(f"/s/{session.public_id}/rules/forget/", {"name": "x"}).status_code == 404


def test_rules_without_a_name_are_not_kept(session: Session) -> None:
    with pytest.raises(LedgerError):
        club.save_rules(session.club, " ", TUESDAY)


def test_the_club_lists_them_and_can_drop_them(client: Client, session: Session) -> None:
    club.save_rules(session.club, "Tuesday <b>", TUESDAY)
    theirs = club.new_club()
    club.save_rules(theirs, "Theirs", TUESDAY)
    client.get(address(session))  # opens the host's link
    at = f"/c/{session.club.public_id}"
    page = client.get(f"{at}/more/").content.decode()
    assert "Tuesday &lt;b&gt;" in page
    assert "Pineapple with house rules" in page
    assert "Theirs" not in page
    assert client.post(f"/c/{theirs.public_id}/rules/forget/", {"name": "Theirs"}).status_code == 404
    for _ in range(2):
        assert client.post(f"{at}/rules/forget/", {"name": "Tuesday <b>"})["Location"] == f"{at}/more/"
    assert SavedRules.objects.get().club == theirs
