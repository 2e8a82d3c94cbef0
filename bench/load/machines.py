"""Servers of a temporary deployment: PostgreSQL, PgBouncer, Redis, HAProxy and processes of the app, on 127.0.0.1."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PATH: Final = f"{os.environ['PATH']}:/usr/sbin:/sbin"
"""Where Debian has servers, which not every user's path has."""
SLOTS: Final = 8
"""The most processes of the app that HAProxy looks for."""
TICK: Final = os.sysconf("SC_CLK_TCK")


def missing(*programs: str) -> list[str]:
    """Those of the programs that are not installed; `postgres` is PostgreSQL's own."""
    return [each for each in programs if (postgresql() is None if each == "postgres" else program(each) is None)]


def program(name: str) -> str | None:
    return shutil.which(name, path=PATH)


def postgresql() -> Path | None:
    """The directory of the newest PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda each: int(each.parts[-3]))
    return found[-1].parent if found else None


def documented(language: str) -> str:
    """The configuration of this program in the document for operators."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "deploying.md").read_text(), re.DOTALL)
    return str(found)


def reserved_port() -> int:
    """A free port that the kernel gives to nobody else for a minute, so that a server can be told to listen on it.

    The end of a connection rests on it (TIME_WAIT): a bind to port 0 passes over such a port, and a server that names
    it gets it, since servers set SO_REUSEADDR.
    """
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with socket.create_connection(taken.getsockname()) as client:
            closing_first, _ = taken.accept()
            closing_first.close()
            client.recv(1)
        return int(taken.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def until(condition: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Waits for this. Raises `TimeoutError`."""
    late = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > late:
            raise TimeoutError(f"{what} did not come within {seconds:.0f} s")
        time.sleep(0.02)


def as_nobody() -> list[str]:
    """What stands before the command of a server that refuses to run as root."""
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


@dataclass
class Postgres:
    """A cluster that waits for the disk at each commit, as one in earnest does, on a port and a socket of ``at``."""

    at: Path
    port: int = field(default_factory=reserved_port)
    spent: float = 0.0
    """The processor time until it was last stopped."""

    def __post_init__(self) -> None:
        self.at.mkdir(mode=0o755)
        if os.geteuid() == 0:
            shutil.chown(self.at, "nobody", "nogroup")
        data = [f"-D{self.at}/data", "-Uofcscore", "-Atrust", "-EUTF8", "--locale=C.UTF-8", "--no-sync"]
        self._run("initdb", *data)
        self.start()

    @property
    def url(self) -> str:
        return f"postgres://ofcscore@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.at}"
            " -c max_connections=200 -c shared_buffers=256MB"
        )
        self._run("pg_ctl", "start", "-w", "-s", f"-D{self.at}/data", f"-l{self.at}/log", f"-o{options}")

    def stop(self, mode: str = "fast") -> None:
        self.spent = self.seconds()
        self._run("pg_ctl", "stop", "-w", "-s", f"-D{self.at}/data", "-m", mode)

    def restart(self) -> None:
        self.stop()
        self.start()

    def seconds(self) -> float:
        """The processor time of the cluster so far."""
        with suppress(OSError, IndexError, ValueError):
            return self.spent + family_seconds(int((self.at / "data" / "postmaster.pid").read_text().split()[0]))
        return self.spent

    def _run(self, name: str, *arguments: str) -> None:
        binaries = postgresql()
        assert binaries is not None
        with (self.at.parent / "postgres.out").open("a") as log:
            subprocess.run([*as_nobody(), binaries / name, *arguments], cwd="/", check=True, stdout=log, stderr=log)


@contextmanager
def postgres(at: Path) -> Generator[Postgres]:
    cluster = Postgres(at)
    try:
        yield cluster
    finally:
        with suppress(subprocess.CalledProcessError):
            cluster.stop("immediate")


@contextmanager
def running(command: Sequence[object], log: Path, port: int) -> Generator[subprocess.Popen[bytes]]:
    """A server, from when it answers on its port."""
    with log.open("a") as out:
        server = subprocess.Popen(list(map(str, command)), cwd="/", stdout=out, stderr=out)
    try:
        until(lambda: answers(port) or server.poll() is not None, f"{command[0]}")
        if server.poll() is not None:
            raise RuntimeError(log.read_text())
        yield server
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(5)
        server.kill()
        server.wait()


@contextmanager
def redis(at: Path, port: int = 0) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """A server of Redis that keeps nothing on disk: its address and its process."""
    port = port or reserved_port()
    keeps_nothing = ["--save", "", "--appendonly", "no"]
    command = [program("redis-server") or "redis-server", "--port", port, "--bind", "127.0.0.1", *keeps_nothing]
    with running(command, at / "redis.out", port) as server:
        yield f"redis://127.0.0.1:{port}/0", server


@contextmanager
def pgbouncer(
    at: Path, database: int, *, host: str = "127.0.0.1", user: str = "ofcscore"
) -> Generator[tuple[int, subprocess.Popen[bytes]]]:
    """PgBouncer in transaction mode before the cluster at this host and port: its port and its process."""
    port = reserved_port()
    (at / "users.txt").write_text(f'"{user}" ""\n')
    written = documented("pgbouncer").replace("ofcscore = host=127.0.0.1 port=5432", f"* = host={host} port={database}")
    written = written.replace("scram-sha-256", "trust").replace("/etc/pgbouncer/userlist.txt", f"{at}/users.txt")
    (at / "pgbouncer.ini").write_text(written.replace("listen_port = 6432", f"listen_port = {port}"))
    for each in ("users.txt", "pgbouncer.ini"):
        (at / each).chmod(0o644)
    command = [*as_nobody(), program("pgbouncer") or "pgbouncer", "-q", at / "pgbouncer.ini"]
    with running(command, at / "pgbouncer.out", port) as server:
        yield port, server


@contextmanager
def haproxy(at: Path, slots: Sequence[int], *, in_turn: bool = False) -> Generator[tuple[int, subprocess.Popen[bytes]]]:
    """HAProxy before whichever of these ports has a process that is ready: its port and its process.

    As documented, but without TLS, and believing phones what their addresses are. A request goes to the process of its
    session, or to each process ``in_turn``.
    """
    port = reserved_port()
    written = re.sub(r"(?m)^    (http-request set-header|server) .*\n", "", documented("haproxy"))
    written = re.sub(r"bind .*", f"bind 127.0.0.1:{port}", written).replace("ofc.example.org", "localhost")
    if in_turn:
        written = re.sub(r"balance .*\n *hash-type .*", "balance roundrobin", written)
    servers = "".join(f"    server app{n} 127.0.0.1:{each}\n" for n, each in enumerate(slots))
    (at / "haproxy.cfg").write_text(written + servers)
    command = [program("haproxy") or "haproxy", "-db", "-f", at / "haproxy.cfg"]
    with running(command, at / "haproxy.out", port) as server:
        yield port, server


class App:
    """The processes of the app on one database, each on a slot that HAProxy looks at."""

    def __init__(self, at: Path, environment: dict[str, str]) -> None:
        self.at = at
        self.slots = [reserved_port() for _ in range(SLOTS)]
        self.processes: dict[int, subprocess.Popen[str]] = {}
        self.spent = 0.0
        """The processor time of those that have ended."""
        own = {"DATA_DIR": str(at / "data"), "SECRET_KEY": secrets.token_hex(32), "DEMO": "0"}
        django = {"PATH": PATH, "PYTHONWARNINGS": "ignore", "DJANGO_SETTINGS_MODULE": "bench.settings"}
        self.environment = {**django, **own, "TRUSTED_PROXIES": "127.0.0.1", **environment}

    def run(self, *arguments: str, given: str = "") -> str:
        """What Python says with these arguments, in the environment of the processes."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, input=given, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def add(self, count: int = 1) -> None:
        """Starts processes, and waits until they listen."""
        for port in [each for each in self.slots if each not in self.processes][:count]:
            with (self.at / "app.out").open("a") as log:
                self.processes[port] = subprocess.Popen(
                    [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)],
                    cwd=ROOT, env=self.environment, stdout=log, stderr=log, text=True,
                )  # fmt: skip
        until(lambda: all(map(answers, self.processes)) or not self._run(), "a process of the app")
        if not self._run():
            raise RuntimeError((self.at / "app.out").read_text())

    def _run(self) -> bool:
        return all(each.poll() is None for each in self.processes.values())

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the process that was started first."""
        port = next(iter(self.processes))
        process = self.processes.pop(port)
        self.spent += own_seconds(process.pid)
        process.send_signal(how)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()

    def seconds(self) -> float:
        """The processor time of all processes so far."""
        return self.spent + sum(family_seconds(each.pid) for each in self.processes.values())

    def complaints(self) -> list[str]:
        """The warnings and errors of the processes' logs, each once and without its time and addresses of objects."""
        found = re.findall(r"(?m)(?:WARNING|ERROR) .*$", (self.at / "app.out").read_text())
        return sorted({re.sub(r"0x[0-9a-f]+", "0x...", each)[:160] for each in found})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self.processes:
            self.end()


def own_seconds(pid: int, *, reaped: bool = True) -> float:
    """The processor time of a process, and of those of its children that have ended."""
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11 : 15 if reaped else 13])) / TICK
    return 0.0


def family_seconds(pid: int) -> float:
    """The processor time of a process and of all its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    with suppress(OSError):
        return own_seconds(pid) + sum(family_seconds(int(each)) for each in children.read_text().split())
    return own_seconds(pid)


@dataclass
class Deployment:
    """Everything that plays together, from `deployed`."""

    app: App
    database: Postgres
    port: int
    servers: dict[str, subprocess.Popen[bytes]]

    def seconds(self) -> dict[str, float]:
        """The processor time of each kind of server so far."""
        return {
            "app": self.app.seconds(),
            "PostgreSQL": self.database.seconds(),
            **{name: own_seconds(server.pid) for name, server in self.servers.items()},
        }


@contextmanager
def deployed(at: Path, *, processes: int, with_redis: bool = False, in_turn: bool = False) -> Generator[Deployment]:
    """A migrated database, the poolers, proxies and processes before it."""
    with ExitStack() as stack:
        at.chmod(0o755)
        database = stack.enter_context(postgres(at / "cluster"))
        pooler, bouncer = stack.enter_context(pgbouncer(at, database.port))
        environment = {
            "DATABASE_URL": f"postgres://ofcscore@127.0.0.1:{pooler}/postgres",
            "DIRECT_DATABASE_URL": database.url,
        }
        servers = {"PgBouncer": bouncer}
        if with_redis:
            environment["NOTICES_URL"], servers["Redis"] = stack.enter_context(redis(at))
        app = stack.enter_context(App(at, environment))
        app.run("-m", "bench.load.books", "prepare")
        port, servers["HAProxy"] = stack.enter_context(haproxy(at, app.slots, in_turn=in_turn))
        app.add(processes)
        yield Deployment(app, database, port, servers)
