"""What a process on PostgreSQL tells its streams of what happened before it listened."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from scoring.live import Hub
from scoring.live.postgres import catch_up


class Ear:
    """A connection that knows a session in version 7 and a link that was revoked."""

    async def execute(self, statement: str, _: object) -> Any:
        rows = [("link",)] if "scoring_link" in statement else [("session", 7)]

        async def fetchall() -> list[tuple[Any, ...]]:
            return rows

        return SimpleNamespace(fetchall=fetchall)


def test_nobody_who_has_lost_their_link_is_told_a_version() -> None:
    heard: list[dict[str, Any]] = []
    hub = SimpleNamespace(sessions=["session", "deleted"], links=["link"], hear=heard.append)
    asyncio.run(catch_up(cast("Hub", hub), cast("Any", Ear())))
    assert heard == [{"link": "link"}, {"session": "session", "version": 7}, {"session": "deleted", "gone": True}]
