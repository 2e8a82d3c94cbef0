"""The head of the record on every page, the page of the record, and the agreements of players."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from scoring import ledger, reads
from scoring.access.links import Role
from scoring.actions.fee import Fee
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.exports.club_document import of_club
from scoring.models import Session
from tests.access.conftest import browser, issue
from tests.ledger.conftest import act, settle, start
from tests.pages import form, forms


@pytest.fixture
def closed(session: Session) -> Session:
    """Ann's, Bob's and Cat's evening of one hand, which is closed."""
    settle(session)
    act(ledger.close_session, session)
    return session


def phone(session: Session, role: Role, seat: int | None = None) -> Client:
    """A browser with a link to the session, a scorer's perhaps tied to a seat."""
    tied = {} if seat is None else {"seat": session.seats.get(number=seat)}
    return browser(issue(session, role, **tied)[1])


def page(client: Client, session: Session, path: str = "record/") -> str:
    return client.get(f"/s/{session.public_id}/{path}").content.decode()


PAGES = [
    "", "ledger/", "history/", "more/", "hands/1/", "screen/", "record/", "record/hands/", "chips/", "close/", "rules/",
    "seat/",
]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_the_head_is_on_every_page(client: Client, session: Session, path: str) -> None:
    settle(session)
    shown = page(client, session, path)
    head = reads.head(session)
    assert head.words in shown
    assert f"Record {head.event}" in shown
    assert 'class="qr"' in shown


@pytest.mark.parametrize("path", ["", "ledger/", "screen/", "record/", "close/"])
def test_after_the_next_hand_it_is_another_one(client: Client, session: Session, path: str) -> None:
    settle(session)
    before = reads.head(session).words
    settle(session)
    assert before not in page(client, session, path)


def test_the_pages_of_cards_have_their_room_for_the_pad(client: Client, session: Session) -> None:
    assert reads.head(session).words not in page(client, session, "hand/")


@pytest.mark.parametrize("path", ["hand/", "seat/1/"])
def test_where_no_cards_are_entered_their_pages_have_the_head(closed: Session, path: str) -> None:
    assert reads.head(closed).words in page(phone(closed, Role.SCORER), closed, path)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["hand/", "seat/1/"])
def test_while_nobody_can_be_dealt_in_the_pages_of_cards_have_the_head(client: Client, path: str) -> None:
    alone = start("Ann Bob")
    act(Leave, alone, seat=2)
    assert reads.head(alone).words in page(client, alone, path)


@pytest.mark.django_db
def test_a_player_who_sits_out_has_the_head(client: Client) -> None:
    four = start("Ann Bob Cat Dan", rules="pineapple", button=1)
    assert reads.head(four).words in page(client, four, "seat/1/")
    assert reads.head(four).words not in page(client, four, "seat/2/")


def test_the_code_leads_to_the_page_that_checks(client: Client, session: Session) -> None:
    code = client.get(f"/s/{session.public_id}/record.svg")
    assert code["Content-Type"] == "image/svg+xml"
    assert code.content.startswith(b"<?xml")
    shown = client.get(f"/s/{session.public_id}/record/")
    assert shown.context["head_address"] == f"http://testserver/verify/#1-{session.head}"
    assert session.head in shown.content.decode()


@pytest.mark.parametrize("path", ["", "record/", "close/"])
def test_a_players_phone_agrees_for_its_seat(closed: Session, path: str) -> None:
    phone_of_bob = phone(closed, Role.SCORER, 2) if path != "close/" else phone(closed, Role.HOST)
    label = "I agree" if path != "close/" else "Bob agrees"
    sent = form(phone_of_bob.get(f"/s/{closed.public_id}/{path}"), label).press(label)
    assert (sent.status_code, sent["Location"]) == (302, f"/s/{closed.public_id}/record/")
    assert [each.seat for each in reads.agreements(Session.objects.get(pk=closed.pk))] == [2]
    shown = page(phone_of_bob, closed)
    assert "<strong>Bob</strong> agreed" in shown
    assert ("recorded by Host" in shown) == (path == "close/")
    assert "Not yet: Ann and Cat." in shown
    assert "I agree" not in shown


def test_who_agrees_on_the_phone_of_somebody_else_can_be_told_from_who_agrees_themself(closed: Session) -> None:
    """A phone that is tied to no seat may name any as its own, so it is the link that is named."""
    anybody = phone(closed, Role.SCORER)
    for seat, name in ((1, "Ann"), (3, "Cat")):
        anybody.cookies["seat"] = str(seat)
        form(anybody.get(f"/s/{closed.public_id}/record/"), f"{name} agrees").press(f"{name} agrees")
    bob = phone(closed, Role.SCORER, 2)
    form(bob.get(f"/s/{closed.public_id}/record/"), "I agree").press("I agree")
    shown = page(bob, closed)
    for name in ("Ann", "Cat"):
        assert re.search(
            rf"<strong>{name}</strong> agreed\s*<br><small class=\"muted\">recorded by Scorer</small>", shown
        )
    assert shown.count("recorded by") == 2


def test_nobody_is_missing_once_everybody_agreed(closed: Session) -> None:
    host = phone(closed, Role.HOST)
    for name in ("Cat", "Ann", "Bob"):
        form(host.get(f"/s/{closed.public_id}/record/"), f"{name} agrees").press(f"{name} agrees")
    shown = page(host, closed)
    assert "Everyone agreed to this record." in shown
    assert "agrees</button>" not in shown


def test_a_viewer_sees_who_agreed_and_agrees_to_nothing(closed: Session) -> None:
    viewer = phone(closed, Role.VIEWER)
    assert "Not yet: Ann, Bob and Cat." in page(viewer, closed)
    assert forms(viewer.get(f"/s/{closed.public_id}/record/")) == []


def test_a_player_who_agrees_sees_the_result(closed: Session) -> None:
    client = phone(closed, Role.SCORER, seat=1)
    stale = client.get(f"/s/{closed.public_id}/record/")
    assert "<caption>Result</caption>" in stale.content.decode()
    assert "Settle up" in stale.content.decode()
    in_order = re.findall("<caption>Result|I agree|six-words", stale.content.decode())
    assert in_order[:3] == ["<caption>Result", "I agree", "six-words"]  # not below the code, where nobody looks
    act(ledger.reopen_session, closed)
    act(SideBet, closed, payer=1, payee=2, amount=123_456, note="Red")
    act(ledger.close_session, closed)
    late = form(stale, action=f"/s/{closed.public_id}/agree/").press()
    assert late.status_code == 409
    assert "1222.56" in late.content.decode()  # of the bet, less what Ann has won from Bob


def test_nobody_is_asked_who_never_was_there(closed: Session) -> None:
    """Evv was a mistyped name, which was undone at once; Dan came, played no hand, and left."""
    act(ledger.reopen_session, closed)
    act(Join, closed, name="Evv")
    act(ledger.undo, closed)
    dan = act(Join, closed, name="Dan")
    act(Leave, closed, seat=dan.number)
    act(ledger.close_session, closed)
    for path in ("record/", "", "close/"):
        shown = page(phone(closed, Role.HOST), closed, path)
        assert "Not yet: Ann, Bob and Cat." in shown
        assert '<th scope="row">Evv' not in shown
        assert "Evv agrees" not in shown
    assert {line.player for line in reads.standings(closed.club)} == {"Ann", "Bob", "Cat"}


def test_who_agreed_before_their_joining_was_undone_is_named(session: Session) -> None:
    settle(session)
    act(Join, session, name="Evv")
    act(ledger.close_session, session)
    act(ledger.agree, session, seat=4, head=reads.head(session).hash)
    act(ledger.reopen_session, session)
    act(ledger.undo, session)
    act(ledger.close_session, session)
    host = phone(session, Role.HOST)
    for path in ("record/", "", "close/", "record/hands/"):
        assert host.get(f"/s/{session.public_id}/{path}").status_code == 200
    assert re.search(r"Evv agreed at \d\d:\d\d", page(host, session))


def test_a_guest_who_only_paid_was_there(closed: Session) -> None:
    act(ledger.reopen_session, closed)
    dan = act(Join, closed, name="Dan")
    act(Fee, closed, amount=500, note="Room")
    act(Leave, closed, seat=dan.number)
    act(ledger.close_session, closed)
    assert "Not yet: Ann, Bob, Cat and Dan." in page(phone(closed, Role.HOST), closed)
    assert "Dan" in {line.player for line in reads.standings(closed.club)}


def test_the_exports_have_the_words_that_were_on_the_phones(closed: Session) -> None:
    host = phone(closed, Role.HOST)
    seen = reads.head(closed)
    form(host.get(f"/s/{closed.public_id}/record/"), "Bob agrees").press("Bob agrees")
    assert seen.words in page(host, closed)
    alone = host.get(f"/s/{closed.public_id}/record.json").getvalue()
    club = b"".join(of_club(closed.club))
    closed.refresh_from_db()
    for record in (json.loads(alone), *json.loads(club)["sessions"]):
        assert record["shown"] == {"event": seen.event, "hash": seen.hash, "words": seen.words}
        assert record["head"] == record["events"][-1]["hash"] == closed.head != seen.hash
        assert "words" not in record


def test_while_the_session_is_open_there_is_nothing_to_agree_to(client: Client, session: Session) -> None:
    shown = page(client, session)
    assert "Once the session is closed, everyone can agree to its record here." in shown
    assert "Not yet" not in shown


def test_what_changed_meanwhile_is_said_and_shown(closed: Session) -> None:
    bob = phone(closed, Role.SCORER, 2)
    stale = form(bob.get(f"/s/{closed.public_id}/record/"), "I agree")
    act(ledger.reopen_session, closed)
    act(ledger.void_deal, closed, number=1)
    act(ledger.close_session, closed)
    answer = stale.press("I agree")
    assert answer.status_code == 409
    assert "was changed since this page was opened." in answer.content.decode()
    assert reads.head(closed).words in answer.content.decode()
    again: Any = form(answer, "I agree").press("I agree")
    assert again.status_code == 302


def test_an_earlier_agreement_says_to_what(closed: Session) -> None:
    before = reads.head(closed)
    act(ledger.agree, closed, seat=1, head=before.hash)
    act(ledger.rename_session, closed, name="Friday")
    shown = page(phone(closed, Role.VIEWER), closed)
    assert f"to record {before.event}, before it changed: {before.words}" in shown
    assert "Not yet: Ann, Bob and Cat." in shown


@pytest.mark.parametrize("where", ["", "record/", "close/"])
def test_while_a_session_is_open_again_every_page_says_who_agreed_before(closed: Session, where: str) -> None:
    before = reads.head(closed)
    act(ledger.agree, closed, seat=1, head=before.hash)
    act(ledger.reopen_session, closed)
    act(ledger.void_deal, closed, number=1)
    shown = phone(closed, Role.HOST).get(f"/s/{closed.public_id}/{where}").content.decode()
    shown = " ".join(shown.split())
    assert re.search(
        f"Ann agreed at .* to record {before.event}, before it changed: {before.words} <br>recorded by", shown
    )
    assert "Not yet" not in shown


def test_nobody_agrees_for_another_seat(closed: Session) -> None:
    sent = form(phone(closed, Role.SCORER, 2).get(f"/s/{closed.public_id}/record/"), "I agree")
    answer = sent.forge({"seat": "1"})
    assert answer.status_code == 403
    assert reads.agreements(closed) == []


def test_without_a_seat_it_is_asked_for(closed: Session) -> None:
    sent = form(phone(closed, Role.HOST).get(f"/s/{closed.public_id}/record/"), "Ann agrees")
    answer = sent.forge({"seat": "99"})
    assert answer.status_code == 422
    assert reads.agreements(closed) == []
