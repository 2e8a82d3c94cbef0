"""Bounds what a client's connections may take from the server: bytes and time for each request, and places.

uvicorn limits neither the time in which a request has to arrive nor the connections of one client, so this module adds
both to its HTTP protocol. It counts and measures; h11 does the parsing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from ofcscore.network import household

HEAD: Final = 16 * 1024
"""The most bytes of a request's head."""
HEADERS: Final = 100
"""The most headers. Thousands of tiny ones fit into a head, and each takes time to read."""
COOKIES: Final = 8 * 1024
"""The most bytes of its cookies. Ours need half of that, in a browser that holds as many links as it can."""
CHUNKS: Final = 1_000
"""The most chunks of a body. A chunk costs the same time whether it carries one byte or thousands."""
PIECE: Final = 4 * 1024
"""The bytes that the parser gets at once, so that it notices early what is too much."""
LINE: Final = 256
"""The same of a body in chunks, and the most bytes of a line there that wait for its end."""

HEAD_SECONDS: Final = 10.0
"""The time for a whole head, from its first byte or from the opening of the connection."""
BODY_SECONDS: Final = 40.0
"""The time for a whole body."""
STEP: Final = 10.0
"""In each of these many seconds a body has to bring `LEAST` bytes."""
LEAST: Final = 1024
UNREAD_SECONDS: Final = 60.0
"""The time in which a client has to receive something of an answer that waits for it."""
LINGER_SECONDS: Final = 1.0
"""The time for which a refused connection still takes what the client sends, since to close earlier could destroy the
answer on its way."""

_NEVER: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|(?<!\r)\n|\r(?=[^\n])")
"""What is in no head: control characters, and half of a line's end.

After many blanks, h11 needs the square of their time to refuse it. In the lines of a body in chunks, too, so it gets
only short ones of those.
"""


class Requests(h11.Connection):
    """h11's reader of requests, stricter where proxies and servers have been known to disagree, and with limits.

    Raises `h11.RemoteProtocolError` with the status to answer.
    """

    chunked = False
    """Whether the body of the request that is being read comes in chunks."""

    _chunks = 0
    _latest = b""  # the last bytes that came, of which h11 may have read a part

    def receive_data(self, data: bytes) -> None:
        """Takes what has arrived, as h11 does."""
        self._latest = self._latest[-3:] + data
        super().receive_data(data)

    def next_event(self) -> Any:
        """The next event, as h11 has it."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.chunked, self._chunks = any(name == b"transfer-encoding" for name, _ in event.headers), 0
            _check(event)
        elif isinstance(event, h11.EndOfMessage) and self.chunked:
            read = self._latest[: len(self._latest) - len(self.trailing_data[0])]
            if event.headers or not read.endswith(b"\r\n\r\n"):
                raise h11.RemoteProtocolError("A chunked body with trailers, or with a bare line feed at its end")
        elif isinstance(event, h11.Data) and event.chunk_end:  # h11 reports no start if a chunk's first byte comes late
            self._chunks += 1
            if self._chunks > CHUNKS:
                raise h11.RemoteProtocolError("Too many chunks", error_status_hint=413)
        return event


def _check(request: h11.Request) -> None:
    names = [name for name, _ in request.headers]
    if b"content-length" in names and b"transfer-encoding" in names:
        raise h11.RemoteProtocolError("A body of two lengths")
    if request.method == b"CONNECT":  # h11 would take what follows for something else than HTTP
        raise h11.RemoteProtocolError("No way through here")
    size = len(request.target) + sum(len(name) + len(value) + 4 for name, value in request.headers)
    cookies = sum(len(value) for name, value in request.headers if name == b"cookie")
    if size > HEAD or cookies > COOKIES:
        raise h11.RemoteProtocolError("Too long a head", error_status_hint=431)


@dataclass(eq=False)
class Places:
    """The open connections: at most ``most`` in all, and ``each`` for one client.

    A client who has as many as they may loses the one that has kept the server waiting longest; so idle connections,
    however many, keep nobody out, not even others at the same address. ``proxies`` speak for many clients and may have
    as many as there are.
    """

    most: int
    each: int
    proxies: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network] = ()
    taken: int = field(default=0, init=False)
    _of: dict[str, dict[Connection, None]] = field(default_factory=dict, init=False)

    def enter(self, connection: Connection) -> bool:
        """Gives the connection a place, or returns False if there is none."""
        theirs = self._of.setdefault(connection.household, {})
        if self.taken >= self.most or (len(theirs) >= self.each and not self._is_proxy(connection)):
            idle = next((each for each in theirs if each.awaits_client), None)
            if idle is None:
                self._forget_if_empty(connection.household)
                return False
            self.leave(idle)
            idle.transport.abort()
        theirs = self._of.setdefault(connection.household, {})
        theirs[connection] = None
        self.taken += 1
        return True

    def leave(self, connection: Connection) -> None:
        """Frees the connection's place, if it has one."""
        theirs = self._of.get(connection.household, {})
        if connection in theirs:
            del theirs[connection]
            self.taken -= 1
        self._forget_if_empty(connection.household)

    def _is_proxy(self, connection: Connection) -> bool:
        address = ipaddress.ip_address(connection.client[0]) if connection.client else None
        return any(address in network for network in self.proxies if address is not None)

    def _forget_if_empty(self, household: str) -> None:
        if not self._of.get(household):
            self._of.pop(household, None)


class Connection(H11Protocol):
    """One connection, which is closed when its client takes more than its share.

    It hardly supports pipelining, which no browser uses: a request that arrives together with the one before is not
    answered. One that arrives during the answer waits, because that answer may be complete for the client already.
    """

    conn: Requests

    def __init__(self, places: Places, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self.conn = Requests(h11.SERVER, max_incomplete_event_size=HEAD)
        self.places = places
        self.household = "unknown"
        self._refused = False
        self._last = b""  # the last bytes of the head so far
        self._lines = 0  # of the head so far, without the empty one
        self._early = b""  # what arrived during the answer
        self._received = 0
        self._reading: object = None  # h11's state that the timer below is for
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    @property
    def awaits_client(self) -> bool:
        """Whether it is the client's turn: to send a request, or the rest of one, or to receive more of an answer."""
        sends = not self._answering or self.conn.their_state is h11.SEND_BODY
        return self._refused or sends or self.flow.write_paused

    @property
    def _answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Asyncio calls this when a client has connected."""
        super().connection_made(transport)
        self.household = household(self.client[0] if self.client else "") or "unknown"
        self._expect_receipt()
        if self.places.enter(self):
            self._time()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Asyncio calls this when the connection has ended."""
        self.places.leave(self)
        self._stop("_timer")
        self._stop("_unread")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Asyncio calls this with what has arrived."""
        if self._answering and self.conn.their_state is not h11.SEND_BODY:
            self._early += data
            if len(self._early) > HEAD:
                self._close_after_the_answer()
            return
        start = 0
        while start < len(data):
            if self._refused or self.transport.is_closing():
                return
            start += self._feed(data[start : start + (LINE if self._in_chunks else PIECE)])
        self._time()

    @property
    def _in_chunks(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY and self.conn.chunked

    def _feed(self, piece: bytes) -> int:
        """Reads this piece, or as much of it as belongs to a head, and returns how many bytes that is."""
        skipped = 0
        if self.conn.their_state is h11.IDLE:
            skipped = 0 if self._last else len(piece) - len(piece.lstrip(b"\r\n"))  # empty lines may precede a request
            piece = piece[skipped:]
            if not piece:  # which h11 would take for the end of the connection
                return skipped
            known, seen = len(self._last), self._last + piece
            end = seen.find(b"\r\n\r\n")
            if end >= 0:
                seen = seen[: end + 4]
                piece = seen[known:]
            if _NEVER.search(seen, max(known - 1, 0)):
                self._refuse(HTTPStatus.BAD_REQUEST)
                return len(piece)
            self._lines += seen.count(b"\n", known) - (end >= 0)
            if self._lines > 1 + HEADERS:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return len(piece)
            self._last = seen[-3:]
        self._received += len(piece)
        super().data_received(piece)
        if self._in_chunks and not self._refused and len(self.conn.trailing_data[0]) > LINE:
            self._refuse(HTTPStatus.BAD_REQUEST)
        if self.conn.their_state is not h11.IDLE:
            self._last, self._lines = b"", 0
        # Not only in the state DONE: a client that offers to switch the protocol has sent its whole request, too.
        whole = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        if self._answering and whole and self.conn.trailing_data[0]:
            self._close_after_the_answer()
        return skipped + len(piece)

    def _close_after_the_answer(self) -> None:
        self.cycle.keep_alive = False
        self._early = b""

    # --- Time ---------------------------------------------------------------------------------------------------------

    def _time(self) -> None:
        """Starts the timer for what the client has to send now, unless it is running."""
        state = self.conn.their_state
        if state is self._reading or self._refused or self.transport.is_closing():
            return
        self._stop("_timer")
        self._reading = state
        if state is h11.IDLE:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._too_slow)
        elif state is h11.SEND_BODY:
            self._expect_more(self.loop.time() + BODY_SECONDS)

    def _expect_more(self, until: float) -> None:
        self._received = 0

        def check() -> None:
            if self.loop.time() >= until or self._received < LEAST:
                self._too_slow()
            else:
                self._expect_more(until)

        self._timer = self.loop.call_later(STEP, check)

    def _too_slow(self) -> None:
        if self.awaits_client:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def on_response_complete(self) -> None:
        """Uvicorn calls this after an answer, and gives the client a few seconds for the next request."""
        self._reading = None
        self._stop("_timer")
        self._expect_receipt()
        unread = self.conn.their_state is h11.SEND_BODY
        super().on_response_complete()
        if unread and not self.transport.is_closing():
            # h11 would take the next head out of the same bytes as the rest of this body, before `_feed` sees it.
            self._take_no_more(self.transport.close)
        early, self._early = self._early, b""
        if early and not self.transport.is_closing():
            self.data_received(early)

    def pause_writing(self) -> None:
        """Asyncio calls this when so much waits for the client that the app has to wait, too."""
        super().pause_writing()
        self._expect_receipt()

    def resume_writing(self) -> None:
        """Asyncio calls this when the client has received most of what waited."""
        super().resume_writing()
        self._expect_receipt()

    def _expect_receipt(self) -> None:
        """Gives the client time, from now, to receive something of what waits for it.

        Asyncio closes no connection before all is received, and says nothing of the last 64 KiB. So there is always
        such a timer, which notes how much waits whenever nothing more will be added to it.
        """
        self._stop("_unread")
        waits = self.transport.get_write_buffer_size()

        def check() -> None:
            more_to_come = self._answering and not (self.flow.write_paused or self.transport.is_closing())
            if more_to_come or not waits or self.transport.get_write_buffer_size() < waits:
                self._expect_receipt()
            else:
                self.transport.abort()

        self._unread = self.loop.call_later(UNREAD_SECONDS, check)

    def _stop(self, timer: str) -> None:
        running: asyncio.TimerHandle | None = getattr(self, timer)
        if running is not None:
            running.cancel()
            setattr(self, timer, None)

    # --- Refusing -----------------------------------------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        """Uvicorn calls this while it handles h11's error, which may know a better status."""
        error = sys.exception()
        self._refuse(HTTPStatus(getattr(error, "error_status_hint", 400)))

    def _refuse(self, status: HTTPStatus) -> None:
        """Answers with the status alone, if no answer has begun, and closes once the client may have received it."""
        if self._answering:
            self.cycle.disconnected = True  # so that the app stops reading the request
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.abort()
            return
        headers = [("connection", "close"), ("content-length", "0")]
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            headers.append(("retry-after", "10"))
        answer = h11.Response(status_code=status, headers=headers, reason=status.phrase)
        self.transport.write((self.conn.send(answer) or b"") + (self.conn.send(h11.EndOfMessage()) or b""))
        self._take_no_more(self.transport.abort)

    def _take_no_more(self, then: Callable[[], None]) -> None:
        """Ends this side of the connection, and passes over what still comes until the client may have the answer."""
        self.transport.write_eof()
        self._refused = True
        self._stop("_timer")
        self._timer = self.loop.call_later(LINGER_SECONDS, then)


def protocol(places: Places) -> Any:
    """What uvicorn's ``http`` setting takes: makes a `Connection` with one of these places."""
    return partial(Connection, places)
