"""The server of Redis or Valkey that `NOTICES_URL` names, as threads ask it: quickly, or not at all.

Nothing that it holds is needed. Who cannot ask it goes to the database instead, or leaves the page to catch up.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.conf import settings

if TYPE_CHECKING:
    import redis

T = TypeVar("T")

logger = logging.getLogger(__name__)

SECONDS: Final = 0.25
"""The longest that a thread waits for it."""

REST: Final = 1.0
"""The seconds for which nobody asks it again after it did not answer, so that not every thread waits in vain."""


class Away(Exception):  # noqa: N818 - a state of another server, which its askers expect
    """It does not answer, or did not a moment ago."""


def ask(command: Callable[[redis.Redis], T]) -> T:
    """The answer to this command. Raises `Away`."""
    global _rests_until  # noqa: PLW0603 - one server, so one state of it in this process
    if time.monotonic() < _rests_until:
        raise Away
    import redis

    try:
        return command(_client())
    except (redis.RedisError, OSError) as error:
        _rests_until = time.monotonic() + REST
        complain(error)
        raise Away from error


def answers() -> bool:
    """Whether it answers a command now. The log hears nothing of it."""
    import redis

    try:
        return bool(_client().ping())
    except (redis.RedisError, OSError):
        return False


def complain(error: Exception) -> None:
    """Says in the log, which takes a line like it once a minute, that it cannot be reached, and what that means."""
    logger.warning(
        "The server of NOTICES_URL does not answer, so pages hear of changes some seconds late: %s",
        type(error).__name__,
    )


def forget() -> None:
    """Forgets the connections and that it did not answer, so that the next command asks it."""
    global _rests_until  # noqa: PLW0603
    _rests_until = 0.0
    _client.cache_clear()


def channel() -> str:
    """The channel of this deployment. Databases of one server share their channels, so each has a name of its own."""
    return f"ofcscore_live:{terms().get('db', 0)}"


def terms() -> dict[str, Any]:
    """What the address says: host, port, database, user, password."""
    return _read(settings.NOTICES_URL)


def is_address(url: str) -> bool:
    """Whether this is an address of a server of Redis."""
    try:
        _read(url)
    except ValueError:
        return False
    return True


def _read(url: str) -> dict[str, Any]:
    from redis.connection import parse_url

    return dict(parse_url(url))  # type: ignore[no-untyped-call]  # redis gives it no types


def fingerprint() -> str:
    """Which server and which database of it the address names, the same for each spelling of it.

    It has no password and no name of a host, because everybody may read it who reads the database.
    """
    named = terms()
    place = named.get("path") or f"{named.get('host', 'localhost').lower()}:{named.get('port', 6379)}"
    return hashlib.sha256(f"{place}/{named.get('db', 0)}".encode()).hexdigest()[:32]


@cache
def _client() -> redis.Redis:
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    once = Retry(NoBackoff(), 0)
    return redis.Redis.from_url(
        settings.NOTICES_URL, socket_timeout=SECONDS, socket_connect_timeout=SECONDS, retry=once
    )


_rests_until = 0.0
