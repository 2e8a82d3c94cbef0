"""Tells open pages that their session has changed.

When the ledger has committed a change, every stream of that session learns the new version: the streams of this process
through memory (`hub`), those of other processes through PostgreSQL's NOTIFY (`postgres`), which a trigger on the
sessions' table sends (migration 0008), or through Redis where `NOTICES_URL` names a server of it (`pubsub`). Then the
trigger is switched off, and so the database keeps for all processes which way they use, and in the trigger's comment by
which server (`agrees`). On SQLite there is one server; what a command deletes or revokes beside it, it finds in the
file (`sqlite`). A stream carries only version numbers. A page that hears of a higher version than its own requests
itself again, and the gate decides as for any page what it may show. So a stream needs no database, only the token in
its address (`tokens`); it ends when its session is deleted or its link revoked.
"""

from scoring.live.hub import MOST_STREAMS, Hub, Watch
from scoring.live.postgres import CHANNEL, LISTENER
from scoring.live.telling import agrees, by_a_server, decide, end, entered, gone, local_hub, on_session_moved
from scoring.live.tokens import LIFETIME, address, admitted

__all__ = [
    "CHANNEL",
    "LIFETIME",
    "LISTENER",
    "MOST_STREAMS",
    "Hub",
    "Watch",
    "address",
    "admitted",
    "agrees",
    "by_a_server",
    "decide",
    "end",
    "entered",
    "gone",
    "local_hub",
    "on_session_moved",
]
