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
"""In one process, 12 KiB each. Whoever comes after them polls."""


MOST_OF_A_LINK: Final = 100
"""Of these, so that a guest cannot take the room of all others."""


@dataclass(eq=False, slots=True)
class Watch:
    """One open stream: which session, opened by which link, and the newest version that its page has to know; that of
    the hand that is being entered, too, as long as it has not been told.

    A stream that is slow to be sent skips what came in between: there is only the newest.
    """

    session: str
    link: str
    version: int
    drafts: str = ""
    last_sent: int = -1
    """The version that it was last sent."""
    ended: bool = False
    stirred: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, version: int) -> None:
        """The session is at this version."""
        if version > self.version:
            self.version = version
            self.stirred.set()

    def hear_of_drafts(self, version: str) -> None:
        """The hand that is being entered is at this version."""
        self.drafts = version
        self.stirred.set()

    def news(self) -> bytes:
        """What its page is to be told now; of rows that were sent no more than that, so that it asks but once."""
        drafts, self.drafts = self.drafts, ""
        entered = f"event: entered\ndata: {drafts}\n\n" if drafts else ""
        if entered and self.last_sent == self.version:
            return entered.encode()
        self.last_sent = self.version
        return f"{entered}id: {self.version}\nevent: moved\ndata: {self.version}\n\n".encode()

    def end(self) -> None:
        """The stream is over."""
        self.ended = True
        self.stirred.set()


@dataclass(slots=True)
class _Table:
    """The streams of one session, and the newest version that was heard of while there were any."""

    watches: set[Watch] = field(default_factory=set)
    version: int = 0


class Hub:
    """The open streams of this process, all on one event loop. `hear` and `end` may be called from any thread.

    ``listener`` runs beside the streams from the first one on, and says `hear` for what other processes tell.
    """

    def __init__(
        self, most: int = MOST_STREAMS, listener: Callable[[Hub], Coroutine[Any, Any, None]] | None = None
    ) -> None:
        self.most = most
        self.listener = listener
        self.streams = 0
        self._links: Counter[str] = Counter()
        self._tables: dict[str, _Table] = {}
        self._revoked: dict[str, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ear: asyncio.Task[None] | None = None

    def join(self, watch: Watch) -> bool:
        """Take the stream in, and tell it at once if it is behind what is known here. False if there is no room."""
        if self.streams >= self.most or self._links[watch.link] >= MOST_OF_A_LINK:
            return False
        self._loop = asyncio.get_running_loop()
        if self.listener and (self._ear is None or self._ear.done()):
            self._ear = self._loop.create_task(self.listener(self))
        self.streams += 1
        self._links[watch.link] += 1
        table = self._tables.setdefault(watch.session, _Table())
        table.watches.add(watch)
        watch.hear(table.version)
        if watch.link in self._revoked:
            watch.end()
        return True

    def leave(self, watch: Watch) -> None:
        """Forget a stream that `join` took in."""
        self.streams -= 1
        self._links[watch.link] -= 1
        if not self._links[watch.link]:
            del self._links[watch.link]
        table = self._tables[watch.session]
        table.watches.remove(watch)
        if not table.watches:
            del self._tables[watch.session]

    @property
    def sessions(self) -> list[str]:
        """Those that anybody is watching here."""
        return list(self._tables)

    @property
    def links(self) -> list[str]:
        """Those by which anybody is watching here."""
        return list(self._links)

    def hear(self, message: dict[str, Any]) -> None:
        """What `moved`, `entered` or `end` told, here or in another process."""
        if "version" in message:
            self._on_loop(self._moved, message["session"], message["version"])
        elif "drafts" in message:
            self._on_loop(self._entered, message["session"], message["drafts"])
        else:
            self._revoke(message["link"])
            self.end(lambda watch: watch.link == message["link"])

    def end(self, which: Callable[[Watch], bool]) -> None:
        """End the streams of this process for which ``which`` holds."""
        self._on_loop(self._end, which)

    def close(self) -> None:
        """End every stream, and the connection on which this process listens. On the loop, when the server stops."""
        self._end(lambda _: True)
        if self._ear is not None:
            self._ear.cancel()

    def _on_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody is watching any more
                self._loop.call_soon_threadsafe(function, *arguments)

    def _revoke(self, link: str) -> None:
        """Remember it at least as long as there may be tokens of its pages."""
        now = time.monotonic()
        self._revoked[link] = now
        for each, since in list(self._revoked.items()):
            if now - since >= LIFETIME:
                self._revoked.pop(each, None)

    def _moved(self, session: str, version: int) -> None:
        table = self._tables.get(session)
        if table is not None:
            table.version = max(table.version, version)
            for watch in table.watches:
                watch.hear(version)

    def _entered(self, session: str, drafts: str) -> None:
        table = self._tables.get(session)
        for watch in table.watches if table else ():
            watch.hear_of_drafts(drafts)

    def _end(self, which: Callable[[Watch], bool]) -> None:
        for table in self._tables.values():
            for watch in filter(which, table.watches):
                watch.end()
