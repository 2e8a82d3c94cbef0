"""The recovery link that the start of a session shows, and how a browser forgets everything."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from scoring.models import Link, Session
from tests.access.conftest import Cast
from tests.pages import form
from tests.views.start.test_new_session import sit_down

pytestmark = pytest.mark.django_db


def table(session: Session) -> str:
    return f"/s/{session.public_id}/"


def test_forget_this_browser(cast: Cast) -> None:
    client = cast.browsers["host"]
    client.get(f"{table(cast.session)}seat/1/")
    assert client.cookies["device"].value
    assert client.get("/forget/").status_code == 405
    form(client.get("/"), "Forget everything here").press()
    assert [client.cookies[name].value for name in ("keys", "device")] == ["", ""]
    assert client.get(table(cast.session)).status_code == 404
    assert "Forget everything here" not in client.get("/").content.decode()


def test_starting_a_session_shows_the_recovery_link_until_it_is_kept() -> None:
    client = Client()
    address = sit_down(client)["Location"]
    opened = client.get(address)
    page = opened.content.decode()
    shown = re.search(r'value="http://testserver(/l/[\w-]{32})"', page)
    assert shown
    assert shown[1] not in client.get(f"{address}ledger/").content.decode()
    again = Client()
    assert again.get(shown[1]).status_code == 302
    assert again.get(address).status_code == 200
    assert "Keep this link" not in again.get(address).content.decode()
    assert form(opened, "I have kept it").press()["Location"] == address
    assert "Keep this link" not in client.get(address).content.decode()


def test_a_recovery_link_that_was_replaced_is_shown_no_more() -> None:
    client = Client()
    address = sit_down(client)["Location"]
    link = Link.objects.get()
    listed = client.get(f"/c/{link.club.public_id}/links/")
    assert form(listed, f"Replace {link.name}").press().status_code == 200
    page = client.get(address)
    assert page.status_code == 200
    assert "Keep this link" not in page.content.decode()
