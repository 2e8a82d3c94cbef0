"""The open streams of this process."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings

from scoring.live.tokens import LIFETIME

MOST_STREAMS: Final = 5000
"""The most streams in one process, at 12 KiB each. A page that finds no room polls instead."""


MOST_OF_A_LINK: Final = 100
"""The most streams opened by one link, so that one guest cannot crowd out everyone else."""


@dataclass(eq=False, slots=True)
class Watch:
    """One open stream of a session, opened by a link (both by public id) of a ``club`` (its mark in the token).

    ``client`` is the address or household that opened it, empty if unknown.
    ``version``: the newest version of the session. ``drafts``: the draft version not yet sent to this client, if any.
    Only the newest of each is kept, so a slow client skips what came in between.
    """

    session: str
    link: str
    version: int
    club: str = ""
    client: str = ""
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
class _SessionStreams:
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
        self.joined = 0
        """How many streams were ever added, for a listener that looks whether there is anything new to look up."""
        self._of: dict[str, Counter[str]] = {"link": Counter(), "club": Counter(), "client": Counter()}
        self._sessions: dict[str, _SessionStreams] = {}
        self._ended: dict[str, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ear: asyncio.Task[None] | None = None

    def join(self, watch: Watch) -> bool:
        """Adds a stream, and wakes it at once if this hub knows a newer version. Returns False if there is no room."""
        if self.streams >= self.most or self._crowds_out(watch):
            return False
        self._loop = asyncio.get_running_loop()
        if self.listener and (self._ear is None or self._ear.done()):
            self._ear = self._loop.create_task(self.listener(self))
        self.streams += 1
        self.joined += 1
        for kind, counts in self._of.items():
            counts[getattr(watch, kind)] += 1
        streams = self._sessions.setdefault(watch.session, _SessionStreams())
        streams.watches.add(watch)
        watch.hear(streams.version)
        if watch.link in self._ended or watch.session in self._ended:
            watch.end()
        return True

    def _crowds_out(self, watch: Watch) -> bool:
        """Whether its link, its club or its address has as many streams as one may have. One that is unknown may."""
        most = {
            "link": MOST_OF_A_LINK,
            "club": settings.STREAMS_PER_CLUB,
            "client": settings.STREAMS_PER_ADDRESS,
        }
        return any(
            0 < most[kind] <= counts[getattr(watch, kind)] for kind, counts in self._of.items() if getattr(watch, kind)
        )

    def leave(self, watch: Watch) -> None:
        """Removes a stream that `join` added."""
        self.streams -= 1
        for kind, counts in self._of.items():
            who = getattr(watch, kind)
            counts[who] -= 1
            if not counts[who]:
                del counts[who]
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
        return list(self._of["link"])

    def hear(self, message: dict[str, Any]) -> None:
        """Takes in a message from `telling` in this or another process.

        It is a version, drafts, a session that was deleted, or a link that was revoked.
        """
        if "version" in message:
            self._on_loop(self._moved, message["session"], message["version"])
        elif "drafts" in message:
            self._on_loop(self._entered, message["session"], message["drafts"])
        elif "gone" in message:
            self._end_for_good(message["session"])
            self.end(lambda watch: watch.session == message["session"])
        else:
            self._end_for_good(message["link"])
            self.end(lambda watch: watch.link == message["link"])

    def hear_text(self, text: str | bytes) -> None:
        """Takes in a message of another process, in JSON. What is none of ours says nothing, and does no harm."""
        with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.hear(json.loads(text))

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

    def _end_for_good(self, public_id: str) -> None:
        """Remembers a revoked link or a deleted session for at least as long as tokens of its pages are valid."""
        now = time.monotonic()
        self._ended[public_id] = now
        for each, since in list(self._ended.items()):
            if now - since >= LIFETIME:
                self._ended.pop(each, None)

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
