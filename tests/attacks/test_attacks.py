"""One client without a link attacks the server. The table plays on, and neither memory nor log fill up."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from scoring.models import Session
from scoring.views.shared.club_frame import club_title
from tests.attacks.target import SCALE, Browser, Target, attacked, environment
from tests.conftest import host_secret
from tests.ledger.conftest import settle, start
from tests.pages import form
from tests.servers import ROOT, serving

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

GET = b"GET /rules/regular/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
POST = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the static files that a server needs."""
    folder = tmp_path_factory.mktemp("data")
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, check=True, cwd=ROOT, env={"PATH": os.environ["PATH"], "DATA_DIR": str(folder)})
    return folder


@pytest.fixture
def target(data_dir: Path) -> Generator[Target]:
    session = start()
    secret = host_secret(session.club)
    given = environment(data_dir)
    with serving(**given) as (process, port), attacked(port, process, session.public_id, secret) as found:
        yield found


def connected(target: Target) -> socket.socket:
    return socket.create_connection(("127.0.0.1", target.port), timeout=20)


def sent(connection: socket.socket, pieces: Iterable[bytes]) -> bytes:
    """Sends pieces until the server closes, and returns what it said."""
    with suppress(ConnectionError):
        for piece in pieces:
            connection.sendall(piece)
    received = b""
    with suppress(ConnectionError):
        while more := connection.recv(65536):
            received += more
    return received


def reset(connection: socket.socket) -> None:
    """Drops a connection without waiting for anything."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("size", [60_000, 120_000])
def test_cookies_of_backslashes(target: Target, size: int) -> None:
    cookie = b'a="' + b'\\"' * (size // 2) + b'"'
    for _ in range(20 * SCALE):
        with connected(target) as client:
            answer = sent(client, [b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nCookie: " + cookie + b"\r\n\r\n"])
            assert answer.startswith(b"HTTP/1.1 431")


def test_cookies_of_backslashes_within_the_limit(target: Target) -> None:
    cookie = b'a="' + b'\\"' * 4000 + b'"'
    for _ in range(100 * SCALE):
        with connected(target) as client:
            request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: " + cookie
            assert sent(client, [request + b"\r\n\r\n"]).startswith(b"HTTP/1.1 200")


def test_bodies_of_one_byte_chunks(target: Target) -> None:
    pieces = [CHUNKED, *[b"1\r\na\r\n" * 1000] * 100]
    for _ in range(20 * SCALE):
        with connected(target) as client:
            answer = sent(client, pieces)
            assert not answer or answer.startswith(b"HTTP/1.1 413")


def test_bodies_without_end(target: Target) -> None:
    for start_ in (CHUNKED + b"fffffff\r\n", POST.replace(b"60000", b"99999999999")):
        for _ in range(10 * SCALE):
            with connected(target) as client:
                answer = sent(client, [start_, *[b"x" * 65536] * 30])
                assert not answer or answer.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "request_",
    [
        GET.removesuffix(b"\r\n") + b"X:" + b" " * 16_000 + b"\0\r\n\r\n",
        CHUNKED + b"1;" + b" " * 16_000 + b"\n\r\n",
        CHUNKED + b"0\r\nX:" + b" " * 16_000 + b"\0\r\n\r\n",
    ],
)
def test_blanks_before_what_no_line_may_hold(target: Target, request_: bytes) -> None:
    for _ in range(10 * SCALE):
        with connected(target) as client:
            assert sent(client, [request_]).startswith(b"HTTP/1.1 400")


def test_idle_connections(target: Target) -> None:
    """They keep nobody out, not even others at the same address."""
    with ExitStack() as room:
        for _ in range(800 * SCALE):
            room.enter_context(connected(target))


@pytest.mark.parametrize("beginning", [b"GET / HTTP/1.1\r\nX-A: ", POST, CHUNKED])
def test_requests_that_never_end(target: Target, beginning: bytes) -> None:
    with ExitStack() as room:
        clients = [room.enter_context(connected(target)) for _ in range(700 * SCALE)]
        for _ in range(2):
            for client in clients:
                with suppress(ConnectionError):
                    client.sendall(beginning)


def test_requests_whose_senders_have_gone(target: Target) -> None:
    for _ in range(1500 * SCALE):
        with suppress(ConnectionError):
            client = connected(target)
            client.sendall(GET)
            reset(client)


def test_requests_that_nobody_waits_for(target: Target) -> None:
    """More than a client may have waiting; nothing of the answers is read."""
    with ExitStack() as room:
        for _ in range(450):
            client = room.enter_context(connected(target))
            with suppress(ConnectionError):
                client.sendall(GET)


@pytest.mark.parametrize(
    "garbage",
    [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET / HTTP/1.1\nHost: a\n\n", b"GET /" + b"x" * 40_000, b"\r\n" * 10_000],
)
def test_what_is_no_request(target: Target, garbage: bytes) -> None:
    for _ in range(300 * SCALE):
        with connected(target) as client:
            client.settimeout(0.01)
            with suppress(ConnectionError, TimeoutError):
                client.sendall(garbage)
                client.recv(100)


@pytest.mark.parametrize("length", [0, 15_000])
def test_names_of_hosts_that_are_not_ours(target: Target, length: int) -> None:
    """Each is logged as a refusal, but not a thousand times."""
    for n in range(300 * SCALE):
        with connected(target) as client:
            request = f"GET / HTTP/1.1\r\nHost: evil{n}{'l' * length}.example\r\nConnection: close\r\n\r\n"
            assert sent(client, [request.encode()]).startswith(b"HTTP/1.1 400")


@pytest.fixture
def long_session(db: None) -> Session:
    """Of another club, which anybody can start; `make attack` gives it as many hands as a session may have."""
    session = start()
    for _ in range(2_000 if SCALE > 1 else 100):
        settle(session)
        session.refresh_from_db()
    return session


def test_changes_of_an_early_hand_and_the_deletion_of_all(long_session: Session, target: Target) -> None:
    host, club = Browser(target.port), long_session.club
    assert host.get(f"/l/{host_secret(club)}").status_code == 302
    for _ in range(2 * SCALE):
        for what in ("Void", "Restore"):
            page, label = host.get(f"/s/{long_session.public_id}/hands/2/{what.lower()}/"), f"{what} hand 2"
            assert form(page, label).fill({"note": "misdeal"}).press(label).status_code == 302
    at = f"/c/{club.public_id}/delete/"
    assert form(host.get(at), action=at).fill({"name": club_title(club)}).press().status_code == 302
    assert host.get(at).status_code == 404


def test_exports_of_many_sessions_by_ever_other_addresses(target: Target) -> None:
    """Each address and language makes a file of its own. A club that anybody can start is enough."""
    club = start().club
    sessions = [start(club=club) for _ in range(10)]
    host = Browser(target.port)
    assert host.get(f"/l/{host_secret(club)}").status_code == 302

    def ask(number: int) -> int:
        asking = Browser(target.port)
        asking.cookies = dict(host.cookies)
        address = f"/s/{sessions[number % 10].public_id}/ledger.xlsx"
        return int(asking.get(address, headers={"Host": f"localhost:{1 + number}"}).status_code)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(40 * SCALE))) <= {200, 202, 503}
