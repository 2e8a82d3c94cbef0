"""The server as a browser meets it: pages on threads beside the event loop, headers, starting and stopping."""

import gc
import gzip
import http.client
import io
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from ofcscore import jobs, network
from ofcscore import serving as serving_module
from ofcscore.jobs import Jobs
from ofcscore.pages import DISCARDED, Pages, Wait
from scoring.management.commands.serve import EVERYWHERE
from scoring.management.commands.serve import Command as Serve
from tests.servers import collect

ROOT = Path(__file__).parent.parent
MAX_BODY = 1000

StartResponse = Callable[[str, list[tuple[str, str]]], None]
Handler = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


@contextmanager
def served(handler: Callable[..., Iterable[bytes]], threads: int = 1) -> Generator[int]:
    """The port of a real server that answers with this handler's pages."""
    config = uvicorn.Config(
        Pages(handler, threads=threads, max_body=MAX_BODY),
        port=0,
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def ask(port: int, path: str = "/", method: str = "GET", **options: Any) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request(method, path, **options)
        response = connection.getresponse()
        return response.status, response.read()


def ok(start_response: StartResponse, *headers: tuple[str, str]) -> None:
    start_response("200 OK", [("Content-Type", "text/plain"), *headers])


def echo(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
    ok(start_response)
    return [environ["wsgi.input"].read()]


def environment_page(*keys: str) -> Handler:
    """A page that returns the values of these keys of the environment."""

    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        ok(start_response)
        return [repr([environ.get(key) for key in keys]).encode()]

    return handler


def test_many_at_once_are_all_answered_each_its_own() -> None:
    with served(environment_page("PATH_INFO"), threads=2) as port, ThreadPoolExecutor(16) as clients:
        paths = [f"/{number}" for number in range(400)]
        answers = list(clients.map(lambda path: ask(port, path), paths))
    assert answers == [(200, f"[{path!r}]".encode()) for path in paths]


def test_a_request_that_waits_leaves_its_thread_to_others() -> None:
    made: Future[None] = Future()
    asked = threading.Event()

    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        ok(start_response)
        if environ["PATH_INFO"] == "/other":
            return [b"other"]
        wait = environ["ofcscore.wait"]
        if not made.done():
            wait.until, wait.token = made, "token"
            asked.set()
            return [b"not yet"]
        return [wait.token.encode() + b" " + environ["wsgi.input"].read()]

    with served(handler) as port, ThreadPoolExecutor(1) as client:
        waiting = client.submit(ask, port, "/", "POST", body=b"body")
        assert asked.wait(30)
        assert ask(port, "/other") == (200, b"other")
        made.set_result(None)
        assert waiting.result() == (200, b"token body")


def test_what_a_request_waited_for_in_vain_is_told_by_its_page_alone(caplog: pytest.LogCaptureFixture) -> None:
    """An operator would read of the same failure again, and of nothing that they can mend."""
    failed: Future[None] = Future()
    failed.set_exception(OSError("no space left on device"))
    answers = iter([b"not yet", b"it failed"])

    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        ok(start_response)
        environ["ofcscore.wait"].until = failed
        return [next(answers)]

    with served(handler) as port:
        assert ask(port) == (200, b"it failed")
    gc.collect()
    assert caplog.messages == []


def test_it_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wait, "LONGEST", 0.05)
    answers = iter([b"first", b"second"])

    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        ok(start_response)
        environ["ofcscore.wait"].until = Future()
        return [next(answers)]

    with served(handler) as port:
        assert ask(port) == (200, b"second")


def test_a_file_is_sent_without_a_thread(tmp_path: Path) -> None:
    """While one client is slow to receive a large file, the only thread answers others."""
    large = tmp_path / "large"
    large.write_bytes(os.urandom(8 * 1024 * 1024))
    opened = []

    def handler(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        ok(start_response)
        if environ["PATH_INFO"] == "/other":
            return [b"other"]
        opened.append(large.open("rb"))
        wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](opened[-1], 4096)
        return wrapped

    with served(handler) as port, closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as slow:
        slow.request("GET", "/")
        response = slow.getresponse()
        assert ask(port, "/other") == (200, b"other")
        assert opened[0].closed
        assert response.read() == large.read_bytes()


def test_a_file_without_a_descriptor_is_sent_too() -> None:
    def handler(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        ok(start_response)
        wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](io.BytesIO(b"in memory"))
        return wrapped

    with served(handler) as port:
        assert ask(port) == (200, b"in memory")


def test_nobody_gets_a_part_of_a_file() -> None:
    """A part has no descriptor, so all of it would wait in memory for a client that does not receive it."""
    with served(environment_page("HTTP_RANGE", "HTTP_IF_RANGE")) as port:
        assert ask(port, headers={"Range": "bytes=0-", "If-Range": '"a"'}) == (200, b"[None, None]")


@pytest.mark.parametrize("name", ["awake.mp4", "awake.webm"])
def test_a_video_is_sent_in_parts(name: str) -> None:
    """Safari plays no other one. Ours are so small that a part may wait in memory."""
    whole = (ROOT / "static" / name).read_bytes()
    assert len(whole) < 20_000
    with served(WSGIHandler()) as port:
        assert ask(port, f"/static/{name}", headers={"Range": "bytes=0-1"}) == (206, whole[:2])
        assert ask(port, f"/static/{name}") == (200, whole)


@pytest.mark.parametrize("threads", [1, 3])
def test_no_more_pages_run_at_once_than_there_are_threads(threads: int) -> None:
    running: list[int] = []
    most = 0
    together = threading.Barrier(threads)  # nobody goes on before all threads are at work

    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        nonlocal most
        running.append(1)
        most = max(most, len(running))
        together.wait(15)
        running.pop()
        ok(start_response)
        return [b"done"]

    with served(handler, threads) as port, ThreadPoolExecutor(12) as clients:
        assert set(clients.map(lambda _: ask(port), range(24))) == {(200, b"done")}
    assert most == threads


def test_a_body_is_sent_as_it_comes() -> None:
    second_half = threading.Event()

    def handler(environ: dict[str, Any], start_response: StartResponse) -> Iterator[bytes]:
        ok(start_response)
        yield b"first "
        second_half.wait(30)
        yield b"second"

    with served(handler) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/")
        response = connection.getresponse()
        assert response.read(6) == b"first "
        second_half.set()
        assert response.read() == b"second"
        connection.close()


def test_a_client_that_does_not_read_occupies_no_thread() -> None:
    def handler(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        ok(start_response)
        return [b"x" * 1_000_000] * 30 if environ["PATH_INFO"] == "/big" else [b"small"]

    with served(handler) as port, socket.create_connection(("127.0.0.1", port)) as idler:
        idler.sendall(b"GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idler.recv(15) == b"HTTP/1.1 200 OK"
        assert ask(port) == (200, b"small")


def test_a_client_that_does_not_finish_writing_occupies_no_thread() -> None:
    with served(echo) as port, socket.create_connection(("127.0.0.1", port)) as idler:
        idler.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf")
        assert ask(port, method="POST", body=b"whole") == (200, b"whole")


def test_a_page_that_raises_is_a_500_and_the_next_one_is_served(caplog: pytest.LogCaptureFixture) -> None:
    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        if environ["PATH_INFO"] == "/broken":
            raise RuntimeError("the page is broken")
        ok(start_response)
        return [b"fine"]

    with served(handler) as port:
        assert ask(port, "/broken")[0] == 500
        assert ask(port) == (200, b"fine")
    assert "the page is broken" in caplog.text


def test_an_answer_that_breaks_off_is_seen_to_be_incomplete() -> None:
    closed = threading.Event()

    class Breaking:
        def __iter__(self) -> Iterator[bytes]:
            yield b"half"
            raise RuntimeError("the rest is gone")

        def close(self) -> None:
            closed.set()

    def handler(environ: dict[str, Any], start_response: StartResponse) -> Breaking:
        ok(start_response)
        return Breaking()

    with served(handler) as port, pytest.raises(http.client.IncompleteRead):
        ask(port)
    assert closed.is_set()


def test_the_answer_is_closed_when_it_is_through() -> None:
    closed = threading.Event()

    class Answer(list[bytes]):
        def close(self) -> None:
            closed.set()

    def handler(environ: dict[str, Any], start_response: StartResponse) -> Answer:
        ok(start_response)
        return Answer([b"all"])

    with served(handler) as port:
        assert ask(port) == (200, b"all")
    assert closed.is_set()


@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
@pytest.mark.parametrize(
    ("sent", "seen"), [(0, 0), (MAX_BODY, MAX_BODY), (MAX_BODY + 1, 0), (500_000, 0)], ids=["0", "max", "max+1", "more"]
)
def test_nothing_of_a_body_that_is_too_long_reaches_the_page(sent: int, seen: int, chunked: bool) -> None:
    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        ok(start_response)
        return [environ["CONTENT_LENGTH"].encode() + b" " + environ["wsgi.input"].read()]

    pieces = (b"x" * min(7000, sent - start) for start in range(0, sent, 7000))
    body: object = pieces if chunked else b"x" * sent
    headers = {"Transfer-Encoding": "chunked"} if chunked else {}
    with served(handler) as port:
        answer = ask(port, method="POST", body=body, encode_chunked=chunked, headers=headers)
    assert answer == (200, b"%d " % min(sent, MAX_BODY + 1) + b"x" * seen)


def test_a_connection_closes_after_a_body_that_is_too_long() -> None:
    with served(echo) as port, closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as client:
        client.request("POST", "/", body=b"x" * (MAX_BODY + 1))
        response = client.getresponse()
        assert response.read() == b""
        assert response.getheader("Connection") == "close"
        assert client.sock is None


def test_a_body_without_end_is_answered() -> None:
    """The rest is not waited for."""
    with served(echo) as port, closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
        client.sendall(b"x" * (MAX_BODY + DISCARDED + 1))
        assert client.recv(65536).startswith(b"HTTP/1.1 200")


class Held:
    """A page that answers each request when it may; it takes down which ones it began with."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.begun: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        self.begun.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "/held":
            assert self.may_answer.wait(30)
        ok(start_response)
        return [b"done"]

    @contextmanager
    def held(self, port: int, method: str = "GET") -> Generator[None]:
        """The only thread for requests of this kind, which read or write, is busy in this block."""
        with ThreadPoolExecutor(1) as client:
            answer = client.submit(ask, port, "/held", method)
            try:
                wait_until(lambda: "/held" in self.begun)
                yield
            finally:
                self.may_answer.set()
            assert answer.result() == (200, b"done")


def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it did not come about within ten seconds")


def test_writing_and_the_health_check_do_not_wait_for_a_page() -> None:
    page = Held()
    with served(page) as port, page.held(port):
        assert ask(port, "/settle", "POST") == (200, b"done")
        assert ask(port, "/healthz") == (200, b"done")


@pytest.mark.parametrize(
    ("method", "length"), [("GET", 0), ("POST", MAX_BODY), ("POST", MAX_BODY + 1), ("POST", DISCARDED)]
)
def test_the_request_of_who_has_left_is_not_answered(monkeypatch: pytest.MonkeyPatch, method: str, length: int) -> None:
    page, dropped = Held(), threading.Semaphore(0)
    monkeypatch.setattr(Jobs, "drop", noted(Jobs.drop, dropped))
    with served(page) as port:
        with page.held(port, method):
            for _ in range(3):
                with socket.create_connection(("127.0.0.1", port)) as client:
                    head = f"{method} /gone HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n"
                    client.sendall(head.encode() + b"x" * length)
                assert dropped.acquire(timeout=30)
        assert ask(port, "/after", method) == (200, b"done")
    assert page.begun == ["/held", "/after"]


def noted(method: Callable[..., bool], calls: threading.Semaphore) -> Callable[..., bool]:
    """The method, which releases the semaphore each time that it returns True."""

    def call(*arguments: Any) -> bool:
        found = method(*arguments)
        if found:
            calls.release()
        return found

    return call


def test_when_too_many_wait_a_client_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_OF_A_CLIENT", 2)
    page, added = Held(), threading.Semaphore(0)
    monkeypatch.setattr(Jobs, "add", noted(Jobs.add, added))
    with served(page) as port, ThreadPoolExecutor(2) as clients:
        with page.held(port):
            assert added.acquire(timeout=30)
            others = [clients.submit(ask, port, "/waits") for _ in range(2)]
            for _ in others:
                assert added.acquire(timeout=30)
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as client:
                client.request("GET", "/")
                response = client.getresponse()
                assert (response.status, response.getheader("Retry-After")) == (503, "5")
        assert [each.result() for each in others] == [(200, b"done")] * 2


def test_cookies_with_backslashes_are_left_out() -> None:
    """Reading them takes quadratic time in some releases of Python."""
    with served(environment_page("HTTP_COOKIE")) as port:
        cookies = 'one=1; two="\\"2\\""; three=3'
        assert ask(port, headers={"Cookie": cookies}) == (200, b"['one=1; three=3']")


def test_head_is_get_without_the_body() -> None:
    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        ok(start_response, ("Content-Length", "4"))
        return [b"body"]

    with served(handler) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        for _ in range(2):  # a body after HEAD would garble the second answer on this connection
            connection.request("HEAD", "/")
            response = connection.getresponse()
            assert (response.status, response.getheader("Content-Length"), response.read()) == (200, "4", b"")
        connection.close()


def test_the_environment_is_what_wsgi_asks_for() -> None:
    keys = (
        "REQUEST_METHOD",
        "PATH_INFO",
        "QUERY_STRING",
        "CONTENT_TYPE",
        "HTTP_ACCEPT",
        "wsgi.url_scheme",
        "REMOTE_ADDR",
    )
    with served(environment_page(*keys)) as port:
        answer = ask(port, "/caf%C3%A9/a%2Fb?q=%E2%99%A5", "PUT", headers={"Content-Type": "text/x", "Accept": "a/b"})
    expected = ["PUT", "/cafÃ©/a/b", "q=%E2%99%A5", "text/x", "a/b", "http", "127.0.0.1"]
    assert answer == (200, repr(expected).encode())


def test_a_header_with_an_underscore_cannot_pose_as_another() -> None:
    with served(environment_page("HTTP_X_FORWARDED_FOR")) as port:
        assert ask(port, headers={"X_Forwarded_For": "10.0.0.1"}) == (200, b"[None]")


def test_the_server_stops_while_a_page_hangs() -> None:
    hang, begun = threading.Event(), threading.Event()

    def handler(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        begun.set()
        hang.wait(90)
        ok(start_response)
        return []

    with served(handler) as port:
        idler = socket.create_connection(("127.0.0.1", port))
        idler.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert begun.wait(30)
        stopping = time.monotonic()
    assert time.monotonic() - stopping < 45
    hang.set()
    idler.close()


# --- Django behind it -------------------------------------------------------------------------


@csrf_exempt
def form(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.POST.get("text", ""))))


def cookies(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(", ".join(sorted(request.COOKIES)))
    for name in ("front", "back"):
        response.set_cookie(name, "A K Q")
    return response


urlpatterns = [path("form", form), path("cookies", cookies), path("", include("ofcscore.urls"))]


@pytest.mark.urls(__name__)
def test_cookies_go_out_each_in_its_header_and_come_back() -> None:
    with (
        served(WSGIHandler()) as port,
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection,
    ):
        connection.request("GET", "/cookies")
        with connection.getresponse() as response:
            given = response.headers.get_all("Set-Cookie", [])
        assert [cookie.split(";")[0] for cookie in given] == ['front="A K Q"', 'back="A K Q"']
        assert ask(port, "/cookies", headers={"Cookie": 'front="A K Q"; back="A K Q"'}) == (200, b"back, front")


def urlencoded(length: int) -> tuple[str, bytes]:
    """A form as browsers send it, of this length."""
    return "application/x-www-form-urlencoded", b"text=".ljust(length, b"x")


def multipart(length: int) -> tuple[str, bytes]:
    """A form of this length whose first field is whole, however little of the form is read."""
    part = b'--cut\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n'
    body = part % (b"text", b"whole") + part % (b"more", b"x" * length)
    end = b"\r\n--cut--\r\n"
    return "multipart/form-data; boundary=cut", body[: length - len(end)] + end


CODECS = ("hex", "zlib", "rot13", "undefined", "idna", "punycode", "utf-16")
PARAMETERS = (
    *(f"charset={codec}" for codec in CODECS),
    *("CHARSET=hex", 'charset="hex"', "charset*=utf-8''hex", "a*=nowhere''b", "boundary*=nowhere''b"),
)
"""Parameters of the type of a body with which Django failed, at any address."""


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("kind", "body", "length"),
    [
        ("text/plain", b"text=caf%C3%A9", 0),
        ("application/x-www-form-urlencoded", b"text=caf%C3%A9", len("caf\xe9")),
        ("multipart/form-data", multipart(200)[1], len("whole")),
    ],
)
def test_a_client_does_not_choose_the_codec(kind: str, body: bytes, length: int) -> None:
    """Some take quadratic time."""
    with served(WSGIHandler()) as port:
        for parameter in PARAMETERS:
            headers = {"Content-Type": f"{kind}; {parameter}; Boundary=cut"}
            assert ask(port, "/healthz?a=x%FF", headers=headers)[0] == 200, parameter
            assert ask(port, "/form", "POST", body=body, headers=headers) == (200, b"%d" % length), parameter


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
@pytest.mark.parametrize(("made", "read"), [(urlencoded, MAX_BODY - 5), (multipart, len("whole"))])
def test_django_refuses_a_form_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch, chunked: bool, made: Callable[[int], tuple[str, bytes]], read: int
) -> None:
    monkeypatch.setattr(settings, "DATA_UPLOAD_MAX_MEMORY_SIZE", MAX_BODY)
    with served(WSGIHandler()) as port:

        def post(length: int) -> tuple[int, bytes]:
            kind, body = made(length)
            headers = {"Content-Type": kind} | ({"Transfer-Encoding": "chunked"} if chunked else {})
            sent: object = iter([body]) if chunked else body
            return ask(port, "/form", "POST", body=sent, headers=headers, encode_chunked=chunked)

        assert post(MAX_BODY) == (200, str(read).encode())
        for length in (MAX_BODY + 1, 100 * MAX_BODY):
            status, page = post(length)
            assert status == 413
            assert b"too long" in page


def test_every_page_carries_the_policy(client: Client) -> None:
    headers = client.get("/healthz").headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "screen-wake-lock=(self)" in headers["Permissions-Policy"]
    assert "Strict-Transport-Security" not in headers


def test_pages_are_compressed_for_clients_that_accept_it(client: Client) -> None:
    plain, packed = (client.get("/rules/", headers={"Accept-Encoding": kind}) for kind in ("identity", "gzip"))
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    # The length of the same page varies, so that it says little about secrets in the page.
    lengths = {len(client.get("/rules/", headers={"Accept-Encoding": "gzip"}).content) for _ in range(20)}
    assert len(lengths) > 1


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", *network.names(), *network.addresses()])
def test_requests_for_this_machine_and_its_network_are_answered(client: Client, host: str) -> None:
    assert client.get("/healthz", headers={"host": f"{host}:8000"}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "8.8.8.8"])
def test_requests_for_a_foreign_host_name_are_refused(
    client: Client, capfd: pytest.CaptureFixture[str], host: str
) -> None:
    assert client.get("/healthz", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("sub.localhost", True),
        ("127.0.0.1", True),
        ("192.168.1.20", True),
        ("[fe80::1]", True),
        ("8.8.8.8", False),
        ("ofc.example.org", False),
        ("localhost.example.org", False),
        (".example.org", False),
        ("*", False),
    ],
)
def test_which_hosts_are_local(host: str, local: bool) -> None:
    assert network.is_local(host) is local


# --- Starting and stopping --------------------------------------------------------------------


def environment(directory: Path, **settings: str) -> dict[str, str]:
    """An operator's environment, without anything of the tests', and with its data in ``directory``."""
    return {"PATH": os.environ["PATH"], "DATA_DIR": str(directory), **settings}


def manage(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        check=False,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


KEY = "k3y-" * 16


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"SECRET_KEY": "short"}, "at least 50 random characters"),
        ({"DATA_DIR": "/proc/nowhere"}, "can be neither read nor made"),
        ({"SECRET_KEY": KEY, "DEBUG": "1", "ALLOWED_HOSTS": "ofc.example.org"}, "DEBUG"),
        ({"SECRET_KEY": KEY, "DEBUG": "1", "HTTPS": "1", "ALLOWED_HOSTS": "ofc.example.org"}, "DEBUG"),
        ({"SECRET_KEY": KEY, "HTTPS": "1"}, "HTTPS=1 needs ALLOWED_HOSTS"),
        ({"SECRET_KEY": KEY, "ALLOWED_HOSTS": "*"}, "list the names"),
        ({"SECRET_KEY": KEY, "DEBUG": "perhaps"}, "DEBUG"),
    ],
)
def test_it_refuses_to_start_unsafe(tmp_path: Path, given: dict[str, str], complaint: str) -> None:
    result = manage("check", env=environment(tmp_path, **given))
    assert result.returncode != 0
    assert complaint in result.stderr.strip().splitlines()[-1]


def test_it_makes_a_key_once_for_its_owner_alone(tmp_path: Path) -> None:
    made = tmp_path / "data" / "secret-key"
    assert manage("check", env=environment(made.parent)).returncode == 0
    key = made.read_text()
    assert len(key.strip()) >= 50
    assert made.stat().st_mode & 0o777 == 0o600
    assert manage("check", env=environment(made.parent)).returncode == 0
    assert made.read_text() == key
    assert [file.name for file in made.parent.iterdir()] == ["secret-key"]


def may(path: Path) -> str:
    """What others than its owner may do with the file, in octal."""
    return f"{path.stat().st_mode & 0o077:o}"


def test_what_is_stored_is_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert manage("migrate", env=environment(data)).returncode == 0  # an operator's environment names no PostgreSQL
    assert manage("collectstatic", "--no-input", env=environment(data)).returncode == 0
    database = data / "ofcscore.sqlite3"
    stored = [data, data / "secret-key", database, data / "static"]
    assert {each.name: may(each) for each in stored} == {each.name: "0" for each in stored}


def test_what_an_earlier_release_left_open_is_closed_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert manage("check", env=environment(data)).returncode == 0
    stored = [data / f"ofcscore.sqlite3{ending}" for ending in ("", "-wal", "-shm")]
    for each in stored:
        each.touch()
        each.chmod(0o644)
    data.chmod(0o755)
    assert manage("check", env=environment(data)).returncode == 0
    assert [may(each) for each in (data, *stored)] == ["0"] * 4
    assert stored[0].stat().st_mode & 0o700 == 0o600  # the owner may do what they could


def test_it_refuses_a_stored_key_that_was_shortened(tmp_path: Path) -> None:
    for left in ("short\n", ""):
        (tmp_path / "secret-key").write_text(left)
        ended = manage("check", env=environment(tmp_path))
        assert ended.returncode != 0
        assert ended.stderr.endswith(
            f"The secret key in {tmp_path}/secret-key is too short. Put it back from a copy, or set SECRET_KEY.\n"
        )


def test_scoring_a_document_needs_no_database_and_no_preparation(tmp_path: Path) -> None:
    result = manage("score", env=environment(tmp_path / "data"))
    assert result.returncode == 2
    assert '"code":"not-json"' in result.stdout


def test_production_settings_pass_the_deployment_check(tmp_path: Path) -> None:
    # `make check` checks this with other hosts, too; here nobody can miss it.
    env = environment(
        tmp_path, SECRET_KEY="".join(map(chr, range(40, 110))), HTTPS="1", ALLOWED_HOSTS="ofc.example.org"
    )
    result = manage("check", "--deploy", "--fail-level", "WARNING", env=env)
    assert (result.returncode, result.stderr) == (0, "")


@contextmanager
def serving(directory: Path, **settings: str) -> Generator[tuple[subprocess.Popen[str], list[str], int]]:
    """`manage.py serve` as an operator runs it: the process, the lines before it was ready, and its port."""
    env = environment(directory, SECRET_KEY=KEY, **settings)
    collect(directory)
    command = [sys.executable, "manage.py", "serve", "--port", "0"]
    server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        startup_lines: list[str] = []
        while not startup_lines or not startup_lines[-1].startswith("Stop"):
            startup_lines.append(server.stdout.readline().strip())
            assert server.poll() is None, "it did not come up"
        port = int(re.findall(r"(?::|port )(\d+)", " ".join(startup_lines))[0])
        yield server, startup_lines, port
    finally:
        server.kill()
        server.communicate()


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_serve_says_where_it_is_logs_refusals_alone_and_stops_at_once(tmp_path: Path, stop: signal.Signals) -> None:
    with serving(tmp_path) as (server, startup_lines, port):
        phones = network.answering(port)
        assert startup_lines == [
            "ofcscore is at",
            *(f"http://{address}:{port}/ (local network)" for address in phones),
            f"http://localhost:{port}/ (this machine)",
            *([] if phones else ["No phone can reach it: this server has no address on a local network."]),
            *([serving_module.warning()] if serving_module.warning() else []),
            "Stop with Ctrl-C.",
        ]
        assert ask(port, "/healthz") == (200, b"ok\n")
        assert ask(port, "/healthz", headers={"Host": "evil.example"})[0] == 400
        assert ask(port, "/nowhere/secret")[0] == 404
        server.send_signal(stop)
        _, log = server.communicate(timeout=30)
        # One line for the refusal. The 404 has none, because its path may be a mistyped secret. Nor is there one about
        # interrupted work, which the server would log if it had to wait for its timeout.
        assert log.count("\n") == 1
        assert "evil.example" in log


@pytest.mark.parametrize(("encoding", "drawn"), [("utf-8", "▀"), ("ascii", "\x1b[7m")])
def test_people_at_a_terminal_get_the_address_for_phones_as_a_code(
    monkeypatch: pytest.MonkeyPatch, encoding: str, drawn: str
) -> None:
    monkeypatch.setattr(network, "answering", lambda _: ["192.168.7.5", "10.0.0.5"])
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    log = Serve(stdout=io.TextIOWrapper(io.BytesIO()))._addresses(EVERYWHERE, 8000)
    assert [line.strip() for line in log if line] == [
        "ofcscore is at",
        "http://192.168.7.5:8000/ (local network)",
        "http://10.0.0.5:8000/ (local network)",
        "http://localhost:8000/ (this machine)",
    ]
    *lines, code = Serve(stdout=terminal)._addresses(EVERYWHERE, 8000)
    assert lines == log[:-1]
    code.encode(encoding)
    assert drawn in code


def test_a_server_for_this_machine_alone_says_that_no_phone_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "answering", lambda _: [])
    said = Serve(stdout=io.StringIO())._addresses("127.0.0.1", 8000)
    assert said[1:] == [
        "  http://127.0.0.1:8000/ (this machine)",
        "No phone can reach it: this server has no address on a local network.",
    ]


@pytest.mark.parametrize(
    ("version", "update"), [((3, 11, 7), "3.11.10"), ((3, 11, 10), ""), ((3, 12, 5), "3.12.6"), ((3, 14, 0), "")]
)
def test_it_warns_of_a_python_with_known_holes(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], update: str
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    assert (update in serving_module.warning()) if update else (serving_module.warning() == "")


def test_an_answer_does_not_wait_for_the_acknowledgement_of_its_beginning(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, _, port), closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        took: list[float] = []
        # A client delays its acknowledgement by 40 ms, though not for the first few answers of a connection.
        while len(took) <= 20 or (min(took[20:]) >= 0.035 and len(took) < 400):
            began = time.monotonic()
            connection.request("GET", "/rules/regular/")
            with connection.getresponse() as response:
                assert len(response.read()) > 5000
            took.append(time.monotonic() - began)
    assert min(took[20:]) < 0.035, took


def test_behind_a_proxy_only_the_named_proxy_decides_what_is_https(tmp_path: Path) -> None:
    name = {"Host": "ofc.example.org"}
    spoken = {**name, "X-Forwarded-Proto": "https"}
    with serving(tmp_path, HTTPS="1", ALLOWED_HOSTS="ofc.example.org") as (_, startup_lines, port):
        assert "https://ofc.example.org/" in startup_lines
        assert ask(port, "/nowhere", headers=name)[0] == 301
        assert ask(port, "/nowhere", headers=spoken)[0] == 404
        assert ask(port, "/healthz") == (200, b"ok\n")
    with serving(tmp_path, HTTPS="1", ALLOWED_HOSTS="ofc.example.org", TRUSTED_PROXIES="10.1.2.3") as (_, _, port):
        assert ask(port, "/nowhere", headers=spoken)[0] == 301


def test_serve_says_so_when_the_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = manage("serve", "--host", "127.0.0.1", "--port", port, env=environment(tmp_path, SECRET_KEY=KEY))
    assert result.returncode != 0
    assert "in use" in result.stderr
    assert "Traceback" not in result.stderr
