"""Each release's database and backup, as that release left them, come to today's release, are audited and played on.

`scripts/keep-release` makes them, once for each release. 0.1.0 could make no backups yet.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from django.db import connection

from tests.backup.databases import database, did

HERE = Path(__file__).parent
DATABASES = sorted(HERE.glob("*.sqlite3.gz"))
BACKUPS = sorted(HERE.glob("*.zip"))

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

PLAYED_ON = """
import uuid
import django
django.setup()
from scoring.ledger import audit
from scoring.models import Session
from tests.ledger.conftest import settle
session = Session.objects.filter(closed_at=None).first() or Session.objects.first()
if session.closed_at is None:
    seats = session.seats.filter(kind="player", position__isnull=False, sitting_out=False).count()
    settle(session, key=uuid.uuid4().hex) if seats == 3 else None
assert list(map(str, audit.of_everything())) == []
print(session.deals)
"""


def named(path: Path) -> str:
    return path.name


def test_there_is_something_of_each_release() -> None:
    assert {path.name.removesuffix(".sqlite3.gz") for path in DATABASES} >= {"0.1.0"} | {path.stem for path in BACKUPS}
    assert BACKUPS


@pytest.mark.parametrize("kept", DATABASES, ids=named)
def test_a_database_is_saved_upgraded_and_played_on_and_there_is_a_way_back(kept: Path, tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as env:
        data = Path(env["DATA_DIR"])
        data.mkdir()
        (data / "ofcscore.sqlite3").write_bytes(gzip.decompress(kept.read_bytes()))
        did(env, code="from ofcscore.command import prepare; prepare()")
        did(env, code=PLAYED_ON)
        for saved in sorted((data / "backups").glob("*")):
            with database(connection.vendor, tmp_path) as back:
                did(back, "restore", str(saved))
                did(back, code=PLAYED_ON)


@pytest.mark.parametrize("kept", BACKUPS, ids=named)
def test_a_backup_is_restored_and_played_on(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        assert "the audit is clean" in did(env, "restore", str(kept))
        did(env, code=PLAYED_ON)
