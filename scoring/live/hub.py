"""The open streams of this process."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.live.tokens import LIFETIME

MOST_STREAMS: Final = 5000
"""The most streams in one process, at 12 KiB each. A page that finds no room polls instead."""


MOST_OF_A_LINK: Final = 100
"""The most streams opened by one link, so that one guest cannot crowd out everyone else."""


@dataclass(eq=False, slots=True)
class Watch:
    """One open stream of a session, opened by a link (both by public id).

    ``version``: the newest version of the session. ``drafts``: the draft version not yet sent to this client, if any.
    Only the newest of each is kept, so a slow client skips what came in between.
    """

    session: str
    link: str
    version: int
    drafts: str = ""
    last_sent: int = -1
    """The session's version that was last sent to the client."""
    ended: bool = False
    stirred: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, version: int) -> None:
        """Takes in the session's version, and wakes the stream if it is news."""
        if version > self.version:
            self.version = version
            self.stirred.set()

    def hear_of_drafts(self, version: str) -> None:
        """Takes in the version of the drafts for the deal being entered, and wakes the stream."""
        self.drafts = version
        self.stirred.set()

    def news(self) -> bytes:
        """The next event for the client, as bytes of the stream.

        If only drafts changed, it leaves the session's version out, so that the page makes one request, not two.
        """
        drafts, self.drafts = self.drafts, ""
        entered = f"event: entered\ndata: {drafts}\n\n" if drafts else ""
        if entered and self.last_sent == self.version:
            return entered.encode()
        self.last_sent = self.version
        return f"{entered}id: {self.version}\nevent: moved\ndata: {self.version}\n\n".encode()

    def end(self) -> None:
        """Marks the stream as ended, and wakes it."""
        self.ended = True
        self.stirred.set()


@dataclass(slots=True)
class _Streams:
    """The streams of one session, and the newest version heard of while any of them was open."""

    watches: set[Watch] = field(default_factory=set)
    version: int = 0


class Hub:
    """The open streams of this process, all on one event loop. `hear` and `end` may be called from any thread.

    ``listener`` starts with the first stream, and calls `hear` with the messages of other processes.
    """

    def __init__(
        self, most: int = MOST_STREAMS, listener: Callable[[Hub], Coroutine[Any, Any, None]] | None = None
    ) -> None:
        self.most = most
        self.listener = listener
        self.streams = 0
        self._links: Counter[str] = Counter()
        self._sessions: dict[str, _Streams] = {}
        self._revoked: dict[str, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ear: asyncio.Task[None] | None = None

    def join(self, watch: Watch) -> bool:
        """Adds a stream, and wakes it at once if this hub knows a newer version. Returns False if there is no room."""
        if self.streams >= self.most or self._links[watch.link] >= MOST_OF_A_LINK:
            return False
        self._loop = asyncio.get_running_loop()
        if self.listener and (self._ear is None or self._ear.done()):
            self._ear = self._loop.create_task(self.listener(self))
        self.streams += 1
        self._links[watch.link] += 1
        streams = self._sessions.setdefault(watch.session, _Streams())
        streams.watches.add(watch)
        watch.hear(streams.version)
        if watch.link in self._revoked:
            watch.end()
        return True

    def leave(self, watch: Watch) -> None:
        """Removes a stream that `join` added."""
        self.streams -= 1
        self._links[watch.link] -= 1
        if not self._links[watch.link]:
            del self._links[watch.link]
        streams = self._sessions[watch.session]
        streams.watches.remove(watch)
        if not streams.watches:
            del self._sessions[watch.session]

    @property
    def sessions(self) -> list[str]:
        """The public ids of the sessions that have a stream here."""
        return list(self._sessions)

    @property
    def links(self) -> list[str]:
        """The public ids of the links that opened a stream here."""
        return list(self._links)

    def hear(self, message: dict[str, Any]) -> None:
        """Takes in a message from `telling` in this or another process: a version, drafts or a revoked link."""
        if "version" in message:
            self._on_loop(self._moved, message["session"], message["version"])
        elif "drafts" in message:
            self._on_loop(self._entered, message["session"], message["drafts"])
        else:
            self._revoke(message["link"])
            self.end(lambda watch: watch.link == message["link"])

    def end(self, which: Callable[[Watch], bool]) -> None:
        """Ends the streams of this process that ``which`` selects."""
        self._on_loop(self._end, which)

    def close(self) -> None:
        """Ends every stream and stops the listener. The server calls it on the event loop when it shuts down."""
        self._end(lambda _: True)
        if self._ear is not None:
            self._ear.cancel()

    def _on_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed, so no stream is left
                self._loop.call_soon_threadsafe(function, *arguments)

    def _revoke(self, link: str) -> None:
        """Remembers a revoked link for at least as long as tokens of its pages are valid."""
        now = time.monotonic()
        self._revoked[link] = now
        for each, since in list(self._revoked.items()):
            if now - since >= LIFETIME:
                self._revoked.pop(each, None)

    def _moved(self, session: str, version: int) -> None:
        streams = self._sessions.get(session)
        if streams is not None:
            streams.version = max(streams.version, version)
            for watch in streams.watches:
                watch.hear(version)

    def _entered(self, session: str, drafts: str) -> None:
        streams = self._sessions.get(session)
        for watch in streams.watches if streams else ():
            watch.hear_of_drafts(drafts)

    def _end(self, which: Callable[[Watch], bool]) -> None:
        for streams in self._sessions.values():
            for watch in filter(which, streams.watches):
                watch.end()
