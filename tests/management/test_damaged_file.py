"""What the audit says of a file of SQLite in which a disk, or somebody, has overwritten something."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.databases import EVENING, database, did, migrate, run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a database in which an evening of every action was played."""
    with database("sqlite", tmp_path_factory.mktemp("whole")) as env:
        migrate(env)
        did(env, code=EVENING)
        yield env


def audited(whole: dict[str, str], at: Path, table: str) -> subprocess.CompletedProcess[str]:
    """What the audit does with a copy of the database in which this table begins with rubbish."""
    data = shutil.copytree(whole["DATA_DIR"], at / "data")
    (file,) = data.glob("*.sqlite3")
    with sqlite3.connect(file) as copy:
        copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((root,),) = copy.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table])
        ((size,),) = copy.execute("PRAGMA page_size")
    copy.close()
    with file.open("r+b") as pages:
        pages.seek((root - 1) * size)
        pages.write(b"\xff" * 32)
    return run({**whole, "DATA_DIR": str(data)}, "audit_ledger")


@pytest.mark.parametrize("table", ["scoring_event", "scoring_board", "scoring_usualstake"])
def test_a_damaged_page_is_a_finding_and_no_traceback(whole: dict[str, str], tmp_path: Path, table: str) -> None:
    audit = audited(whole, tmp_path, table)
    assert (audit.returncode, audit.stderr) == (1, "")
    assert "whole_file: " in audit.stdout
    assert "checks over " in audit.stdout.splitlines()[-1]


def test_where_the_sessions_cannot_be_read_one_line_says_so(whole: dict[str, str], tmp_path: Path) -> None:
    audit = audited(whole, tmp_path, "scoring_session")
    assert (audit.returncode, audit.stdout) == (1, "")
    assert audit.stderr.startswith("The database cannot be used: database disk image is malformed.")
    assert len(audit.stderr.splitlines()) == 1
