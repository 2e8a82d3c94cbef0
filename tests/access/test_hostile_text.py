"""Names, notes and comments may hold hostile text. The app shows it as text or refuses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from scoring import club, ledger
from scoring.access import links
from scoring.access.links import Role
from scoring.actions.penalty import Penalty
from scoring.game.entry import Entry, Rows
from scoring.game.errors import LedgerError
from scoring.game.text import LONGEST, clean
from scoring.ledger import audit
from scoring.models import Session
from tests.access.conftest import again, browser, forgotten, issue, kept
from tests.access.reading import Form, crawl, is_page, read
from tests.ledger.conftest import PLAIN, WEAK, act, key, settle, start

pytestmark = pytest.mark.django_db

TEXTS = {
    "script": "<script>alert(1)</script>",
    "markup": "\"><img src=x onerror=alert(1)>'",
    "template": "{{ 7|add:7 }}{% debug %}${7*7}",
    "close": "</title></textarea></select><h1>",
    "right-to-left": "\u202eevil\u202c\u2066\u200f\u200b\ufeff",
    "control": "a\x00b\x1b[31m\r\nSet-Cookie: x=y\x7f\u2028",
    "formula": '=HYPERLINK("http://x.example","1")',
    "formula+": "+1+cmd|' /C calc'!A0",
    "formula-": "-2+3",
    "formula@": "@SUM(1)",
    "long": "x" * 10_000,
    "astral": "\U0001f469\u200d\U0001f680" * 30,
    "joiners": "\u200dA\u200cn\u200d\u200dn\u200c",
    "joined": "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "combining": "Z\u0351\u0357\u035b\u0343" * 200,
    "marks": "Z" + "\u0351\u0357\u035b\u0343" * 2_000,
}
INVISIBLE = set("\u202e\u202c\u2066\u200f\u200b\ufeff\x00\x1b\x7f\u2028\u200c\u200d")
"""Of these only joiners are shown, and those only where they join letters or emoji."""


def hostile_evening(text: str) -> Session:
    """An evening with this text wherever the ledger accepts it."""

    def named(fallback: str) -> str:
        return text if 0 < len(clean(text)) <= 40 else fallback

    session = ledger.start_session(
        names=[named("Ann"), "Bob", "Cat"], name=text, stake=100, currency="EUR", button=1, key=key(), by=text
    )
    act(Penalty, session, seat=1, points=2, note=text[:290] or "x", by=text)
    settle(session, Entry(boards={1: PLAIN, 2: WEAK, 3: Rows(ruling="dead")}), by=text)
    act(ledger.dispute, session, number=1, note=text[:290] or "x", by=text)
    act(ledger.void_deal, session, number=1, note=text[:290] or "x")
    club.rename(session.club, text[:80])
    for role, tied in ((Role.HOST, None), (Role.VIEWER, None), (Role.SCORER, session.seats.get(number=1))):
        links.issue(
            club=session.club,
            session=None if role is Role.HOST else session,
            role=role,
            seat=tied,
            name=text,
            key=key(),
        )
    session.refresh_from_db()
    return session


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_page_shows_it_as_text(text: str) -> None:
    session = hostile_evening(text)
    client = browser(issue(session, Role.HOST)[1])
    pages = 0
    for url, response in crawl(client, "/", f"/s/{session.public_id}/"):
        assert response.status_code in {200, 302}, url
        for value in response.headers.values():
            assert "\n" not in value
            assert "alert(1)" not in value
        if is_page(response):
            page = read(response, url)
            assert page.faults == [], url
            title = page.title.replace(clean(text), "").replace(clean(text[:80]), "")
            assert not {"<", ">"} & set(title), url
            assert not (INVISIBLE - set(clean(text))) & set(response.content.decode()), url
            assert "<script>alert" not in response.content.decode()
            pages += 1
    assert pages > 20
    assert [str(finding) for finding in audit.of_session(session.pk)] == []


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_export_is_json_whatever_stands_in_it(text: str) -> None:
    session = hostile_evening(text)
    response = browser(issue(session, Role.HOST)[1]).get(f"/c/{session.club.public_id}/export.json")
    assert response["Content-Type"] == "application/json"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"].startswith("attachment;")
    document = json.loads(response.getvalue())
    assert document["club"]["name"] == clean(text[:80])


ENDING = ("/forget/", "/delete/", "/revoke/", "/replace/")
"""The addresses of forms that would end the visit. None of them takes text."""


def forms(client: Client, *starts: str) -> Iterator[Form]:
    """Every form on every page, each combination of address and fields once."""
    seen = set()
    for url, response in crawl(client, *starts):
        if is_page(response):
            for form in read(response, url).forms:
                shape = (form.method, form.action.split("?")[0], tuple(form.values))
                if shape not in seen:
                    seen.add(shape)
                    yield form


Visit = tuple[Client, list[Form]]


def visit() -> Visit:
    """A host's browser, and every form that it can reach."""
    session = start()
    settle(session)
    client = browser(issue(session, Role.HOST)[1])
    return client, [form for form in forms(client, "/", f"/s/{session.public_id}/") if not form.action.endswith(ENDING)]


@pytest.fixture(scope="module")
def visited(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Visit]:
    """What is found without any of the texts, which is the same for each of them."""
    with kept(django_db_blocker, visit) as made:
        yield made


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_field_of_every_form_takes_it_or_refuses_it(text: str, visited: Visit, normalised: list[int]) -> None:
    """No field crashes or executes the text, none normalises more than any may hold, and the audit finds nothing."""
    forgotten()
    client, found = again(visited[0]), visited[1]
    assert len(found) > 15
    for form in found:
        send(client, form, dict.fromkeys(form.typed, text))
        for name in form.typed:
            if "note" in name or "name" in name:
                send(client, form, {name: text})
    assert max(normalised, default=0) <= LONGEST
    assert [str(finding) for finding in audit.of_everything()] == []


def send(client: Client, form: Form, changed: dict[str, str]) -> None:
    method: Any = client.post if form.method == "post" else client.get
    response = method(form.action.split("?")[0], {**form.values, **changed})
    assert response.status_code in {200, 302, 400, 404, 409, 413, 422}, (form.action, changed)
    if is_page(response):
        assert read(response, form.action).faults == [], form.action


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_address_may_be_anything(text: str, session: Session) -> None:
    client = browser(issue(session, Role.HOST)[1])
    for path in (
        f"/s/{text}/",
        f"/c/{text}/",
        f"/l/{text}",
        f"/rules/{text}/",
        f"/s/{session.public_id}/hands/{text}/",
    ):
        assert client.get(path).status_code == 404
    for query in ("?club=", "?page=", "?before=", "?version=", "?preset=", "?only=", "?mode="):
        for page in ("/new/", "/check/", f"/c/{session.club.public_id}/", f"/s/{session.public_id}/ledger/"):
            assert client.get(page, {query[1:-1]: text}).status_code in {200, 404}


def test_what_cannot_be_seen_is_not_in_names() -> None:
    assert clean("\u202eBob\u200b\u200d\x00 \n Lee\u200c ") == "Bob Lee"
    with pytest.raises(LedgerError):
        ledger.start_session(names=["\u200b", "Bob"], stake=1, currency="EUR", button=1, key=key(), by="host")
