"""Carries out every action in one transaction: locks the session's row, looks up the key, then acts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Self

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.actions import ACTIONS
from scoring.actions.base import Action, TableAction
from scoring.actions.deals import Settle
from scoring.game.balances import balances
from scoring.game.cashing import cash_for
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import KEY_LENGTH, NOTE_LENGTH
from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.game.text import clean, shortened
from scoring.ledger import quotas
from scoring.ledger.chain import hash_of, new_content
from scoring.ledger.foreseen import Foreseen
from scoring.ledger.load import changed_since, numbers_of, recorded, seats_of, sums, table_of
from scoring.ledger.replay import NewRevision, Rewritten
from scoring.ledger.signals import session_moved
from scoring.ledger.store import write, write_pair_stakes, write_seats, written
from scoring.models import Event, Revision, Seat, Session, Transfer
from scoring.rules.errors import Problem
from scoring.rules.phrase import Names, Phrase
from scoring.transactions import follow, lock, writing


class Conflict(Exception):  # noqa: N818 - nobody's fault; HTTP calls it a Conflict, too
    """The request came too late; ``message`` says what happened.

    ``session`` is the session as it is now. It is reloaded with the snapshot from which the page is rendered.
    """

    def __init__(self, session: Session, message: Phrase) -> None:
        self.session = session
        self.message = message
        follow(session)
        super().__init__(message)

    @property
    def problems(self) -> tuple[Problem]:
        """The conflict as the one reason for a refusal."""
        return (Problem("stale", "", self.message),)


@contextmanager
def take_turn(
    session: Session,
    verb: str,
    request: Mapping[str, Any],
    signature: Signature,
    *,
    version: int | None = None,
) -> Iterator[Turn]:
    """An action's transaction: it locks the session's row, looks up the key, and then lets the caller act.

    A repeat has the same ``request`` and the same note.

    The key lookup has to be a separate statement after the lock, because only that sees what the previous holder of
    the lock committed. Raises `LedgerError` if the session is closed and the action needs it open, and `Conflict` if
    the page is stale or the key was used for a different request, and `Gone` if the session was deleted meanwhile.
    """
    fingerprint = fingerprint_of(verb, {**request, "note": signature.note})
    with too_much_refused(), writing():
        locked = lock(Session, session.pk)
        repeat = recorded(locked, signature.key)
        turn = Turn(
            session=locked,
            verb=verb,
            signature=signature,
            fingerprint=fingerprint,
            problems=signature.problems(),
            repeat=repeat,
            at=timezone.now(),
        )
        if repeat is None:
            if not turn.kind.on_closed:
                check_open(locked)
            quotas.check_session(locked, turn.kind)
            turn.expect(version)
        elif repeat.fingerprint != fingerprint:
            raise Conflict(locked, Phrase("This form has already been sent with something else in it."))
        yield turn
    for name in _SESSION_FIELDS:
        setattr(session, name, getattr(locked, name))


_SESSION_FIELDS: Final = tuple(each.attname for each in Session._meta.concrete_fields)


@dataclass(frozen=True, slots=True)
class Signature:
    """The key, name and note of a request, and the primary key of the link that it came in by, if any."""

    key: str
    by: str
    link: int | None
    note: str

    @classmethod
    def of(cls, key: str, by: str, link: int | None, note: str = "") -> Self:
        """The signature as it is stored, with its texts cleaned. Raises `ValueError` for a key that no form has."""
        if not 1 <= len(key) <= KEY_LENGTH:
            raise ValueError("A key is 1 to 80 characters.")
        return cls(key=key, by=shortened(by, 80) or "somebody", link=link, note=clean(note))

    def problems(self) -> list[Problem]:
        """What is wrong with the note: it may be too long."""
        if len(self.note) <= NOTE_LENGTH:
            return []
        return [Problem("bad-value", "note", Phrase("A note is at most {most} characters.", most=NOTE_LENGTH))]


@dataclass
class Turn:
    """One action at work on the locked session.

    ``repeat`` is the event that this key has recorded already, if any, and ``at`` the time of the one to record.
    """

    session: Session
    verb: str
    signature: Signature
    fingerprint: str
    problems: list[Problem]
    repeat: Event | None
    at: datetime
    recorded: Event | None = None

    @property
    def kind(self) -> type[Action]:
        """The action's class."""
        return ACTIONS[self.verb]

    @property
    def fresh(self) -> bool:
        """Whether there is something to do; if not, the earlier answer is only repeated."""
        return self.repeat is None

    @property
    def event(self) -> Event:
        """The event that was recorded, now or the first time."""
        event = self.repeat or self.recorded
        if event is None:
            raise RuntimeError(f"{self.verb} recorded nothing")
        return event

    @cached_property
    def seats(self) -> dict[int, Seat]:
        """Every seat by number."""
        return {seat.number: seat for seat in seats_of(self.session)}

    @cached_property
    def table(self) -> Table:
        """The table before the action."""
        return table_of(self.session, list(self.seats.values()))

    def check(self) -> None:
        """Raise `LedgerError` with the problems found so far, if there are any."""
        if self.problems:
            raise LedgerError(self.problems)

    def expect(self, version: int | None, number: int | None = None) -> None:
        """Raise `Conflict` if the table changed after ``version``, or deal ``number`` is not next; None skips each."""
        if number is not None and number != self.session.next_number:
            settled = Phrase("Hand {number} has been settled already.", number=number)
            waiting = Phrase("The next hand is number {number}.", number=self.session.next_number)
            raise Conflict(self.session, settled if number < self.session.next_number else waiting)
        if version is not None and changed_since(self.session, version):
            raise Conflict(self.session, Phrase("The table was changed since this page was opened."))

    def expect_first(self, version: int | None, message: Phrase) -> None:
        """Raise `Conflict` if the same action was done after ``version``, although it does not change the table."""
        if version is not None and Event.objects.filter(session=self.session, n__gt=version, verb=self.verb).exists():
            raise Conflict(self.session, message)

    def expect_deal(self, version: int | None, number: int) -> None:
        """Raise `Conflict` if deal ``number`` got another revision after ``version``; None skips the check."""
        if version is None or version == self.session.version:
            return
        revisions = Revision.objects.filter(deal__session=self.session, deal__number=number)
        if revisions.filter(event__n__gt=version).exists():
            message = Phrase("Hand {number} was changed since this page was opened.", number=number)
            raise Conflict(self.session, message)

    def steady(self, *, insist: bool) -> None:
        """Add a problem if the action moves people while Fantasyland is pending; the host may insist, with a note."""
        if not self.kind.moves_people or not self.table.fantasyland:
            return
        if insist:
            note_needed(self.signature.note, self.problems)
        else:
            message = Phrase(
                "Fantasyland is pending ({names}), so seats are locked until after that hand (the host can override).",
                names=Names([self.table.name(seat) for seat in self.table.fantasyland]),
            )
            self.problems.append(Problem("fantasyland-pending", "insist", message))

    def act(self, action: TableAction) -> Event:
        """Check the action, apply it to the table, and record it. Raises `LedgerError` with every problem."""
        action = self._checked(action)
        after, lines = action.apply(self.table, self.signature.note)
        if (owed := after.sitter_owed()) != self.table.sitter_owed():
            self.problems += owed
            self.check()
        return self.record(after, action.as_document(), lines)

    def book_late(self, action: TableAction, foreseen: Foreseen[Rewritten]) -> Event:
        """Check the action, which was forgotten before an earlier deal, and record it with what it changes since."""
        action = self._checked(action)
        changed = foreseen.at_turn(self.session)
        place = (action.booked_before or 0) - 1
        return self.record(
            changed.table, action.as_document(), changed.inserted, place=place, new_revisions=changed.revisions
        )

    def _checked(self, action: TableAction) -> TableAction:
        """The completed action. Raises `LedgerError` with everything that is wrong with it and its note."""
        if action.note_needed or action.booked_before is not None:
            note_needed(self.signature.note, self.problems)
        action = action.completed(self._with_cash() if action.moves_people else self.table)
        self.problems += action.problems(self.table, players_of(self.seats))
        self.check()
        return action

    def _with_cash(self) -> Table:
        """The table, which knows what the bank would pay for the chips of somebody who comes or goes."""
        if self.table.stacks is None:
            return self.table
        of = balances(sums(self.session, numbers_of(self.seats.values())), self.seats)
        return replace(self.table, cash_for={seat: cash_for(of, seat) for seat in players_of(of)})

    def record(
        self,
        after: Table,
        action: Mapping[str, Any],
        lines: Sequence[Line] = (),
        *,
        deal: int | None = None,
        place: int | None = None,
        undoes: int | None = None,
        takes_back: QuerySet[Transfer] | None = None,
        new_revisions: Sequence[NewRevision] = (),
        **session_fields: object,
    ) -> Event:
        """Write the event with its hash, the table after it, and the rows that `store.written` makes of the rest.

        Lines are placed after deal ``place`` (None for the last deal). Raises `LedgerError` with the problems found so
        far, so that no action can forget to.
        """
        self.check()
        session = self.session
        session.version += 1
        session.deals += self.verb == Settle.verb
        event = self.recorded = self._event(after, action, deal=deal, undoes=undoes)
        rows = written(
            event,
            self.seats,
            lines,
            place=session.deals if place is None else place,
            takes_back=takes_back,
            new_revisions=new_revisions,
        )
        event.hash = hash_of(new_content(session.head, rows, numbers_of(self.seats.values())))
        write(rows)
        self._write_table(after)
        self._write_session(after, {"head": event.hash, **session_fields})
        self._tell_pages()
        return event

    def _event(self, after: Table, action: Mapping[str, Any], *, deal: int | None, undoes: int | None) -> Event:
        """The event, unsaved, with the parts of the table that it changes. Its hash is known once its rows are."""
        was, now = self.table.as_document(), after.as_document()
        changed = [part for part in now if was[part] != now[part]]
        return Event(
            session=self.session,
            n=self.session.version,
            at=self.at,
            by=self.signature.by,
            link=self.signature.link,
            verb=self.verb,
            deal=deal,
            deals=self.session.deals,
            undoes=undoes,
            key=self.signature.key,
            fingerprint=self.fingerprint,
            note=self.signature.note,
            action=action,
            before={part: was[part] for part in changed},
            after={part: now[part] for part in changed},
        )

    def _write_table(self, after: Table) -> None:
        """Update the rows of the seats, and of the stakes between two of them."""
        write_seats(self.seats, after)
        if self.table.pair_stakes != after.pair_stakes:
            write_pair_stakes(self.session, self.seats, after.pair_stakes)

    def _write_session(self, after: Table, more: Mapping[str, object]) -> None:
        """Update the session's row to the table, what `record` has counted up, and ``more`` fields."""
        values = {
            "button": after.button,
            "stake": after.stake,
            "note": after.note,
            "held": after.held,
            "stacks": after.stacks is not None,
            "cash": after.cash,
            "dealt": sorted(after.dealt),
            "orbits": after.orbits,
            "version": self.session.version,
            "deals": self.session.deals,
            **more,
        }
        if self.table.rules != after.rules:
            values["rules"] = after.rules.as_document()
        for name, value in values.items():
            setattr(self.session, name, value)
        Session.objects.filter(pk=self.session.pk).update(**values)

    def _tell_pages(self) -> None:
        """Send the signal that open pages wait for, once everything is committed."""
        news = {"public_id": self.session.public_id, "version": self.session.version, "verb": self.verb}

        def send() -> None:  # Django's log names the function if a receiver fails, and `functools.partial` has no name
            session_moved.send(Session, **news)

        transaction.on_commit(send, robust=True)


WHY = Phrase("Please give a reason (shown in the history).")


def fingerprint_of(verb: str, request: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps([verb, request], sort_keys=True, default=str).encode()).hexdigest()


def note_needed(note: str, problems: list[Problem], wanted: str = WHY) -> None:
    """Adds a problem if there is no note; ``wanted`` asks for it."""
    if not clean(note):
        problems.append(Problem("missing", "note", wanted))


@contextmanager
def too_much_refused() -> Iterator[None]:
    """Turns the database's refusal of a sum beyond `MAX_SUM` into a `LedgerError`."""
    try:
        yield
    except IntegrityError as error:
        if "line_sum_" not in str(error):
            raise
        raise refuse("bad-value", "amount", Phrase("All amounts together would be too large.")) from error


def check_open(session: Session) -> None:
    """Raise `LedgerError` if the session is closed."""
    if session.closed_at is not None:
        raise refuse("closed", "", Phrase("This session is closed. A host can reopen it under “More”."))


def players_of(seats: Iterable[int]) -> list[int]:
    return [number for number in seats if number > 0]
