"""The hand that is being entered, as the phones have sent it: each seat's rows until the hand is settled.

The only writer of `Draft`. Nothing here is settled or scored: that is the ledger's, which records its own. Drafts of a
hand that has been settled are read by nobody, and go when the first rows of the next one come, or with their session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.db import transaction
from django.db.models import Sum

from scoring import ledger, live
from scoring.drafts.rows import NOTHING, done, readable, rows_of, whole
from scoring.game.entry import Rows
from scoring.game.errors import refuse
from scoring.game.table import Table
from scoring.models import Draft, Seat, Session


class Taken(Exception):  # noqa: N818 - nobody's fault; the word that HTTP has for it is Conflict
    """Another phone has sent other rows for this seat since; ``draft`` is what it sent."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(f"Another phone has entered other cards for {draft.seat.name}.")


def of(session: Session) -> dict[int, Draft]:
    """What has been sent of the next hand, by seat number."""
    found = Draft.objects.filter(session=session, number=session.next_number).select_related("seat")
    return {draft.seat.number: draft for draft in found}


def version(session: Session, *, before: int = 0) -> str:
    """Changes with the session and with every draft of its next hand; what it was so many such changes ``before``."""
    changes = Draft.objects.filter(session=session, number=session.next_number).aggregate(all=Sum("revision"))
    return f"{session.version}.{(changes['all'] or 0) - before}"


def keep(*, session: Session, number: int, seat: int, rows: Rows, ruled: bool = True, base: int, device: str) -> bool:
    """Keep a seat's rows of hand ``number`` once one of them is whole; false if that changed nothing.

    Without ``ruled`` a ruling stays as it is, whatever ``rows`` say: a player's own phone is not asked for one.
    ``base`` is the revision that they were made from, 0 for none. Rows that a second phone sends for a seat without
    having seen what the first one sent are refused (`Taken`); a phone that repeats itself, or did not hear the answer
    to what it sent last, is not. Raises `ledger.Conflict` where that hand is not the next one (any more),
    `LedgerError` where the session is closed.
    """
    rows = readable(rows)
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if locked.closed_at is not None:
            raise refuse("closed", "", "This session is closed.")
        if number != locked.next_number:
            raise ledger.Conflict(locked, f"Hand {number} has been settled already.")
        kept = Draft.objects.filter(session=locked, number=number, seat__number=seat).select_related("seat").first()
        if not ruled:
            rows = replace(rows, ruling=kept.ruling if kept else "")
        if kept is None:
            if not any(whole(rows).values()) and not rows.ruling:
                return False
            Draft.objects.filter(session=locked, number__lt=number).delete()
            kept = Draft(session=locked, number=number, seat=Seat.objects.get(session=locked, number=seat), revision=0)
        elif rows == rows_of(kept):
            return False
        elif kept.revision != base and kept.device != device and rows_of(kept) != NOTHING:
            raise Taken(kept)
        kept.front, kept.middle, kept.back, kept.ruling = rows.front, rows.middle, rows.back, rows.ruling
        kept.revision, kept.device, kept.done = kept.revision + 1, device, done(rows)
        kept.save()
        live.entered(locked.public_id, version(locked))
        return True


def hidden(drafts: Mapping[int, Draft], table: Table) -> set[int]:
    """Seats whose boards only their own phones may see: those in Fantasyland, until all other boards are in."""
    finished = {seat for seat, draft in drafts.items() if draft.done}
    return {seat for seat in table.lineup() if table.dealt_at_once(seat) and set(table.lineup()) - finished - {seat}}
