"""Serves event streams on the event loop beside Django's pages, without a thread or a database connection."""

import asyncio
import re
import secrets
import sys
from contextlib import suppress
from typing import Final
from urllib.parse import parse_qs

from ofcscore import network
from ofcscore.demo import DemoPlayer
from ofcscore.pages import Application, Message, Receive, Send
from scoring import live

ADDRESS: Final = re.compile(r"/s/([\w-]+)/live")

BEAT: Final = 15.0
"""Seconds after which a silent stream repeats its session's version, so that the page knows it is alive."""

HEAD: Final[Message] = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store, no-transform"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-accel-buffering", b"no"),  # a proxy must pass on each event at once
    ],
}
OTHERS: Final = 700
"""Open files that are left for all but streams: 500 for other connections, and the rest for the database and files."""

FULL: Final[Message] = {"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"60")]}


class Streams:
    """An ASGI application that opens a stream for a request with a valid token, and passes others to ``pages``.

    So a bad token gets the same 404 from the pages as any address that does not exist.
    """

    def __init__(self, pages: Application, hub: live.Hub, *, beat: float = BEAT) -> None:
        self.pages = pages
        self.demo = DemoPlayer(hub)
        self.hub = hub
        self.beat = beat

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        watch = admitted(scope)
        if watch is None:
            await self.pages(scope, receive, send)
        elif not self.hub.join(watch):
            await send(FULL)
            await send(body(b"", more=False))
        else:
            self.demo.look(watch)
            gone = asyncio.create_task(_gone(receive, watch))
            try:
                await self._stream(watch, send)
            finally:
                gone.cancel()
                self.hub.leave(watch)

    async def _stream(self, watch: live.Watch, send: Send) -> None:
        await send(HEAD)
        # The random delay keeps phones that lost the same server from all reconnecting at once.
        await send(body(b"retry: %d\n\n" % (1000 + secrets.randbelow(2000))))
        while not watch.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.beat):
                    await watch.stirred.wait()
            watch.stirred.clear()
            if not watch.ended:
                await send(body(watch.news()))
        await send(body(b"", more=False))


def admitted(scope: Message) -> live.Watch | None:
    """Checks a request for a stream. Returns None if it is no such request, or its token is invalid."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    asked = ADDRESS.fullmatch(scope["path"])
    if asked is None:
        return None
    query = parse_qs(scope["query_string"].decode("latin-1"))
    admitted = live.admitted(asked[1], query.get("token", [""])[0])
    if admitted is None:
        return None
    client, _ = scope.get("client") or ("", 0)
    # A browser that reconnects sends the last event's id in a header. It may be newer than the version in the address.
    last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    after = max(_number(last), _number(query.get("after", [""])[0]))
    return live.Watch(asked[1], admitted.link, after, admitted.club, network.household(client))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= 10 else 0


def body(data: bytes, *, more: bool = True) -> Message:
    """Makes the ASGI message for a piece of a response's body."""
    return {"type": "http.response.body", "body": data, "more_body": more}


def room(wanted: int) -> int:
    """Raises this process's limit of open files for ``wanted`` streams. Returns how many it then has room for.

    Each stream takes one file. The initial limit is often about a thousand, and pages need some of them.
    """
    if sys.platform == "win32":
        return wanted
    import resource  # exists on Unix only

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + OTHERS:
        soft = wanted + OTHERS if hard == resource.RLIM_INFINITY else min(wanted + OTHERS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(min(wanted, soft - OTHERS), soft // 2)


async def _gone(receive: Receive, watch: live.Watch) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watch.end()
