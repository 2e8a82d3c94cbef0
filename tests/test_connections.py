"""What a connection may take from the server, in bytes, in time and in places."""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import h11
import pytest
import uvicorn
from uvicorn.server import ServerState

from ofcscore import connections
from ofcscore.connections import CHUNKS, COOKIES, HEAD, HEADERS, LINE, Connection, Places, Requests, protocol
from ofcscore.pages import Message, Receive, Send

LOCAL = [ipaddress.ip_network("127.0.0.0/8")]
OK = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
BLANKS = b" " * 9000


class App:
    """An ASGI application that reads the body, and answers when it may."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.body = b"ok"

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.asked.append(scope["path"])
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            if not message["more_body"]:
                break
        await asyncio.to_thread(self.may_answer.wait)
        length = str(len(self.body)).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": self.body[:-1], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[-1:]})


@pytest.fixture
def app() -> App:
    return App()


@contextmanager
def served(app: App, places: Places | None = None, sends: int = 0) -> Generator[int]:
    """The port of a server with this app and these places. ``sends`` limits what the kernel holds of answers."""
    http = protocol(places or Places(100, 100))
    server = uvicorn.Server(
        uvicorn.Config(app, http=http, lifespan="off", log_config=None, timeout_graceful_shutdown=1)
    )
    listener = socket.create_server(("127.0.0.1", 0))
    if sends:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, sends)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        app.may_answer.set()
        server.should_exit = True
        thread.join()


@pytest.fixture
def port(app: App) -> Iterator[int]:
    with served(app) as found:
        yield found


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def rest(of: socket.socket) -> bytes:
    """All that comes until the server closes."""
    received = b""
    with suppress(ConnectionResetError):
        while more := of.recv(65536):
            received += more
    return received


def whole(of: socket.socket, app: App) -> bytes:
    """One answer of the app, head and body."""
    received = b""
    while not received.endswith(b"\r\n\r\n" + app.body):
        received += of.recv(65536)
    return received


def status(of: socket.socket) -> int:
    """The status of the next answer; 0 if the server closes without one."""
    with suppress(ConnectionResetError):
        line = of.recv(65536)
        return int(line.split()[1]) if line else 0
    return 0


def asked(port: int, *pieces: bytes) -> int:
    """The status that a request in these pieces gets."""
    with connected(port) as client:
        with suppress(BrokenPipeError, ConnectionResetError):
            for piece in pieces:
                client.sendall(piece)
        return status(client)


def with_head(name: str, size: int) -> bytes:
    return f"GET / HTTP/1.1\r\nHost: a\r\n{name}: {'x' * size}\r\n\r\n".encode()


def with_headers(number: int) -> bytes:
    return b"GET / HTTP/1.1\r\nHost: a\r\n" + b"a: b\r\n" * (number - 1) + b"\r\n"


def chunked(body: bytes) -> bytes:
    return b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body


@pytest.mark.parametrize(
    ("request_", "answer"),
    {
        "a head of ordinary length": (with_head("X-Long", HEAD - 200), 200),
        "a head that is too long": (with_head("X-Long", HEAD), 431),
        "a head that would never end": (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * (HEAD + 5000), 431),
        "many headers": (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"a: b\r\n" * 3000 + b"\r\n", 431),
        "as many headers as there may be": (with_headers(HEADERS), 200),
        "one header more": (with_headers(HEADERS + 1), 431),
        "one header more, and no end yet": (with_headers(HEADERS + 1).removesuffix(b"\r\n"), 431),
        "a tunnel to elsewhere": (b"CONNECT other:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        "a long address": (b"GET /" + b"x" * HEAD + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431),
        "cookies as many as ours": (with_head("Cookie", COOKIES), 200),
        "more cookies": (with_head("Cookie", COOKIES + 1), 431),
        "a body of two lengths": (
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
        ),
        "two lengths": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", 400),
        "lines that end with a line feed alone": (b"GET / HTTP/1.1\nHost: a\n\n", 400),
        "one line that ends so": (b"GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", 400),
        "the same after empty lines": (b"\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", 400),
        "empty lines before a request": (b"\r\n\r\n" + OK, 200),
        "many empty lines": (b"\r\n" * 10_000 + OK, 200),
        "line feeds in a body": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\n\n\n\n", 200),
        "a chunked body": (chunked(b"3\r\nabc\r\n0\r\n\r\n"), 200),
        "a chunked body without a byte": (chunked(b"0\r\n\r\n"), 200),
        "a chunked body whose empty line ends with a line feed alone": (chunked(b"3\r\nabc\r\n0\r\n\n"), 400),
        "a chunk's line that ends so": (chunked(b"3\nabc\r\n0\r\n\r\n"), 400),
        "trailers": (chunked(b"3\r\nabc\r\n0\r\nX: y\r\n\r\n"), 400),
        "trailers whose lines end so": (chunked(b"3\r\nabc\r\n0\r\nX: y\n\n"), 400),
        "a body in chunks of a byte": (chunked(b"1\r\na\r\n" * (CHUNKS + 1)), 413),
        "a control character behind blanks": (OK.removesuffix(b"\r\n") + b"X:" + BLANKS + b"\0\r\n\r\n", 400),
        "another": (OK.removesuffix(b"\r\n") + b"X:" + b"\t" * 9000 + b"\x0b\r\n\r\n", 400),
        "half a line's end behind blanks": (OK.removesuffix(b"\r\n") + b"X:" + BLANKS + b"\ra\r\n\r\n", 400),
        "blanks": (OK.removesuffix(b"\r\n") + b"X:" + BLANKS + b"\t\r\n\r\n", 200),
        "a long line of a chunk": (chunked(b"1;" + BLANKS + b"\r\na\r\n0\r\n\r\n"), 400),
        "a long line after the last chunk": (chunked(b"0\r\nX:" + BLANKS + b"\r\n\r\n"), 400),
        "a line of a chunk": (chunked(b"1;name=value\r\na\r\n0\r\n\r\n"), 200),
        "a long chunk": (chunked(b"c350\r\n" + b"a" * 0xC350 + b"\r\n0\r\n\r\n"), 200),
        "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
    }.values(),
)
def test_what_is_too_much_or_ambiguous_is_refused(port: int, request_: bytes, answer: int) -> None:
    assert asked(port, request_) == answer


@pytest.mark.parametrize(
    "request_",
    [
        OK.removesuffix(b"\r\n") + b"X:" + BLANKS + b"\0\r\n\r\n",
        chunked(b"1;" + BLANKS + b"\n\r\n"),
        chunked(b"0\r\nX:" + BLANKS + b"\0\r\n\r\n"),
        chunked(b"1\r\na\r\n0\r\nX:" + BLANKS + b"\0\r\n\r\n"),
    ],
)
def test_the_parser_never_meets_what_takes_it_long_to_refuse(
    port: int, monkeypatch: pytest.MonkeyPatch, request_: bytes
) -> None:
    """Many blanks before what no line may hold: it takes the square of their time."""
    lines, wanted = [], h11._util.validate

    def validate(regex: Any, data: bytes, *rest: Any) -> Any:
        lines.append(bytes(data))
        return wanted(regex, data, *rest)

    monkeypatch.setattr("h11._readers.validate", validate)
    assert asked(port, request_) == 400
    assert max(map(len, lines), default=0) <= 2 * LINE


def test_a_request_may_come_byte_by_byte(port: int) -> None:
    assert asked(port, *(bytes([byte]) for byte in OK)) == 200
    bare = b"GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"
    assert asked(port, *(bytes([byte]) for byte in bare)) == 400
    for end, answer in ((b"0\r\n\r\n", 200), (b"0\r\n\n", 400), (b"0\r\nX: y\r\n\r\n", 400)):
        assert asked(port, *(bytes([byte]) for byte in chunked(b"3\r\nabc\r\n" + end))) == answer
    for number, answer in ((HEADERS, 200), (HEADERS + 1, 431)):
        assert asked(port, *(bytes([byte]) for byte in with_headers(number))) == answer


def read(request: bytes, size: int) -> None:
    """Let the parser read a request that comes in pieces of this size."""
    requests = Requests(h11.SERVER)
    for start in range(0, len(request), size):
        requests.receive_data(request[start : start + size])
        while requests.next_event() is not h11.NEED_DATA:
            pass


@pytest.mark.parametrize("size", [1, 3, 7, 4096])
def test_chunks_are_counted_however_they_are_cut(size: int) -> None:
    with pytest.raises(h11.RemoteProtocolError, match=r"Too many chunks"):
        read(chunked(b"1\r\na\r\n" * (CHUNKS + 1)), size)


def test_a_connection_serves_one_request_after_the_other(port: int, app: App) -> None:
    with connected(port) as client:
        for _ in range(3):
            client.sendall(b"POST /again HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            assert whole(client, app).startswith(b"HTTP/1.1 200")
    assert app.asked == ["/again"] * 3


def test_a_connection_ends_with_an_answer_that_did_not_wait_for_the_body() -> None:
    """What follows the body would reach the parser unseen."""

    class Hasty(App):
        async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
            self.asked.append(scope["path"])
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})

    app = Hasty()
    with served(app) as port, connected(port) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na")
        assert whole(client, app).startswith(b"HTTP/1.1 200")
        for piece in (b"bc", SECOND.replace(b"\r", b""), SECOND):  # which reset no connection before the answer is read
            client.sendall(piece)
        assert client.recv(1) == b""
    assert app.asked == ["/"]


BODY = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
SECOND = b"GET /second HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize("upgrade", [b"", b"Connection: upgrade\r\nUpgrade: x\r\n"])
@pytest.mark.parametrize("body", [b"", b"Content-Length: 3\r\n"])
@pytest.mark.parametrize("second", [SECOND, SECOND.replace(b"\r", b""), BODY])
def test_of_two_requests_at_once_the_first_is_answered(
    port: int, app: App, upgrade: bytes, body: bytes, second: bytes
) -> None:
    with connected(port) as client:
        first = OK.removesuffix(b"\r\n") + upgrade + body + b"\r\n" + (b"abc" if body else b"")
        client.sendall(first + second)
        assert rest(client).count(b"HTTP/1.1 200") == 1
    assert app.asked == ["/"]


@pytest.mark.parametrize(
    ("early", "answers"),
    [
        ([SECOND], ["/", "/other", "/second"]),
        ([SECOND[:9], SECOND[9:]], ["/", "/other", "/second"]),
        ([SECOND.replace(b"\r", b"")], ["/", "/other"]),
        ([b"GET /second HTTP/1.1\r\n" + b"a: b\r\n" * 4000], ["/", "/other"]),
    ],
)
def test_what_comes_during_the_answer_waits_for_its_end(
    port: int, app: App, early: list[bytes], answers: list[str]
) -> None:
    app.may_answer.clear()
    with connected(port) as client:
        client.sendall(OK)
        until(lambda: app.asked == ["/"])
        for piece in early:
            client.sendall(piece)
        # Another connection's request, once it is at the app, shows that the server has received all that.
        with connected(port) as other:
            other.sendall(b"GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            until(lambda: "/other" in app.asked)
            app.may_answer.set()
            until(lambda: app.asked == answers)
            if "/second" not in answers:
                rest(client)
    assert app.asked == answers


# --- Time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_head_has_its_time(app: App, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with served(app) as port, connected(port) as client:
        client.sendall(sent)
        assert rest(client).startswith(b"HTTP/1.1 408")
    assert app.asked == []


def test_so_has_the_head_of_a_later_request(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with served(app) as port, connected(port) as client:
        client.sendall(OK)
        assert whole(client, app).startswith(b"HTTP/1.1 200")
        client.sendall(b"GET")
        assert rest(client).startswith(b"HTTP/1.1 408")


def test_a_body_has_to_come_at_a_rate(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STEP", 0.1)
    with served(app) as port, connected(port) as client:
        client.sendall(BODY + b"a")
        assert rest(client).startswith(b"HTTP/1.1 408")


def test_a_body_has_its_time_even_if_it_keeps_coming(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STEP", 0.05)
    monkeypatch.setattr(connections, "LEAST", 0)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.2)
    with served(app) as port, connected(port) as client:
        client.sendall(BODY)
        assert rest(client).startswith(b"HTTP/1.1 408")


def test_a_request_that_is_answered_slowly_is_not_the_clients_fault(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_SECONDS", "STEP", "BODY_SECONDS"):
        monkeypatch.setattr(connections, name, 0.05)
    app.may_answer.clear()
    with served(app) as port, connected(port) as client:
        client.sendall(BODY + b"a" * 60000)
        until(lambda: app.asked == ["/"])
        with connected(port) as other:
            assert status(other) == 408  # so that much time has passed
        app.may_answer.set()
        assert status(client) == 200


def test_an_answer_that_nobody_receives_is_given_up(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.1)
    app.body = b"x" * 50_000_000
    places = Places(100, 100)
    with served(app, places) as port, connected(port) as client:
        client.sendall(OK)
        until(lambda: app.asked == ["/"] and not places.taken)
        assert len(rest(client)) < len(app.body)


@pytest.mark.parametrize("close", [b"", b"Connection: close\r\n"])
def test_so_is_the_end_of_one_however_short(app: App, monkeypatch: pytest.MonkeyPatch, close: bytes) -> None:
    """Asyncio does not say that so little waits, and closes no connection before it is received."""
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.1)
    app.body = b"x" * 60_000
    places = Places(100, 100)
    with served(app, places, sends=4096) as port, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        client.sendall(OK.removesuffix(b"\r\n") + close + b"\r\n")
        until(lambda: app.asked == ["/"] and not places.taken)


class Wire(asyncio.Transport):
    """A transport like asyncio's, to a client that receives when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = 0  # bytes for the client to receive
        self.closing = self.aborted = False
        self.connection: Connection

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.waits += len(data)
        if self.waits > 65536:
            self.connection.pause_writing()

    def receive(self, size: int) -> None:
        """The client receives so many bytes."""
        was, self.waits = self.waits, self.waits - size
        if was > 16384 >= self.waits:
            self.connection.resume_writing()

    def get_write_buffer_size(self) -> int:
        return self.waits

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = True


class Loop(asyncio.SelectorEventLoop):
    """An event loop on which time passes when told to."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        """Lets so much time pass, and then runs all that is due."""
        self.now += seconds
        for _ in range(10):  # one thing may lead to another
            self.call_soon(self.stop)
            self.run_forever()


Step = int | str | None
"""The app sends so many bytes, or as many are received; it ends or breaks off its answer; or a minute passes (None)."""

RECEIVED: dict[str, list[Step]] = {
    "slowly": [60_000, "end", -1, None, -1, None, -1, None],
    "slowly, of an answer that waits for it": [90_000, -1, None, -1, None, -1, None],
    "nothing for long, since the app sends nothing": [60_000, None, None, None, -60_000, None, None],
    "a part, and then more is sent": [90_000, -80_000, 50_000, None, None, -1],
    "as much as is sent": [70_000, -60_000, 60_000, -1, None, -60_000, 60_000, -1, None, "end", -60_000, -1, None],
}
GIVEN_UP: dict[str, list[Step]] = {
    "nothing": [60_000, "end", None],
    "nothing, of an answer that waits for it": [90_000, None],
    "something for a minute, then nothing": [60_000, "end", None, -1, None, None],
    "most of an answer that waits, then nothing": [90_000, "end", -80_000, None],
    "nothing of an answer that breaks off": [60_000, "break", None, None],
}


def given_up(steps: list[Step]) -> bool:
    """Whether a connection is given up in these steps. All together make up one answer."""
    loop, wire, sent = Loop(), Wire(), asyncio.Queue[Step]()

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while isinstance(step := await sent.get(), int):
            await send({"type": "http.response.body", "body": b"x" * step, "more_body": True})
        if step == "end":
            await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, log_config=None)
    wire.connection = Connection(Places(1, 1), config=config, server_state=ServerState(), app_state={}, _loop=loop)
    wire.connection.connection_made(wire)
    wire.connection.data_received(OK)
    loop.passes(0)
    wire.waits = 0  # the head was received
    for step in steps:
        if step is None:
            loop.passes(connections.UNREAD_SECONDS)
        elif isinstance(step, int) and step < 0:
            wire.receive(-step)
        else:
            sent.put_nowait(step)
        loop.passes(0)
    wire.connection.connection_lost(None)
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.passes(0)
    loop.close()
    return wire.aborted


@pytest.mark.parametrize("steps", RECEIVED.values(), ids=RECEIVED)
def test_who_receives_something_in_each_minute_gets_the_whole_answer(steps: list[Step]) -> None:
    assert not given_up(steps)


@pytest.mark.parametrize("steps", GIVEN_UP.values(), ids=GIVEN_UP)
def test_who_receives_nothing_for_a_minute_is_given_up(steps: list[Step]) -> None:
    assert given_up(steps)


# --- Places -----------------------------------------------------------------------------------------------------------


def test_idle_connections_keep_nobody_out(app: App) -> None:
    """The one that has been idle longest makes room."""
    with served(app, Places(100, 5)) as port, ExitStack() as room:
        idle = [room.enter_context(connected(port)) for _ in range(5)]
        for each in idle:
            each.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
        for _ in range(3):
            assert asked(port, OK) == 200
        assert rest(idle[0]) == b""
        idle[4].sendall(b"\r\n")
        assert status(idle[4]) == 200


def test_so_do_those_that_do_not_receive_their_answers(app: App) -> None:
    app.body = b"x" * 50_000_000
    with served(app, Places(100, 1)) as port, connected(port) as idle:
        idle.sendall(OK)
        until(lambda: app.asked == ["/"])
        until(lambda: asked(port, OK) == 200)


def test_connections_at_work_are_left_alone(app: App) -> None:
    app.may_answer.clear()
    with served(app, Places(100, 3)) as port, ExitStack() as room:
        busy = [room.enter_context(connected(port)) for _ in range(3)]
        for each in busy:
            each.sendall(OK)
        until(lambda: len(app.asked) == 3)
        with connected(port) as fourth:
            answer = rest(fourth)
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"retry-after" in answer
        app.may_answer.set()
        assert [status(each) for each in busy] == [200] * 3
        for each in busy:
            each.close()
        until(lambda: asked(port, OK) == 200)


def test_a_proxy_speaks_for_many(app: App) -> None:
    with served(app, Places(100, 2, LOCAL)) as port, ExitStack() as room:
        several = [room.enter_context(connected(port)) for _ in range(5)]
        for each in several:
            each.sendall(OK)
        assert [status(each) for each in several] == [200] * 5


def test_there_is_an_end_of_all_places(app: App) -> None:
    app.may_answer.clear()
    with served(app, Places(2, 100, LOCAL)) as port, ExitStack() as room:
        for _ in range(2):
            room.enter_context(connected(port)).sendall(OK)
        until(lambda: len(app.asked) == 2)
        assert asked(port, OK) == 503


def until(condition: Callable[[], bool]) -> None:
    """Waits for a condition."""
    waiting = threading.Event()
    for _ in range(1000):
        if condition():
            return
        waiting.wait(0.01)
    raise AssertionError("it did not come about within ten seconds")
