"""What all of the host's forms have in common: how they answer in a closed session, and when they come too late."""

import re

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.penalty import Penalty
from scoring.models import Event, Session
from tests.ledger.conftest import act, settle
from tests.views.table.test_house_rules import form as rules_form

FORMS: dict[str, dict[str, str]] = {
    "next/": {"button": "2", "note": "agreed"},
    "penalty/": {"seat": "2", "points": "3", "note": "agreed"},
    "side-bet/": {"payer": "2", "payee": "1", "amount": "5", "note": "agreed"},
    "fee/": {"seats": "2", "amount": "5", "note": "agreed"},
    "chips/": {"do": "buy-in", "seat": "2", "amount": "5", "note": "agreed"},
    "stakes/": {"stake": "2", "note": "agreed"},
    "people/": {"do": "sit-out", "seat": "2"},
}
"""A valid form for each address, at a table of three."""


def address(session: Session, path: str) -> str:
    return f"/s/{session.public_id}/{path}"


@pytest.mark.parametrize(
    "path", [*FORMS, "chips/forgotten/", "chips/forgotten/?amount=5", "rules/edit/", "hands/1/correct/"]
)
def test_a_closed_session_has_none_of_them(client: Client, session: Session, path: str) -> None:
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
def test_one_that_comes_too_late_is_kept_with_a_fresh_key(client: Client, session: Session, path: str) -> None:
    seen = session.version
    act(Penalty, session, seat=1, points=1, note="meanwhile")
    before = Event.objects.count()
    sent = {**FORMS[path], "key": "too-late", "version": str(seen)}
    late = client.post(address(session, path), sent)
    assert (late.status_code, Event.objects.count()) == (409, before)
    page = late.content.decode()
    assert "One thing does not fit" in page
    assert "too-late" not in page
    kept = re.findall(r'name="note" value="([^"]*)"', page)
    assert kept == [sent["note"]] if "note" in sent else not kept
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert client.post(address(session, path), {**hidden, **FORMS[path]}).status_code == 302


def test_house_rules_under_a_used_key_get_another_one(client: Client, session: Session) -> None:
    client.post(address(session, "rules/edit/"), rules_form(scoring="1-4"))
    late = client.post(address(session, "rules/edit/"), rules_form(scoring="2-4"))
    assert late.status_code == 409
    assert 'name="key" value="rules"' not in late.content.decode()


@pytest.mark.parametrize("path", FORMS)
def test_one_that_is_wrong_keeps_its_key(client: Client, session: Session, path: str) -> None:
    wrong = client.post(address(session, path), {"key": "mine", "version": str(session.version)})
    assert wrong.status_code == 422
    assert 'name="key" value="mine' in wrong.content.decode()
