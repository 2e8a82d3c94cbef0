"""Databases of their own for commands that run as an operator runs them."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psycopg
from django.db import connection
from psycopg import sql

from tests.servers import ROOT, address_of_the_database

ENGINES = ["sqlite", "postgresql"]

EVENING = """
import django
django.setup()
from tests.actions.everything import everything, for_cash
everything()
for_cash()
"""
"""Plays an evening of every action, and one for cash whose rest is on the tab."""


@contextmanager
def database(engine: str, at: Path) -> Iterator[dict[str, str]]:
    """The environment of an empty database of its own, with a data directory below ``at``."""
    data = at / secrets.token_hex(4)
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(data), "SECRET_KEY": "k" * 50, "DEMO": "0"}
    if engine == "sqlite":
        yield env
        return
    name = f"ofc_{secrets.token_hex(6)}"
    here = connection.settings_dict
    with psycopg.connect(
        host=here["HOST"], port=here["PORT"] or 5432, user=here["USER"], password=here["PASSWORD"], dbname="postgres",
        autocommit=True,
    ) as server:  # fmt: skip
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield {**env, "DATABASE_URL": f"{address_of_the_database().rpartition('/')[0]}/{name}"}
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def run(env: dict[str, str], *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """A command of `ofcscore`, or code, in this environment."""
    what = ["-c", code] if code else ["-m", "ofcscore.command", *arguments]
    given = {**env, "DJANGO_SETTINGS_MODULE": "ofcscore.settings"}
    return subprocess.run([sys.executable, *what], cwd=ROOT, env=given, capture_output=True, text=True, check=False)


def did(env: dict[str, str], *arguments: str, code: str = "") -> str:
    """What it printed; it succeeded."""
    done = run(env, *arguments, code=code)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def migrate(env: dict[str, str]) -> None:
    """What the command ``migrate`` does to an empty database."""
    if "DATABASE_URL" in env:
        did(env, "migrate")
        return
    file = Path(env["DATA_DIR"]) / "ofcscore.sqlite3"
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_bytes(_migrated())


@cache
def _migrated() -> bytes:
    """A migrated database. All migrations take seconds, so a process of the tests makes them once."""
    with tempfile.TemporaryDirectory() as at, database("sqlite", Path(at)) as env:
        did(env, "migrate")
        [made] = Path(env["DATA_DIR"]).iterdir()
        return made.read_bytes()


def refused(env: dict[str, str], *arguments: str) -> str:
    """The one line that it failed with."""
    done = run(env, *arguments)
    assert done.returncode != 0, done.stdout
    line = done.stderr.strip().removeprefix("CommandError: ")
    assert "\n" not in line, line
    return line
