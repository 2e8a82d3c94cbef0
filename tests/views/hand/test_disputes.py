"""Flags on hands: every reader may raise one and everybody sees it; the host resolves it."""

import pytest
from django.test import Client, override_settings

from scoring import ledger
from scoring.access import links
from scoring.models import Dispute, Event, Session
from tests.ledger.conftest import act, settle
from tests.views.hand.test_enter import sent


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


def flag(client: Client, session: Session, number: int = 1, **changed: str):
    form = {"key": "flag", "note": "Cat had a flush", **changed}
    return client.post(f"/s/{session.public_id}/hands/{number}/flag/", form)


def resolve(client: Client, session: Session, **changed: str):
    raised = Dispute.objects.get().raised.n
    form = {"key": "resolve", "note": "She had not", **changed}
    return client.post(f"/s/{session.public_id}/hands/1/flags/{raised}/resolve/", form)


def test_a_viewer_flags_a_hand_and_everybody_sees_it(client: Client, viewer: Client, played: Session) -> None:
    response = flag(viewer, played)
    assert response["Location"] == f"/s/{played.public_id}/hands/1/"
    hand = viewer.get(response["Location"]).content.decode()
    assert "<strong>Disputed</strong> by Bob’s phone" in hand
    assert "Cat had a flush" in hand
    assert ">Resolved</button>" not in hand
    table = viewer.get(f"/s/{played.public_id}/").content.decode()
    assert "is disputed: Cat had a flush" in table
    assert table.count('<span class="tag wrong">disputed</span>') == 1
    assert viewer.get(f"/s/{played.public_id}/ledger/").content.decode().count(">disputed</span>") == 1
    assert ">disputed</span>" not in viewer.get(f"/s/{played.public_id}/hands/2/").content.decode()
    assert ">Resolved</button>" in client.get(response["Location"]).content.decode()


def test_the_host_takes_it_down(client: Client, viewer: Client, played: Session) -> None:
    flag(viewer, played)
    assert resolve(viewer, played).status_code == 403
    assert resolve(client, played)["Location"] == f"/s/{played.public_id}/hands/1/"
    for path in ("", "ledger/", "hands/1/"):
        assert "isputed" not in viewer.get(f"/s/{played.public_id}/{path}").content.decode()
    history = viewer.get(f"/s/{played.public_id}/history/?hand=1").content.decode()
    assert "Dispute of hand 1 resolved" in history
    assert "“She had not”" in history


@pytest.mark.parametrize(
    ("note", "said"), [("", "Say why: this goes into the history."), ("x" * 301, "A note is at most 300 characters.")]
)
def test_a_flag_without_words_is_refused(client: Client, played: Session, note: str, said: str) -> None:
    response = flag(client, played, note=note)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert f'value="{note}"' in response.content.decode()
    assert not Dispute.objects.exists()


def test_twice_is_once(client: Client, played: Session) -> None:
    for _ in range(2):
        assert flag(client, played).status_code == 302
    for _ in range(2):
        assert resolve(client, played).status_code == 302
    assert Event.objects.filter(verb__in=["dispute", "resolve"]).count() == 2
    assert resolve(client, played, key="later").status_code == 409


def test_a_hand_that_is_flagged_takes_no_second_flag(client: Client, viewer: Client, played: Session) -> None:
    flag(viewer, played)
    assert "Flag this hand" not in client.get(f"/s/{played.public_id}/hands/1/").content.decode()
    second = flag(client, played, key="second", note="It was not")
    assert second.status_code == 422
    assert "Hand 1 is flagged already." in second.content.decode()
    assert 'value="It was not"' in second.content.decode()
    assert Dispute.objects.count() == 1


@override_settings(FLAGS_PER_HOUR=1)
def test_flags_are_put_up_so_often(viewer: Client, played: Session) -> None:
    assert [flag(viewer, played, number, key=str(number)).status_code for number in (1, 2)] == [302, 429]
    assert Dispute.objects.count() == 1


def test_a_flag_does_not_hold_up_who_settles(client: Client, viewer: Client, played: Session) -> None:
    seen = sent(played, key="hand 3")
    flag(viewer, played)
    settled = client.post(f"/s/{played.public_id}/hand/", seen)
    assert settled["Location"] == f"/s/{played.public_id}/hands/3/"


def test_in_a_closed_session_no_flag_moves(client: Client, played: Session) -> None:
    flag(client, played)
    act(ledger.close_session, played)
    for response in (flag(client, played, key="another", note="This too"), resolve(client, played)):
        assert response.status_code == 422
        assert "reopen it to change anything" in response.content.decode()
        assert "Flag this hand" not in response.content.decode()


def test_what_is_not_there_and_what_is_no_post(client: Client, played: Session) -> None:
    flag(client, played)
    here = f"/s/{played.public_id}/hands"
    assert client.get(f"{here}/1/flag/").status_code == 405
    assert flag(client, played, number=9, key="nine").status_code == 404
    raised = Dispute.objects.get().raised.n
    assert client.get(f"{here}/1/flags/{raised}/resolve/").status_code == 405
    for path in (f"1/flags/{raised + 1}", f"2/flags/{raised}", f"1/flags/{2**40}"):
        assert client.post(f"{here}/{path}/resolve/", {"key": "k"}).status_code == 404
