"""Tells open pages that a session moved.

Whoever moves a session says `moved` in the transaction that does it. Once that is committed, every stream of the
session is told its version: in this process through memory, in others through PostgreSQL's NOTIFY, which a trigger on
the sessions sends (migration 0008). On SQLite there is one process. Nothing but the number is told. A page that hears
of a higher version than its own asks for itself again, and the gate that every page has decides what it gets; so a
stream needs no database, only the token in its address.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.db import connection, transaction
from django.urls import reverse

logger = logging.getLogger(__name__)

CHANNEL: Final = "ofcscore_live"
"""On which processes that share a PostgreSQL database tell each other."""

LIFETIME: Final = 10 * 60
"""Seconds for which a stream may be opened with the token of a page; a page that comes later is given another one."""

MOST_STREAMS: Final = 5000
"""In one process, 12 KiB each. Whoever comes after them polls."""

MOST_OF_A_LINK: Final = 100
"""Of these, so that a guest cannot take the room of all others."""

_SALT = "scoring.live"


def address(public_id: str, link: str) -> str:
    """Where a page of this session follows it; ``link`` is the public id of the link that opened the page (see `end`).

    The page adds ``&after=`` and the version that it shows.
    """
    token = signing.dumps([public_id, link], salt=_SALT)
    return f"{reverse('table', args=[public_id])}live?{urlencode({'token': token})}"


def admitted(public_id: str, token: str) -> str | None:
    """The link that this token stands for; None if it is not a token, too old, or another session's."""
    try:
        session, link = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return str(link) if session == public_id else None


# --- Told by the write path -------------------------------------------------------------------------------------------


def moved(public_id: str, version: int) -> None:
    """Say within a transaction that it takes the session to this version.

    To this process: the others hear it from the database, where the session's row has that version or is gone.
    """
    _tell_here({"session": public_id, "version": version})


def entered(public_id: str, drafts: str) -> None:
    """Say within a transaction that rows of the hand that is being entered were sent.

    ``drafts`` is their version, so that the page that sent them knows its own and need not ask for it.
    """
    _tell({"session": public_id, "drafts": drafts})


def end(link: str) -> None:
    """Say within a transaction that this link opens nothing any more: the streams of its pages end, in every session.

    Their pages come back, ask the gate, and are refused there; what they open with the tokens that they still have is
    over as it begins.
    """
    _tell({"link": link})


def _tell(message: dict[str, Any]) -> None:
    if not settings.ON_SQLITE:
        with connection.cursor() as cursor:  # in the transaction: sent if it commits, and then for certain
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(message)])
    _tell_here(message)


def _tell_here(message: dict[str, Any]) -> None:
    transaction.on_commit(partial(hub.hear, message), robust=True)


# --- Heard by the streams ---------------------------------------------------------------------------------------------


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
    told: int = -1
    """The version that it was last told."""
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
        if entered and self.told == self.version:
            return entered.encode()
        self.told = self.version
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


# --- Heard from other processes ---------------------------------------------------------------------------------------

LISTENER: Final = "ofcscore live"
"""What the database calls the connection on which a process listens."""

_RECONNECT: Final = 1.0
_KEEPALIVE: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""A server that vanished is missed within a minute, although this connection has nothing to say to it."""


async def listen(hub: Hub) -> None:
    """Pass on what other processes tell, on one connection of its own that comes back whenever it is lost.

    What was told while nobody listened is made up for by asking where the watched sessions are, and which links were
    revoked.
    """
    import psycopg

    given = connection.get_connection_params()
    ours = {"context", "cursor_factory", "prepare_threshold"}  # of Django's own connections
    terms = {**_KEEPALIVE, **{name: given[name] for name in given if name not in ours}, "application_name": LISTENER}
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**terms, autocommit=True) as ear:
                await ear.execute(f"LISTEN {CHANNEL}")
                found = await ear.execute(
                    "SELECT public_id, version FROM scoring_session WHERE public_id = ANY(%s)", [hub.sessions]
                )
                for public_id, version in await found.fetchall():
                    hub.hear({"session": public_id, "version": version})
                found = await ear.execute(
                    "SELECT public_id FROM scoring_link WHERE revoked_at IS NOT NULL"
                    " AND (public_id = ANY(%s) OR revoked_at > now() - make_interval(secs => %s))",
                    [hub.links, LIFETIME],
                )
                for (link,) in await found.fetchall():
                    hub.hear({"link": link})
                async for notice in ear.notifies():
                    hub.hear(json.loads(notice.payload))
        except psycopg.OperationalError as error:
            logger.warning("Live pages wait for the database: %s", error)
        await asyncio.sleep(_RECONNECT)


hub: Final = Hub(listener=None if settings.ON_SQLITE else listen)
"""This process's."""
