"""Measures the running server: the delay from a commit to every phone, and pages and settling beside bare requests.

``python -m bench.live`` measures one process on SQLite in a scratch directory. With ``DATABASE_URL``, which `run` gets
from ``scripts/with-postgres``, it measures two processes that share a scratch database on that server.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import resource
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import urlencode

import django

from bench.timing import line

CLIENTS = 8
PHONES = 8
"""The phones at the measured table."""
SECONDS = 1.5
"""How long each kind of request is repeated in each round."""
ROUNDS = 3
HANDS = 120
PAUSE = 0.02
LONG_EVENING = 2_000
"""The hands of the session that is exported while others want their pages."""
EXPORTS = ("ledger.xlsx", "record.json")


def run() -> None:
    """Prints the figures of SQLite and of PostgreSQL."""
    alone = [sys.executable, "-m", "bench.live"]
    subprocess.run(alone, check=True, env={name: os.environ[name] for name in os.environ if name != "DATABASE_URL"})
    sys.stdout.flush()
    if subprocess.run(["scripts/with-postgres", *alone], check=False).returncode:
        print("  NOT MEASURED: two processes on PostgreSQL")


def main() -> None:
    """Prints the figures of the database that the environment names."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    with ExitStack() as stack:
        os.environ["DATA_DIR"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="ofcscore-bench-"))
        stack.enter_context(scratch_database())
        limits = ("STREAMS_PER_CLUB", "STREAMS_PER_ADDRESS", "CONNECTIONS_PER_CLIENT")
        os.environ |= dict.fromkeys(limits, "0")  # 1,000 streams of one club from here
        django.setup()
        manage("migrate", "--verbosity", "0")
        manage("collectstatic", "--no-input", "--verbosity", "0")
        tables = Tables()
        shared = "DATABASE_URL" in os.environ
        servers = [stack.enter_context(serving()) for _ in range(2 if shared else 1)]
        print(f"Live, {'two processes on PostgreSQL' if shared else 'one process on SQLite'}:")
        requests(servers[0].port, tables, goals=not shared)
        exports(servers[0].port, tables)
        asyncio.run(streams(servers, tables))


# --- What is measured -------------------------------------------------------------------------------------------------


@contextmanager
def scratch_database() -> Generator[None]:
    """Creates a database on the server and points DATABASE_URL at it. SQLite needs none: its file is in DATA_DIR."""
    given = os.environ.get("DATABASE_URL")
    if given is None:
        yield
        return
    import psycopg

    name = f"ofcscore_bench_{os.getpid()}"
    with psycopg.connect(given, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        os.environ["DATABASE_URL"] = re.sub(r"/[^/]*$", f"/{name}", given)
        try:
            yield
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(*arguments: str) -> None:
    subprocess.run([sys.executable, "manage.py", *arguments], check=True)


class Server(NamedTuple):
    """A server process under test."""

    port: int
    pid: int

    def kibibytes(self) -> int:
        """The resident memory of the process in KiB."""
        return int(subprocess.run(["ps", "-o", "rss=", "-p", str(self.pid)], check=True, capture_output=True).stdout)


@contextmanager
def serving() -> Generator[Server]:
    """Starts a server process, and stops it at the end of the block."""
    command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        said = ""
        while "Stop" not in said:
            said += server.stdout.readline()
        yield Server(int(re.findall(r":(\d+)/", said)[0]), server.pid)
    finally:
        server.terminate()
        server.communicate()


class Tables:
    """Sessions of one club, each with three players and one settled deal, and the secret of a host's link to them."""

    def __init__(self) -> None:
        from django.db import connection

        from bench.urls import entry
        from scoring import ledger
        from scoring.access import links

        made: list[str] = []
        club = None
        for _ in range(2 * CLIENTS):
            session = ledger.start_session(
                names=["Ann", "Bob", "Cat"], stake=100, currency="EUR", club=club, key=secrets.token_hex(8), by="bench"
            )
            club = session.club
            ledger.settle_deal(session=session, entry=entry(), number=1, key=secrets.token_hex(8), by="bench")
            made.append(session.public_id)
        self.sessions, self.bare = made[:CLIENTS], made[CLIENTS:]
        assert club is not None
        self.secret = links.issue(club=club, role=links.Role.HOST, key="bench", name="bench")[1]
        connection.close()


# --- Requests ---------------------------------------------------------------------------------------------------------


class Client:
    """A client that has opened the host's link and keeps its connection."""

    def __init__(self, port: int, tables: Tables, session: str, bare_session: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cookies: dict[str, str] = {}
        self.session, self.bare_session = session, bare_session
        self.ask("GET", f"/l/{tables.secret}", 302)
        form = self.ask("GET", f"/s/{session}/next/")
        self.token = re.findall(rb'name="csrfmiddlewaretoken" value="([^"]+)"', form)[0].decode()
        self.version = int(re.findall(rb'data-version="(\d+)"', form)[0])

    def ask(self, method: str, path: str, status: int = 200, fields: dict[str, Any] | None = None) -> bytes:
        headers = self.headers()
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, urlencode(fields) if fields else None, headers)
        response = self.connection.getresponse()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        body = response.read()
        if response.status != status:
            raise RuntimeError(f"{method} {path}: {response.status} {body[:200]!r}")
        return body

    def headers(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def download(self, path: str) -> int:
        """Waits for an export as its page does, downloads it, and returns its size in bytes."""
        address = path
        while True:
            self.connection.request("GET", address, headers=self.headers())
            response = self.connection.getresponse()
            body = response.read()
            if response.status not in {200, 202}:
                raise RuntimeError(f"GET {address}: {response.status}")
            if "attachment" in response.headers.get("Content-Disposition", ""):
                return len(body)
            seconds, _, again = response.headers["Refresh"].partition("; url=")
            time.sleep(int(seconds))
            address = path + again

    def page(self) -> None:
        """Loads the table's page."""
        self.ask("GET", f"/s/{self.session}/")

    def bare(self) -> None:
        self.ask("GET", f"/bare/{self.session}")

    def bare_write(self) -> None:
        self.ask("POST", f"/bare-write/{self.bare_session}", fields={"a": 1})

    def settle(self) -> None:
        """Submits the form that settles the next deal."""
        from bench.urls import BOARDS

        rows = {
            f"p{seat}-{row}": cards
            for seat, board in BOARDS.items()
            for row, cards in zip(("front", "middle", "back"), board, strict=True)
        }
        own = {"csrfmiddlewaretoken": self.token, "key": secrets.token_hex(8)}
        # Event 1 opened the session and each deal adds one, so the next deal's number is the session's version.
        fields = {**rows, **own, "number": self.version, "version": self.version}
        self.ask("POST", f"/s/{self.session}/hand/", 302, fields)
        self.version += 1


def requests(port: int, tables: Tables, *, goals: bool) -> None:
    """Measures rate and p99 of each kind in turn, with eight clients at a table each. ``goals`` prints goals."""
    clients = [Client(port, tables, *both) for both in zip(tables.sessions, tables.bare, strict=True)]
    kinds: list[Callable[[Client], None]] = [Client.bare, Client.page, Client.bare_write, Client.settle]
    times: dict[str, list[list[float]]] = {kind.__name__: [] for kind in kinds}
    with ThreadPoolExecutor(CLIENTS) as pool:
        for _ in range(ROUNDS):
            for kind in kinds:
                took = pool.map(asked, clients, [kind] * CLIENTS)
                times[kind.__name__].append(list(chain.from_iterable(took)))
    rates = {name: max(len(each) for each in rounds) / SECONDS for name, rounds in times.items()}
    p99 = {name: quantile(list(chain.from_iterable(rounds)), 0.99) for name, rounds in times.items()}
    for name, what in {
        "bare": "bare views",
        "page": "pages of a table",
        "bare_write": "bare writes",
        "settle": "settled hands",
    }.items():
        print(f"  {what}: {rates[name]:,.0f} a second under {CLIENTS} clients, p99 {p99[name] * 1e3:.0f} ms")
    for label, ratio, goal in [
        ("pages of a table / bare views, in rate", rates["page"] / rates["bare"], ">= 0.70"),
        ("settling a hand / a bare write request, in time", rates["bare_write"] / rates["settle"], "<= 1.50"),
        ("p99 of settling, in 100 ms", p99["settle"] / 0.1, "<= 1.00"),
    ]:
        line(label, ratio, goal if goals else "none")


def asked(client: Client, kind: Callable[[Client], None]) -> list[float]:
    """Repeats a kind of request for `SECONDS`. Returns the seconds that each one took."""
    took = []
    until = time.monotonic() + SECONDS
    while (began := time.monotonic()) < until:
        kind(client)
        took.append(time.monotonic() - began)
    return took


def quantile(times: Sequence[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


# --- Exports ----------------------------------------------------------------------------------------------------------


def exports(port: int, tables: Tables) -> None:
    """Measures how long a table's pages take while exports of a long evening are made, and how long without them."""
    long_evening = tables.sessions[1]
    settle(long_evening, LONG_EVENING)
    reader, exporter = (Client(port, tables, *both) for both in zip(tables.sessions[:2], tables.bare[:2], strict=True))
    alone = asked(reader, Client.page)
    beside: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        for name in EXPORTS:
            made = pool.submit(exporter.download, f"/s/{long_evening}/{name}")
            while not made.done():
                began = time.monotonic()
                reader.page()
                beside.append(time.monotonic() - began)
            print(f"  {name} of {LONG_EVENING:,} hands: {made.result() / 1e6:.1f} MB")
    alone += asked(reader, Client.page)
    longer = quantile(beside, 0.99) - statistics.median(alone)
    print(
        f"  {len(beside):,} pages of a table meanwhile: p99 {quantile(beside, 0.99) * 1e3:.0f} ms, at worst"
        f" {max(beside) * 1e3:.0f}; without the exports p99 {quantile(alone, 0.99) * 1e3:.0f}, at worst"
        f" {max(alone) * 1e3:.0f}"
    )
    line("longer wait for a page beside an export, p99 in 50 ms", longer / 0.05, "<= 1.00")


def settle(public_id: str, times: int) -> None:
    """Settles more deals of a session, past the server."""
    from django.db import connection

    from bench import ledger
    from scoring.models import Session

    ledger.settle(Session.objects.get(public_id=public_id), times)
    connection.close()


# --- Streams ----------------------------------------------------------------------------------------------------------


class Phone(asyncio.Protocol):
    """A stream that records when it received each version."""

    def __init__(self) -> None:
        self.heard: dict[int, float] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.leave = transport.close

    def data_received(self, data: bytes) -> None:
        """Records the versions. An event of 40 bytes always arrives in one piece."""
        now = time.monotonic()
        for version in re.findall(rb"data: (\d+)", data):
            self.heard.setdefault(int(version), now)

    @classmethod
    async def at(cls, server: Server, session: str) -> Phone:
        """Connects and requests a stream of the session."""
        from scoring import live

        loop = asyncio.get_running_loop()
        transport, phone = await loop.create_connection(cls, "127.0.0.1", server.port)
        own = transport.get_extra_info("sockname")[1]  # names a link for each stream, since one may not open so many
        address = f"{live.address(session, f'link {own}', 'bench')}&after=1"
        transport.write(f"GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return phone


async def streams(servers: Sequence[Server], tables: Tables) -> None:
    """Measures the delay from the commit to one table's phones, and to the last of 100 and of 1,000."""
    table, *_, crowd = tables.sessions
    loop = asyncio.get_running_loop()
    phones = [await Phone.at(servers[n % len(servers)], table) for n in range(PHONES)]
    poster = http.client.HTTPConnection("127.0.0.1", servers[0].port)

    def settled(session: str) -> tuple[float, int, float]:
        began = time.monotonic()
        poster.request("POST", f"/settle/{session}")
        committed, version = poster.getresponse().read().split()
        return float(committed), int(version), time.monotonic() - began

    async def table_hears() -> tuple[list[float], list[float]]:
        """Returns the seconds from each commit to each phone, and the seconds that each settling took."""
        reached, took = [], []
        for _ in range(HANDS):
            committed, version, seconds = await loop.run_in_executor(None, settled, table)
            await heard(phones, version)
            reached += [phone.heard[version] - committed for phone in phones]
            took.append(seconds)
            await asyncio.sleep(PAUSE)
        return reached, took

    await table_hears()  # warms up
    quiet, alone = await table_hears()
    everywhere: list[Phone] = []
    before = sum(server.kibibytes() for server in servers)
    for many in (100, 1000):
        while len(everywhere) < many:
            everywhere.append(await Phone.at(servers[len(everywhere) % len(servers)], crowd))
        await asyncio.sleep(1)
        memory = sum(server.kibibytes() for server in servers) - before
        last = []
        for _ in range(20):
            committed, version, _ = await loop.run_in_executor(None, settled, crowd)
            await heard(everywhere, version)
            last.append(max(phone.heard[version] for phone in everywhere) - committed)
            await asyncio.sleep(PAUSE)
        middle, worst = statistics.median(last) * 1e3, max(last) * 1e3
        print(f"  commit to all of {many:,} streams: {middle:.0f} ms, at worst {worst:.0f}")
    reached, beside = await table_hears()
    for phone in everywhere:
        phone.leave()
    await asyncio.sleep(1)
    _, again = await table_hears()
    print(
        f"  commit to a table's {PHONES} phones: p50 {statistics.median(quiet) * 1e3:.1f} ms, p99"
        f" {quantile(quiet, 0.99) * 1e3:.1f}; beside 1,000 open streams p50 {statistics.median(reached) * 1e3:.1f},"
        f" p99 {quantile(reached, 0.99) * 1e3:.1f}"
    )
    print(f"  an open stream: {memory / len(everywhere):.1f} KiB")
    line("commit to a table's phones beside 1,000, p99 in 10 ms", quantile(reached, 0.99) / 0.01, "<= 1.00")
    # The rate without streams was measured before and after, so that a drift in the machine's speed affects both sides.
    line(
        "settling beside 1,000 streams / none, in time",
        statistics.median(beside) / statistics.median(alone + again),
        "<= 1.10",
    )


async def heard(phones: Sequence[Phone], version: int) -> None:
    """Waits up to five seconds until all phones have received the version. Each phone records its own time."""
    async with asyncio.timeout(5):
        while not all(version in phone.heard for phone in phones):
            await asyncio.sleep(0.001)


if __name__ == "__main__":
    main()
