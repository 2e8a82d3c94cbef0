"""Streams over real connections to the production server."""

import http.client
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring import live
from scoring.access import links
from scoring.models import Session
from tests.ledger.conftest import settle, start
from tests.live.phones import get, hosts_cookie, moved, phone, wait_for
from tests.servers import ROOT, ServerThread, address_of_the_database, serving

MANY = 50


@pytest.fixture
def port(transactional_db: None) -> Generator[int]:
    """The port of this test's own server. There are sessions with the ids *a* and *b*."""
    for name in ("a", "b"):
        Session.objects.filter(pk=start().pk).update(public_id=name)
    server = ServerThread()
    server.start()
    yield server.port
    server.terminate()


def announce(session: str, version: int) -> None:
    """What `live.moved` does once its transaction is committed."""
    live.local_hub.hear({"session": session, "version": version})


def test_no_cache_stores_a_stream_and_no_proxy_delays_it(port: int) -> None:
    with phone(port, "a", 1) as one:
        head = {name.lower(): value for name, value in one.response.getheaders()}
        assert head["content-type"] == "text/event-stream; charset=utf-8"
        assert head["cache-control"] == "no-store, no-transform"
        assert head["x-accel-buffering"] == "no"
        assert 1000 <= one.retry < 3000
        announce("a", 2)
        assert one.hear() == moved(2)


def test_every_phone_hears_what_another_thread_settles(port: int) -> None:
    with ExitStack() as room:
        ours = [room.enter_context(phone(port, "a", 1)) for _ in range(8)]
        theirs = room.enter_context(phone(port, "b", 1))
        threading.Thread(target=announce, args=("a", 2)).start()
        assert [one.hear() for one in ours] == [moved(2)] * 8
        announce("b", 9)
        assert theirs.hear() == moved(9)  # and nothing before that


def test_a_settled_hand_is_announced_only_once_it_is_committed(port: int) -> None:
    session = start()
    with phone(port, session.public_id, session.version) as one:
        settle(session)
        assert one.hear() == moved(2)
        with transaction.atomic():
            settle(session)
            transaction.set_rollback(True)
        session.refresh_from_db()
        settle(session)
        assert one.hear() == moved(3)
    assert session.version == 3


def test_a_phone_that_comes_back_hears_what_it_missed(port: int) -> None:
    session = start()
    with phone(port, session.public_id, 1), phone(port, session.public_id, 1) as left:
        left.close()
        settle(session)
        settle(session)
        with phone(port, session.public_id, 1, **{"Last-Event-ID": "2"}) as back:
            assert back.hear() == moved(3)


@pytest.mark.parametrize(
    ("made_for", "asked_for"),
    [("a", "b"), ("a", "A"), ("a", "a%00"), ("a", ""), ("", "a")],
)
def test_without_a_token_a_session_seems_not_to_exist(port: int, made_for: str, asked_for: str) -> None:
    query = live.address("x" + made_for, "link", "club").partition("?")[2]
    answer = get(port, f"/s/x{asked_for}/live?{query}")
    assert answer[0] == 404
    assert answer == get(port, "/s/nothing/of/the/kind")


def test_only_get_opens_a_stream(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    for method in ("HEAD", "POST"):
        connection.request(method, live.address("a", "link", "club"))
        with connection.getresponse() as response:
            assert response.status in {403, 404}  # 403: a POST without Django's CSRF token
            response.read()
    connection.close()
    assert live.local_hub.streams == 0


@contextmanager
def databases_opened() -> Generator[list[BaseDatabaseWrapper]]:
    """Lists every database connection that any thread of this process opens meanwhile."""
    connect = BaseDatabaseWrapper.connect
    opened = []

    def noted(wrapper: BaseDatabaseWrapper) -> None:
        opened.append(wrapper)
        connect(wrapper)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "connect", noted)
        yield opened


def test_streams_take_no_thread_and_no_database(port: int) -> None:
    with databases_opened() as opened, phone(port, "a"):
        threads = threading.active_count()
        with ExitStack() as room:
            phones = [room.enter_context(phone(port, "a")) for _ in range(MANY)]
            announce("a", 2)
            assert {one.hear() for one in phones} == {moved(2)}
            assert live.local_hub.streams == MANY + 1
            assert threading.active_count() == threads
            assert opened == []


def test_on_sqlite_a_page_finds_the_database_open(port: int) -> None:
    session = start()
    cookie = hosts_cookie(port, session)
    with databases_opened() as opened:
        for _ in range(5):
            assert get(port, f"/s/{session.public_id}/version", **cookie)[0] == 200
    # On PostgreSQL, too, each page borrows an open connection, from the pool.
    assert len(opened) == (0 if settings.ON_SQLITE else 5)


def test_pages_are_answered_beside_streams_and_phones_that_left_are_forgotten(port: int) -> None:
    with ExitStack() as room:
        for _ in range(MANY):
            room.enter_context(phone(port, "a"))
        with ThreadPoolExecutor(8) as clients:
            assert set(clients.map(lambda _: get(port, "/healthz"), range(100))) == {(200, b"ok\n")}
    wait_for(lambda: live.local_hub.streams == 0)
    assert live.local_hub.sessions == []


def test_a_link_that_is_revoked_loses_its_streams_at_once(port: int) -> None:
    session = start()
    link, _ = links.issue(club=session.club, role=links.Role.VIEWER, session=session, key="viewer", name="Dan")
    with (
        phone(port, session.public_id, 1, link=link.public_id) as dan,
        phone(port, session.public_id, 1, link="another") as other,
    ):
        links.revoke(link)
        assert dan.rest() == b""
        with phone(port, session.public_id, 1, link=link.public_id) as back:  # with the token that this phone still has
            settle(session)
            assert back.rest() == b""
        assert other.hear() == moved(2)


ELSEWHERE = "from scoring import club; from scoring.access import links; from scoring.models import Club, Link; "


@pytest.mark.parametrize(
    "deed",
    [
        "club.erase(Club.objects.get(sessions__public_id={session!r}))",
        "links.revoke(Link.objects.get(public_id={link!r}))",
    ],
    ids=["the club is deleted", "the link is revoked"],
)
def test_what_another_process_ends_ends_here(port: int, tmp_path: Path, deed: str) -> None:
    """As `manage.py drop_idle` deletes sessions, beside the server."""
    session = start()
    link, _ = links.issue(club=session.club, role=links.Role.VIEWER, session=session, key="viewer", name="Dan")
    with phone(port, session.public_id, link=link.public_id) as dan, phone(port, "a") as other:
        do = ELSEWHERE + deed.format(session=session.public_id, link=link.public_id)
        environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(tmp_path),
            "DATABASE_URL": address_of_the_database(),
            "SECRET_KEY": settings.SECRET_KEY,
        }
        subprocess.run([sys.executable, "manage.py", "shell", "-c", do], check=True, cwd=ROOT, env=environment)
        assert b"moved\ndata: 1" not in dan.rest()
        with phone(port, session.public_id, link=link.public_id) as back:  # with the token that this phone still has
            assert back.rest() == b""
        announce("a", 2)
        assert other.hear() == moved(2)


def test_a_full_server_says_when_to_come_again(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with phone(port, "a"):
        monkeypatch.setattr(live.local_hub, "most", 1)
        with phone(port, "a") as late:
            assert late.response.status == 503
            assert late.response.getheader("Retry-After") == "60"


# --- Stopping and coming back -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_every_stream_when_it_stops(tmp_path: Path, stop: signal.Signals) -> None:
    with (
        serving(DATA_DIR=str(tmp_path), SECRET_KEY=settings.SECRET_KEY) as (server, port),
        ExitStack() as room,
    ):
        phones = [room.enter_context(phone(port, f"table-{n % 7}")) for n in range(MANY)]
        server.send_signal(stop)
        assert {one.rest() for one in phones} == {b""}  # the answer ended, the connection did not break off
        assert server.wait(30) in {0, -stop}
        assert server.stderr is not None
        assert server.stderr.read() == ""


@pytest.mark.django_db(transaction=True)
def test_a_phone_outlives_its_server_and_misses_nothing() -> None:
    session = start()
    first = ServerThread()
    first.start()
    with phone(first.port, session.public_id, 1) as one:
        settle(session)
        assert one.hear() == moved(2)
        first.terminate()
        assert one.rest() == b""
    settle(session)
    second = ServerThread(first.port)
    second.start()
    try:
        # A page reconnects by itself with the last version that it heard, and asks once for what it missed: see
        # live.js.
        with phone(second.port, session.public_id, 1, **{"Last-Event-ID": "2"}) as back:
            cookie = hosts_cookie(second.port, session)
            assert get(second.port, f"/s/{session.public_id}/version?after=2", **cookie)[0] == 200
            settle(session)
            heard = [back.hear()]
            if heard == [moved(3)]:  # on PostgreSQL the new process has looked the version up
                heard.append(back.hear())
            assert heard[-1] == moved(4)
    finally:
        second.terminate()
