"""Failures that can only be provoked on SQLite. Not collected on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from scoring.ledger import audit
from scoring.models import Session
from tests.ledger.conftest import start
from tests.pages import form

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_full_disk_is_called_a_full_disk_and_nothing_is_changed(client: Client) -> None:
    session = start()
    client.get(f"/s/{session.public_id}/")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # or the room that earlier tests have left might do for all bets
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        try:
            refused = next(answer for answer in bets(client, session) if answer.status_code != 302)
        finally:
            cursor.execute(f"PRAGMA max_page_count = {2**32 - 2}")
    assert refused.status_code == 507
    assert "The server’s disk is full" in refused.content.decode()
    session.refresh_from_db()
    assert session.version == session.events.count()
    assert list(map(str, audit.of_everything())) == []


def bets(client: Client, session: Session) -> Iterator[Any]:
    """The answers to one side bet after another; each needs some room on the disk."""
    for _ in range(100):
        opened = form(client.get(f"/s/{session.public_id}/side-bet/"), "Record side bet")
        yield opened.fill({"payer": "1", "payee": "2", "amount": "1", "note": "red " * 60}).press()
