"""Finds out what another process did to the database file, such as `manage.py drop_idle` beside the server."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from django.db import connection

from scoring.live.hub import Hub

LOOK: Final = 1.0
"""Seconds between two looks at the file, each of some microseconds while nothing was written."""


async def listen(hub: Hub) -> None:
    """Tells the hub which watched sessions were deleted and which links revoked, also before this process started.

    What this process does itself the hub has heard already. A look needs no thread: in WAL mode a reader never waits.
    """
    file = f"{Path(connection.settings_dict['NAME']).absolute().as_uri()}?mode=ro"
    while True:
        with (
            suppress(sqlite3.Error),  # the file is missing, empty or being migrated: the pages will say so
            closing(sqlite3.connect(file, uri=True, timeout=0, isolation_level=None)) as eye,
        ):
            seen = None
            while True:
                now = (eye.execute("PRAGMA data_version").fetchone()[0], hub.joined)
                if now != seen:
                    _look(hub, eye)
                    seen = now
                await asyncio.sleep(LOOK)
        await asyncio.sleep(LOOK)


def _look(hub: Hub, eye: sqlite3.Connection) -> None:
    watched = hub.sessions
    there = eye.execute(
        "SELECT public_id FROM scoring_session WHERE public_id IN (SELECT value FROM json_each(?))",
        [json.dumps(watched)],
    ).fetchall()
    revoked = eye.execute(
        "SELECT public_id FROM scoring_link WHERE revoked_at IS NOT NULL"
        " AND public_id IN (SELECT value FROM json_each(?))",
        [json.dumps(hub.links)],
    ).fetchall()
    for public_id in {*watched} - {found for (found,) in there}:
        hub.hear({"session": public_id, "gone": True})
    for (link,) in revoked:
        hub.hear({"link": link})
