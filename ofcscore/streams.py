"""Serves event streams on the event loop beside Django's pages, without a thread or a database connection."""

import asyncio
import re
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final
from urllib.parse import parse_qs

import uvicorn

from ofcscore.pages import Message, Receive, Send
from scoring import live

Application = Callable[[Message, Receive, Send], Awaitable[None]]

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
FULL: Final[Message] = {"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"60")]}


class Streams:
    """An ASGI application that opens a stream for a request with a valid token, and passes others to ``pages``.

    So a bad token gets the same 404 from the pages as any address that does not exist.
    """

    def __init__(self, pages: Application, hub: live.Hub, *, beat: float = BEAT) -> None:
        self.pages = pages
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
    link = live.admitted(asked[1], query.get("token", [""])[0])
    if link is None:
        return None
    # A browser that reconnects sends the last event's id in a header. It may be newer than the version in the address.
    last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    return live.Watch(asked[1], link, max(_number(last), _number(query.get("after", [""])[0])))


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

    others = 200
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + others:
        soft = wanted + others if hard == resource.RLIM_INFINITY else min(wanted + others, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, soft - others)


async def _gone(receive: Receive, watch: live.Watch) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watch.end()


class Server(uvicorn.Server):
    """A server that ends all streams when it shuts down, since uvicorn would wait for them until its timeout."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # This runs after uvicorn has stopped accepting connections, so that no stream can follow.
        asyncio.get_running_loop().call_soon(live.local_hub.close)
        await super().shutdown(sockets)
