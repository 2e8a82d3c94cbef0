"""Closing an evening, and the pages of a closed session."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.fee import Fee
from scoring.models import Event, Session
from tests.ledger.conftest import act, settle, verbs
from tests.pages import Form, form, forms, post_nothing


def ending(client: Client, session: Session) -> Form:
    """The form that closes the session, or opens it again."""
    return forms(client.get(f"/s/{session.public_id}/close/"))[-1]


@pytest.fixture
def played(session: Session) -> Session:
    """A session with one hand, and a fee that Bob has paid."""
    settle(session)
    act(Fee, session, amount=200, seats=[2], note="table")
    return session


def page(client: Client, session: Session, path: str = "") -> str:
    return client.get(f"/s/{session.public_id}/{path}").content.decode()


def test_the_totals_and_the_fewest_payments_come_before_the_button(client: Client, played: Session) -> None:
    act(ledger.dispute, played, number=1, note="a flush?")
    shown = page(client, played, "close/")
    assert '<th scope="row">Ann</th><td class="n strong">+12</td><td class="n">+12.00</td><td class="n">–</td>' in shown
    assert '<th scope="row">Bob</th><td class="n strong">–</td><td class="n">–</td><td class="n">2.00</td>' in shown
    assert "<strong>Cat</strong> pays <strong>Ann</strong></span><span" in shown
    assert "<strong>Bob</strong> pays <strong>House</strong>" in shown
    assert "disputed</a>: a flush?" in shown
    assert ">Close it</button>" in shown


def test_closed_it_shows_its_totals_and_nothing_that_would_change_it(client: Client, played: Session) -> None:
    response = ending(client, played).fill({"note": "last bus"}).press("Close it")
    assert response["Location"] == f"/s/{played.public_id}/"
    table = page(client, played)
    assert "This session is closed." in table
    assert "<strong>Cat</strong> pays <strong>Ann</strong>" in table
    for gone in ("Enter hand", "Undo", "Chips", "People", "Hand 2"):
        assert gone not in table
    hand = page(client, played, "hands/1/")
    for gone in ("Correct it", "Void it", "Flag this hand", "Enter hand"):
        assert gone not in hand
    more = page(client, played, "more/")
    assert "Open it again" in more
    for gone in ("Penalty", "Stakes", "House rules", "Close the session"):
        assert gone not in more
    assert Event.objects.get(verb="close").note == "last bus"


@pytest.mark.parametrize(
    "path",
    ["chips/", "chips/forgotten/", "people/", "stakes/", "side-bet/", "fee/", "penalty/", "next/", "rules/edit/"]
    + ["hands/1/correct/", "hands/1/void/"],
)
def test_every_form_of_a_closed_session_is_gone(client: Client, played: Session, path: str) -> None:
    act(ledger.close_session, played)
    shown = page(client, played, path)
    assert "This session is closed" in shown
    assert f'action="/s/{played.public_id}' not in shown


def test_open_again_it_goes_on(client: Client, played: Session) -> None:
    act(ledger.close_session, played)
    response = ending(client, played).press("Open it again")
    assert response["Location"] == f"/s/{played.public_id}/"
    assert "Enter hand 2" in page(client, played)
    assert verbs(played)[-2:] == ["close", "reopen"]


def test_twice_is_once(client: Client, played: Session) -> None:
    for label in ("Close it", "Open it again"):
        opened = ending(client, played)
        for _ in range(2):
            assert opened.press(label).status_code == 302
    assert verbs(played)[-2:] == ["close", "reopen"]


def test_what_comes_too_late_or_not_at_all_is_refused_with_words(client: Client, played: Session) -> None:
    opened = ending(client, played).fill({"note": "good night"})
    settle(played)
    stale = opened.press("Close it")
    assert stale.status_code == 409
    again = form(stale, "Close it")
    assert again.fields()["note"] == ["good night"]
    act(ledger.close_session, played)
    closed_already = again.press()
    assert closed_already.status_code == 422
    assert "reopen it to change anything" in closed_already.content.decode()
    opened = form(closed_already, "Open it again")
    act(ledger.reopen_session, played)
    still_open = opened.forge({"version": str(played.version)})
    assert still_open.status_code == 422
    assert "This session is open." in still_open.content.decode()
    assert form(still_open, "Close it").press().status_code == 302


def test_reopen_refuses_a_get_and_strangers_find_neither(client: Client, session: Session) -> None:
    assert client.get(f"/s/{session.public_id}/reopen/").status_code == 405
    for what in ("close", "reopen"):
        assert post_nothing(client, f"/s/nobody/{what}/").status_code == 404
