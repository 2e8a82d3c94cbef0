"""A server under attack, in a process of its own, and the probe of a table that goes on playing meanwhile."""

from __future__ import annotations

import http.client
import math
import os
import subprocess
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from tests.pages import form
from tests.servers import address_of_the_database

SCALE = int(os.environ.get("ATTACKS", "1"))
"""`make attack` makes each attack so many times as large."""

HEALTHY, SETTLED = (1.0, 2.0) if "ATTACKS" in os.environ else (8.0, 8.0)
"""Seconds in which the health check answers, and in which 99 % of the hands are settled, whatever happens meanwhile.

`make attack` holds the server to what docs/security.md promises. Tests beside others, on a machine that is busy with
something else, only have to see that nobody stops it: undefended, it stands still for 15 to 50 seconds.
"""
MEMORY, LOG = 50 * 2**20, 2**20
"""Bytes by which memory and log may grow."""

BOARDS = {
    1: ("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs"),
    2: ("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s"),
    3: ("QsQd3s", "KhKsAc2c3c", "JhAs5d5cKd"),
}


class Browser:
    """A browser on real connections, with as much of Django's test client as `tests.pages` uses."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def get(self, address: str, data: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> Any:
        query = f"?{urlencode(data, doseq=True)}" if data else ""
        return self._ask("GET", address.partition("?")[0] + query if data else address, None, headers or {})

    def post(self, address: str, data: dict[str, Any], headers: dict[str, str] | None = None) -> Any:
        form_type = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", address, urlencode(data, doseq=True), form_type | (headers or {}))

    def _ask(self, method: str, address: str, body: str | None, headers: dict[str, str]) -> Any:
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, address, body, {"Cookie": sent, **headers} if sent else headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie", []):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            path, _, query = address.partition("?")
            return SimpleNamespace(
                status_code=answer.status,
                content=answer.read(),
                headers=answer.headers,
                client=self,
                request={"PATH_INFO": path, "QUERY_STRING": query},
            )


class Target:
    """The server: its port, the bytes that it has logged, and its memory."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.logged = 0
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.logged += len(line)

    def memory(self) -> int:
        """The bytes of its memory."""
        found = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], check=True, capture_output=True, text=True
        )
        return int(found.stdout) * 1024


@contextmanager
def attacked(port: int, process: subprocess.Popen[str], session: str, secret: str) -> Generator[Target]:
    """In this block, a table plays on while the block attacks; afterwards it is seen whether it could."""
    target, table = Target(process, port), Table(port, session, secret)
    table.settle()  # so that everything is loaded
    memory, logged = target.memory(), target.logged
    over = threading.Event()
    probe = threading.Thread(target=table.play, args=(over,))
    probe.start()
    try:
        yield target
    finally:
        table.rounds.acquire()  # at least one whole round of the probe was played during the attack
        over.set()
        probe.join()
    table.check()
    assert target.memory() - memory < MEMORY
    assert target.logged - logged < LOG


class Table:
    """A host who settles hand after hand, and a monitor that asks for the server's health."""

    def __init__(self, port: int, session: str, secret: str) -> None:
        self.port, self.session = port, session
        self.browser = Browser(port)
        assert self.browser.get(f"/l/{secret}").status_code == 302
        self.healthy: list[float] = []
        self.settled: list[float] = []
        self.failures: list[str] = []
        self.rounds = threading.Semaphore(0)

    def play(self, over: threading.Event) -> None:
        """Plays until the attack is over."""
        while not over.is_set():
            try:
                self.healthy.append(self._seconds(self.health))
                self.settled.append(self._seconds(self.settle))
            except (OSError, http.client.HTTPException, AssertionError) as error:
                self.failures.append(repr(error))
            self.rounds.release()

    def health(self) -> None:
        """Asks for the health check, on a connection of its own."""
        assert Browser(self.port).get("/healthz").status_code == 200

    def settle(self) -> None:
        """Types a hand, checks it and settles it."""
        address = f"/s/{self.session}/hand/"
        rows = {
            f"p{seat}-{row}": cards
            for seat, board in BOARDS.items()
            for row, cards in zip(("front", "middle", "back"), board, strict=True)
        }
        page = self.browser.get(address)
        assert page.status_code == 200, (page.status_code, dict(page.headers), self.browser.cookies)
        preview = form(page, action=address).fill(rows).press("Show the settlement")
        began = time.monotonic()
        answer = form(preview).press()
        assert answer.status_code == 302, (answer.status_code, dict(answer.headers))
        self.took = time.monotonic() - began

    def _seconds(self, what: Any) -> float:
        began = time.monotonic()
        what()
        return self.took if what == self.settle else time.monotonic() - began

    def check(self) -> None:
        """Fails if the table was held up."""
        assert not self.failures, self.failures
        assert p99(self.healthy) < HEALTHY, self.healthy
        assert p99(self.settled) < SETTLED, self.settled


def p99(seconds: list[float]) -> float:
    """The 99th percentile, which is the longest of fewer than a hundred.

    A connection that finds the kernel's queue full is asked for once more after a second, and a flood fills that queue.
    """
    return sorted(seconds)[max(0, math.ceil(0.99 * len(seconds)) - 1)]


def environment(data_dir: Path) -> dict[str, str]:
    """The environment of a server on this test's database."""
    return {
        "DATABASE_URL": address_of_the_database(),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATA_DIR": str(data_dir),
    }
