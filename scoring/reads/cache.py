"""Caches what pages read about a session, once per session version."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Final, TypeVar, cast

from django.core.cache import cache

from scoring.models import Session
from scoring.texts import get_language

T = TypeVar("T")


MOST_SESSIONS: Final = 256
"""How many sessions a process caches per function, some 20 KiB each; it evicts the least recently changed one.

What has words counts once for each language.
"""


_forgetting: list[Callable[[], None]] = []


def forget_cached() -> None:
    """Clear all cached reads and page fragments, so that a measurement starts cold."""
    for each in _forgetting:
        each()
    cache.clear()


def cached_by_version(read: Callable[[Session], T]) -> Callable[[Session], T]:
    """Cache the result of ``read`` for each version of a session; every change to a session raises its version.

    After each deal all phones ask for the same thing at the same moment. They share one object, so callers must not
    change it. Version and value agree, because a page reads both from one snapshot (`scoring.transactions`).
    """
    return _cached(read, lambda: None)


def cached_in_words(read: Callable[[Session], T]) -> Callable[[Session], T]:
    """As `cached_by_version`, for what has words in it: once for each language."""
    return _cached(read, get_language)


def _cached(read: Callable[[Session], T], language: Callable[[], str | None]) -> Callable[[Session], T]:
    known: dict[tuple[str, str | None], tuple[int, T]] = {}
    lock = Lock()
    _forgetting.append(known.clear)

    @wraps(read)
    def found(session: Session) -> T:
        at = session.public_id, language()
        version, what = known.get(at, (None, None))
        if version == session.version:
            return cast("T", what)
        what = read(session)
        with lock:
            known.pop(at, None)
            if len(known) >= MOST_SESSIONS:
                del known[next(iter(known))]
            known[at] = session.version, what
        return what

    return found
