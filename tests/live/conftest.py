"""Leaves out the tests that need PostgreSQL, and starts a server of Redis for those that need one."""

from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple

import pytest
from django.conf import settings as ours

from bench.load import machines
from ofcscore import valkey
from scoring import live
from scoring.live import postgres, pubsub

# Several processes share PostgreSQL and nothing else, so on SQLite there is nothing to test. `make test-postgres` and
# `.ci/run` run these.
collect_ignore = ["test_processes.py", "test_redis.py", "test_pgbouncer.py"] if ours.ON_SQLITE else []


class Redis(NamedTuple):
    """A server of Redis for one test."""

    url: str
    process: Popen[bytes]


@pytest.fixture
def redis(tmp_path: Path, transactional_db: None, settings: Any) -> Iterator[Redis]:
    """By way of this server all processes tell each other of changes; this one, too."""
    if machines.missing("redis-server"):
        pytest.skip("redis-server is not installed")
    with machines.redis(tmp_path) as (url, process):
        settings.NOTICES_URL = url
        valkey.forget()
        live.decide()
        yield Redis(url, process)
        postgres.keep_way("")
        assert pubsub.sender.flush(30)
        valkey.forget()
