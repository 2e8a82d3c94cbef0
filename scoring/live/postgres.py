"""Passes messages between processes that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from scoring.live.hub import Hub
from scoring.live.tokens import LIFETIME

if TYPE_CHECKING:
    import psycopg

logger = logging.getLogger(__name__)


CHANNEL: Final = "ofcscore_live"
"""The channel of LISTEN and NOTIFY."""


LISTENER: Final = "ofcscore live"
"""The application name of a listening connection, as pg_stat_activity shows it."""


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
    """Passes the messages of other processes to the hub, on a connection of its own that reconnects when it is lost.

    After each connect, and for streams that were opened since, it reads what they could not hear (`_catch_up`).
    """
    import psycopg

    given = connection.get_connection_params()
    ours = {"context", "cursor_factory", "prepare_threshold"}  # these are for Django's own connections
    terms = {**_KEEPALIVE, **{name: given[name] for name in given if name not in ours}, "application_name": LISTENER}
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**terms, autocommit=True) as ear:
                await ear.execute(f"LISTEN {CHANNEL}")
                while True:
                    joined = hub.joined
                    await _catch_up(hub, ear)
                    while hub.joined == joined:
                        async for notice in ear.notifies(timeout=LOOK):
                            hub.hear(json.loads(notice.payload))
        except psycopg.OperationalError as error:
            logger.warning("Live pages cannot reach the database and will retry: %s", error)
        await asyncio.sleep(_RECONNECT)


async def _catch_up(hub: Hub, ear: psycopg.AsyncConnection[Any]) -> None:
    """Tells the hub the versions of the watched sessions, and what was deleted or revoked.

    This makes up for messages that it missed, and for those sent before this process listened.
    """
    watched = hub.sessions
    found = await ear.execute("SELECT public_id, version FROM scoring_session WHERE public_id = ANY(%s)", [watched])
    versions: dict[str, int] = dict(await found.fetchall())
    for public_id in watched:
        if public_id in versions:
            hub.hear({"session": public_id, "version": versions[public_id]})
        else:
            hub.hear({"session": public_id, "gone": True})
    found = await ear.execute(
        "SELECT public_id FROM scoring_link WHERE revoked_at IS NOT NULL"
        " AND (public_id = ANY(%s) OR revoked_at > now() - make_interval(secs => %s))",
        [hub.links, LIFETIME],
    )
    for (link,) in await found.fetchall():
        hub.hear({"link": link})
