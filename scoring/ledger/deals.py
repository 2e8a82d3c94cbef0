"""Settles a deal, and changes one that was settled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from django.db.models import F

from scoring.actions import ACTIONS
from scoring.actions.deals import Correct, Restore, Settle, Void
from scoring.actions.undo import Undo
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError, refuse
from scoring.game.outcome import Outcome
from scoring.game.table import Table
from scoring.game.text import clean
from scoring.ledger.load import Stored, deals_of, numbers_of, seats_of, table_of
from scoring.ledger.replay import Correction, NewRevision, Plan, Rewritten, correction, rewrite
from scoring.ledger.turn import AS_PLAYED, Rewrite, Signature, check_open, is_due, known_deal, plan_of, take_turn
from scoring.models import Deal, Event, Revision, Session, Transfer
from scoring.rules.phrase import Phrase
from scoring.transactions import snapshot


@dataclass(frozen=True, slots=True)
class Preview:
    """What settling would record: the deal's ``number``, the settlement, and the table after it.

    ``version`` is the session's version that the preview was made from.
    """

    number: int
    version: int
    outcome: Outcome
    after: Table


def preview(*, session: Session, entry: Entry) -> Preview:
    """What `settle_deal` would record for this entry now. Writes nothing; raises the same `LedgerError`."""
    session.refresh_from_db()
    check_open(session)
    table = table_of(session, seats_of(session))
    return _previewed(session, table, entry)


def settle_deal(
    *,
    session: Session,
    entry: Entry,
    number: int,
    version: int | None = None,
    remark: str = "",
    key: str,
    by: str,
    link: int | None = None,
) -> Deal:
    """Settle the next deal. ``remark`` is what the history should say of it; a repeat need not have the same one.

    ``number`` is the deal that the scorer believes is next; `Conflict` if it is not.

    Passing the preview's ``version`` guarantees that exactly what the preview showed is recorded.
    """
    request = {"entry": entry.as_document(), "number": number, "note": ""}
    with take_turn(session, Settle.verb, request, Signature.of(key, by, link, remark)) as turn:
        if turn.fresh:
            turn.expect(version, number)
            previewed = _previewed(turn.session, turn.table, entry)
            deal = Deal(session=turn.session, number=number)
            outcome, next_button = previewed.outcome, previewed.after.button
            first = NewRevision(
                deal=deal,
                n=1,
                kind=Revision.Kind.SETTLE,
                entry=entry,
                outcome=outcome,
                button=outcome.button,
                next_button=next_button,
            )
            turn.record(previewed.after, Settle(entry.as_document()).as_document(), deal=number, settled=[first])
            return deal
    return Deal.objects.get(session=session, number=number)


def _previewed(session: Session, table: Table, entry: Entry) -> Preview:
    if entry.overrides:
        raise refuse(
            "bad-value", "entry", Phrase("What is otherwise in the next hand is set for the table, not in the hand.")
        )
    outcome = table.score(entry)
    return Preview(session.next_number, session.version, outcome, table.after_deal(entry, outcome.gains()))


def preview_correction(
    *, session: Session, number: int, entry: Entry | None, follow: Collection[int] = (), note: str = ""
) -> Correction:
    """What `correct_deal` would do with this entry, or `void_deal` if it is None. Writes nothing.

    For a void deal, passing its stored entry (the current `Revision.entry`) previews `restore_deal`. Raises the
    `LedgerError` that they would raise, and `ImpossibleError` if a later deal could not have been played.
    """
    session.refresh_from_db()
    seats = seats_of(session)
    deals = deals_of(session, numbers_of(seats), pairs=True)
    plan = plan_of(known_deal(deals, number), None if entry is None else _noted(entry, note), follow)
    return correction(session, table_of(session, seats), deals, plan)


def correct_deal(
    *,
    session: Session,
    number: int,
    entry: Entry,
    follow: Collection[int] = (),
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Deal:
    """Settle a deal again with another entry, and every later deal that depended on its chips, in one transaction.

    ``follow`` are the numbers of the later deals whose lineup, button and Fantasyland follow from the change, too; all
    others keep them as they were dealt (R73).
    A ``note`` is required for any deal but the last. It is also required if the entry overrides anything besides the
    cards, and the deal then carries that note (R70).
    """
    note = note or entry.note
    entry = _noted(entry, note)
    request = {**_request(number, follow), "entry": entry.as_document()}
    signature = Signature.of(key, by, link, note)
    return _change(session, Correct.verb, request, lambda _: entry, signature, version=version)


def void_deal(
    *,
    session: Session,
    number: int,
    follow: Collection[int] = (),
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Deal:
    """Make a deal count for nothing, as if it had not been played: a deal to come has the same button and Fantasyland.

    Later deals that were settled already stay as they were dealt, but those in ``follow`` (R73). A ``note`` is required
    for any deal but the last (R71).
    """
    request = _request(number, follow)
    signature = Signature.of(key, by, link, note)
    return _change(session, Void.verb, request, lambda _: None, signature, version=version)


def restore_deal(
    *,
    session: Session,
    number: int,
    follow: Collection[int] = (),
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Deal:
    """Make a void deal count again, with the entry that it had and as it was dealt.

    Later deals stay as they were dealt, but those in ``follow`` (R73). A ``note`` is required for any but the
    last deal.
    """
    request = _request(number, follow)
    signature = Signature.of(key, by, link, note)
    return _change(session, Restore.verb, request, lambda found: found.entry, signature, version=version)


def _change(
    session: Session,
    verb: str,
    request: Mapping[str, Any],
    choose: Callable[[Stored], Entry | None],
    signature: Signature,
    *,
    version: int | None,
) -> Deal:
    """Give the deal of the ``request`` the entry that ``choose`` returns.

    What that changes is found out before the session is locked, so that nobody waits for more than the writing.
    """
    number: int = request["number"]
    found_out = Rewrite.find_out(session, number, choose, request.get("follow", ()), signature.key)
    with take_turn(session, verb, request, signature, version=version) as turn:
        if turn.fresh:
            turn.rewrite(found_out)
    return Deal.objects.get(session=session, number=number)


def _request(number: int, follow: Collection[int]) -> dict[str, Any]:
    """What a repeat of a change is told by. Releases before had no choice but the one that is now always made."""
    return {"number": number, "later": AS_PLAYED} | ({"follow": sorted(set(follow))} if follow else {})


def last_undoable(session: Session) -> Event | None:
    """The event that `undo` would take back, None if there is none."""
    undone = Event.objects.filter(session=session, undoes__isnull=False).values("undoes")
    return Event.objects.filter(session=session, verb__in=UNDOABLE_VERBS).exclude(n__in=undone).order_by("-n").first()


UNDOABLE_VERBS: Final = frozenset(verb for verb, action in ACTIONS.items() if action.undoable)


def undo(*, session: Session, version: int | None = None, key: str, by: str, link: int | None = None) -> Event:
    """Take back the latest event that changed the table or a deal and has not been taken back yet.

    Undoing a settlement voids the deal. Undoing a correction, a void or a restoration gives every deal it changed its
    previous entry again. Undoing anything else removes it from the script and reverses its transfers. Undo cannot be
    undone; the original action has to be repeated instead.
    """
    foreseen = None
    with snapshot(), suppress(LedgerError):  # the turn finds out why it would be refused
        if is_due(session, key):
            foreseen = Undoing.find_out(session)
    with take_turn(session, Undo.verb, {}, Signature.of(key, by, link), version=version) as turn:
        if turn.fresh:
            if foreseen is None or foreseen.version != turn.session.version:
                foreseen = Undoing.find_out(turn.session)
            target, rewritten = foreseen.target, foreseen.rewritten
            turn.record(
                rewritten.table,
                Undo(target.n, target.verb).as_document(),
                deal=target.deal,
                undoes=target.n,
                takes_back=Transfer.objects.filter(event=target, revision=None),
                settled=rewritten.revisions,
            )
    return turn.event


@dataclass(frozen=True, slots=True)
class Undoing:
    """The event that undo takes back, and what that changes in the session at ``version``.

    It is found out before the turn that writes it, so that others need not wait for it.
    """

    version: int
    target: Event
    rewritten: Rewritten

    @classmethod
    def find_out(cls, session: Session) -> Self:
        """Raises `LedgerError` if there is nothing to undo, or a later step could then not have happened."""
        target = last_undoable(session)
        if target is None:
            raise refuse("nothing", "", Phrase("There is nothing to undo."))
        numbers = Revision.objects.filter(event=target).values_list("deal__number", flat=True)
        inputs: dict[int, Entry | None] = dict.fromkeys(numbers)
        before = Revision.objects.filter(deal__revisions__event=target, n=F("deal__revisions__n") - 1)
        for revision in before.select_related("deal"):
            inputs[revision.deal.number] = None if revision.voided else Entry.read(revision.entry)
        deals = deals_of(session, numbers_of(seats_of(session)))
        return cls(session.version, target, rewrite(session, deals, Plan(inputs, without=target)))


def _noted(entry: Entry, note: str) -> Entry:
    """The entry with a note if it overrides anything, and without one if it does not."""
    return replace(entry, note=(clean(note) or entry.note) if entry.overrides else "")
