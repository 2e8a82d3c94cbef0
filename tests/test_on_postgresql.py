"""Failures that can only be provoked on PostgreSQL. Not collected on SQLite."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, connections
from django.test import Client

from scoring import club, ledger
from scoring.access import links
from scoring.access.links import Role
from scoring.actions.people import Join
from scoring.models import Club, Link, Player, Session, Total
from scoring.rules.houserules import PRESETS
from scoring.transactions import Gone, snapshot
from tests.backup.databases import database, did, refused
from tests.ledger.conftest import act, start
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


def test_what_only_reads_cannot_write_by_any_statement() -> None:
    with snapshot(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        with pytest.raises(InternalError, match="read-only transaction"):
            cursor.execute("CREATE TABLE written (id int)")


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
        answer = bet.press()
    assert answer.status_code == 503
    assert "it counts only once" in answer.text
    assert Session.objects.get(pk=session.pk).version == 1
    assert bet.press().status_code == 302
    assert Session.objects.get(pk=session.pk).version == 2


def test_a_page_says_that_the_database_does_not_answer_until_it_does(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"/s/{start().public_id}/ledger/"
    assert client.get(url).status_code == 200
    client.raise_request_exception = False

    tries: list[str] = []

    def away() -> None:
        tries.append("again")
        raise OperationalError("connection refused")

    connection.close()
    with caplog.at_level(logging.CRITICAL), monkeypatch.context() as patch:
        patch.setattr(connection, "connect", away)
        answer = client.get(url)
    assert answer.status_code == 503
    assert tries == ["again"]  # each takes the pool ten seconds
    assert answer.headers["Retry-After"] == "5"
    assert "database does not answer" in answer.text
    assert client.get(url).status_code == 200


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


def merged(session: Session) -> None:
    """Puts Cat of the session together with somebody who did not play in it."""
    Player.objects.get_or_create(club=session.club, name="Kit", folded="kit")
    club.merge(Player.objects.get(name="Cat"), Player.objects.get(name="Kit"))


def renamed(session: Session) -> None:
    club.rename_player(Player.objects.get(club=session.club, name="Cat"), "Kate")


def payable(session: Session) -> None:
    club.add_pay_address(Player.objects.get(club=session.club, name="Cat"), "text", "cash")


def invited(session: Session) -> None:
    links.issue(club=session.club, role=Role.SCORER, session=session, key="link")


def replaced(session: Session) -> None:
    links.replace(Link.objects.get(), key="another")


CHANGES: dict[str, Callable[[Session], Any]] = {
    "a link is made": invited,
    "a link is replaced": replaced,
    "two people are put together": merged,
    "somebody is renamed": renamed,
    "a way to be paid is kept": payable,
    "the club is deleted": lambda session: club.erase(session.club),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_club_that_changes_while_a_session_is_closed_waits_or_lets_it_wait(change: str) -> None:
    """Whoever locked a session needs the club to stand, and whoever locked the club may need the session."""
    session = start()
    link, _ = links.issue(club=session.club, role=Role.SCORER, session=session, key="scorer")
    closed: list[Any] = []

    def close() -> None:
        try:
            closed.append(ledger.close_session(session=session, tab=True, key="close", by="host", link=link.pk))
        except Gone as error:
            closed.append(error)
        finally:
            connections.close_all()

    closing = threading.Thread(target=close)

    def begin_to_close(sql: str) -> None:
        if "FOR " in sql and "UPDATE" in sql and closing.ident is None:
            closing.start()
            while closing.is_alive() and not somebody_waits():
                time.sleep(0.01)

    with each_statement(begin_to_close):
        CHANGES[change](session)
    closing.join()
    assert len(closed) == 1
    found = Session.objects.filter(pk=session.pk).first()
    assert found is None if change == "the club is deleted" else found and found.closed_at
    assert set(Total.objects.values_list("player__name", flat=True)) <= set(
        Player.objects.values_list("name", flat=True)
    )


def saved(session: Session) -> None:
    club.save_rules(session.club, "Ours", PRESETS["regular"])


def staked(session: Session) -> None:
    ann, bob = Player.objects.filter(club=session.club, name__in=("Ann", "Bob"))
    club.set_usual_stake(ann, bob, currency="EUR", minor_digits=2, stake=5)


def hosted(session: Session) -> None:
    links.issue(club=session.club, role=Role.HOST, key="another host", name="Ann")


def joined(session: Session) -> None:
    act(Join, session, name="Dan")


ADDITIONS = {
    **CHANGES,
    "a host's link is made": hosted,
    "house rules are kept": saved,
    "two have a usual stake": staked,
    "another session is started": lambda session: start(club=session.club),
    "somebody comes": joined,
    "a session is closed": lambda session: act(ledger.close_session, session),
}


@pytest.mark.parametrize(
    ("first", "begun"),
    [("the deletion", "FOR "), ("the deletion", "DELETE"), ("the change", "FOR "), ("the change", "INSERT")],
)
@pytest.mark.parametrize("change", ADDITIONS)
def test_what_is_added_to_a_club_that_is_being_deleted_is_deleted_with_it_or_refused(
    change: str, first: str, begun: str
) -> None:
    """The second of the two begins when the first has locked, added or deleted something."""
    session = start()
    links.issue(club=session.club, role=Role.SCORER, session=session, key="scorer")
    Player.objects.create(club=session.club, name="Kit", folded="kit")
    both = [partial(club.erase, session.club), partial(ADDITIONS[change], session)]
    one, other = both if first == "the deletion" else reversed(both)
    failed: list[Exception] = []

    def attempt(do: Callable[[], Any]) -> None:
        try:
            with suppress(Gone):
                do()
        except Exception as error:  # noqa: BLE001 - the test says which
            failed.append(error)

    def attempt_elsewhere() -> None:
        attempt(other)
        connections.close_all()

    second = threading.Thread(target=attempt_elsewhere)

    def begin(sql: str) -> None:
        if begun in sql and second.ident is None:
            second.start()
            while second.is_alive() and not somebody_waits():
                time.sleep(0.01)

    with each_statement(begin):
        attempt(one)
    if second.ident is not None:
        second.join()
        assert not Club.objects.exists()
    assert failed == []


def somebody_waits() -> bool:
    """Whether a connection to the test's database waits for a row that another one holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_clear_snapshot(), pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.slow
def test_a_server_does_not_start_where_it_may_only_read_and_no_backup_is_blamed(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as env:
        did(env, "migrate", "--verbosity", "0")
        did(env, "backup", str(tmp_path / "table.zip"))
        with psycopg.connect(env["DATABASE_URL"], autocommit=True) as operator:
            name = operator.info.dbname
            operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        line = refused(env, "serve", "--port", "0")
        assert "can be read, but not written. Let DATABASE_URL name a server that follows no other one" in line
        assert "cannot be used: cannot execute" in refused(env, "host-link")
        assert "PostgreSQL at" in refused(env, "restore", str(tmp_path / "table.zip"))


@pytest.mark.slow
def test_redis_that_does_not_answer_is_said_in_one_line(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as env:
        did(env, "migrate", "--verbosity", "0")
        line = refused(env | {"NOTICES_URL": "redis://127.0.0.1:1/0"}, "notices")
        assert line == (
            "The server of NOTICES_URL does not answer, so nothing was changed. Look at it, and at NOTICES_URL."
        )
