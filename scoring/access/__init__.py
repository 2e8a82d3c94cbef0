from scoring.access.browser import COOKIE, MOST_KEYS, YEAR, Keys, held
from scoring.access.gate import club, deal, dispute, link, player, seat, session
from scoring.access.rights import Grant, Right

__all__ = [
    "COOKIE",
    "MOST_KEYS",
    "YEAR",
    "Grant",
    "Keys",
    "Right",
    "club",
    "deal",
    "dispute",
    "held",
    "link",
    "player",
    "seat",
    "session",
]
