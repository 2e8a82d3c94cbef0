"""Carries out every action in one transaction: locks the session's row, looks up the key, then acts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final, Self

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.actions import ACTIONS
from scoring.actions.base import Action, TableAction
from scoring.actions.deals import Correct, Restore, Rewriting, Settle
from scoring.game.balances import balances
from scoring.game.cashing import cash_for
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import KEY_LENGTH, NOTE_LENGTH
from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.game.text import clean, shortened
from scoring.ledger import quotas
from scoring.ledger.chain import hash_of, new_content
from scoring.ledger.load import Stored, deals_of, last_counted, numbers_of, recorded, seats_of, sums, table_of
from scoring.ledger.replay import NewRevision, Plan, Rewritten, rewrite
from scoring.ledger.signals import session_moved
from scoring.ledger.store import write, write_pair_stakes, write_seats, written
from scoring.models import Event, Revision, Seat, Session, Transfer
from scoring.rules.errors import Problem
from scoring.rules.phrase import Names, Phrase
from scoring.transactions import follow, lock, snapshot, writing


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

    A repeat is known by its ``request`` and its note. A ``request`` with a "note" of its own is known by that instead.

    The key lookup has to be a separate statement after the lock, because only that sees what the previous holder of
    the lock committed. Raises `LedgerError` if the session is closed and the action needs it open, and `Conflict` if
    the page is stale or the key was used for a different request, and `Gone` if the session was deleted meanwhile.
    """
    fingerprint = fingerprint_of(verb, {"note": signature.note, **request})
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


def is_due(session: Session, key: str) -> bool:
    """Whether it is worth finding out what an action changes: the session is open, and the key has recorded nothing."""
    return session.closed_at is None and recorded(session, key) is None


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A deal that is to get the entry that ``choose`` returns (None voids it), and what that would change.

    ``follow`` are the later deals that the host lets follow (R73). The rest is found out from the session at
    ``version``, before the turn that writes it, so that others need not wait for it. ``rewritten`` is None if it would
    be refused; the turn finds out why.
    """

    number: int
    choose: Callable[[Stored], Entry | None]
    follow: Collection[int]
    version: int
    deals: Mapping[int, Stored]
    rewritten: Rewritten | None

    @classmethod
    def find_out(
        cls, session: Session, number: int, choose: Callable[[Stored], Entry | None], follow: Collection[int], key: str
    ) -> Self:
        """Read the session's deals from one snapshot and settle them again on paper, if that is due."""
        rewritten = None
        deals: Mapping[int, Stored] = {}
        with snapshot(), suppress(LedgerError):
            if is_due(session, key):
                deals = deals_of(session, numbers_of(seats_of(session)))
                found = known_deal(deals, number)
                rewritten = rewrite(session, deals, plan_of(found, choose(found), follow))
        return cls(
            number=number,
            choose=choose,
            follow=follow,
            version=session.version,
            deals=deals,
            rewritten=rewritten,
        )


@dataclass(frozen=True, slots=True)
class Late:
    """A late action, and what booking it where it happened changes in the session at ``version``.

    As with `Rewrite`, it is found out before the turn that writes it.
    """

    version: int
    action: TableAction
    rewritten: Rewritten

    @classmethod
    def find_out(cls, session: Session, action: TableAction, note: str, key: str) -> Self | None:
        """Settle the later deals again on paper; None if that is not due or refused, for the turn finds out why."""
        with snapshot(), suppress(LedgerError):
            if not is_due(session, key):
                return None
            seats = seats_of(session)
            numbers = numbers_of(seats)
            table = table_of(session, seats)
            action = action.completed(table)
            if not [*action.problems(table, players_of(numbers.values()))]:
                deals = deals_of(session, numbers)
                known_deal(deals, action.booked_before or 0)
                rewritten = rewrite(session, deals, Plan({}, insert=action, note=clean(note)))
                return cls(session.version, action, rewritten)
        return None


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

    def deals(self) -> dict[int, Stored]:
        """Every deal as it stands, without its pairs."""
        return deals_of(self.session, numbers_of(self.seats.values()))

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
        if version is not None and version != self.session.version and self._changed_since(version):
            raise Conflict(self.session, Phrase("The table was changed since this page was opened."))

    def expect_deal(self, version: int | None, number: int) -> None:
        """Raise `Conflict` if deal ``number`` got another revision after ``version``; None skips the check."""
        if version is None or version == self.session.version:
            return
        revisions = Revision.objects.filter(deal__session=self.session, deal__number=number)
        if revisions.filter(event__n__gt=version).exists():
            message = Phrase("Hand {number} was changed since this page was opened.", number=number)
            raise Conflict(self.session, message)

    def _changed_since(self, version: int) -> bool:
        """Whether the table has changed. Disputes do not count: anyone may raise one, which must not block settling."""
        later = Event.objects.filter(session=self.session, n__gt=version).exclude(verb__in=IDLE_VERBS)
        return version > self.session.version or later.exists()

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

    def act(self, action: TableAction, late: Late | None = None) -> Event:
        """Check the action, apply it to the table, and record it. Raises `LedgerError` with every problem.

        What was found out of a ``late`` action before this turn is used if nothing has happened to the session since.
        """
        if action.note_needed or action.booked_before is not None:
            note_needed(self.signature.note, self.problems)
        action = action.completed(self._with_cash() if action.moves_people else self.table)
        self.problems += action.problems(self.table, players_of(self.seats))
        self.check()
        if action.booked_before is not None:
            if late is None or late.version != self.session.version or late.action != action:
                late = Late(self.session.version, action, self._inserted(action, action.booked_before))
            place, settled = action.booked_before - 1, late.rewritten.revisions
            lines = late.rewritten.inserted
            return self.record(late.rewritten.table, action.as_document(), lines, place=place, settled=settled)
        after, lines = action.apply(self.table, self.signature.note)
        if (owed := after.sitter_owed()) != self.table.sitter_owed():
            self.problems += owed
            self.check()
        return self.record(after, action.as_document(), lines)

    def _with_cash(self) -> Table:
        """The table, which knows what the bank would pay for the chips of somebody who comes or goes."""
        if self.table.stacks is None:
            return self.table
        of = balances(sums(self.session, numbers_of(self.seats.values())), self.seats)
        return replace(self.table, cash_for={seat: cash_for(of, seat) for seat in players_of(of)})

    def _inserted(self, action: TableAction, before: int) -> Rewritten:
        """Book a late action before the deal where it happened, and settle again the deals that depended on it."""
        deals = self.deals()
        known_deal(deals, before)
        return rewrite(self.session, deals, Plan({}, insert=action, note=self.signature.note))

    def rewrite(self, found_out: Rewrite) -> None:
        """Give a deal another entry, and settle the dependent deals again.

        What was found out before this turn is used if nothing has happened to the session since.
        """
        if found_out.version != self.session.version:
            found_out = replace(found_out, deals=self.deals(), rewritten=None)
        number = found_out.number
        found = known_deal(found_out.deals, number)
        entry = found_out.choose(found)
        if number < self.session.deals or (entry is not None and entry.overrides and self.verb == Correct.verb):
            note_needed(self.signature.note, self.problems)
        if found.revision.voided != (self.verb == Restore.verb):
            void = Phrase("Hand {number} is void.", number=number)
            not_void = Phrase("Hand {number} is not void.", number=number)
            self.problems.append(Problem("bad-value", f"deals[{number}]", void if found.revision.voided else not_void))
        self.check()
        rewritten = found_out.rewritten
        if rewritten is None:
            rewritten = rewrite(self.session, found_out.deals, plan_of(found, entry, found_out.follow))
        if not rewritten.revisions:
            message = Phrase("Nothing in hand {number} would change.", number=number)
            raise refuse("nothing", f"deals[{number}]", message)
        action = Rewriting(number, AS_PLAYED, entry.as_document() if entry else None, sorted(set(found_out.follow)))
        self.record(rewritten.table, action.as_document(), deal=number, settled=rewritten.revisions)

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
        settled: Sequence[NewRevision] = (),
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
            settled=settled,
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
        send = partial(
            session_moved.send,
            Session,
            public_id=self.session.public_id,
            version=self.session.version,
            verb=self.verb,
        )
        transaction.on_commit(send, robust=True)


IDLE_VERBS: Final = frozenset(verb for verb, action in ACTIONS.items() if action.idle)
"""The verbs of actions that do not change what the next deal depends on."""


AS_PLAYED: Final = "as-played"
"""How the later deals of every change are treated now; an earlier release also had "follow"."""


def plan_of(found: Stored, entry: Entry | None, follow: Collection[int]) -> Plan:
    """The plan that gives a deal another entry, or voids it if there is none."""
    restored = last_counted(found) if found.revision.voided and entry is not None else None
    return Plan({found.number: entry}, follow=follow, restored=restored)


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
        raise refuse("closed", "", Phrase("This session is closed; reopen it to change anything."))


def players_of(seats: Iterable[int]) -> list[int]:
    return [number for number in seats if number > 0]


def known_deal(deals: Mapping[int, Stored], number: int) -> Stored:
    if number not in deals:
        raise refuse("unknown-deal", f"deals[{number}]", Phrase("There is no hand {number}.", number=number))
    return deals[number]
