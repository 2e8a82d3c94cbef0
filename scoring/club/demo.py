"""Founds the club of the demo, and forgets its last session."""

from __future__ import annotations

from django.db import connection

from scoring import live
from scoring.club.lock import lock_club_and_sessions
from scoring.ledger.append_only import erasing
from scoring.models import DEMO, Club, Session
from scoring.transactions import lock, writing


def new_demo_club(name: str) -> Club:
    """Create the demo's club. Raises `IntegrityError` if there is one."""
    with writing():
        return Club.objects.create(public_id=DEMO, name=name)


def take_back_last(session: Session) -> None:
    """Delete the demo's last session as if it had not begun: the next one gets its number.

    So that nothing grows: a list of the sessions that were dropped would. Raises `Gone` if it was deleted meanwhile,
    and `ValueError` for another club's session, of which there is evidence, or one that is not the last.
    """
    with writing():
        club = lock_club_and_sessions(session.club_id)
        found = lock(Session, session.pk)
        if club.public_id != DEMO or found.number != club.started:
            raise ValueError(f"Session {found.number} of {club.public_id} is not the demo's last.")
        live.gone(found.public_id)
        with erasing(connection):
            found.delete()
        Club.objects.filter(pk=club.pk).update(started=club.started - 1)
