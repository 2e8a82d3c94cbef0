"""Disputes of hands: every reader may raise one and everybody sees it; the host resolves it."""

import re
from typing import Any

import pytest
from django.test import Client, override_settings

from scoring import ledger
from scoring.access import links
from scoring.models import Dispute, Event, Session
from tests.ledger.conftest import act, settle
from tests.pages import Form, form, post_nothing, text
from tests.views.hand.test_enter import previewed


@pytest.fixture
def played(session: Session) -> Session:
    """A session with two hands."""
    settle(session)
    settle(session)
    return session


@pytest.fixture
def viewer(played: Session) -> Client:
    """A browser that may only read."""
    _, secret = links.issue(club=played.club, session=played, role=links.Role.VIEWER, key="viewer", name="Bob’s phone")
    client = Client()
    client.get(f"/l/{secret}")
    return client


def hand(session: Session, number: int = 1) -> str:
    return f"/s/{session.public_id}/hands/{number}/"


def disputing(client: Client, session: Session, number: int = 1, note: str = "Cat had a flush") -> Form:
    """The form that disputes a hand, with a note in it."""
    return form(client.get(hand(session, number)), f"Dispute hand {number}").fill({"note": note})


def dispute(client: Client, session: Session) -> Any:
    """Dispute the first hand."""
    return disputing(client, session).press()


def resolving(client: Client, session: Session, note: str = "They had not") -> Form:
    """The form that resolves the dispute of the first hand, with a note in it."""
    return form(client.get(hand(session)), "Resolve").fill({"note": note})


def test_a_viewer_disputes_a_hand_and_everybody_sees_it(client: Client, viewer: Client, played: Session) -> None:
    response = dispute(viewer, played)
    assert response["Location"] == f"/s/{played.public_id}/hands/1/"
    hand = viewer.get(response["Location"]).content.decode()
    assert "<strong>Disputed</strong> by Bob’s phone" in hand
    assert "Cat had a flush" in hand
    assert ">Resolve</button>" not in hand
    table = viewer.get(f"/s/{played.public_id}/").content.decode()
    assert "is disputed by Bob’s phone: Cat had a flush" in table
    assert table.count('<span class="tag wrong">disputed</span>') == 1
    assert viewer.get(f"/s/{played.public_id}/ledger/").content.decode().count(">disputed</span>") == 1
    assert ">disputed</span>" not in viewer.get(f"/s/{played.public_id}/hands/2/").content.decode()
    assert ">Resolve</button>" in client.get(response["Location"]).content.decode()


def test_a_phone_that_enters_a_seats_rows_signs_with_the_name_of_the_seat(client: Client, played: Session) -> None:
    client.get(f"/s/{played.public_id}/seat/2/")
    shown = client.get(dispute(client, played)["Location"]).content.decode()
    assert "<strong>Disputed</strong> by Bob at" in shown
    assert Event.objects.get(verb="dispute").by == "Bob"


@pytest.mark.parametrize("chosen", ["3", "9", "-1", "x"])
def test_nobody_signs_with_a_name_that_they_merely_claim(viewer: Client, played: Session, chosen: str) -> None:
    viewer.cookies["seat"] = chosen
    dispute(viewer, played)
    assert Event.objects.get(verb="dispute").by == "Bob’s phone"


def test_the_host_takes_it_down(client: Client, viewer: Client, played: Session) -> None:
    dispute(viewer, played)
    opened = resolving(client, played)
    assert opened.by(viewer).press().status_code == 403
    assert opened.press()["Location"] == hand(played)
    for path in ("", "ledger/"):
        shown = viewer.get(f"/s/{played.public_id}/{path}").content.decode()
        assert "isputed" not in re.sub("<label.*?</label>", "", shown)  # of the form that finds such hands
    shown = text(viewer.get(hand(played)))
    assert re.search(r"Bob’s phone disputed this hand at \d\d:\d\d: Cat had a flush", shown)
    assert re.search(r"Decided by [Hh]ost at \d\d:\d\d: They had not", shown)
    history = viewer.get(f"/s/{played.public_id}/history/?hand=1").content.decode()
    assert "Hand 1 dispute resolved" in history
    assert "“They had not”" in history


def test_a_decision_that_comes_too_late_is_not_that_of_the_next_dispute(
    client: Client, viewer: Client, played: Session
) -> None:
    dispute(viewer, played)
    late = resolving(client, played)
    resolving(client, played, note="They had").press()
    dispute(viewer, played)
    answer = late.press()
    assert answer.status_code == 409
    assert "Not saved: They had not" in text(answer)
    assert form(answer, "Resolve").fields()["note"] == [""]


@pytest.mark.parametrize(
    ("note", "said"),
    [("", "Please give a reason (shown in the history)."), ("x" * 301, "A note is at most 300 characters.")],
)
def test_a_dispute_without_words_is_refused(client: Client, played: Session, note: str, said: str) -> None:
    response = disputing(client, played).forge({"note": note})
    assert response.status_code == 422
    assert said in response.content.decode()
    assert f'value="{note}"' in response.content.decode()
    assert not Dispute.objects.exists()
    assert form(response, "Dispute hand 1").fill({"note": "a flush"}).press()["Location"] == hand(played)


def test_a_dispute_is_resolved_by_a_decision(client: Client, played: Session) -> None:
    """The player who lost it reads the decision on the hand's page from then on, so it cannot be nothing."""
    dispute(client, played)
    opened = resolving(client, played)
    refused = opened.fill({"note": " "}).press("Resolve")
    assert refused.status_code == 422
    assert "Say what was decided." in refused.content.decode()
    assert "Please give a reason" not in refused.content.decode()
    assert Dispute.objects.filter(resolved=None).exists()
    assert form(refused, "Resolve").fill({"note": "No flush"}).press()["Location"] == hand(played)
    assert not Dispute.objects.filter(resolved=None).exists()


def test_a_dispute_of_an_earlier_release_may_have_ended_without_a_word(
    client: Client, played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispute(client, played)
    monkeypatch.setattr("scoring.ledger.disputes.note_needed", lambda *_given: None)
    resolving(client, played).forge({"note": ""})
    assert re.search(r"Cat had a flush Resolved by [Hh]ost at \d\d:\d\d\.", text(client.get(hand(played))))


def test_a_resolution_that_came_too_late_is_not_offered_as_a_dispute(client: Client, played: Session) -> None:
    dispute(client, played)
    opened = resolving(client, played)
    resolving(client, played, note="It was no flush").press()
    late = opened.press()
    assert late.status_code == 409
    assert form(late, "Dispute hand 1").fields()["note"] == [""]


def test_twice_is_once(client: Client, played: Session) -> None:
    opened = disputing(client, played)
    for _ in range(2):
        assert opened.press().status_code == 302
    opened, other = resolving(client, played), resolving(client, played)
    for _ in range(2):
        assert opened.press().status_code == 302
    assert Event.objects.filter(verb__in=["dispute", "resolve"]).count() == 2
    assert other.press().status_code == 409


def test_a_hand_that_is_disputed_takes_no_second_dispute(client: Client, viewer: Client, played: Session) -> None:
    opened = disputing(client, played, note="It was not")
    dispute(viewer, played)
    assert "Dispute hand 1" not in client.get(hand(played)).content.decode()
    second = opened.press()
    assert second.status_code == 409
    assert "Hand 1 is disputed already." in second.content.decode()
    assert 'value="It was not"' in second.content.decode()
    assert Dispute.objects.count() == 1


@override_settings(FLAGS_PER_HOUR=1)
def test_disputes_are_raised_so_often(viewer: Client, played: Session) -> None:
    assert [disputing(viewer, played, number).press().status_code for number in (1, 2)] == [302, 429]
    assert Dispute.objects.count() == 1


@override_settings(FLAGS_PER_HOUR=1)
def test_a_dispute_that_is_refused_or_sent_again_does_not_count(viewer: Client, played: Session) -> None:
    late, asked = disputing(viewer, played, 1), disputing(viewer, played, 2)
    act(ledger.dispute, played, number=1, note="a flush?")
    assert [late.press().status_code, asked.press().status_code, asked.press().status_code] == [409, 302, 302]
    act(ledger.resolve_dispute, played, raised=Dispute.objects.get(deal__number=1).raised.n, note="no flush")
    assert disputing(viewer, played, 1).press().status_code == 429


def test_a_dispute_does_not_hold_up_who_settles(client: Client, viewer: Client, played: Session) -> None:
    settling = previewed(client, played)
    dispute(viewer, played)
    assert settling.press()["Location"] == hand(played, 3)


def test_in_a_closed_session_no_dispute_moves(client: Client, played: Session) -> None:
    dispute(client, played)
    disputing_another, resolving_it = disputing(client, played, 2, "This too"), resolving(client, played)
    act(ledger.close_session, played)
    for response in (disputing_another.press(), resolving_it.press()):
        assert response.status_code == 409
        assert "A host can reopen it under “More”" in response.content.decode()
        assert f'href="/s/{played.public_id}/close/" target="_blank">Totals and reopening' in response.content.decode()
        assert "Dispute hand" not in response.content.decode()


def test_what_is_not_there_and_what_is_no_post(client: Client, played: Session) -> None:
    dispute(client, played)
    here = f"/s/{played.public_id}/hands"
    assert client.get(f"{here}/1/flag/").status_code == 405
    assert post_nothing(client, f"{here}/9/flag/").status_code == 404
    raised = Dispute.objects.get().raised.n
    assert client.get(f"{here}/1/flags/{raised}/resolve/").status_code == 405
    for path in (f"1/flags/{raised + 1}", f"2/flags/{raised}", f"1/flags/{2**40}"):
        assert post_nothing(client, f"{here}/{path}/resolve/").status_code == 404


@pytest.mark.parametrize("path", ["", "close/"])
def test_who_disputes_a_hand_has_names_in_the_readers_language(client: Client, played: Session, path: str) -> None:
    act(ledger.dispute, played, number=1, by="Host", note="oma kortti")
    client.cookies["language"] = "fi"
    assert "(Vetäjä): oma kortti" in client.get(f"/s/{played.public_id}/{path}").content.decode()
