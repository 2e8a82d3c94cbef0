"""A directory may have any name: the database stands in it, and not where a URL with that name would lead."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.databases import did, migrate, refused
from tests.test_serving import KEY, environment

pytestmark = pytest.mark.slow

WHERE = "from django.conf import settings; print(settings.DATABASES['default']['NAME'])"
NAMES = ["table #1", "who?x=1", "%41", "50% of it"]


def migrated(directory: Path) -> dict[str, str]:
    """The environment of a server whose database is in this directory."""
    env = environment(directory, SECRET_KEY=KEY, DEMO="0")
    migrate(env)
    return env


@pytest.mark.parametrize("name", NAMES)
def test_the_database_stands_in_the_directory_whatever_that_is_called(tmp_path: Path, name: str) -> None:
    env = migrated(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / "ofcscore.sqlite3").stat().st_size
    assert "has been removed" in did(env, "drill")
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("name", "earlier"), [("table#1", "table"), ("who?x=1", "who"), ("%41", "A/ofcscore.sqlite3")])
def test_the_data_of_an_earlier_release_are_not_left_behind(tmp_path: Path, name: str, earlier: str) -> None:
    """It took the directory's name for a part of a URL, and kept the database where that led."""
    env = environment(tmp_path / name)
    there = tmp_path / earlier
    here = tmp_path / name / "ofcscore.sqlite3"
    there.parent.mkdir(exist_ok=True)
    there.write_text("something else")
    assert did(env, code=WHERE) == f"{here}\n"
    there.unlink()
    with closing(sqlite3.connect(there)) as database:
        database.execute("CREATE TABLE scoring_club (id)")
    assert refused(env, "check") == (
        f"An earlier release kept the database in {there}. Move that file, and those beside it that end in -wal and"
        f" -shm, to {here}."
    )
    assert not here.exists()
    here.parent.mkdir()
    there.rename(here)
    assert did(env, code=WHERE) == f"{here}\n"
