"""How many of something there are, in words, each with the plurals of the reader's language."""

from __future__ import annotations

from scoring.models import Session
from scoring.texts import ngettext


def hands(count: int) -> str:
    """1 hand, 4 hands."""
    return ngettext("{count} hand", "{count} hands", count).format(count=count)


def cards(count: int) -> str:
    """1 card, 4 cards."""
    return ngettext("{count} card", "{count} cards", count).format(count=count)


def sessions(count: int) -> str:
    """1 session, 4 sessions."""
    return ngettext("{count} session", "{count} sessions", count).format(count=count)


def hands_in(session: Session) -> str:
    """How many hands a session has, and that it is closed."""
    if not session.closed_at:
        return hands(session.deals)
    said = ngettext("{count} hand, closed", "{count} hands, closed", session.deals)
    return said.format(count=session.deals)
