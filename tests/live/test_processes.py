"""Several processes on one PostgreSQL database: each hears what the others commit. Not collected on SQLite."""

import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from ofcscore import valkey
from scoring import club, live
from scoring.access import links
from scoring.models import Link, Session
from tests.ledger.conftest import settle, start
from tests.live.phones import Phone, get, moved, phone, wait_for
from tests.servers import Router, Way, address_of_the_database, serving, socket_of_the_database

pytestmark = pytest.mark.django_db(transaction=True)

POOL = 8  # so many connections a process keeps for its requests, at most


@pytest.fixture(params=["PostgreSQL", "Redis"])
def ports(request: pytest.FixtureRequest, tmp_path: Path, transactional_db: None) -> Generator[list[int]]:
    """The ports of two server processes, which tell each other of changes in either way. This process only writes."""
    environment = around(tmp_path)
    if request.param == "Redis":
        environment["NOTICES_URL"] = request.getfixturevalue("redis").url
    with serving(**environment) as (_, one), serving(**environment) as (_, other):
        yield [one, other]


def around(data: Path) -> dict[str, str]:
    """The environment of a server that uses this test's database."""
    return {
        "DATABASE_URL": address_of_the_database(),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATA_DIR": str(data),
    }


@contextmanager
def on_a_way_of_its_own(data: Path) -> Generator[tuple[int, Router]]:
    """The port of a server that can lose the database, and what stands between the two."""
    with Router(socket_of_the_database()) as router:
        threading.Thread(target=router.serve_forever, daemon=True).start()
        there = {"DATABASE_URL": address_of_the_database("127.0.0.1", router.server_address[1])}
        with serving(**around(data) | there) as (_, port):
            yield port, router
        router.goes(Way.CLOSED)
        router.shutdown()


def listeners() -> list[int]:
    """The database's side of the connections that listen for news."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()",
            [live.LISTENER],
        )
        return [pid for (pid,) in cursor.fetchall()]


def connections() -> int:
    """The number of connections to this database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def watched(room: ExitStack, ports: list[int], session: Session, each: int = 1) -> list[Phone]:
    """Phones at every server, once every server listens."""
    found = [room.enter_context(phone(port, session.public_id, session.version)) for port in ports for _ in range(each)]
    wait_for(lambda: len(listeners()) == len(ports))
    if settings.NOTICES_URL:
        wait_for(lambda: subscribers() == len(ports))
    return found


def subscribers() -> int:
    """How many processes hear what goes by Redis."""
    channel = valkey.channel()
    return valkey.ask(lambda server: dict(server.pubsub_numsub(channel))[channel.encode()])


def tell(text: str) -> None:
    """Tells every process this, in the way that they tell each other of changes."""
    if settings.NOTICES_URL:
        valkey.ask(lambda server: server.publish(valkey.channel(), text))
    else:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [live.CHANNEL, text])


def test_phones_of_every_process_hear_what_any_process_commits(ports: list[int]) -> None:
    session = start()
    with ExitStack() as room:
        phones = watched(room, ports, session, each=3)
        settle(session)
        assert [one.hear() for one in phones] == [moved(2)] * 6
        with transaction.atomic():
            settle(session)
            transaction.set_rollback(True)
        session.refresh_from_db()
        settle(session)
        assert [one.hear() for one in phones] == [moved(3)] * 6


def test_a_notice_that_is_none_of_ours_says_nothing(ports: list[int]) -> None:
    session = start()
    with ExitStack() as room:
        phones = watched(room, ports, session)
        for text in ("reload", "7", "{}"):
            tell(text)
        settle(session)
        assert [one.hear() for one in phones] == [moved(2)] * 2


def test_a_process_has_one_connection_for_all_its_streams(ports: list[int]) -> None:
    session = start()
    with ExitStack() as room:
        watched(room, ports, session)
        before = connections()
        for port in ports:
            for _ in range(40):
                room.enter_context(phone(port, session.public_id))
        # A pool opens one more for a request that finds the others busy; no stream of the eighty keeps any.
        assert connections() < before + len(ports) * POOL
        assert len(listeners()) == 2


def test_a_lost_connection_comes_back_and_nothing_is_missed(ports: list[int]) -> None:
    session, quiet = start(), start()
    with ExitStack() as room:
        phones = watched(room, ports, session)
        still = room.enter_context(phone(ports[0], quiet.public_id, 1))
        with connection.cursor() as cursor:
            for pid in listeners():
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert listeners() == []
        settle(session)  # no server hears of this
        assert [one.hear() for one in phones] == [moved(2)] * 2
        settle(session)
        assert [one.hear() for one in phones] == [moved(3)] * 2
        settle(quiet)
        assert still.hear() == moved(2)


def test_streams_stay_while_the_database_is_away_and_catch_up_when_it_is_back(
    tmp_path: Path, transactional_db: None
) -> None:
    session = start()
    with ExitStack() as room:
        ways = [room.enter_context(on_a_way_of_its_own(tmp_path)) for _ in range(2)]
        ports, routers = [port for port, _ in ways], [router for _, router in ways]
        phones = watched(room, ports, session)
        for router in routers:
            router.goes(Way.CLOSED)
        settle(session)
        wait_for(lambda: all(router.refused for router in routers))  # every server has tried in vain to reconnect
        assert listeners() == []
        phones.append(room.enter_context(phone(ports[0], session.public_id, 1)))
        assert get(ports[0], "/healthz") == (200, b"ok\n")
        for router in routers:
            router.goes(Way.OPEN)
        assert [one.hear() for one in phones] == [moved(2)] * 3


def test_a_revoked_link_loses_its_streams_in_every_process(ports: list[int]) -> None:
    session = start()
    link, _ = links.issue(club=session.club, role=links.Role.VIEWER, session=session, key="viewer", name="Dan")
    with ExitStack() as room:
        others = watched(room, ports, session)
        dans = [room.enter_context(phone(port, session.public_id, 1, link=link.public_id)) for port in ports]
        links.revoke(link)
        assert [dan.rest() for dan in dans] == [b"", b""]
        settle(session)
        assert [one.hear() for one in others] == [moved(2)] * 2


def test_a_link_that_was_revoked_while_no_server_listened_loses_its_streams(ports: list[int]) -> None:
    session = start()
    dan, eve = (
        links.issue(club=session.club, role=links.Role.VIEWER, session=session, key=name, name=name)[0]
        for name in ("Dan", "Eve")
    )
    links.revoke(eve)  # before the servers had a reason to listen
    with ExitStack() as room:
        others = watched(room, ports, session)
        dans = [room.enter_context(phone(port, session.public_id, 1, link=dan.public_id)) for port in ports]
        eves = [room.enter_context(phone(port, session.public_id, 1, link=eve.public_id)) for port in ports]
        assert [one.rest() for one in eves] == [b"", b""]
        with connection.cursor() as cursor:
            for pid in listeners():
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        links.revoke(dan)  # no server hears of this
        Link.objects.filter(pk=dan.pk).update(revoked_at=timezone.now() - timedelta(days=1))
        assert [one.rest() for one in dans] == [b"", b""]
        settle(session)
        assert [one.hear() for one in others] == [moved(2)] * 2


def test_pages_of_a_deleted_session_hear_of_it_in_every_process(ports: list[int]) -> None:
    session = start()
    with ExitStack() as room:
        phones = watched(room, ports, session)
        club.erase(session.club)
        assert [moved(3).data in one.rest().decode() for one in phones] == [False] * 2  # they end
        late = [room.enter_context(phone(port, session.public_id)) for port in ports]
        assert [one.rest() for one in late] == [b""] * 2
