"""What another process did to the file of SQLite is found out, whatever the file is called."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from scoring.live import Hub, Watch, sqlite


@pytest.mark.parametrize("name", ["table.sqlite3", "table #1.sqlite3", "who?mode=rw", "%41"])
def test_a_session_that_is_gone_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with closing(sqlite3.connect(tmp_path / name)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE scoring_session (public_id)")
        database.execute("CREATE TABLE scoring_link (public_id, revoked_at)")
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / name))

    async def story() -> None:
        watch = Watch("gone", "link", 1)
        hub = Hub(listener=sqlite.listen)
        hub.join(watch)
        await watch.stirred.wait()
        assert watch.ended
        hub.close()

    asyncio.run(asyncio.wait_for(story(), 5))
    assert [file.name for file in tmp_path.iterdir() if not file.name.startswith(name)] == []
