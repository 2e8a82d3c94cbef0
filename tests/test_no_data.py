"""Commands before the first start say that there are no data yet, and make neither a database nor a directory.

On the database of another release they say which release it needs, and change nothing.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from ofcscore.command import NEED_DATA
from tests.backup.databases import database, did, migrate, run
from tests.servers import ROOT
from tests.test_serving import KEY, environment, manage
from tests.test_starting import of_first_release

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

WITHOUT = {"export_openapi_schema", "flush", "makemessages", "restore", "score", "serve", "unit"}
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
        migrate(env)
        assert "no breaches" in did(env, "check")


OF_TODAY = [each for each in NAMED if each[0] not in {"backup", "drill"}]
"""What is only done with the tables of today's release. A backup and a drill can be made of an earlier one's, too."""


@pytest.mark.parametrize("command", OF_TODAY, ids=lambda command: command[0])
def test_a_command_on_the_database_of_an_earlier_release_says_how_it_is_upgraded(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    ended = run(of_first_release(tmp_path / "data"), *command)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "The database is of an earlier release. Start the server once with `ofcscore serve`, which saves everything"
        " and upgrades it.\n"
    )


def test_a_database_of_an_earlier_release_can_be_saved_as_it_is(tmp_path: Path) -> None:
    env = of_first_release(tmp_path / "data")
    assert "rows" in did(env, "backup", str(tmp_path / "table.zip"))
    assert "the audit is clean" in did(env, "drill")


@pytest.mark.parametrize("command", NAMED, ids=lambda command: command[0])
def test_a_command_on_the_database_of_a_later_release_is_refused(tmp_path: Path, command: tuple[str, ...]) -> None:
    env = environment(tmp_path, SECRET_KEY=KEY)
    migrate(env)
    with closing(sqlite3.connect(tmp_path / "ofcscore.sqlite3")) as other, other:
        other.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '9999_later', '2026-01-01')"
        )
    ended = run(env, *command)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "The database is newer than this release" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_file_that_is_no_database_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "ofcscore.sqlite3").write_bytes(b"This is no database. " * 1000)
    for command in (("check",), ("restore", str(tmp_path / "table.zip")), ("serve", "--port", "0")):
        ended = run(environment(tmp_path, SECRET_KEY=KEY), *command)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.count("\n") == 1, ended.stderr
    assert "is not a database" in ended.stderr


def test_the_command_has_settings_of_its_own_whatever_another_app_of_django_needs(tmp_path: Path) -> None:
    env = environment(tmp_path / "data") | {"DJANGO_SETTINGS_MODULE": "paperless.settings"}
    ended = subprocess.run(
        [sys.executable, "-m", "ofcscore.command", "check"],
        cwd=ROOT, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.stderr.startswith("There are no data yet in")


def test_a_key_that_is_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    env = environment(tmp_path)
    env.pop("SECRET_KEY", None)
    migrate(env)
    (tmp_path / "secret-key").write_bytes(b"\xff" * 64)
    ended = run(env, "check")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"{tmp_path}/secret-key holds no text. Put it back from a copy, or set SECRET_KEY.\n"


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
    assert "SECRET_KEY is too short" in run(environment(tmp_path, SECRET_KEY=KEY[:10]), "check").stderr
