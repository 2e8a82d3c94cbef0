"""House rules that a club saves under a name. They can start new sessions and never change old ones."""

from typing import Any

import pytest
from django.test import Client

from scoring import club, reads
from scoring.forms.house_rules import HouseRulesForm
from scoring.game.errors import LedgerError
from scoring.models import SavedRules, Session
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from tests.conftest import HostsBrowser
from tests.ledger.conftest import settle, table
from tests.pages import Form, form, post_nothing, text
from tests.views.table.test_house_rules import address

TUESDAY = resolve({"preset": "pineapple", "scoring": "2-4", "fantasyland_entry": "KK"})


def keeping(client: Client, session: Session, rules: HouseRules = TUESDAY) -> Form:
    """The form for house rules with these in it, which begins with the preset that they go by."""
    page = form(client.get(address(session)), "Load preset").fill({"preset": rules.preset}).press()
    return form(page, "Save rules").fill(HouseRulesForm({}, rules).values)


def save(client: Client, session: Session, name: str, rules: HouseRules = TUESDAY) -> Any:
    """Play by these house rules, and keep them for the club under this name."""
    return keeping(client, session, rules).fill({"save_as": name}).press()


def another_session(client: Client, session: Session) -> Form:
    """The form for another session of the same club, with two players in it."""
    page = client.get("/new/", {"club": session.club.public_id})
    return form(page, "Start game").fill({"name-1": "Ann", "name-2": "Bob", "stake": "1"})


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


def test_a_reason_for_no_change_is_told_and_stays(client: Client, session: Session) -> None:
    asked = keeping(client, session, table(session).rules).fill({"save_as": "As always", "note": "since May"})
    refused = asked.press()
    assert refused.status_code == 422
    assert "Clear it to save them." in text(refused)
    assert not SavedRules.objects.exists()
    again = form(refused, "Save rules")
    assert (again.fields()["note"], again.fields()["save_as"]) == (["since May"], ["As always"])
    assert again.fill({"note": ""}).press().status_code == 302
    assert SavedRules.objects.get().name == "As always"


def test_a_new_session_of_the_club_is_offered_them(client: Client, session: Session) -> None:
    save(client, session, "Tuesday")
    another_session(client, session).fill({"rules": "saved:Tuesday"}).press("Start game")
    started = Session.objects.exclude(pk=session.pk).get()
    assert resolve(started.rules) == TUESDAY


def test_another_club_is_not(client: Client, session: Session) -> None:
    club.save_rules(club.new_club(), "Theirs", TUESDAY)
    assert "Theirs" not in client.get(address(session)).content.decode()
    asked = another_session(client, session).forge({"rules": "saved:Theirs", "start": "1"})
    assert asked.status_code == 422


def test_the_editor_starts_from_them(client: Client, session: Session) -> None:
    club.save_rules(session.club, "Tuesday", TUESDAY)
    page = form(client.get(address(session)), "Load preset").fill({"preset": "saved:Tuesday"}).press()
    assert form(page, "Load preset").fields() == {"preset": ["saved:Tuesday"]}
    offered = form(page, "Save rules")
    shown = offered.fields()
    assert (shown["scoring"], shown["preset"], shown["save_as"]) == (["2-4"], ["pineapple"], ["Tuesday"])
    assert offered.press().status_code == 302
    assert table(session).rules == TUESDAY


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
    dropping = form(client.get(address(session)), "Delete Tuesday")
    for _ in range(2):
        assert dropping.press().status_code == 302
    assert not SavedRules.objects.exists()
    assert table(session).rules == TUESDAY


@pytest.mark.parametrize("page", ["session", "club"])
def test_rules_that_another_host_has_saved_since_are_not_deleted(client: Client, session: Session, page: str) -> None:
    club.save_rules(session.club, "Tuesday", PRESETS["cardplayer"])
    client.get(address(session))
    at = address(session) if page == "session" else f"/c/{session.club.public_id}/more/"
    dropping = form(client.get(at), "Delete Tuesday")
    club.save_rules(session.club, "Tuesday", TUESDAY)
    late = dropping.press()
    assert late.status_code == 409
    assert "Other rules were saved as “Tuesday” since this page was opened." in late.content.decode()
    assert f'href="{at}">Back</a>' in late.content.decode()
    assert resolve(SavedRules.objects.get().rules) == TUESDAY
    assert form(client.get(at), "Delete Tuesday").press().status_code == 302


def test_rules_that_another_host_has_saved_since_are_not_replaced(client: Client, session: Session) -> None:
    opened = keeping(client, session).fill({"save_as": "tuesday"})
    club.save_rules(session.club, "Tuesday", PRESETS["cardplayer"])
    late = opened.press()
    assert late.status_code == 409
    assert "Other rules are saved as “Tuesday”. Save again to replace them." in late.content.decode()
    assert table(session).rules == PRESETS["regular"]
    assert resolve(SavedRules.objects.get().rules) == PRESETS["cardplayer"]
    again = form(late, "Save rules")
    assert again.fields()["save_as"] == ["tuesday"]
    assert again.press().status_code == 302
    assert resolve(SavedRules.objects.get().rules) == table(session).rules == TUESDAY


def test_rules_that_the_page_did_not_begin_with_are_not_replaced_by_their_name(
    client: Client, session: Session
) -> None:
    club.save_rules(session.club, "Tuesday", PRESETS["cardplayer"])
    club.save_rules(session.club, "Friday", PRESETS["bga"])
    late = save(client, session, "tuesday")
    assert late.status_code == 409
    assert "Other rules are saved as “Tuesday”. Save again to replace them." in text(late)
    assert table(session).rules == PRESETS["regular"]
    other = form(late, "Save rules").fill({"save_as": "Friday"}).press()
    assert "Other rules are saved as “Friday”. Save again to replace them." in text(other)
    assert form(other, "Save rules").press().status_code == 302
    assert {each.name: resolve(each.rules) for each in reads.saved_rules(session.club)} == {
        "Tuesday": PRESETS["cardplayer"],
        "Friday": TUESDAY,
    }


@pytest.mark.parametrize("name", ["Pineapple", "PINEAPPLE", " double  deck"])
def test_rules_are_not_saved_under_the_name_of_a_preset(client: Client, session: Session, name: str) -> None:
    refused = save(client, session, name)
    assert refused.status_code == 422
    assert "A preset has this name already. Choose another one." in text(refused)
    assert not SavedRules.objects.exists()
    assert form(refused, "Save rules").fill({"save_as": "Ours"}).press().status_code == 302


@pytest.mark.parametrize("name", ["x" * 41, "\u200b"])
def test_a_name_that_cannot_be_is_refused_and_nothing_changes(client: Client, session: Session, name: str) -> None:
    opened = keeping(client, session)
    response = opened.forge({"save_as": name}) if len(name) > 40 else opened.fill({"save_as": name}).press()
    assert response.status_code == 422
    assert "name" in response.content.decode()
    assert not SavedRules.objects.exists()
    assert table(session).rules == PRESETS["regular"]


def test_a_stranger_finds_nothing(session: Session) -> None:
    stranger, host = Client(), HostsBrowser()
    keeping_them = keeping(host, session).fill({"save_as": "Tuesday"})
    assert keeping_them.by(stranger).press().status_code == 404
    keeping_them.press()
    assert form(host.get(address(session)), "Delete Tuesday").by(stranger).press().status_code == 404
    assert SavedRules.objects.count() == 1


def test_rules_without_a_name_are_not_kept(session: Session) -> None:
    with pytest.raises(LedgerError):
        club.save_rules(session.club, " ", TUESDAY)


def test_the_club_lists_them_and_can_drop_them(client: Client, session: Session) -> None:
    club.save_rules(session.club, "Tuesday <b>", TUESDAY)
    theirs = club.new_club()
    club.save_rules(theirs, "Theirs", TUESDAY)
    client.get(address(session))  # opens the host's link
    at = f"/c/{session.club.public_id}"
    shown = client.get(f"{at}/more/")
    page = shown.content.decode()
    assert "Tuesday &lt;b&gt;" in page
    assert "Pineapple with house rules" in page
    assert "Theirs" not in page
    assert post_nothing(client, f"/c/{theirs.public_id}/rules/forget/").status_code == 404
    dropping = form(shown, "Delete Tuesday <b>")
    for _ in range(2):
        assert dropping.press()["Location"] == f"{at}/more/"
    assert SavedRules.objects.get().club == theirs
