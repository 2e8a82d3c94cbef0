"""What the host's forms have in common: their answers to a closed session, a stale form and an empty form."""

from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.penalty import Penalty
from scoring.models import Event, Session
from tests.ledger.conftest import act, settle
from tests.pages import Form, form
from tests.views.table.test_house_rules import house_rules

FORMS: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "next/": ("Save button and Fantasyland", {"button": "2", "note": "agreed"}, {}),
    "penalty/": ("Record penalty", {"seat": "2", "points": "3", "note": "agreed"}, {}),
    "side-bet/": ("Record side bet", {"payer": "2", "payee": "1", "amount": "5", "note": "agreed"}, {}),
    "fee/": ("Record fee", {"amount": "5", "note": "agreed"}, {}),
    "chips/": ("Buy in", {"seat": "2", "amount": "5", "note": "agreed"}, {}),
    "stakes/": ("Save stakes", {"stake": "2", "note": "agreed"}, {}),
    "people/": ("Sit out", {}, {"seat": "2"}),
}
"""By the address of a page: the button of its form, what a host fills in at a table of three, and, where a page has a
form for each seat, the seat.
"""


def address(session: Session, path: str) -> str:
    return f"/s/{session.public_id}/{path}"


def form_on(page: Any, path: str) -> Form:
    """The form of this address on a page, fresh or shown again."""
    label, _, of_seat = FORMS[path]
    return form(page, label, **of_seat)


def opened(client: Client, session: Session, path: str) -> Form:
    return form_on(client.get(address(session, path)), path)


@pytest.mark.parametrize("path", [*FORMS, "chips/forgotten/", "rules/edit/", "hands/1/correct/"])
def test_a_closed_session_shows_none_of_the_hosts_forms(client: Client, session: Session, path: str) -> None:
    settle(session)
    act(ledger.close_session, session)
    response = client.get(address(session, path))
    page = response.content.decode()
    assert response.status_code == 200
    assert "This session is closed" in page
    assert 'name="key"' not in page


@pytest.mark.parametrize("path", ["close/", "name/"])
def test_a_closed_session_may_be_opened_and_named(client: Client, session: Session, path: str) -> None:
    act(ledger.close_session, session)
    assert 'name="key"' in client.get(address(session, path)).content.decode()


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_comes_too_late_is_shown_again_under_a_new_key(client: Client, session: Session, path: str) -> None:
    label, typed, _ = FORMS[path]
    sending = opened(client, session, path).fill(typed)
    act(Penalty, session, seat=1, points=1, note="meanwhile")
    before = Event.objects.count()
    late = sending.press(label)
    assert (late.status_code, Event.objects.count()) == (409, before)
    assert "<h2>Not saved</h2>" in late.content.decode()
    again = form_on(late, path)
    assert again.fields()["key"] != sending.fields()["key"]
    assert again.fields().items() >= {name: [text] for name, text in typed.items()}.items()
    assert again.press(label).status_code == 302
    assert Event.objects.latest("pk").note == typed.get("note", "")


def test_house_rules_under_a_used_key_get_another_one(client: Client, session: Session) -> None:
    sending = house_rules(client, session, scoring="1-4")
    sending.press()
    late = sending.fill({"scoring": "2-4"}).press()
    assert late.status_code == 409
    again = form(late, "Save rules")
    assert again.fields()["key"] != sending.fields()["key"]
    assert again.press().status_code == 302


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_is_refused_keeps_its_key(client: Client, session: Session, path: str) -> None:
    sending = opened(client, session, path)
    emptied = dict.fromkeys(sending.fields().keys() - {"key", "version"})
    wrong = sending.forge(emptied)
    assert wrong.status_code == 422
    assert form_on(wrong, path).fields()["key"] == sending.fields()["key"]


@pytest.mark.parametrize(("path", "faults"), [("penalty/", 3), ("side-bet/", 4), ("fee/", 3)])
def test_an_empty_form_is_told_everything_at_once(client: Client, session: Session, path: str, faults: int) -> None:
    opened = form(client.get(f"/s/{session.public_id}/{path}"), FORMS[path][0])
    page = opened.forge(dict.fromkeys(opened.fields().keys() - {"key", "version"})).content.decode()
    assert f"Please fix {faults} things" in page
    assert "Please give a reason" in page
