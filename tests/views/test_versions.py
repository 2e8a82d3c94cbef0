"""Every form that changes a session says which version of it was on the page, and what comes too late is kept."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from scoring import ledger
from scoring.models import Session
from scoring.urls import urlpatterns
from tests.access.reading import crawl, is_page
from tests.access.test_table import TABLE
from tests.actions.everything import everything
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.pages import form, forms

pytestmark = pytest.mark.django_db

CHANGE_NO_SESSION = {
    "session-links": "makes a link",
    "revoke-link": "revokes a link",
    "replace-link": "replaces a link",
    "forget-rules": "deletes rules that the club has saved",
    "send": "makes a link",
    "send-hand": "makes a link",
    "come-in": "adds a link to this browser's",
    "forget": "deletes this browser's cookies",
    "draft": "stores rows under the number of the hand and the revision that the phone has seen",
    "kept": "deletes this browser's cookie of recovery",
}


def test_every_form_that_changes_a_session_carries_its_version(client: Client) -> None:
    played, closed, empty = everything(), start("Dan Eve Fay"), start("Gus Hal")
    settle(closed)
    act(ledger.close_session, closed)
    # Pages that only a form's own answer leads to.
    dead = "p1-ruling=dead&p2-ruling=dead&p3-ruling=dead"
    starts = [f"/s/{played.public_id}/{page}" for page in (f"hand/?{dead}", f"hands/1/correct/?checked=1&{dead}")]
    starts += [f"/s/{played.public_id}/chips/forgotten/?seat=1&amount=5&before=2"]
    seen: dict[str, int] = {}
    for session in (played, closed, empty):
        session.refresh_from_db()
        for url, response in crawl(client, f"/s/{session.public_id}/", *(starts if session is played else [])):
            if not is_page(response) or not url.startswith(f"/s/{session.public_id}/"):
                continue
            for each in forms(response):
                name = resolve(urlsplit(each.action).path).url_name
                if each.method == "post" and name not in CHANGE_NO_SESSION:
                    assert each.fields().get("version") == [str(session.version)], f"{name}, a form on {url}"
                    seen[str(name)] = seen.get(str(name), 0) + 1
    posted = {row.pattern for row in TABLE if row.method == "POST" and set(row.expected.values()) != {405}}
    changing = {
        str(each.name) for each in urlpatterns if str(each.pattern).startswith("s/") and str(each.pattern) in posted
    }
    assert seen.keys() == changing - CHANGE_NO_SESSION.keys()


def test_house_rules_that_two_phones_change_at_once_are_not_undone_in_silence(client: Client) -> None:
    session = start()
    url = f"/s/{session.public_id}/rules/edit/"
    mine, theirs = (form(client.get(url), "Save rules") for _ in range(2))
    assert theirs.fill({"scoring": "2-4"}).press().status_code == 302
    late = mine.fill({"moon": "add", "note": "agreed"}).press()
    assert late.status_code == 409
    session.refresh_from_db()
    assert (session.rules["scoring"], session.rules["moon"]) == ("2-4", "off")
    again = form(late, "Save rules")
    assert again.fields()["moon"] == ["add"]
    assert again.fields()["note"] == ["agreed"]
    assert again.press().status_code == 302


@pytest.mark.parametrize("changed", ["this hand", "another hand"])
def test_a_dispute_of_a_hand_that_was_changed_meanwhile_is_shown_the_hand_first(client: Client, changed: str) -> None:
    session = start()
    for _ in range(2):
        settle(session)
    dispute = form(client.get(f"/s/{session.public_id}/hands/1/"), "Dispute hand 1").fill({"note": "a flush?"})
    number = 1 if changed == "this hand" else 2
    act(ledger.correct_deal, session, number=number, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK), note="rows")
    settle(session)
    answer = dispute.press()
    assert answer.status_code == (409 if changed == "this hand" else 302)
    if changed == "this hand":
        assert "Hand 1 was changed since this page was opened." in answer.content.decode()
        assert form(answer, "Dispute hand 1").fields()["note"] == ["a flush?"]
        assert form(answer, "Dispute hand 1").press().status_code == 302
    assert Session.objects.get(pk=session.pk).deal_set.get(number=1).disputes.count() == 1
