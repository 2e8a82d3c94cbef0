"""Where `NOTICES_URL` names a server of Redis, limits are counted there, and in the database while it is away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bench.load import machines
from ofcscore import valkey
from scoring.access.limits import Limit
from scoring.models import Tally

pytestmark = pytest.mark.django_db

HOUR = 60 * 60


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all tests of this module."""
    if machines.missing("redis-server"):
        pytest.skip("redis-server is not installed; .ci/run installs it")
    with machines.redis(tmp_path_factory.mktemp("redis")) as (url, _):
        yield url


@pytest.fixture(autouse=True)
def counted_there(address: str, settings: Any) -> Iterator[None]:
    """The server holds nothing when a test begins, and this process remembers nothing of it afterwards."""
    settings.NOTICES_URL = address
    valkey.forget()
    valkey.ask(lambda server: server.flushall())
    yield
    valkey.forget()


@contextmanager
def away(settings: Any) -> Iterator[None]:
    """In this block nothing answers at the address of the server."""
    before = settings.NOTICES_URL
    settings.NOTICES_URL = "redis://127.0.0.1:1/0"
    valkey.forget()
    yield
    settings.NOTICES_URL = before
    valkey.forget()


def held() -> dict[str, int]:
    """What the server holds of each key."""

    def counts(server: Any) -> dict[str, int]:
        return {key.decode(): int(server.get(key)) for key in server.scan_iter()}

    return valkey.ask(counts)


def process(most: int = 3, block: int = 1, name: str = "test") -> Limit:
    """A limit as another process has it, which remembers nothing of this one's."""
    return Limit(name, HOUR, lambda: most, block)


def test_all_processes_count_together() -> None:
    one, other = process(), process()
    assert [one.allows("Ann"), other.allows("Ann"), one.allows("Ann"), other.allows("Ann")] == [True, True, True, False]
    assert one.allows("Bob")
    assert not Tally.objects.exists()


def test_a_block_is_reserved_at_once() -> None:
    one, other = process(most=30, block=20), process(most=30, block=20)
    assert one.allows("Ann")
    assert list(held().values()) == [20]
    assert sum(limit.allows("Ann") for _ in range(40) for limit in (one, other)) == 29


def test_each_use_that_is_counted_is_one() -> None:
    limit = process()
    for times in (1, 2):
        limit.count("Cat")
        assert list(held().values()) == [times]
        assert not process().spent("Cat")
    limit.count("Cat")
    assert process().spent("Cat")


def test_a_limit_of_one_is_spent_by_one_and_not_by_none() -> None:
    assert not process(most=1).spent("Dan")
    process(most=1).count("Dan")
    assert process(most=1).spent("Dan")
    assert not process(most=1).spent("Eve")


def test_each_limit_client_and_window_has_a_count_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    process().count("Ann")
    process().count("Bob")
    process(name="other").count("Ann")
    assert process().allows("Ann")
    now[0] += HOUR
    assert process().allows("Ann")
    assert held() == {
        "ofcscore:test Ann:1800000000": 2,
        "ofcscore:test Bob:1800000000": 1,
        "ofcscore:other Ann:1800000000": 1,
        "ofcscore:test Ann:1800003600": 1,
    }


def test_the_server_keeps_a_count_beyond_the_end_of_its_window_and_not_for_ever() -> None:
    process().count("Ann")
    (seconds,) = valkey.ask(lambda server: [server.ttl(key) for key in server.scan_iter()])
    assert HOUR < seconds <= 2 * HOUR


def test_the_database_counts_from_nothing_while_the_server_is_away(settings: Any) -> None:
    for _ in range(3):
        process().count("Ann")
    with away(settings):
        limit = process()
        assert not limit.spent("Ann")
        assert [limit.allows("Ann") for _ in range(4)] == [True, True, True, False]
        assert Tally.objects.get().what == "test Ann"
        assert process().spent("Ann")
    assert process().spent("Ann")


def test_counts_of_the_database_stay_while_the_server_counts(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    limit = process()
    with away(settings):
        limit.count("Ann")
    now[0] += HOUR
    limit.count("Ann")  # tidying up is a commit, which counting there spares
    assert Tally.objects.count() == 1
    settings.NOTICES_URL = ""
    process().count("Ann")
    assert [each.window for each in Tally.objects.all()] == [1_800_003_600]
