"""The server that `make run` starts, for tests: in a thread of this process or as a process of its own.

Also a router, by which phones lose the server.
"""

import atexit
import os
import re
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import cache
from pathlib import Path
from urllib.parse import quote

from django.db import connection
from django.test.utils import modify_settings
from pytest_django.live_server_helper import LiveServer as DjangosLiveServer

from ofcscore.serving import Server, config

ROOT = Path(__file__).parent.parent
HOST = "localhost"

Address = tuple[str, int] | str
"""A host and a port, or the path of a socket."""


def address_of_the_database(host: str = "", port: int = 0) -> str:
    """The DATABASE_URL by which another process uses this test's database, perhaps by way of another port."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    user = ":".join(quote(part, safe="") for part in (at["USER"], at["PASSWORD"]) if part)
    host = ":".join(filter(None, (quote(host or at["HOST"], safe=""), str(port or at["PORT"]))))
    return f"postgres://{user}@{host}/{at['NAME']}"


def socket_of_the_database() -> Address:
    """Where PostgreSQL listens."""
    host, port = connection.settings_dict["HOST"], int(connection.settings_dict["PORT"] or 5432)
    return f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port)


class ServerThread(threading.Thread):
    """The app on the given port, or on a free one, with the tests' database."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(daemon=True)
        self.host = HOST
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self.listener.getsockname()[1]
        self.server = Server(config())

    def run(self) -> None:
        self.server.run(sockets=[self.listener])

    def terminate(self) -> None:
        """Stop as on SIGTERM."""
        self.server.should_exit = True
        self.join()


class LiveServer(DjangosLiveServer):
    """The fixture `live_server`, on the production server instead of Django's."""

    def __init__(self) -> None:
        self.thread = ServerThread()  # type: ignore[assignment]  # as much of Django's as the fixture uses
        self._live_server_modified_settings = modify_settings(ALLOWED_HOSTS={"append": HOST})
        self.thread.start()

    def stop(self) -> None:
        self.thread.terminate()


@contextmanager
def serving(
    command: Sequence[str] = (sys.executable, "manage.py"), at: Path = ROOT, /, *options: str, **environment: str
) -> Generator[tuple[subprocess.Popen[str], int]]:
    """Run ``serve`` of this command with these options in this directory and environment: the process and its port."""
    server = subprocess.Popen(
        [*command, "serve", "--port", environment.pop("PORT", "0"), *options],
        cwd=at,
        env={"PATH": os.environ["PATH"], "PYTHONWARNINGS": "ignore", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        output = ""
        while "Stop" not in output:
            line = server.stdout.readline()
            assert line, "it did not come up"
            output += line
        yield server, int(re.findall(r"(?::|port )(\d+)", output)[0])
    finally:
        server.send_signal(signal.SIGKILL)
        server.communicate()


KEY = "k" * 50


def prepare(data: Path) -> None:
    """Make a data directory with a migrated database and the files that are handed out."""
    environment = {"DATA_DIR": str(data), "SECRET_KEY": KEY, "DEMO": "0", "PATH": os.environ["PATH"]}
    environment["DJANGO_SETTINGS_MODULE"] = "ofcscore.settings"
    command = [sys.executable, "-c", "from ofcscore.command import prepare; prepare()"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def collect(data: Path) -> None:
    """What ``collectstatic`` makes in a data directory."""
    if not (data / "static").exists():
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copytree(Path(_collected().name) / "static", data / "static")


@cache
def _collected() -> tempfile.TemporaryDirectory[str]:
    """A data directory with the files. They take seconds, so a process of the tests makes them once."""
    made = tempfile.TemporaryDirectory()
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    environment = {"DATA_DIR": made.name, "SECRET_KEY": KEY, "PATH": os.environ["PATH"]}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    atexit.register(made.cleanup)
    return made


class Way(Enum):
    """Where a connection leads: to the server, there but not back, nowhere, into silence, or to a page that wants a
    login.
    """

    OPEN = auto()
    THERE = auto()
    CLOSED = auto()
    SILENT = auto()
    PORTAL = auto()


class Router(socketserver.ThreadingTCPServer):
    """Stands between phones and the server, or a server and its database, and does what routers do: see `Way`."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, beyond: int | Address) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.beyond = ("127.0.0.1", beyond) if isinstance(beyond, int) else beyond
        self.way = Way.OPEN
        self.refused = 0
        self.connections: set[socket.socket] = set()
        self.asked: list[str] = []
        self.url = f"http://{HOST}:{self.server_address[1]}"

    def goes(self, way: Way) -> None:
        """From now on connections go this way. Those that are open are cut."""
        self.way = way
        for each in list(self.connections):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


PORTAL = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<h1>Log in</h1>"


class _Connection(socketserver.BaseRequestHandler):
    server: Router

    def handle(self) -> None:
        with self._noted(self.request), suppress(OSError):
            if self.server.way in {Way.OPEN, Way.THERE}:
                heard = self.request if self.server.way is Way.OPEN else None
                with _connected(self.server.beyond) as beyond, self._noted(beyond):
                    back = threading.Thread(target=_pump, args=(beyond, heard), daemon=True)
                    back.start()
                    _pump(self.request, beyond, self.server.asked)
                    back.join()
            elif self.server.way is Way.SILENT:
                _pump(self.request, None)
            elif self.server.way is Way.PORTAL and self.request.recv(65536):
                self.request.sendall(PORTAL)
            elif self.server.way is Way.CLOSED:
                self.server.refused += 1

    @contextmanager
    def _noted(self, connection: socket.socket) -> Generator[None]:
        self.server.connections.add(connection)
        yield
        self.server.connections.discard(connection)


def _connected(address: Address) -> socket.socket:
    if isinstance(address, tuple):
        return socket.create_connection(address)
    found = socket.socket(socket.AF_UNIX)
    found.connect(address)
    return found


REQUEST = re.compile(rb"^[A-Z]+ (\S+) HTTP/1\.1\r$", re.MULTILINE)


def _pump(source: socket.socket, target: socket.socket | None, asked: list[str] | None = None) -> None:
    """Pass on what comes until nothing more does, and note the addresses that are ``asked`` for."""
    with suppress(OSError):
        while part := source.recv(65536):
            if asked is not None:
                asked += [address.decode() for address in REQUEST.findall(part)]
            if target:
                target.sendall(part)
    if target:
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
