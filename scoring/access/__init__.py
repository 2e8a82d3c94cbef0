"""Access control: links and the rights they grant, a browser's held links, the gate in front of each page, limits."""

from scoring.access.browser import COOKIE, YEAR, HeldLinks, held, holds_links
from scoring.access.gate import Revoked, club, deal, dispute, link, player, seat, session
from scoring.access.rights import Grant, Right

__all__ = [
    "COOKIE",
    "YEAR",
    "Grant",
    "HeldLinks",
    "Revoked",
    "Right",
    "club",
    "deal",
    "dispute",
    "held",
    "holds_links",
    "link",
    "player",
    "seat",
    "session",
]
