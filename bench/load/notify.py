"""Measures what NOTIFY takes from the rate of commits: it locks the whole database until the commit is on the disk."""

from __future__ import annotations

import re
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from bench.load.machines import Postgres, postgresql

CLIENTS: Final = (1, 8, 32)
RATES: Final = (50, 100, 200, 400, 800, 1600)
"""Commits a second that are asked for, by 32 clients together."""
LISTENERS: Final = 4
ROUNDS: Final = 3

TABLES: Final = """
DROP TABLE IF EXISTS load_moved, load_written;
CREATE TABLE load_moved (id integer PRIMARY KEY, public_id text, version integer NOT NULL);
CREATE TABLE load_written (id bigserial PRIMARY KEY, what text);
INSERT INTO load_moved SELECT n, md5(n::text), 1 FROM generate_series(1, 5000) n;
CREATE TRIGGER load_moved AFTER UPDATE OF version ON load_moved FOR EACH ROW EXECUTE FUNCTION scoring_session_moved();
"""
COMMIT: Final = r"""
\set id random(1, 5000)
BEGIN;
INSERT INTO load_written (what) VALUES (repeat('x', 400));
UPDATE load_moved SET version = version + 1 WHERE id = :id;
COMMIT;
"""


class Found(NamedTuple):
    """What pgbench says: commits a second, and milliseconds from when one was due until it was done."""

    rate: float
    latency: float


def run(database: Postgres, at: Path, seconds: float) -> None:
    """Prints rates with the app's own trigger on and off. The database has to be migrated."""
    import psycopg

    (at / "commit.sql").write_text(COMMIT)
    (at / "commit.sql").chmod(0o644)
    with ExitStack() as stack:
        server = stack.enter_context(psycopg.connect(database.url, autocommit=True))
        server.execute(TABLES)
        for _ in range(LISTENERS):
            stack.enter_context(psycopg.connect(database.url, autocommit=True)).execute("LISTEN ofcscore_live")

        def both(clients: int, rate: int = 0) -> tuple[Found, Found]:
            """With NOTIFY and without, in turn; the best of each, so that the machine's noise disturbs both alike."""
            found: dict[str, list[Found]] = {"ENABLE": [], "DISABLE": []}
            for _ in range(ROUNDS):
                for how, each in found.items():
                    server.execute(f"ALTER TABLE load_moved {how} TRIGGER load_moved")
                    each.append(bench(database, at / "commit.sql", clients, seconds, rate))
            on, off = (max(each) if not rate else min(each, key=lambda one: one.latency) for each in found.values())
            return on, off

        print(f"NOTIFY at commit, {LISTENERS} connections that listen, commits that wait for the disk:")
        for clients in CLIENTS:
            on, off = both(clients)
            print(
                f"  {clients:>2} clients, as fast as they can: {on.rate:6,.0f} commits a second with NOTIFY,"
                f" {off.rate:6,.0f} without: {on.rate / off.rate:.2f}"
            )
        for rate in RATES:
            on, off = both(32, rate)
            print(
                f"  {rate:>5,} commits a second asked for: {on.rate:5,.0f} done in {on.latency:6.1f} ms with NOTIFY,"
                f" {off.rate:5,.0f} in {off.latency:6.1f} ms without"
            )
            if on.rate < 0.8 * rate:
                break
        server.execute("DROP TABLE load_moved, load_written")


def bench(database: Postgres, script: Path, clients: int, seconds: float, rate: int) -> Found:
    """Runs pgbench once."""
    binaries = postgresql()
    assert binaries is not None
    at = ["-h", "127.0.0.1", "-p", str(database.port), "-U", "ofcscore", "postgres"]
    pace = ["-R", str(rate)] if rate else []
    load = ["-c", str(clients), "-j", "2", "-T", str(max(1, round(seconds))), *pace, "-f", str(script)]
    command = [str(binaries / "pgbench"), "-n", *load, *at]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rates, latency = re.search(r"tps = ([\d.]+)", said), re.search(r"latency average = ([\d.]+) ms", said)
    assert rates is not None
    assert latency is not None
    return Found(float(rates[1]), float(latency[1]))
