"""Makes the demo, ends it, and moves its last evening on."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from scoring import club, drafts, ledger, reads
from scoring.access import limits
from scoring.demo.deals import EVENINGS
from scoring.demo.evenings import CLUB, FINISHED, Evening, tonight
from scoring.game.errors import LedgerError
from scoring.models import DEMO, Club, Session
from scoring.transactions import Gone, lock, writing

REST: Final = timedelta(minutes=2)
"""How long an evening stays closed before the next one begins in its place."""

DEVICE: Final = "demo"
"""The phone that enters all boards."""


def there() -> bool:
    """Whether there is a demo to look at."""
    return settings.DEMO and _club() is not None


def make() -> bool:
    """Makes the demo, whole or not at all. Returns False if there is one. Raises `LedgerError` beyond a quota."""
    try:
        with writing():
            if _club() is not None:
                return False
            founded = club.new_demo_club(CLUB)
            for play in FINISHED:
                play(founded)
            tonight(founded)
    except IntegrityError:  # another process has made it meanwhile
        if _club() is None:
            raise
        return False
    return True


def remove() -> bool:
    """Deletes the demo. Returns False if there is none."""
    demo_club = _club()
    if demo_club is not None:
        club.erase(demo_club)
    return demo_club is not None


def step() -> bool:
    """Moves the evening on by one step, unless somebody has done so within this window of `limits.demo_steps`.

    Returns whether the evening is closed, so that another one is to begin, whoever looks then.
    """
    return limits.demo_steps.allows("tonight") and move_on()


def move_on() -> bool:
    """One step: the next board, the settlement of the deal, the close, or another evening in the place of this one.

    An evening that somebody has changed, so that the next deal cannot be played in it, is begun again. Returns what
    `step` does.
    """
    demo_club = _club()
    last = Session.objects.filter(club=demo_club).order_by("-number").first() if demo_club else None
    if demo_club is None or last is None:
        return False
    try:
        with writing():
            session = lock(Session, last.pk)
            if session.closed_at is None:
                _play(session)
                return session.closed_at is not None
            if timezone.now() - session.closed_at < REST:
                return True
            _begin_again(session)
            return False
    except Gone:
        return False
    except (LedgerError, ledger.Conflict, drafts.Taken):
        with suppress(Gone), writing():
            _begin_again(last)
        return False


def _begin_again(session: Session) -> None:
    club.take_back_last(session)
    tonight(session.club)


def _play(session: Session) -> None:
    at, number = Evening("tonight", session, "Anna"), session.next_number
    if number > EVENINGS["tonight"].deals:
        at.do(ledger.close_session)
        return
    entered, boards = drafts.of(session), at.boards(number)
    seat = next((each for each in reads.seating(session)[1].lineup() if each in boards and each not in entered), None)
    if seat is None:
        at.settle(number)
    else:
        drafts.keep(session=session, number=number, seat=seat, rows=boards[seat], base=0, device=DEVICE)


def _club() -> Club | None:
    return Club.objects.filter(public_id=DEMO).first()
