"""Django's WSGI handler on a fixed number of threads, served as an ASGI application.

The event loop does all the waiting. It reads a request's whole body before a thread sees it, and queues the response
for the client to receive at its own pace; a file is read as the client receives it. So a slow phone costs a little
memory, but never occupies a thread, of which there may be only one. A request that waits for something made elsewhere
occupies none either.

Reading, writing and the health check have threads of their own, so that settling a hand never waits for a long page.
"""

import asyncio
import io
import os
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import unquote_to_bytes

from ofcscore.jobs import Job, Jobs
from ofcscore.network import household

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]
Post = Callable[..., None]

FILE_CHUNK = 64 * 1024
DISCARDED = 1024 * 1024
LEFT_OUT = frozenset(
    {
        "CONTENT_LENGTH",  # what came counts, not what was announced
        "RANGE",  # a part of a file would have no descriptor, and nothing here is so long that it is fetched in parts
        "IF_RANGE",
    }
)
"""The headers that no page sees."""
OWN_THREADS = {"/healthz": "health", "/readyz": "figures", "/metrics": "figures"}
"""What answers a monitor does not wait behind pages, and whether the server is alive not behind its database."""
PLAYED = (".mp4", ".webm")
"""Safari plays no video that it cannot ask for in parts. Ours are small enough to wait in memory."""


@dataclass
class Wait:
    """Lets a view answer once something is made: in the WSGI environment as ``ofcscore.wait``.

    If the view sets ``until``, the request is answered a second time when that is done, or after `LONGEST` seconds, and
    the first answer is dropped. ``token`` is what the view wants to remember meanwhile. ``came`` is when the whole
    request had come, in seconds of the monotonic clock.
    """

    until: Future[None] | None = None
    token: str = ""
    came: float = 0

    LONGEST: ClassVar[float] = 2


class FileToSend:
    """The `wsgi.file_wrapper`: hands a response's open file over to the event loop, which reads it."""

    def __init__(self, file: Any, block_size: int = FILE_CHUNK) -> None:
        self.file = file
        self.close: Callable[[], None] = file.close

    def __iter__(self) -> Iterator[bytes]:
        """For a file without a descriptor. All of it waits in memory, so it must be a small one."""
        return iter(partial(self.file.read, FILE_CHUNK), b"")

    def descriptor(self) -> int | None:
        """A descriptor of the file's own, so that the response can be closed at once; None if it has none."""
        try:
            return os.dup(self.file.fileno())
        except (AttributeError, OSError):
            return None


BUSY: tuple[Message, Message] = (
    {"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"5"), (b"content-length", b"0")]},
    {"type": "http.response.body", "body": b"", "more_body": False},
)


class Pages:
    """An ASGI application for `http` scopes that wraps a WSGI handler.

    Of a body longer than `max_body` bytes the handler gets nothing but its length, cut to `max_body + 1`. So it can
    refuse the request with its own message, and nobody can take the beginning of a form for the form. The rest, up to
    `DISCARDED` bytes, is read for clients that send all before they read the answer. Then the connection closes.

    ``threads`` answer requests that read, as many others those that write, one the health check, and one what else an
    operator asks. Among those that wait, requests for which ``is_known`` is true come first. ``full`` is called when
    a request is refused because too many wait.
    """

    def __init__(
        self,
        handler: Callable[..., Iterable[bytes]],
        *,
        threads: int,
        max_body: int,
        is_known: Callable[[str], bool] = bool,
        full: Callable[[], None] = lambda: None,
    ) -> None:
        self.handler = handler
        self.max_body = max_body
        self.is_known = is_known
        self.full = full
        self.jobs = {"reading": Jobs(), "writing": Jobs(), "health": Jobs(), "figures": Jobs()}
        for kind, jobs in self.jobs.items():
            for _ in range(threads if kind in {"reading", "writing"} else 1):
                Thread(target=_work, args=(jobs,), daemon=True).start()  # a stuck page must not hold up the exit

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"pages are served over http, not {scope['type']}")
        read = await self._read(receive)
        if read is None:
            return
        body, whole = read
        # After the whole body, what is received next is that the client leaves. Otherwise it is more of the body, which
        # nobody reads.
        leaving = asyncio.ensure_future(receive()) if whole else asyncio.Future[Message]()
        try:
            await self._serve(scope, body, leaving, send)
        finally:
            leaving.cancel()

    async def _serve(self, scope: Message, body: bytes, leaving: asyncio.Future[Message], send: Send) -> None:
        wait = Wait(came=time.monotonic())
        messages = self._answered(self._environ(scope, body, wait), leaving)
        head = await anext(messages, None)
        if wait.until is not None and head is not None:
            await messages.aclose()
            made = asyncio.wrap_future(wait.until)
            # The handler tells of a failure when it is asked again; asyncio would log that nobody has heard of it.
            made.add_done_callback(lambda made: made.cancelled() or made.exception())
            until: list[asyncio.Future[Any]] = [made, leaving]
            await asyncio.wait(until, timeout=wait.LONGEST, return_when=asyncio.FIRST_COMPLETED)
            messages = self._answered(self._environ(scope, body, wait), leaving)  # the body once more; `wait` remains
            head = await anext(messages, None)
        if head is None:
            return
        if len(body) > self.max_body:
            head["headers"] = [*head["headers"], (b"connection", b"close")]
        await send(head)
        async for message in messages:
            if "file" in message:
                await _send_file(message["file"], send)
            else:
                await send(message)

    def _environ(self, scope: Message, body: bytes, wait: Wait) -> dict[str, Any]:
        return environ(scope, body if len(body) <= self.max_body else b"", wait) | {"CONTENT_LENGTH": str(len(body))}

    async def _answered(self, environ: dict[str, Any], leaving: asyncio.Future[Message]) -> AsyncGenerator[Message]:
        """Lets a thread answer the request. Yields the messages of the response; raises what the handler raised.

        Yields nothing if the client left before a thread took the request.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Queue[Message | BaseException | None] = asyncio.Queue()

        def put(messages: Iterable[Message | BaseException]) -> None:
            for message in messages:
                answer.put_nowait(message)

        def post(*messages: Message | BaseException) -> None:
            loop.call_soon_threadsafe(put, messages)

        job = Job(
            partial(self._answer, environ, post),
            client=household(environ["REMOTE_ADDR"]),
            known=self.is_known(environ.get("HTTP_COOKIE", "")),
        )
        jobs = self.jobs[_kind(environ)]

        def drop(_: asyncio.Future[Message]) -> None:
            if jobs.drop(job):
                answer.put_nowait(None)

        if not jobs.add(job):
            self.full()
            for part in BUSY:
                yield dict(part)
            return
        leaving.add_done_callback(drop)
        try:
            more = True
            while more:
                message = await answer.get()
                if message is None:
                    return
                if isinstance(message, BaseException):
                    raise message  # the server sends a 500, or cuts off a response that has begun
                yield message
                more = message.get("more_body", True)
        finally:
            leaving.remove_done_callback(drop)

    async def _read(self, receive: Receive) -> tuple[bytes, bool] | None:
        """Reads the body. Returns it, cut to `max_body + 1` bytes, and whether it was read to its end.

        Returns None if the client disconnects early.
        """
        body, size = b"", 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunk: bytes = message.get("body", b"")
            size += len(chunk)
            body += chunk[: self.max_body + 1 - len(body)]
            whole = not message.get("more_body")
            if whole or size > self.max_body + DISCARDED:
                return body, whole

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
            if isinstance(chunks, FileToSend) and (file := chunks.descriptor()) is not None:
                post(head, {"type": "http.response.body", "file": file, "more_body": False})
                return
            unsent, last = [head], b""  # WSGI requires the head to wait for the first chunk of the body
            if getattr(chunks, "streaming", True):
                for chunk in chunks:
                    post(*unsent, {"type": "http.response.body", "body": chunk, "more_body": True})
                    unsent = []
            else:  # Django has all of it, and the event loop wakes once
                last = b"".join(chunks)
        finally:
            getattr(chunks, "close", lambda: None)()
        post(*unsent, {"type": "http.response.body", "body": last, "more_body": False})


def _work(jobs: Jobs) -> None:
    while True:
        jobs.take().run()


def _kind(environ: dict[str, Any]) -> str:
    """Which threads answer a request."""
    own = OWN_THREADS.get(environ["PATH_INFO"])
    if own:
        return own
    return "reading" if environ["REQUEST_METHOD"] in {"GET", "HEAD", "OPTIONS"} else "writing"


async def _send_file(descriptor: int, send: Send) -> None:
    """Sends the file as quickly as the client receives it, and closes the descriptor."""
    with open(descriptor, "rb", buffering=0) as file:
        while chunk := file.read(FILE_CHUNK):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def environ(scope: Message, body: bytes, wait: Wait) -> dict[str, Any]:
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
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileToSend,
        "ofcscore.wait": wait,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name:  # could forge the hyphenated name, which a proxy may have vouched for
            continue
        key = name.upper().replace("-", "_")
        if key == "COOKIE":
            # Python's reader of cookies takes quadratic time over backslashes in older releases (CVE-2024-7592). Ours
            # have none; other sites on the same host may set some.
            value = _first_of_each(part for part in value.split(";") if "\\" not in part)
        if key in LEFT_OUT and not (key.endswith("RANGE") and result["PATH_INFO"].endswith(PLAYED)):
            continue
        if key == "CONTENT_TYPE":
            value = _without_parameters(value)
        else:
            key = f"HTTP_{key}"
            value = f"{result[key]},{value}" if key in result else value
        result[key] = value
    return result


def _first_of_each(cookies: Iterable[str]) -> str:
    """The header of these cookies, of which one may have the name of another that is for a shorter path.

    Browsers send the one for the longer path first (RFC 6265, 5.4), and Django would take the last.
    """
    found: dict[str, str] = {}
    for each in cookies:
        found.setdefault(each.partition("=")[0].strip(), each)
    return ";".join(found.values())


def _without_parameters(content_type: str) -> str:
    """The type of a body, of whose parameters only the ``boundary`` is left.

    With another charset, or one in the name of any parameter, Django fails or takes quadratic time, at any address.
    """
    kind, *parameters = content_type.split(";")
    return ";".join([kind, *(each for each in parameters if each.strip().lower().startswith("boundary="))])
