"""Settles a deal, and changes one that was settled."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import F

from scoring.actions import ACTIONS
from scoring.actions.deals import NO_REMARK, Correct, Remark, Restore, Rewriting, Settle, Void
from scoring.actions.undo import Undo
from scoring.game.entry import Entry
from scoring.game.errors import refuse
from scoring.game.outcome import Outcome
from scoring.game.table import Table
from scoring.game.text import clean
from scoring.ledger.foreseen import Foreseen
from scoring.ledger.load import Stored, current_revisions, deals_of, last_counted, numbers_of, seats_of, table_of
from scoring.ledger.replay import Correction, NewRevision, Rewritten, ScriptEdit, correction, known_deal, rewrite
from scoring.ledger.turn import Conflict, Signature, Turn, check_open, note_needed, take_turn
from scoring.models import Deal, Event, Revision, Session, Transfer
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase


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
    remark: Remark = NO_REMARK,
    key: str,
    by: str,
    link: int | None = None,
) -> Deal:
    """Settle the next deal.

    ``number`` is the deal that the scorer believes is next; `Conflict` if it is not. The ``remark`` is stored for the
    history; a repeat of the request may have another one.

    Passing the preview's ``version`` guarantees that exactly what the preview showed is recorded.
    """
    request = {"entry": entry.as_document(), "number": number}
    with take_turn(session, Settle.verb, request, Signature.of(key, by, link)) as turn:
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
            action = Settle(entry.as_document(), *remark)
            turn.record(previewed.after, action.as_document(), deal=number, new_revisions=[first])
            return deal
    return Deal.objects.get(session=session, number=number)


def _previewed(session: Session, table: Table, entry: Entry) -> Preview:
    if entry.overrides:
        raise refuse(
            "bad-value", "entry", Phrase("Exceptions for the next hand are set at the table, not in the hand itself.")
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
    check_open(session)
    seats = seats_of(session)
    deals = deals_of(session, numbers_of(seats))
    edit = _edit(known_deal(deals, number), None if entry is None else _noted(entry, note), follow)
    return correction(session, table_of(session, seats), deals, edit)


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
    return _change(session, Correct.verb, request, entry, signature, version=version)


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
    return _change(session, Void.verb, request, None, signature, version=version)


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
    return _change(session, Restore.verb, request, None, signature, version=version)


def _change(
    session: Session,
    verb: str,
    request: Mapping[str, Any],
    entry: Entry | None,
    signature: Signature,
    *,
    version: int | None,
) -> Deal:
    """Give the deal of the ``request`` this entry; None voids the deal, or restores it with the entry that it had."""
    number: int = request["number"]
    follow: Sequence[int] = request.get("follow", ())
    foreseen = Foreseen.of(
        session, signature.key, ACTIONS[verb], lambda now: _changed(now, verb, number, entry, follow)
    )
    with take_turn(session, verb, request, signature, version=version) as turn:
        if turn.fresh:
            _check_change(turn, number, entry)
            settled_on, rewritten = foreseen.at_turn(turn.session)
            if not rewritten.revisions:
                message = Phrase("Nothing in hand {number} would change.", number=number)
                raise refuse("nothing", f"deals[{number}]", message)
            action = Rewriting(number, AS_PLAYED, settled_on.as_document() if settled_on else None, follow)
            turn.record(rewritten.table, action.as_document(), deal=number, new_revisions=rewritten.revisions)
    return Deal.objects.get(session=session, number=number)


def _changed(
    session: Session, verb: str, number: int, entry: Entry | None, follow: Collection[int]
) -> tuple[Entry | None, Rewritten]:
    """The entry that the deal is to have, and what that changes."""
    deals = deals_of(session, numbers_of(seats_of(session)))
    found = known_deal(deals, number)
    if verb == Restore.verb:
        entry = found.entry
    return entry, rewrite(session, deals, _edit(found, entry, follow))


def _check_change(turn: Turn, number: int, entry: Entry | None) -> None:
    """Raises `LedgerError` if a note is missing, if a void deal is to change, or one that counts to be restored."""
    if number < turn.session.deals or (entry is not None and entry.overrides):
        note_needed(turn.signature.note, turn.problems)
    found = current_revisions(turn.session).filter(deal__number=number).first()
    if found is not None and found.voided != (turn.verb == Restore.verb):
        void = Phrase("Hand {number} is void.", number=number)
        not_void = Phrase("Hand {number} is not void.", number=number)
        turn.problems.append(Problem("bad-value", f"deals[{number}]", void if found.voided else not_void))
    turn.check()


def _edit(found: Stored, entry: Entry | None, follow: Collection[int]) -> ScriptEdit:
    """The edit of the script that gives a deal another entry, or voids it if there is none."""
    restored = last_counted(found) if found.revision.voided and entry is not None else None
    return ScriptEdit({found.number: entry}, follow=follow, restored=restored)


def _request(number: int, follow: Collection[int]) -> dict[str, Any]:
    """What a repeat of a change is told by. Releases before had no choice but the one that is now always made."""
    return {"number": number, "later": AS_PLAYED} | ({"follow": sorted(set(follow))} if follow else {})


def last_undoable(session: Session) -> Event | None:
    """The event that `undo` would take back, None if there is none."""
    undone = Event.objects.filter(session=session, undoes__isnull=False).values("undoes")
    return Event.objects.filter(session=session, verb__in=UNDOABLE_VERBS).exclude(n__in=undone).order_by("-n").first()


AS_PLAYED: Final = "as-played"
"""How the later deals of every change are treated now; an earlier release also had "follow"."""

UNDOABLE_VERBS: Final = frozenset(verb for verb, action in ACTIONS.items() if action.undoable)


def undo(
    *,
    session: Session,
    target: int | None = None,
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Event:
    """Take back the latest event that changed the table or a deal and has not been taken back yet.

    Undoing a settlement voids the deal. Undoing a correction, a void or a restoration gives every deal it changed its
    previous entry again. Undoing anything else removes it from the script and reverses its transfers. Undo cannot be
    undone; the original action has to be repeated instead. Raises `Conflict` if that event is not number ``target``.
    """
    foreseen = Foreseen.of(session, key, Undo, _undone)
    with take_turn(session, Undo.verb, {}, Signature.of(key, by, link), version=version) as turn:
        if turn.fresh:
            undone, rewritten = foreseen.at_turn(turn.session)
            if target not in (None, undone.n):
                raise Conflict(turn.session, Phrase("The table was changed since this page was opened."))
            turn.record(
                rewritten.table,
                Undo(undone.n, undone.verb).as_document(),
                deal=undone.deal,
                undoes=undone.n,
                takes_back=Transfer.objects.filter(event=undone, revision=None),
                new_revisions=rewritten.revisions,
            )
    return turn.event


def _undone(session: Session) -> tuple[Event, Rewritten]:
    """The event that undo takes back, and what that changes.

    Raises `LedgerError` if there is nothing to undo, or a later step could then not have happened.
    """
    target = last_undoable(session)
    if target is None:
        raise refuse("nothing", "", Phrase("There is nothing to undo."))
    numbers = Revision.objects.filter(event=target).values_list("deal__number", flat=True)
    inputs: dict[int, Entry | None] = dict.fromkeys(numbers)
    before = Revision.objects.filter(deal__revisions__event=target, n=F("deal__revisions__n") - 1)
    for revision in before.select_related("deal"):
        inputs[revision.deal.number] = None if revision.voided else Entry.read(revision.entry)
    deals = deals_of(session, numbers_of(seats_of(session)))
    return target, rewrite(session, deals, ScriptEdit(inputs, without=target))


def _noted(entry: Entry, note: str) -> Entry:
    """The entry with a note if it overrides anything, and without one if it does not."""
    return replace(entry, note=(clean(note) or entry.note) if entry.overrides else "")
