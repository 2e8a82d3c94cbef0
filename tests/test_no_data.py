"""Commands before the first start say that there are no data yet, and make neither a database nor a directory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from ofcscore.command import NEED_DATA
from tests.backup.databases import database, did, run
from tests.servers import ROOT
from tests.test_serving import KEY, environment, manage

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

WITHOUT = {"flush", "makemessages", "restore", "score", "serve", "unit"}
"""Our commands that need no data."""

NAMED = [
    ("check",),
    ("rescore",),
    ("host-link",),
    ("backup", "table.zip"),
    ("drill",),
    ("export", "record", "nobody", "record.json"),
    ("drop_idle", "--days", "3"),
    ("demo",),
    ("createsuperuser",),
    ("changepassword", "somebody"),
]


def test_every_command_of_ours_says_whether_it_needs_data() -> None:
    ours = {file.stem for file in (ROOT / "scoring" / "management" / "commands").glob("[a-z]*.py")}
    assert ours - NEED_DATA == WITHOUT
    assert NEED_DATA - ours == {"changepassword", "createsuperuser"}


@pytest.mark.parametrize("command", NAMED, ids=lambda command: command[0])
def test_a_command_before_the_first_start_says_so_and_makes_nothing(tmp_path: Path, command: tuple[str, ...]) -> None:
    ended = run(environment(tmp_path / "data"), *command)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"There are no data yet in {tmp_path}/data/ofcscore.sqlite3. Start the server once with `ofcscore serve`, or"
        " restore a backup.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_it_is_the_same_in_a_checkout(tmp_path: Path) -> None:
    ended = manage("audit_ledger", env=environment(tmp_path / "data"))
    assert ended.returncode == 1
    assert ended.stderr.startswith("There are no data yet in")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_database_has_no_data_and_stays_empty(tmp_path: Path) -> None:
    (tmp_path / "ofcscore.sqlite3").touch()
    assert "no data yet" in run(environment(tmp_path), "check").stderr
    assert [(each.name, each.stat().st_size) for each in tmp_path.iterdir()] == [("ofcscore.sqlite3", 0)]
    with closing(sqlite3.connect(tmp_path / "ofcscore.sqlite3")) as other, other:
        other.execute("CREATE TABLE somebody_elses (id)")
    assert "no data yet" in run(environment(tmp_path), "check").stderr


def test_an_empty_database_of_postgresql_is_named(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("This run has no PostgreSQL; `make test-postgres` has.")
    with database("postgresql", tmp_path) as env:
        ended = run(env, "check")
        assert ended.returncode == 1
        assert ended.stderr.startswith(f"There are no data yet in {env['DATABASE_URL'].rpartition('/')[2]} at ")
        assert ended.stderr.count("\n") == 1
        did(env, "migrate")
        assert "no breaches" in did(env, "check")


def test_help_needs_no_data(tmp_path: Path) -> None:
    assert "--keep" in did(environment(tmp_path / "data"), "backup", "--help")
    assert "usage" in did(environment(tmp_path / "data"), "check", "-h")


@pytest.mark.parametrize("command", [("unit",), ("help",), ("--help",), ("--version",), ("backup", "-h")])
def test_what_only_prints_makes_nothing(tmp_path: Path, command: tuple[str, ...]) -> None:
    did(environment(tmp_path / "data"), *command)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_start_makes_no_key_either(tmp_path: Path) -> None:
    ended = run(environment(tmp_path / "data"), "serve", "--port", "80000")
    assert ended.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_given_is_looked_at_by_every_command(tmp_path: Path) -> None:
    assert "too short" in run(environment(tmp_path, SECRET_KEY=KEY[:10]), "check").stderr
