"""A server whose database is behind PgBouncer, which gives each transaction another connection. Not on SQLite."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import connection

from bench.load import machines
from tests.ledger.conftest import settle, start
from tests.live.phones import get, hosts_cookie, moved
from tests.live.test_processes import around, watched
from tests.servers import ROOT, address_of_the_database, serving, socket_of_the_database

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pooled(tmp_path: Path, transactional_db: None) -> Iterator[dict[str, str]]:
    """The environment of a server whose transactions each get any connection. It has PostgreSQL's address, too."""
    if machines.missing("pgbouncer"):
        pytest.skip("pgbouncer is not installed")
    at = socket_of_the_database()
    host, port = (at.rpartition("/")[0], int(at.rpartition(".")[2])) if isinstance(at, str) else at
    with (
        TemporaryDirectory() as place,
        ExitStack() as room,
    ):  # PgBouncer refuses to run as root, and nobody else may look into pytest's
        Path(place).chmod(0o755)
        user = connection.settings_dict["USER"]
        pooler, _ = room.enter_context(machines.pgbouncer(Path(place), port, host=host, user=user))
        collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
        subprocess.run(collect, cwd=ROOT, env=around(tmp_path) | {"PATH": machines.PATH}, check=True)
        direct = {"DIRECT_DATABASE_URL": address_of_the_database()}
        yield around(tmp_path) | direct | {"DATABASE_URL": address_of_the_database("127.0.0.1", pooler)}


def test_pages_and_news_come_by_way_of_a_pooler(pooled: dict[str, str]) -> None:
    session = start()
    with serving(**pooled) as (_, one), serving(**pooled) as (_, other), ExitStack() as room:
        phones = watched(room, [one, other], session)
        cookie = hosts_cookie(one, session)
        for _ in range(3):
            settle(session)
            assert {phone.hear() for phone in phones} == {moved(session.version)}
            for port in (one, other):
                assert get(port, f"/s/{session.public_id}/ledger/", **cookie)[0] == 200
                assert get(port, f"/s/{session.public_id}/record.json", **cookie)[0] in {200, 202}
