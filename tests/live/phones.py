"""A phone that follows a session, as far as the server sees it."""

import http.client
import time
from collections.abc import Callable
from contextlib import closing
from types import TracebackType
from typing import NamedTuple, Self

from scoring import live
from scoring.models import Session
from tests.conftest import host_secret


class Event(NamedTuple):
    """One event of a stream."""

    id: str
    event: str
    data: str


def moved(version: int) -> Event:
    """The only event that a stream sends for a session that has moved."""
    return Event(str(version), "moved", str(version))


class Phone:
    """An open stream on a real connection. Reading fails after thirty seconds without a word."""

    def __init__(self, port: int, address: str, **headers: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.connection.request("GET", address, headers=headers)
        self.response = self.connection.getresponse()
        self.retry = 0
        if self.response.status == 200:
            self.retry = int(self._block()["retry"])

    def hear(self) -> Event:
        """The next event."""
        block = self._block()
        return Event(block["id"], block["event"], block["data"])

    def rest(self) -> bytes:
        """What else came before the stream ended. Raises if the connection broke off, or if the stream goes on."""
        found, until = b"", time.monotonic() + 30
        while piece := self.response.read1():  # a stream that goes on sends something every few seconds
            found += piece
            if time.monotonic() > until:
                raise TimeoutError(f"The stream goes on: {found!r}")
        return found

    def close(self) -> None:
        """Drop the connection without a word."""
        self.response.close()
        self.connection.close()

    def _block(self) -> dict[str, str]:
        lines = []
        while line := self.response.readline().decode().rstrip("\n"):
            lines.append(line)
        return dict(line.split(": ", 1) for line in lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def phone(port: int, session: str, after: int = 1, *, link: str = "link", **headers: str) -> Phone:
    """A phone whose page shows version ``after`` of this session."""
    return Phone(port, f"{live.address(session, link, 'club')}&after={after}", **headers)


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds, at most fifteen seconds."""
    until = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def get(port: int, path: str, **headers: str) -> tuple[int, bytes]:
    """Make an ordinary request; returns status and body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read()


def hosts_cookie(port: int, session: Session) -> dict[str, str]:
    """The cookie header of a browser that has opened the host's link."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", f"/l/{host_secret(session.club)}")
        cookie = connection.getresponse().getheader("Set-Cookie")
        assert cookie is not None
        return {"Cookie": cookie.partition(";")[0]}
