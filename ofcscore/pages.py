"""Django's WSGI handler on a fixed number of threads, served as an ASGI application.

The event loop does all the waiting. It reads a request's whole body before a thread sees it, and queues the response
for the client to receive at its own pace. So a slow phone costs a little memory, but never occupies a thread, of which
there may be only one.
"""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import unquote_to_bytes

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Post = Callable[[Message | BaseException], None]


class Pages:
    """An ASGI application for `http` scopes that wraps a WSGI handler.

    Of a body longer than `max_body` bytes the handler gets only the first `max_body + 1`. So it can tell, and refuse
    the request with its own message. The rest is read and discarded.
    """

    def __init__(self, handler: Callable[..., Iterable[bytes]], *, threads: int, max_body: int) -> None:
        self.handler = handler
        self.max_body = max_body
        self.jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        for _ in range(threads):
            Thread(target=self._work, daemon=True).start()  # daemon: a stuck page must not hold up the exit

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"pages are served over http, not {scope['type']}")
        body = await self._read(receive)
        if body is None:
            return
        loop = asyncio.get_running_loop()
        answer: asyncio.Queue[Message | BaseException] = asyncio.Queue()

        def post(message: Message | BaseException) -> None:
            loop.call_soon_threadsafe(answer.put_nowait, message)

        self.jobs.put(partial(self._answer, environ(scope, body), post))
        more = True
        while more:
            message = await answer.get()
            if isinstance(message, BaseException):
                raise message  # the server sends a 500, or cuts off a response that has begun
            await send(message)
            more = message["type"] == "http.response.start" or message["more_body"]

    async def _read(self, receive: Receive) -> bytes | None:
        """Reads the body, cut off after `max_body + 1` bytes. Returns None if the client disconnects early."""
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunk: bytes = message.get("body", b"")
            body += chunk[: self.max_body + 1 - len(body)]
            if not message.get("more_body"):
                return body

    def _work(self) -> None:
        while True:
            self.jobs.get()()

    def _answer(self, environ: dict[str, Any], post: Post) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server is shutting down, so no client waits
            try:
                self._run(environ, post)
            except BaseException as error:  # noqa: BLE001 - whatever it is, the waiting request must learn of it
                post(error)

    def _run(self, environ: dict[str, Any], post: Post) -> None:
        head: Message = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], _exc_info: object = None) -> None:
            head["status"] = int(status[:3])
            # Django puts a space before the value of Set-Cookie; in HTTP it is no part of the value.
            head["headers"] = [(name.encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]

        chunks = self.handler(environ, start_response)
        try:
            unsent = [head]  # WSGI requires the head to wait for the first chunk of the body
            for chunk in chunks:
                for message in [*unsent, {"type": "http.response.body", "body": chunk, "more_body": True}]:
                    post(message)
                unsent = []
        finally:
            getattr(chunks, "close", lambda: None)()
        for message in [*unsent, {"type": "http.response.body", "body": b"", "more_body": False}]:
            post(message)


def environ(scope: Message, body: bytes) -> dict[str, Any]:
    """Builds the WSGI environment for an ASGI `http` scope whose body has been read."""
    server, port = scope.get("server") or ("localhost", 80)
    client, _ = scope.get("client") or ("", 0)
    result = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": client,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name:  # could forge the hyphenated name, which a proxy may have vouched for
            continue
        key = name.upper().replace("-", "_")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
            value = f"{result[key]},{value}" if key in result else value
        result[key] = value
    return result
