"""Passes messages between processes that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Final

from django.db import connection

from scoring.live.hub import Hub
from scoring.live.tokens import LIFETIME

logger = logging.getLogger(__name__)


CHANNEL: Final = "ofcscore_live"
"""The channel of LISTEN and NOTIFY."""


LISTENER: Final = "ofcscore live"
"""The application name of a listening connection, as pg_stat_activity shows it."""


_RECONNECT: Final = 1.0


_KEEPALIVE: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""Detects within a minute that the server has vanished, although this connection sends nothing of its own."""


async def listen(hub: Hub) -> None:
    """Passes the messages of other processes to the hub, on a connection of its own that reconnects when it is lost.

    After each connect it reads the versions of the watched sessions and the revoked links, to make up for messages that
    it missed.
    """
    import psycopg

    given = connection.get_connection_params()
    ours = {"context", "cursor_factory", "prepare_threshold"}  # these are for Django's own connections
    terms = {**_KEEPALIVE, **{name: given[name] for name in given if name not in ours}, "application_name": LISTENER}
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**terms, autocommit=True) as ear:
                await ear.execute(f"LISTEN {CHANNEL}")
                found = await ear.execute(
                    "SELECT public_id, version FROM scoring_session WHERE public_id = ANY(%s)", [hub.sessions]
                )
                for public_id, version in await found.fetchall():
                    hub.hear({"session": public_id, "version": version})
                found = await ear.execute(
                    "SELECT public_id FROM scoring_link WHERE revoked_at IS NOT NULL"
                    " AND (public_id = ANY(%s) OR revoked_at > now() - make_interval(secs => %s))",
                    [hub.links, LIFETIME],
                )
                for (link,) in await found.fetchall():
                    hub.hear({"link": link})
                async for notice in ear.notifies():
                    hub.hear(json.loads(notice.payload))
        except psycopg.OperationalError as error:
            logger.warning("Live pages cannot reach the database and will retry: %s", error)
        await asyncio.sleep(_RECONNECT)
