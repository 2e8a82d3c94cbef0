from scoring.live.hub import MOST_OF_A_LINK, MOST_STREAMS, Hub, Watch
from scoring.live.postgres import CHANNEL, LISTENER, listen
from scoring.live.telling import end, entered, local_hub, moved, on_session_moved
from scoring.live.tokens import LIFETIME, address, admitted

__all__ = [
    "CHANNEL",
    "LIFETIME",
    "LISTENER",
    "MOST_OF_A_LINK",
    "MOST_STREAMS",
    "Hub",
    "Watch",
    "address",
    "admitted",
    "end",
    "entered",
    "listen",
    "local_hub",
    "moved",
    "on_session_moved",
]
