"""What processes that share a PostgreSQL database tell each other."""

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
"""On which processes that share a PostgreSQL database tell each other."""


LISTENER: Final = "ofcscore live"
"""What the database calls the connection on which a process listens."""


_RECONNECT: Final = 1.0


_KEEPALIVE: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""A server that vanished is missed within a minute, although this connection has nothing to say to it."""


async def listen(hub: Hub) -> None:
    """Pass on what other processes tell, on one connection of its own that comes back whenever it is lost.

    What was told while nobody listened is made up for by asking where the watched sessions are, and which links were
    revoked.
    """
    import psycopg

    given = connection.get_connection_params()
    ours = {"context", "cursor_factory", "prepare_threshold"}  # of Django's own connections
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
            logger.warning("Live pages wait for the database: %s", error)
        await asyncio.sleep(_RECONNECT)
