"""Penalties."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.people import Leave, SitOut
from scoring.actions.terms import ChangeTerms
from scoring.models import Event, Session
from tests.conftest import HostsBrowser
from tests.ledger.conftest import act, points, settle
from tests.pages import Form, form, post_nothing


def penalty(client: Client, session: Session, **typed: str) -> Form:
    """The form for a penalty, three points from Bob to everyone unless ``typed`` says otherwise."""
    opened = form(client.get(f"/s/{session.public_id}/penalty/"), "Record penalty")
    return opened.fill({"seat": "2", "points": "3", "note": "out of turn", **typed})


def test_a_penalty_to_everyone_stands_in_the_ledger(client: Client, session: Session) -> None:
    settle(session)
    response = penalty(client, session).press()
    assert response["Location"] == f"/s/{session.public_id}/ledger/"
    assert points(session) == {1: 15, 2: -6, 3: -9}
    page = client.get(response["Location"]).content.decode()
    assert "Penalty: Bob pays Ann 3 points, 3.00 EUR; Bob pays Cat 3 points, 3.00 EUR. (out of turn)" in page


def test_a_penalty_before_the_first_hand_and_to_one(client: Client, session: Session) -> None:
    penalty(client, session, to="3", points="1").press()
    assert points(session) == {1: 0, 2: -1, 3: 1}
    assert "Bob pays Cat 1 point, 1.00 EUR" in client.get(f"/s/{session.public_id}/ledger/").content.decode()


def test_a_penalty_to_everyone_beyond_the_stack_is_refused_with_one_sentence(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=500)
    page = penalty(client, session).press().content.decode()
    assert page.count("Bob has too few chips for that.") == 1
    assert "Please fix one thing" in page


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"points": "0"}, "points"),
        ({"points": "-3"}, "points"),
        ({"points": "1.5"}, "points"),
        ({"points": "9999999"}, "points"),
        ({"points": "9" * 5000}, "points"),
        ({"points": "\u0663"}, "points"),
        ({"note": " "}, "note"),
        ({"to": "2"}, "to"),
    ],
)
def test_a_penalty_that_cannot_be_is_refused_at_its_field_and_kept(
    client: Client, session: Session, changed: dict[str, str], place: str
) -> None:
    opened = penalty(client, session, **changed)
    response = opened.press()
    page = response.content.decode()
    assert response.status_code == 422
    assert 'role="alert"' in page
    assert f'id="{place}-wrong"' in page
    assert Event.objects.count() == 1
    again = form(response, "Record penalty")
    kept = {name: [text.strip() for text in texts] for name, texts in opened.fields().items()}
    assert {**again.fields(), "csrfmiddlewaretoken": []} == {**kept, "csrfmiddlewaretoken": []}
    assert again.fill({"points": "3", "note": "out of turn", "to": ""}).press().status_code == 302


@pytest.mark.parametrize(
    ("forged", "place"), [({"seat": "9"}, "seat"), ({"seat": "0"}, "seat"), ({"to": "9"}, "to"), ({"note": ""}, "note")]
)
def test_a_penalty_that_the_page_does_not_offer_is_refused_at_its_field(
    client: Client, session: Session, forged: dict[str, str], place: str
) -> None:
    response = penalty(client, session).forge(dict(forged))
    assert response.status_code == 422
    assert f'id="{place}-wrong"' in response.content.decode()
    assert form(response, "Record penalty").fields()["points"] == ["3"]
    assert Event.objects.count() == 1


def test_a_penalty_sent_twice_is_booked_once(client: Client, session: Session) -> None:
    opened = penalty(client, session)
    for _ in range(2):
        response = opened.press()
        assert response["Location"] == f"/s/{session.public_id}/ledger/"
    act(SitOut, session, seat=2)
    assert opened.press().status_code == 302
    assert points(session)[2] == -6
    assert opened.fill({"points": "4"}).press().status_code == 409


def test_a_penalty_for_a_table_that_has_changed_is_shown_again(client: Client, session: Session) -> None:
    opened = penalty(client, session, points="7")
    act(ChangeTerms, session, stake=1000)
    response = opened.press()
    assert response.status_code == 409
    assert "was changed since" in response.content.decode()
    again = form(response, "Record penalty")
    shown = again.fields()
    assert (shown["seat"], shown["points"], shown["note"]) == (["2"], ["7"], ["out of turn"])
    # The form as it now stands may be sent again.
    assert shown["version"] == ["2"]
    assert shown["key"] != opened.fields()["key"]
    assert points(session)[2] == 0
    assert again.press().status_code == 302
    assert points(session)[2] == -14


def test_a_penalty_to_somebody_who_has_left_meanwhile_is_not_paid_to_everyone(client: Client, session: Session) -> None:
    opened = penalty(client, session, seat="1", to="3")
    act(Leave, session, seat=3)
    late = opened.press()
    assert late.status_code == 409
    assert form(late, "Record penalty").fields()["to"] == ["3"]
    form(late, "Record penalty").press()
    assert points(session) == {1: -3, 2: 0, 3: 3}


def test_a_penalty_in_a_closed_session_is_refused(client: Client, session: Session) -> None:
    opened = penalty(client, session)
    act(ledger.close_session, session)
    assert opened.press().status_code == 409
    assert points(session)[2] == 0


def test_a_penalty_in_an_unknown_session_is_404(client: Client, db: None) -> None:
    assert post_nothing(client, "/s/nobody/penalty/").status_code == 404


def test_a_form_without_its_token_is_refused_on_a_page_of_ours(session: Session) -> None:
    strict = HostsBrowser(enforce_csrf_checks=True)
    opened = penalty(strict, session)
    response = opened.forge({"csrfmiddlewaretoken": None, "note": "slow roll"}, Origin="http://testserver")
    assert response.status_code == 403
    assert "This page expired" in response.content.decode()
    assert "slow roll" in response.content.decode()
    foreign = opened.forge({"csrfmiddlewaretoken": None, "note": "slow roll"}, Origin="http://example.com")
    assert foreign.status_code == 403
    assert "slow roll" not in foreign.content.decode()
    assert opened.press().status_code == 302
