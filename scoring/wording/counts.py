"""How many of something there are, in words, each with the plurals of the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from scoring import reads
from scoring.models import Session
from scoring.texts import ngettext


def deals(count: int) -> str:
    """1 hand, 4 hands."""
    return ngettext("{count} hand", "{count} hands", count).format(count=count)


def cards(count: int) -> str:
    """1 card, 4 cards."""
    return ngettext("{count} card", "{count} cards", count).format(count=count)


def sessions(count: int) -> str:
    """1 session, 4 sessions."""
    return ngettext("{count} session", "{count} sessions", count).format(count=count)


def deals_in(found: Sequence[Session]) -> list[str]:
    """How many hands each of these sessions has that count, and that it is closed, if it is."""
    void = reads.void_deals(found)
    return [_deals_of(session, session.deals - void[session.pk]) for session in found]


def _deals_of(session: Session, count: int) -> str:
    if not session.closed_at:
        return deals(count)
    return ngettext("{count} hand, closed", "{count} hands, closed", count).format(count=count)
