"""Replays a session's script: what happened at its table, step by step, and what follows if a step changes.

The ledger uses it to find what a correction changes, and the audit to check that the rows match where the script ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from scoring.actions import TABLE_ACTIONS, read_table_action
from scoring.actions.base import TableAction
from scoring.actions.deals import Settle
from scoring.actions.evening import Close
from scoring.actions.start import Start
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError, refuse
from scoring.game.lines import Line
from scoring.game.outcome import Outcome, same_document
from scoring.game.table import Table
from scoring.ledger.load import Stored
from scoring.models import Deal, Event, Revision, Seat, Session
from scoring.rules.errors import Problem
from scoring.rules.phrase import Names, Phrase


class ImpossibleError(LedgerError):
    """A change to an earlier deal would leave a later step that could not have happened.

    ``number`` is that later deal or, where the problem lies between deals, the deal that comes next. ``choices`` is
    what the host can do instead: sentences keyed by ``as-dealt``, ``buy-in``, ``void`` or ``adjust``. A buy-in that
    helps has to come before deal ``buy_in_before``.
    """

    def __init__(
        self, problems: Iterable[Problem], number: int, choices: Mapping[str, str], buy_in_before: int
    ) -> None:
        self.number = number
        self.choices = choices
        self.buy_in_before = buy_in_before
        super().__init__(problems)


@dataclass(frozen=True, slots=True)
class Change:
    """One deal that a change rewrites. ``before`` and ``after`` are None where the deal is void.

    The result of ``before`` has only what each player won.

    ``because`` says what differs: ``entry`` for the changed deal itself, or any of ``stacks``, ``fantasyland`` and
    ``button`` for a later one.
    """

    number: int
    kind: Revision.Kind
    before: Outcome | None
    after: Outcome | None
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """How a deal was dealt, or would have been: facts that no change to another deal rewrites by itself (R73).

    ``seats`` were dealt in, ``button`` is the seat that had it, and ``fantasyland`` has the cards of each seat that
    was dealt them at once.
    """

    seats: frozenset[int]
    button: int
    fantasyland: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Departure:
    """A deal that was not dealt as it would now follow from the deals before it.

    ``follows`` says that the host lets it follow. They cannot where ``possible`` is false: the cards of a player who
    was not dealt in do not exist.
    """

    number: int
    dealt: Dealt
    due: Dealt
    follows: bool
    possible: bool


@dataclass(frozen=True, slots=True)
class Correction:
    """Exactly what a change to an earlier deal would do: each deal it rewrites, and the tables before and after.

    ``departures`` are the deals about which the host has a choice. ``version`` is the session's version that this was
    worked out from.
    """

    version: int
    changes: tuple[Change, ...]
    departures: tuple[Departure, ...]
    before: Table
    after: Table


class Step(NamedTuple):
    """One event of the script and, if the event settled a deal, that deal as it stands now."""

    event: Event
    deal: Stored | None

    @property
    def action(self) -> TableAction | Close:
        """The action of an event that settled nothing."""
        if self.event.verb == Close.verb:
            return Close.read(self.event.action)
        return read_table_action(self.event.verb, self.event.action)


def script(session: Session, deals: Mapping[int, Stored], *, without: Collection[int] = ()) -> Iterator[Step]:
    """What happened at the table, in the order in which it counts.

    The script leaves out undone events and those whose ``n`` is in ``without``. An event that was booked late comes
    where it belongs. Corrections are not steps of their own, because a deal's step carries the deal as it is now.
    """
    events = list(Event.objects.filter(session=session).defer("before", "after").order_by("n"))
    gone = {event.undoes for event in events} | set(without)
    late: dict[int, list[Event]] = defaultdict(list)
    on_time: set[int] = set()
    for event in events:
        if event.verb in TABLE_ACTIONS and event.n not in gone:
            before = read_table_action(event.verb, event.action).booked_before
            if before is None:
                on_time.add(event.n)
            else:
                late[before].append(event)
    for event in events:
        if event.verb == Settle.verb:
            number = event.deal or 0
            yield from (Step(booked, None) for booked in late[number])
            yield Step(event, deals[number])
        elif event.verb == Start.verb or event.n in on_time or (event.verb == Close.verb and event.n not in gone):
            yield Step(event, None)


def advance(table: Table, step: Step) -> Table:
    """The table after one step, with its deal as stored. Raises `LedgerError` if the step is impossible."""
    if step.deal is None:
        return step.action.apply(table, step.event.note)[0]
    return table if step.deal.revision.voided else table.after_deal(step.deal.entry, step.deal.gains())


def known_deal(deals: Mapping[int, Stored], number: int) -> Stored:
    """The deal with this number. Raises `LedgerError` if there is none."""
    if number not in deals:
        raise refuse("unknown-deal", f"deals[{number}]", Phrase("There is no hand {number}.", number=number))
    return deals[number]


@dataclass(frozen=True, slots=True)
class ScriptEdit:
    """An edit of the script: what is to be otherwise when it is replayed.

    ``inputs`` are new entries by deal number (None voids the deal), ``insert`` is an action booked late, and
    ``without`` is an event to leave out. That one is the latest that counts, so it moved no deals but those in
    ``inputs``. ``follow`` are the numbers of the deals that follow from the change; all others stand as they were dealt
    (R73). ``restored`` is the deal that is to count again, as it last counted.
    """

    inputs: Mapping[int, Entry | None]
    insert: TableAction | None = None
    without: Event | None = None
    follow: Collection[int] = ()
    restored: Stored | None = None

    def is_about(self, number: int) -> bool:
        """Whether it is this deal that is corrected. An undo gives later deals their earlier entries again, too."""
        return number in self.inputs and (self.without is None or self.without.deal == number)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """A revision to write. ``outcome`` is None if the deal becomes void; ``replaces`` is the previous revision's id."""

    deal: Deal
    n: int
    kind: Revision.Kind
    entry: Entry
    outcome: Outcome | None
    button: int
    next_button: int
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The final table, a new revision for each deal that changed, and what the host may choose."""

    table: Table
    revisions: list[NewRevision]
    departures: list[Departure] = field(default_factory=list)
    inserted: list[Line] = field(default_factory=list)
    """The lines of the edit's late action."""


def rewrite(session: Session, deals: Mapping[int, Stored], edit: ScriptEdit) -> Rewritten:
    """Replay the session's script with the edit.

    Deals before the first change are taken as stored; after it, a deal is scored again only if something that it was
    settled on has changed. Raises `LedgerError` if a new entry or the late action is refused, and `ImpossibleError` if
    a later step could then not have happened.
    """
    steps = script(session, deals, without=() if edit.without is None else (edit.without.n,))
    table = Start.read(next(steps).event.action).table()
    # A refusal names a player whose joining was undone, too, of which the script knows nothing.
    names = dict(Seat.objects.filter(session=session, number__gt=0).values_list("number", "name"))
    table = replace(table, names={**names, **table.names})
    revisions: list[NewRevision] = []
    departures: list[Departure] = []
    inserted: list[Line] = []
    changed, last_dealt = False, table
    for step in steps:
        if step.deal is None:
            try:
                table = advance(table, step)
            except LedgerError as error:
                raise _impossible_between(step.event.deals + 1, error, last_dealt) from error
            continue
        deal, last_dealt = step.deal, table
        number, voided = deal.number, deal.revision.voided
        if edit.insert is not None and edit.insert.booked_before == number:
            (table, inserted), changed = _inserted(table, edit.insert), True
        changed = changed or number in edit.inputs
        if not changed:
            table = advance(table, step)
            continue
        was = deal.entry
        entry = edit.inputs.get(number, None if voided else was)
        if entry is None:
            if not voided:
                revisions.append(_revision(deal, Revision.Kind.VOID, was, None, (table, table)))
            continue
        then = edit.restored if voided and number in edit.inputs else None if number in edit.inputs else deal
        if then is not None:
            entry, departure = _as_dealt(table, entry, then, edit)
            departures += departure
        if not voided and _same(table, entry, was, deal):
            table = table.after_deal(entry, deal.gains())
            continue
        revision, table = _settled_again(deal, table, entry, edit)
        revisions.append(revision)
    return Rewritten(table, revisions, departures, inserted)


def _settled_again(deal: Stored, table: Table, entry: Entry, edit: ScriptEdit) -> tuple[NewRevision, Table]:
    """A deal with this entry, settled on this table, and the table after it.

    The refusal of an entry among the edit's inputs is the host's to mend; any other one makes the whole change
    impossible.
    """
    entered = deal.number in edit.inputs
    try:
        if not entered:
            _check_lineup(table, entry, deal)
        outcome = table.score(entry)
    except LedgerError as error:
        if entered:
            raise
        raise _impossible(deal.number, error) from error
    kind = Revision.Kind.CORRECT if edit.is_about(deal.number) else Revision.Kind.RESETTLE
    if entered and deal.revision.voided:
        kind = Revision.Kind.RESTORE
    after = table.after_deal(entry, outcome.gains())
    return _revision(deal, kind, entry, outcome, (table, after)), after


def _revision(
    found: Stored, kind: Revision.Kind, entry: Entry, outcome: Outcome | None, tables: tuple[Table, Table]
) -> NewRevision:
    deal = found.revision.deal
    before, after = tables
    button = before.button if outcome is None else outcome.button
    return NewRevision(
        deal=deal,
        n=found.revision.n + 1,
        kind=kind,
        entry=entry,
        outcome=outcome,
        button=button,
        next_button=after.button,
        replaces=found.revision.pk,
    )


def _inserted(table: Table, action: TableAction) -> tuple[Table, list[Line]]:
    if table.stacks is None:
        number = action.booked_before
        message = Phrase(
            "Hand {number} was played on credit; chips can only be bought for hands to come.", number=number
        )
        raise refuse("bad-value", "before", message)
    return action.apply(table, "")  # no action that is booked late leaves its note at the table


def _same(table: Table, entry: Entry, was: Entry, found: Stored) -> bool:
    """Whether the deal, with this ``entry``, would be settled on what it was settled on with the entry ``was``."""
    revision = found.revision
    played = table.as_played(entry)
    return (
        not played.sitter_owed()
        and revision.button == played.button
        and revision.note == table.note_for(entry)
        and (entry is was or Entry.read(entry.as_document()) == was)
        and revision.document is not None
        and same_document(revision.document, table.score_document(entry))
    )


def _check_lineup(table: Table, entry: Entry, deal: Stored) -> None:
    now = set(table.as_played(entry).lineup())
    then = {deal.numbers[board.seat_id] for board in deal.boards}
    if now != then:
        came = [table.name(seat) for seat in sorted(now - then)]
        went = [table.name(seat) for seat in sorted(then - now)]
        raise refuse("other-players", "seats", lineup_changed(came, went))


def lineup_changed(came: Sequence[str], went: Sequence[str]) -> Phrase:
    """The sentence for a lineup that a change alters: names newly dealt in, names left out, at least one in all."""
    if not went:
        return Phrase("{names} would now be dealt in.", names=Names(came))
    if not came:
        return Phrase("{names} would no longer be dealt in.", names=Names(went))
    return Phrase("{came} would now be dealt in, and {went} would no longer be.", came=Names(came), went=Names(went))


def _as_dealt(table: Table, entry: Entry, then: Stored, edit: ScriptEdit) -> tuple[Entry, list[Departure]]:
    """The entry with the overrides that keep a deal as it was dealt (R73), and how that departs from what follows.

    Overrides that an earlier change made necessary go where they are not any more. If the host lets the deal follow,
    it has none.
    """
    bare = replace(entry, seats=None, button=None, fantasyland=None) if entry.overrides else entry
    bare = replace(bare, note="") if bare.note and not bare.overrides else bare
    played = table.as_played(bare)
    dealt = Dealt(
        frozenset(then.numbers[board.seat_id] for board in then.boards),
        then.revision.button,
        {then.numbers[board.seat_id]: board.fantasyland_cards for board in then.boards if board.fantasyland_cards},
    )
    due = Dealt(frozenset(played.lineup()), played.button, _in_fantasyland(played))
    owed = bool(played.sitter_owed())
    if dealt == due and not owed:
        return bare, []
    follows = then.number in edit.follow
    departure = Departure(then.number, dealt, due, follows, possible=dealt.seats == due.seats and not owed)
    if follows:
        return bare, [departure]
    otherwise: dict[str, Any] = {}
    if played.button != dealt.button:
        otherwise["button"] = dealt.button
        played = table.as_played(replace(bare, **otherwise))
    if set(played.lineup()) != dealt.seats:
        otherwise["seats"] = tuple(then.numbers[board.seat_id] for board in then.boards)
        played = table.as_played(replace(bare, **otherwise))
    if played.sitter_owed() or _in_fantasyland(played) != dealt.fantasyland:
        otherwise["fantasyland"] = dealt.fantasyland
    note = entry.note or AS_DEALT.format(min(edit.inputs, default=then.number))
    return replace(bare, **otherwise, note=note), [departure]


def _in_fantasyland(table: Table) -> dict[int, int]:
    """The cards of each seat that the next deal deals at once."""
    return {seat: cards for seat in table.lineup() if (cards := table.dealt_at_once(seat))}


AS_DEALT: Final = "As it was dealt, before hand {} was changed."


def _impossible(number: int, error: LedgerError) -> ImpossibleError:
    """A later deal could not have been played. Those without chips were dealt in, so they could have bought some."""
    codes = {problem.code for problem in error.problems}
    choices: dict[str, Phrase] = {}
    if "no-chips" in codes:
        choices["buy-in"] = _buy_in(number)
    if codes & {"other-players", "fantasyland-pending"}:
        choices["as-dealt"] = Phrase("Keep hand {number} as it was dealt.", number=number)
    choices |= {"void": Phrase("Void hand {number} first.", number=number), "adjust": ADJUST}
    return ImpossibleError(_placed(_at, number, error), number, choices, number)


def _impossible_between(number: int, error: LedgerError, last_dealt: Table) -> ImpossibleError:
    """Something before deal ``number`` could not have been done. ``last_dealt`` is the table before the deal before it.

    A forgotten buy-in counts as the last thing before its deal. To help, it has to come before an earlier one than
    ``number``, and those who are short of chips have to have been at the table then.
    """
    choices: dict[str, Phrase] = {}
    if error.short and not last_dealt.away(error.short):
        choices["buy-in"] = _buy_in(number - 1)
    choices["adjust"] = ADJUST
    return ImpossibleError(_placed(_before, number, error), number, choices, number - 1)


def _buy_in(number: int) -> Phrase:
    return Phrase("Add the buy-in that was made before hand {number}, if there was one.", number=number)


ADJUST: Final = Phrase("Leave the hand and record the difference as a side payment.")


def _at(number: int, reason: str) -> Phrase:
    return Phrase("Hand {number}: {reason}", number=number, reason=reason)


def _before(number: int, reason: str) -> Phrase:
    return Phrase("Before hand {number}: {reason}", number=number, reason=reason)


def _placed(place: Callable[[int, str], Phrase], number: int, error: LedgerError) -> list[Problem]:
    return [Problem(problem.code, f"deals[{number}]", place(number, problem.message)) for problem in error.problems]


def correction(session: Session, table: Table, deals: Mapping[int, Stored], edit: ScriptEdit) -> Correction:
    """What `rewrite` would change, for a preview. ``table`` is the current table. Raises what `rewrite` raises."""
    rewritten = rewrite(session, deals, edit)
    changes = []
    for revision in rewritten.revisions:
        number = revision.deal.number
        before = deals[number].winnings()
        because = ("entry",) if number in edit.inputs else _because(before, revision.outcome)
        changes.append(Change(number, revision.kind, before, revision.outcome, because))
    return Correction(session.version, tuple(changes), tuple(rewritten.departures), table, rewritten.table)


def _because(before: Outcome | None, after: Outcome | None) -> tuple[str, ...]:
    if before is None or after is None:
        return ("entry",)

    def seen(outcome: Outcome, part: str) -> dict[str, Any]:
        return {player["name"]: player.get(part) for player in outcome.document["players"]}

    reasons = [
        word
        for word, part in (("stacks", "stack"), ("fantasyland", "fantasyland_cards"))
        if seen(before, part) != seen(after, part)
    ]
    return (*reasons, "button") if before.button != after.button else tuple(reasons)
