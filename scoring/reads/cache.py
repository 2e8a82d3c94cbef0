"""What pages read of a session, found once for each of its versions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Final, TypeVar, cast

from django.core.cache import cache

from scoring.models import Session

T = TypeVar("T")


KEPT: Final = 256
"""Sessions of which a process remembers what it found, some 20 KiB each; the one that did not move for longest goes."""


_forgetting: list[Callable[[], None]] = []


def forget_cached() -> None:
    """Forget what is kept of all sessions, parts of pages too, for whoever measures what finding it takes."""
    for each in _forgetting:
        each()
    cache.clear()


def cached_by_version(read: Callable[[Session], T]) -> Callable[[Session], T]:
    """What ``read`` finds in a session, found once for each version: whatever moves a session makes it another one.

    After each hand all phones ask for the same at the same moment. What they get is the same object, and only to be
    read. Of a session that is moving just then it may be what the next version has, which is asked for next.
    """
    known: dict[str, tuple[int, T]] = {}
    lock = Lock()
    _forgetting.append(known.clear)

    @wraps(read)
    def found(session: Session) -> T:
        version, what = known.get(session.public_id, (None, None))
        if version == session.version:
            return cast("T", what)
        what = read(session)
        with lock:
            known.pop(session.public_id, None)
            if len(known) >= KEPT:
                del known[next(iter(known))]
            known[session.public_id] = session.version, what
        return what

    return found
