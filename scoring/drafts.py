"""The hand that is being entered, as the phones have sent it: each seat's rows until the hand is settled.

The only writer of `Draft`. Nothing here is settled or scored: that is the ledger's, which records its own. Drafts of a
hand that has been settled are read by nobody, and go when the first rows of the next one come, or with their session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django.db import transaction
from django.db.models import Sum

from scoring import ledger, live
from scoring.models import ROW_LENGTH, Draft, Seat, Session
from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import Card, UnreadableRowError, parse_row
from scoring.table import Rows, Table, refuse

NOTHING: Final = Rows()


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
    `ledger.LedgerError` where the session is closed.
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


def rows_of(draft: Draft | None) -> Rows:
    """A draft's rows; empty ones for none."""
    return Rows(draft.front, draft.middle, draft.back, draft.ruling) if draft else NOTHING


def readable(rows: Rows) -> Rows:
    """The rows as cards are written here; what does not read as cards is left out, and stays with who typed it."""
    return replace(rows, **{row: _readable(getattr(rows, row)) for row in ROWS})


def whole(rows: Rows) -> dict[str, bool]:
    """Which rows have as many cards as they take."""
    return {row: len(_cards(getattr(rows, row))) == ROW_SIZES[row] for row in ROWS}


def cards(rows: Rows) -> list[str]:
    """All cards that lie there, each as it is written: ``Qh``, or ``Q`` where the suit was not recorded."""
    return [str(card) for row in ROWS for card in _cards(getattr(rows, row))]


def done(rows: Rows) -> bool:
    """There is nothing more to enter for this seat."""
    return bool(rows.ruling) or all(whole(rows).values())


def hidden(drafts: Mapping[int, Draft], table: Table) -> set[int]:
    """Seats whose boards only their own phones may see: those in Fantasyland, until all other boards are in."""
    finished = {seat for seat, draft in drafts.items() if draft.done}
    return {seat for seat in table.lineup() if table.dealt_at_once(seat) and set(table.lineup()) - finished - {seat}}


def clashes(boards: Mapping[int, Rows], table: Table, secret: set[int]) -> dict[tuple[int, str], str]:
    """What to say at each row (of a seat) with a card that is somewhere else, too.

    Of a board that is ``secret`` it is not said in which row.
    """
    places = defaultdict(list)
    for seat, rows in boards.items():
        for row in ROWS:
            for card in _cards(getattr(rows, row)):
                places[card].append((seat, row))
    found = {}
    for card, where in places.items():
        if not card.suit or len(where) <= table.rules.decks:
            continue
        for place in where:
            seat, row = next((other for other in where if other != place), place)
            found[place] = (
                f"The {card.name} is also in {table.name(seat)}'s {'Fantasyland' if seat in secret else row}."
            )
    return found


def _readable(text: str) -> str:
    try:
        found = str(parse_row(text))
    except UnreadableRowError:
        return ""
    return found if len(found) <= ROW_LENGTH else ""


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_row(text).cards
    except UnreadableRowError:
        return ()
