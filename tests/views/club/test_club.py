"""The club's export, and its end."""

from __future__ import annotations

import json

import pytest

from scoring import club, ledger
from scoring.models import Club, Event, Link, Session
from scoring.rules import document
from tests.access.conftest import Cast, host
from tests.ledger.conftest import LEVEL, act, entry, start, totals
from tests.pages import form

pytestmark = pytest.mark.django_db


def test_the_export_has_everything_and_no_secret(cast: Cast) -> None:
    session = cast.session
    act(ledger.correct_deal, session, number=3, entry=entry(s1=LEVEL.boards[2], s2=LEVEL.boards[1], s3=LEVEL.boards[3]))
    response = cast.browsers["host"].get(f"/c/{session.club.public_id}/export.json")
    text = b"".join(response)
    whole = json.loads(text)
    assert [player["name"] for player in whole["players"]] == ["Ann", "Bob", "Cat"]
    (evening,) = whole["sessions"]
    assert [deal["number"] for deal in evening["deals"]] == [1, 2, 3]
    assert [deal["void"] for deal in evening["deals"]] == [False, True, False]
    assert [len(deal["versions"]) for deal in evening["deals"]] == [1, 2, 3]
    for deal in evening["deals"]:
        if not deal["void"]:
            scored = document.score(deal["document"])
            assert [(player["name"], player["points"], player["money"]) for player in scored["players"]] == [
                (player["name"], player["points"], player["money"]) for player in deal["result"]["players"]
            ]
    money = dict.fromkeys((1, 2, 3), 0)
    for line in evening["transfers"]:
        money[line["payer"]] -= line["amount"]
        money[line["payee"]] += line["amount"]
    assert money == {seat: one.money for seat, one in totals(session).items() if seat > 0}
    assert [event["n"] for event in evening["events"]] == list(range(1, session.events.count() + 1))
    assert [dispute["deal"] for dispute in evening["disputes"]] == [1]
    for hidden in (*Link.objects.values_list("digest", "public_id"), *Event.objects.values_list("key", "fingerprint")):
        assert not any(secret.encode() in text for secret in hidden if len(secret) > 8)


def test_what_goes_with_a_club_is_counted(session: Session) -> None:
    page = f"/c/{session.club.public_id}/delete/"
    browser = host(session)
    assert "Deletes 1 session with all hands, the whole ledger" in browser.get(page).content.decode()
    start("Ann Bob", club=session.club)
    assert "Deletes 2 sessions with all hands, the whole ledger" in browser.get(page).content.decode()


def test_no_session_is_deleted_that_the_page_did_not_speak_of(session: Session) -> None:
    client = host(session)
    typed = form(client.get(f"/c/{session.club.public_id}/delete/"), "Delete club forever").fill({"name": "Home game"})
    second = start("Ann Bob", club=session.club)
    late = typed.press()
    assert late.status_code == 409
    shown = late.content.decode()
    assert "A session was started in this club since this page was opened." in shown
    assert "Deletes 2 sessions" in shown
    assert Session.objects.filter(pk__in=(session.pk, second.pk)).count() == 2
    assert form(late, "Delete club forever").fill({"name": "Home game"}).press()["Location"] == "/"


def test_a_clubs_name_is_not_given_over_one_that_was_given_meanwhile(session: Session) -> None:
    stale = form(host(session).get(f"/c/{session.club.public_id}/more/"), "Save club name").fill({"name": "Fridays"})
    club.rename(session.club, "Thursdays")
    late = stale.press()
    assert late.status_code == 409
    assert "The name was changed since this page was opened." in late.content.decode()
    assert Club.objects.get(pk=session.club.pk).name == "Thursdays"
    again = form(late, "Save club name")
    assert again.fields()["name"] == ["Fridays"]
    assert again.press().status_code == 302
    assert Club.objects.get(pk=session.club.pk).name == "Fridays"


def test_a_club_is_deleted_for_good_and_no_other(cast: Cast) -> None:
    others = Club.objects.exclude(pk=cast.session.club.pk).count()
    page = f"/c/{cast.session.club.public_id}/delete/"
    club.rename(cast.session.club, "Thursdays")
    client = cast.browsers["host"]
    opened = form(client.get(page), "Delete club forever")
    assert opened.forge({"name": ""}).status_code == 422
    for wrong in ("thursdays", "Thursday"):
        assert opened.fill({"name": wrong}).press().status_code == 422
    right = opened.fill({"name": " Thursdays "})
    assert right.by(cast.browsers["scorer"]).press().status_code == 404
    assert right.press()["Location"] == "/"
    assert Club.objects.count() == others
    assert not Session.objects.filter(pk=cast.session.pk).exists()
    assert client.get(f"/s/{cast.session.public_id}/").status_code == 404
    assert cast.browsers["closed"].get(f"/s/{cast.closed.public_id}/").status_code == 200
