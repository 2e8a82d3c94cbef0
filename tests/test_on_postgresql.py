"""Failures that can only be provoked on PostgreSQL. Not collected on SQLite."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client

from scoring.models import Session
from tests.ledger.conftest import start
from tests.pages import form
from tests.test_transactions import each_statement, elsewhere

pytestmark = pytest.mark.django_db(transaction=True)


def end_connections() -> None:
    """End every connection to the test's database but this one, as a restart of the server does."""

    def end() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    elsewhere(end)


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_a_page_survives_that_its_connection_is_lost_at_any_statement(
    client: Client, caplog: pytest.LogCaptureFixture, place: int
) -> None:
    session = start()
    url = f"/s/{session.public_id}/ledger/"
    assert client.get(url).status_code == 200
    statements: list[str] = []

    def lose(sql: str) -> None:
        statements.append(sql)
        if len(statements) == place:
            end_connections()

    with each_statement(lose):
        assert client.get(url).status_code == 200
    assert "tried once more" in caplog.text


def test_what_was_about_to_be_written_is_not_tried_again(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """Whether it was recorded nobody knows then; the form's key lets the person find out by pressing again."""
    session = start()
    bet = form(client.get(f"/s/{session.public_id}/side-bet/"), "Record side bet")
    bet.fill({"payer": "1", "payee": "2", "amount": "1", "note": "red"})
    client.raise_request_exception = False

    def lose(sql: str) -> None:
        if sql.startswith("INSERT") and "scoring_event" in sql:
            end_connections()

    with caplog.at_level(logging.CRITICAL), each_statement(lose):
        assert bet.press().status_code == 500
    assert Session.objects.get(pk=session.pk).version == 1
    assert bet.press().status_code == 302
    assert Session.objects.get(pk=session.pk).version == 2


def test_connections_that_a_restart_left_in_the_pool_are_not_used(client: Client) -> None:
    session = start()
    answers: list[Any] = []
    database: Any = connection
    connection.close()
    database.close_pool()  # of which threads of earlier tests may have taken everything
    for _ in range(3):
        elsewhere(Session.objects.count)
    connection.close()
    end_connections()
    for _ in range(3):
        answers.append(client.get(f"/s/{session.public_id}/"))
        connections.close_all()
    assert [answer.status_code for answer in answers] == [200, 200, 200]
