"""Notices by Redis: what is lost is caught up, nobody waits, all processes use one way. Not collected on SQLite."""

import logging
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.test import Client, override_settings

from bench.load import machines
from ofcscore import health, valkey
from scoring import live
from scoring.access import links
from scoring.live import postgres, pubsub
from tests.ledger.conftest import settle, start
from tests.live.conftest import Redis
from tests.live.phones import moved, phone, wait_for
from tests.live.test_processes import around, subscribers, watched
from tests.servers import ROOT, address_of_the_database, serving

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def unheard() -> Iterator[None]:
    """What this process does in this block, it tells nobody."""
    with override_settings(NOTICES_URL=""):
        yield


def test_a_notice_that_is_lost_is_caught_up_by_the_version_that_a_stream_asks_with(
    redis: Redis, tmp_path: Path
) -> None:
    session = start()
    with serving(NOTICES_URL=redis.url, **around(tmp_path)) as (_, port), ExitStack() as room:
        phones = watched(room, [port], session)
        with unheard():
            settle(session)
        late = room.enter_context(phone(port, session.public_id, 1))
        assert late.hear() == moved(2)
        assert [one.hear() for one in phones] == [moved(2)]


def test_a_notice_that_is_lost_is_caught_up_by_streams_that_stay_open(redis: Redis, tmp_path: Path) -> None:
    session = start()
    link, _ = links.issue(club=session.club, role=links.Role.VIEWER, session=session, key="viewer", name="Dan")
    with serving(NOTICES_URL=redis.url, **around(tmp_path)) as (_, port), ExitStack() as room:
        phones = watched(room, [port], session)
        dan = room.enter_context(phone(port, session.public_id, 1, link=link.public_id))
        with unheard():
            settle(session)
            links.revoke(link)
        assert [one.hear() for one in phones] == [moved(2)]
        assert b"data: 3" not in dan.rest()  # it ends


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL])
def test_hands_are_settled_and_told_while_redis_is_away(
    redis: Redis, tmp_path: Path, how: signal.Signals, caplog: pytest.LogCaptureFixture
) -> None:
    session = start()
    with serving(NOTICES_URL=redis.url, **around(tmp_path)) as (_, port), ExitStack() as room:
        phones = watched(room, [port], session)
        redis.process.send_signal(how)
        with caplog.at_level(logging.WARNING):
            settle(session)
            assert [one.hear() for one in phones] == [moved(2)]
            assert pubsub.sender.flush(30)
        assert "does not answer" in caplog.text
        if how is signal.SIGKILL:
            redis.process.wait()
            room.enter_context(machines.redis(tmp_path, int(redis.url.rpartition(":")[2].partition("/")[0])))
            wait_for(is_back)
        else:
            redis.process.send_signal(signal.SIGCONT)
        settle(session)
        assert [one.hear() for one in phones] == [moved(3)]


def is_back() -> bool:
    try:
        return subscribers() == 1
    except valkey.Away:
        return False


def test_postgresql_says_nothing_of_what_goes_by_redis(redis: Redis) -> None:
    session = start()
    with psycopg.connect(address_of_the_database(), autocommit=True) as ear:
        ear.execute(f"LISTEN {live.CHANNEL}")
        settle(session)
        link, _ = links.issue(club=session.club, role=links.Role.VIEWER, session=session, key="viewer", name="Dan")
        links.revoke(link)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, 'the end')", [live.CHANNEL])
        assert next(ear.notifies(timeout=15)).payload == "the end"


def refusal(data: Path, **environment: str) -> str:
    """The line in which a process with this environment refuses to start."""
    command = [sys.executable, "manage.py", "serve", "--port", "0"]
    ended = subprocess.run(
        command, cwd=ROOT, env=around(data) | {"PATH": machines.PATH} | environment,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode != 0
    return ended.stderr.strip()


def decided(data: Path, url: str) -> str:
    """What `notices` says with this NOTICES_URL."""
    environment = around(data) | {"PATH": machines.PATH, "NOTICES_URL": url}
    return subprocess.check_output([sys.executable, "manage.py", "notices"], cwd=ROOT, env=environment, text=True)


def test_a_process_that_would_tell_in_another_way_does_not_start(redis: Redis, tmp_path: Path) -> None:
    assert "by NOTICES_URL, and this one would by PostgreSQL" in refusal(tmp_path)
    postgres.keep_way("")
    assert "by PostgreSQL, and this one would by NOTICES_URL" in refusal(tmp_path, NOTICES_URL=redis.url)
    assert "by the server of NOTICES_URL" in decided(tmp_path, redis.url)
    with serving(NOTICES_URL=redis.url, **around(tmp_path)):
        pass


def test_a_process_with_another_server_of_redis_does_not_start_until_that_is_everybodys(
    redis: Redis, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    with machines.redis(tmp_path / "other") as (other, _):
        assert "by another server than that of its NOTICES_URL" in refusal(tmp_path, NOTICES_URL=other)
        numbered = redis.url.replace("/0", "/1")
        assert "by another server than that of its NOTICES_URL" in refusal(tmp_path, NOTICES_URL=numbered)
        decided(tmp_path, other)
        assert "by another server than that of its NOTICES_URL" in refusal(tmp_path, NOTICES_URL=redis.url)
        with serving(NOTICES_URL=other.replace("/0", ""), **around(tmp_path)):
            pass
    health.forget()
    assert Client().get("/readyz").json()["notices"] == "another way than the database says"


def test_a_process_is_not_ready_once_the_others_tell_in_another_way(redis: Redis) -> None:
    health.forget()
    assert Client().get("/readyz").status_code == 200
    postgres.keep_way("")
    health.forget()
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["notices"] == "another way than the database says"


def test_what_is_none_of_ours_on_the_channel_disturbs_nobody(redis: Redis, tmp_path: Path) -> None:
    session = start()
    with serving(NOTICES_URL=redis.url, **around(tmp_path)) as (_, port), ExitStack() as room:
        phones = watched(room, [port], session)
        for nonsense in ("", "[]", "7", "{}", '{"session": "x"}', '{"version": 3}'):
            valkey.ask(lambda server, text=nonsense: server.publish(valkey.channel(), text))  # type: ignore[misc]
        settle(session)
        assert [one.hear() for one in phones] == [moved(2)]
