"""Passes messages between processes that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction

from ofcscore import database
from scoring.live.hub import Hub
from scoring.live.tokens import LIFETIME

if TYPE_CHECKING:
    import psycopg

logger = logging.getLogger(__name__)


CHANNEL: Final = "ofcscore_live"
"""The channel of LISTEN and NOTIFY."""


LISTENER: Final = "ofcscore live"
"""The application name of a listening connection, as pg_stat_activity shows it."""


UNKNOWN: Final = "unknown"
"""The way of a database whose trigger somebody has switched off without saying for which server."""


_RECONNECT: Final = 1.0


LOOK: Final = 1.0
"""Seconds after which a listener looks whether streams were opened that it has not checked against the database."""


_KEEPALIVE: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""Detects within a minute that the server has vanished, although this connection sends nothing of its own."""


async def listen(hub: Hub) -> None:
    """Passes the messages of other processes to the hub, on a connection of its own.

    After each connect, and for streams that were opened since, it reads what they could not hear (`catch_up`).
    """

    async def hear(ear: psycopg.AsyncConnection[Any]) -> None:
        await ear.execute(f"LISTEN {CHANNEL}")
        while True:
            joined = hub.joined
            await catch_up(hub, ear)
            while hub.joined == joined:
                async for notice in ear.notifies(timeout=LOOK):
                    hub.hear_text(notice.payload)

    await connected(hear)


async def connected(use: Callable[[psycopg.AsyncConnection[Any]], Awaitable[None]]) -> None:
    """Calls ``use`` with a connection past every pooler, and again with a new one whenever that is lost."""
    import psycopg

    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**_terms(), autocommit=True) as opened:
                await use(opened)
        except psycopg.OperationalError as error:
            logger.warning("Live pages cannot reach the database and will retry: %s", error)
        await asyncio.sleep(_RECONNECT)


def _terms() -> dict[str, Any]:
    return {**_KEEPALIVE, **database.direct(), "application_name": LISTENER}


async def catch_up(hub: Hub, ear: psycopg.AsyncConnection[Any]) -> None:
    """Tells the hub the versions of the watched sessions, and what was deleted or revoked.

    This makes up for messages that it missed, and for those sent before this process listened.
    """
    # First what was revoked, so that nobody who has lost their link is told a version.
    found = await ear.execute(
        "SELECT public_id FROM scoring_link WHERE revoked_at IS NOT NULL"
        " AND (public_id = ANY(%s) OR revoked_at > now() - make_interval(secs => %s))",
        [hub.links, LIFETIME],
    )
    for (link,) in await found.fetchall():
        hub.hear({"link": link})
    watched = hub.sessions
    found = await ear.execute("SELECT public_id, version FROM scoring_session WHERE public_id = ANY(%s)", [watched])
    versions: dict[str, int] = dict(await found.fetchall())
    for public_id in watched:
        if public_id in versions:
            hub.hear({"session": public_id, "version": versions[public_id]})
        else:
            hub.hear({"session": public_id, "gone": True})


def way() -> str:
    """The way that the database keeps for all processes: the fingerprint of the server by which they tell each other of
    changes, or nothing if the database itself tells them, by its trigger.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(obj_description(oid, 'pg_trigger'), %s) FROM pg_trigger WHERE tgenabled = 'D'"
            " AND tgname = 'scoring_session_moved' AND tgrelid = to_regclass('scoring_session')",
            [UNKNOWN],
        )
        comment = cursor.fetchone()
    return str(comment[0]) if comment else ""


def keep_way(server: str) -> None:
    """Stores for all processes, until somebody decides anew, by which server they learn of changes.

    A ``server`` turns the trigger off, and the trigger's comment keeps the server. An empty one turns it on, so that
    the database itself tells them.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE scoring_session {'DISABLE' if server else 'ENABLE'} TRIGGER scoring_session_moved")
        cursor.execute("COMMENT ON TRIGGER scoring_session_moved ON scoring_session IS %s", [server or None])
