"""The ledger's invariants, each a named check that rereads the database and reports where it does not hold.

A check takes one session as a `Case` and yields a sentence for each breach; `CHECKS` lists them all. Those in
`DATABASE_CHECKS` look at the database itself and at clubs, and yield findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Final

from django.db import connection

from scoring.actions import BESIDE_RECORD
from scoring.actions.agreement import Agree
from scoring.actions.deals import Settle
from scoring.actions.disputes import RaiseDispute, ResolveDispute
from scoring.actions.evening import ChooseTab, Close, Rename, Reopen
from scoring.actions.payment import Pay, UndoPayment
from scoring.actions.people import Join
from scoring.actions.start import Start
from scoring.game.balances import Balance, balances
from scoring.game.cashing import handed_in, still_to_get
from scoring.game.errors import LedgerError
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Line, LineKind
from scoring.game.outcome import same_document
from scoring.game.payments import squares
from scoring.game.table import Table
from scoring.game.text import fold
from scoring.ledger import append_only, chain, line_sums, schema, triggers
from scoring.ledger.load import Stored, deals_of, numbers_of, seats_of, tab_of, table_of, totals_of
from scoring.ledger.payments import Made, last_plan, made_by, promised
from scoring.ledger.replay import Step, advance, script
from scoring.models import (
    Club,
    Deal,
    Dispute,
    Event,
    LineSum,
    Merged,
    Player,
    Revision,
    Seat,
    Session,
    TabPayment,
    Total,
    Transfer,
)
from scoring.rules.document import score
from scoring.rules.errors import RulesError
from scoring.transactions import end_snapshot, snapshot


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach: the check's name, the public id of the session or club (empty for the database), and a sentence."""

    check: str
    session: str
    message: str

    def __str__(self) -> str:
        """In one line, whatever stands in the rows."""
        said = f"{self.check}: {self.session + ': ' if self.session else ''}{self.message}"
        return "".join(sign if sign.isprintable() else "?" for sign in said)


class Case:
    """Everything about one session; each part is read once, when the first check needs it."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @cached_property
    def seats(self) -> list[Seat]:
        """Every seat."""
        return seats_of(self.session)

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """Seat number by database id, of this session's seats only."""
        return numbers_of(self.seats)

    @cached_property
    def deals(self) -> dict[int, Stored]:
        """Every deal as it stands, by number, with boards and pairs."""
        return deals_of(self.session, self.numbers, pairs=True)

    @cached_property
    def revisions(self) -> list[Revision]:
        """Every revision of every deal, in order."""
        found = Revision.objects.filter(deal__session=self.session).select_related("deal", "event")
        return list(found.order_by("deal__number", "n"))

    @cached_property
    def events(self) -> list[Event]:
        """Every event, in order."""
        return list(Event.objects.filter(session=self.session).order_by("n"))

    @cached_property
    def opened(self) -> Start:
        """What the first event says of the session; where it is of an earlier release, what its chaining says."""
        start = Start.read(self.events[0].action)
        said = self.events[0].chained
        return replace(start, **{part: said[part] for part in Start.decided}) if said and not start.session else start

    @cached_property
    def transfers(self) -> list[Transfer]:
        """Every ledger row, in the order in which they were booked."""
        return list(Transfer.objects.filter(session=self.session).order_by("pk"))

    @cached_property
    def played(self) -> tuple[list[tuple[Step, Table]], Table | None, str]:
        """Each step of the script with the table before it, the final table, and why the script breaks off.

        If the script breaks off, the final table is None; if it does not, the reason is empty.
        """
        steps: list[tuple[Step, Table]] = []
        try:
            found = script(self.session, self.deals)
            table = Start.read(next(found).event.action).table()
            for step in found:
                steps.append((step, table))
                table = advance(table, step)
        except (LedgerError, RulesError, LookupError, StopIteration, TypeError, ValueError) as error:
            return steps, None, str(error) or type(error).__name__
        return steps, table, ""

    def line(self, transfer: Transfer) -> Line | None:
        """The transfer as a line between seat numbers, None if either side is not a seat of this session."""
        payer, payee = self.numbers.get(transfer.payer_id), self.numbers.get(transfer.payee_id)
        if payer is None or payee is None:
            return None
        return Line(payer, payee, transfer.points, transfer.amount, LineKind(transfer.kind), transfer.in_play)


def balanced(case: Case) -> Iterator[str]:
    """Both sides of every line are seats of its session, so that the session's balances sum to zero."""
    for transfer in case.transfers:
        if case.line(transfer) is None:
            yield f"line {transfer.pk} is between seats of another session"


def summed(case: Case) -> Iterator[str]:
    """The sums kept beside the lines are the sums of the lines."""
    of: dict[tuple[int, int, str, bool], list[int]] = defaultdict(lambda: [0, 0])
    for line in case.transfers:
        one = of[line.payer_id, line.payee_id, line.kind, line.in_play]
        one[0] += line.points
        one[1] += line.amount
    stored = {
        (each.payer_id, each.payee_id, each.kind, each.in_play): [each.points, each.amount]
        for each in LineSum.objects.filter(session=case.session)
    }
    for key in sorted(of.keys() | stored.keys()):
        if of.get(key) != stored.get(key):
            payer, payee = (case.numbers.get(seat, f"row {seat}") for seat in key[:2])
            now, then = of.get(key, [0, 0]), stored.get(key, [0, 0])
            yield f"{key[2]} from seat {payer} to seat {payee} adds up to {now}, kept is {then}"


def frozen_totals(case: Case) -> Iterator[str]:
    """The totals frozen when a session closed are the sums of its lines; an open session has none."""
    frozen = {total.player_id: total for total in Total.objects.filter(session=case.session)}
    if case.session.closed_at is None:
        if frozen:
            yield "totals are frozen of a session that is open"
        return
    if any(case.line(transfer) is None for transfer in case.transfers):
        return  # there is no sum to compare with
    parts = ("club_id", "currency", "minor_digits", "deals", "points", "money", "fees")
    for total in totals_of(case.session, case.seats):
        stored = frozen.pop(total.player_id, None)
        if stored is None or any(getattr(stored, part) != getattr(total, part) for part in parts):
            yield f"the frozen totals of player {total.player_id} are not the sums of the lines"
    for player, total in frozen.items():
        if any((total.deals, total.points, total.money, total.fees)):  # 0.1.0 froze those of an undone joining, too
            yield f"totals are frozen of player {player}, who was not there"


_WORDING: Final = frozenset({"why", "foul_reason", "name"})


def scored(case: Case) -> Iterator[str]:
    """Today's engine gives every deal the stored numbers for boards and pairs (its sentences may have changed)."""
    for number, deal in case.deals.items():
        if not deal.revision.voided and (differs := rescored(deal)):
            yield f"deal {number}: {differs}"


def rescored(deal: Stored) -> str:
    """A sentence on how a stored deal differs from the engine's answer to its document; empty if it does not."""
    document = deal.revision.document
    try:
        answer = score(document)
        outcome = deal.outcome()
    except RulesError as error:
        return f"the engine refuses it: {error}"
    except ValueError:
        return "it has not as many boards as players"
    stored = outcome.result if outcome else {}
    for part in ("players", "pairs"):
        if len(stored[part]) != len(answer[part]):
            return f"{len(stored[part])} {part} are stored, the engine has {len(answer[part])}"
        for one, now in zip(stored[part], answer[part], strict=True):
            for key in sorted(now.keys() | one.keys()):
                if key not in _WORDING and _numbers(one.get(key)) != _numbers(now.get(key)):
                    who = " and ".join(now["players"]) if part == "pairs" else now["name"]
                    return f"{key} of {who} is {one.get(key)}, the engine says {now.get(key)}"
    return ""


def _numbers(value: Any) -> Any:
    """The value without any wording in it."""
    if isinstance(value, dict):
        return {key: _numbers(part) for key, part in value.items() if key not in _WORDING}
    return value


def settled(case: Case) -> Iterator[str]:
    """The lines of each current revision match its pairs: the two seats, the points, and the amount paid."""
    own: dict[int | None, list[Transfer]] = defaultdict(list)
    for transfer in case.transfers:
        if transfer.kind == "deal" and transfer.reverses_id is None:
            own[transfer.revision_id].append(transfer)
    for number, deal in case.deals.items():
        outcome = None
        if len(deal.boards) == len((deal.revision.document or {}).get("players", ())):
            outcome = deal.outcome()
        lines = [case.line(transfer) for transfer in own[deal.revision.pk]]
        if None not in lines and sorted(filter(None, lines)) != sorted(outcome.lines() if outcome else []):
            yield f"deal {number}: its lines are not its pairs"


def booked(case: Case) -> Iterator[str]:
    """Every event that settles no deal has exactly the lines that its action makes."""
    own: dict[int, list[Transfer]] = defaultdict(list)
    for transfer in case.transfers:
        if transfer.revision_id is None and transfer.reverses_id is None:
            own[transfer.event_id].append(transfer)
    for step, table in case.played[0]:
        if step.deal is None:
            lines = [case.line(transfer) for transfer in own[step.event.pk]]
            made = step.action.apply(table, step.event.note)[1]
            if None not in lines and lines != made:
                yield f"event {step.event.n} ({step.event.verb}): its lines are not what was asked for"


def paid(case: Case) -> Iterator[str]:
    """Every payment has its line, and pays by a plan that was to square everybody when it was made.

    While a session is open, the plan counts the money that the bank holds for chips as if they were handed in.
    """
    own: dict[int, list[Transfer]] = defaultdict(list)
    for transfer in case.transfers:
        own[transfer.event_id].append(transfer)
    if any(case.line(transfer) is None for transfer in case.transfers):
        return
    seats = case.numbers.values()
    of = {seat: Balance() for seat in seats}
    made: list[Made] = []
    closed = False
    coin = 0
    for event in case.events:
        lines = [line for transfer in own[event.pk] if (line := case.line(transfer))]
        if event.verb == Pay.verb:
            pay, stands = Pay.read(event.action), promised(made)
            this, last = made_by(event, undone=False, coin=coin if closed else 0), last_plan(made)
            plan, rest = (this.plan, this.rest) if this.plan or last is None else (stands, last.rest)
            if lines != [pay.line()]:
                yield f"event {event.n} (pay): its line is not what was asked for"
            due = balances(() if closed else still_to_get(of), seats)
            if not plan or not squares(plan, {seat: of[seat] + due[seat] for seat in of}, rest):
                yield f"event {event.n} (pay): its plan does not square everyone"
            if this.plan and (any(each.amount % this.coin for each in this.plan) if this.coin else this.rest):
                yield f"event {event.n} (pay): its plan is not rounded as the table chose"
            made.append(this)
        elif event.verb == UndoPayment.verb:
            n = UndoPayment.read(event.action).n
            made = [replace(each, undone=True) if each.n == n else each for each in made]
            if event.undoes != n or n not in {each.n for each in made}:
                yield f"event {event.n} (undo-payment): it takes back no payment"
        elif any(line.kind is LineKind.PAYMENT for line in lines):
            yield f"event {event.n} ({event.verb}): it has a line of a payment"
        if event.verb in (Close.verb, Reopen.verb):
            closed = event.verb == Close.verb
        if event.verb in (Close.verb, ChooseTab.verb):
            coin = tab_of(event)[1]
        now = balances(lines, seats)
        of = {seat: of[seat] + now[seat] for seat in of}


def handed_in_chips(case: Case) -> Iterator[str]:
    """Where the bank held money for chips, everybody handed them in at the close and got what there was for them."""
    own: dict[int, list[Line]] = defaultdict(list)
    for transfer in case.transfers:
        if line := case.line(transfer):
            own[transfer.event_id].append(line)
    seats = case.numbers.values()
    of = {seat: Balance() for seat in seats}
    for event in case.events:
        lines = own[event.pk]
        if event.verb == Close.verb:
            close = Close.read(event.action)
            counted = balances([line for line in lines if line.kind is LineKind.COUNT], seats)
            due = [list(each) for each in handed_in({seat: of[seat] + counted[seat] for seat in of})]
            if [list(each) for each in close.handed_in] != due:
                yield f"event {event.n} (close): what was handed in and paid for is not what there was"
            if counted != {seat: Balance() for seat in seats} and not event.note:
                yield f"event {event.n} (close): the count differs from the ledger, and nobody says why"
        now = balances(lines, seats)
        of = {seat: of[seat] + now[seat] for seat in of}


def numbered_events(case: Case) -> Iterator[str]:
    """Events are numbered without gaps up to the session's version, and only the first one opened the session."""
    numbers = [event.n for event in case.events]
    if not _without_gaps(numbers, case.session.version):
        yield f"events are numbered {_listed(numbers)}, the session's version is {case.session.version}"
    if [event for event in case.events if event.verb == Start.verb] != case.events[:1]:
        yield "the session was not opened by its first event"


def numbered_revisions(case: Case) -> Iterator[str]:
    """Every revision of a deal exists, and the last one counts."""
    found: dict[int, list[int]] = defaultdict(list)
    for revision in case.revisions:
        found[revision.deal.number].append(revision.n)
    for deal in Deal.objects.filter(session=case.session).order_by("number"):
        if not _without_gaps(found[deal.number], deal.revision):
            yield f"deal {deal.number} has revisions {_listed(found[deal.number])}, and number {deal.revision} counts"


def reversed_once(case: Case) -> Iterator[str]:
    """A line has an exact reversal if and only if its revision no longer counts or its event was undone."""
    by_id = {transfer.pk: transfer for transfer in case.transfers}
    counting = {deal.revision.pk for deal in case.deals.values()}
    undone = {event.undoes for event in case.events}
    gone = {event.pk for event in case.events if event.n in undone}
    back = {transfer.reverses_id for transfer in case.transfers if transfer.reverses_id is not None}
    for transfer in case.transfers:
        if transfer.reverses_id is None:
            stands = transfer.revision_id in counting if transfer.kind == "deal" else transfer.event_id not in gone
            if stands == (transfer.pk in back):
                yield f"line {transfer.pk} {'counts and is reversed' if stands else 'is superseded and not reversed'}"
            continue
        line = by_id.get(transfer.reverses_id)
        same = ("points", "amount", "kind", "in_play", "deal_number")
        if (
            line is None
            or (line.payer_id, line.payee_id) != (transfer.payee_id, transfer.payer_id)
            or any(getattr(line, part) != getattr(transfer, part) for part in same)
        ):
            yield f"line {transfer.pk} is not the other way of the line that it reverses"


def own_revision(case: Case) -> Iterator[str]:
    """A line of a deal belongs to the revision of that deal which its event made, also if it reverses another line."""
    made = {(revision.event_id, revision.deal.number): revision.pk for revision in case.revisions}
    for transfer in case.transfers:
        if transfer.kind == "deal" and transfer.revision_id != made.get((transfer.event_id, transfer.deal_number)):
            yield f"line {transfer.pk} belongs to a revision that its event did not make"


def guards() -> Iterator[Finding]:
    """The database refuses to change or delete a row of the append-only tables, and sums the lines."""
    expected = append_only.expected(connection) | line_sums.expected(connection)
    for (table, name), trouble in triggers.wrong(connection, expected).items():
        yield Finding("guards", "", f"the trigger {name} of {table} {trouble}")
    for table, name in triggers.rules(connection):
        yield Finding("guards", "", f"the rule {name} of {table} is not one of the ledger's")
    if append_only.is_erasing(connection):
        yield Finding("guards", "", "the database lets rows of the ledger be deleted")


def frozen_deals(case: Case) -> Iterator[str]:
    """A deal's boards and pairs match its document in names, cards, rulings, Fantasyland, stacks and stakes."""
    names = {seat.pk: seat.name for seat in case.seats}
    for number, deal in case.deals.items():
        document = deal.revision.document
        if document is None:
            continue
        stored = [
            (
                names.get(board.seat_id),
                board.front,
                board.middle,
                board.back,
                board.ruling,
                board.fantasyland_cards,
                board.stack_before,
            )
            for board in deal.boards
        ]
        said = [
            (
                player["name"],
                *(player.get(part, "") for part in ("front", "middle", "back", "ruling")),
                player.get("fantasyland_cards", 0),
                player.get("stack"),
            )
            for player in document["players"]
        ]
        if stored != said:
            yield f"deal {number}: its boards are not those of its document"
        stakes = {frozenset(each["players"]): each["stake"] for each in document["pair_stakes"]}
        for pair in deal.pairs:
            between = frozenset({names.get(pair.first_id, ""), names.get(pair.second_id, "")})
            if pair.stake != stakes.get(between, document["stake"]):
                yield f"deal {number}: the stake of {' and '.join(sorted(between))} is not that of its document"


def numbered_deals(case: Case) -> Iterator[str]:
    """Deals are numbered without gaps up to the session's count, and one event settled each."""
    numbers = sorted(Deal.objects.filter(session=case.session).values_list("number", flat=True))
    if not _without_gaps(numbers, case.session.deals):
        yield f"deals are numbered {_listed(numbers)}, the session has {case.session.deals}"
    settling = [event.deal for event in case.events if event.verb == Settle.verb]
    if settling != numbers:
        yield f"deals {_listed(numbers)} were settled by events about {_listed(settling)}"


def follows(case: Case) -> Iterator[str]:
    """Each deal's button and Fantasyland follow from what came before, or the deal carries the host's note why not."""
    for step, table in case.played[0]:
        if step.deal is None or step.deal.revision.voided:
            continue
        deal, revision, entry = step.deal, step.deal.revision, step.deal.entry
        played = table.as_played(entry)
        dealt = {case.numbers.get(board.seat_id): board.fantasyland_cards for board in deal.boards}
        if revision.button != played.button or dealt != {seat: played.dealt_at_once(seat) for seat in played.lineup()}:
            yield f"deal {deal.number}: button or Fantasyland is not what followed"
        if revision.next_button != table.after_deal(entry, deal.gains()).button:
            yield f"deal {deal.number}: the button does not go where it says"
        if revision.note != table.note_for(entry) or (entry.overrides and not revision.note):
            yield f"deal {deal.number}: it does not carry the note why button or Fantasyland was set"


def replayed(case: Case) -> Iterator[str]:
    """The script can be replayed, and every deal was settled on the table that the replay reaches before it."""
    steps, _, trouble = case.played
    if trouble:
        yield f"its script breaks off after {len(steps)} steps: {trouble}"
    for step, table in steps:
        if step.deal is None or step.deal.revision.document is None:
            continue
        document, now = step.deal.revision.document, table.score_document(step.deal.entry)
        if not same_document(document, now):
            yield f"deal {step.deal.number}: it was settled on something other than the table was"


def current(case: Case) -> Iterator[str]:
    """The rows that hold the current table (seats, button, Fantasyland, stakes, orbit) match where the script ends."""
    table = case.played[1]
    if table is None or any(case.line(transfer) is None for transfer in case.transfers):
        return
    stored, now = table_of(case.session, case.seats).as_document(), table.as_document()
    for part in now:
        if stored[part] != now[part]:
            yield f"{part} is stored as {stored[part]}, the script comes to {now[part]}"


def chained(case: Case) -> Iterator[str]:
    """Each event's hash covers what it wrote as it is stored now, and the hash before it; the last is the head."""
    last = ""
    for content, stored, now in chain.linked(case.session):
        last = stored
        if stored != now:
            yield f"event {content['n']} ({content['verb']}): what it wrote is not what its hash covers"
    if case.session.head != last:
        yield "the head is not the hash of the last event"


def as_opened(case: Case) -> Iterator[str]:
    """The session is called, counts its money, and opened and closed as its events say."""
    session, opened = case.session, case.opened
    names = [event.action["name"] for event in case.events if event.verb == Rename.verb]
    ends = [event for event in case.events if event.verb in (Close.verb, Reopen.verb)]
    tabs = [tab_of(event) for event in case.events if event.verb in (Close.verb, ChooseTab.verb)]
    on_tab, coin = tabs[-1] if tabs else (False, 0)
    said = {
        "public_id": opened.session,
        "number": opened.number,
        "currency": opened.currency,
        "minor_digits": opened.minor_digits,
        "name": names[-1] if names else opened.name,
        "opened_at": case.events[0].at,
        "closed_at": ends[-1].at if ends and ends[-1].verb == Close.verb else None,
        "on_tab": on_tab,
        "coin": coin,
    }
    for part, value in said.items():
        if getattr(session, part) != value:
            yield f"{part} is stored as {getattr(session, part)}, the events say {value}"


def seated(case: Case) -> Iterator[str]:
    """Each seat is the place of the player who sat down in it, under the name they had."""
    players: dict[int, int] = dict(case.opened.players)  # type: ignore[arg-type]  # JSON has pairs as lists
    names = dict(case.opened.seats)
    for event in case.events:
        if event.verb == Join.verb:
            join = Join.read(event.action)
            names[join.seat] = join.name
            players[join.seat] = join.player or players.get(join.seat, 0)
    for number in sorted({*_KINDS, *names} - {seat.number for seat in case.seats}):
        yield f"seat {number} is missing"
    merged = dict(Merged.objects.filter(gone__in=players.values()).values_list("gone", "player_id"))
    sitting = [seat.player_id for seat in case.seats if seat.player_id is not None]
    clubs = dict(Player.objects.filter(pk__in=[*sitting, *merged]).values_list("pk", "club_id"))
    for seat in case.seats:
        if (seat.kind, seat.player_id is None) != _KINDS.get(seat.number, (Seat.Kind.PLAYER, False)):
            yield f"seat {seat.number} is not the seat of a player, the bank or the house as its number says"
        if seat.player_id is None:
            continue
        player = players.get(seat.number, 0)
        if seat.player_id != merged.get(player, player):
            yield f"seat {seat.number} is player {seat.player_id}'s, the events say {player}"
        if player in merged and player in clubs:
            yield f"seat {seat.number} was player {player}'s, who is stored as merged and is still there"
        if clubs.get(seat.player_id, case.session.club_id) != case.session.club_id:
            yield f"seat {seat.number} is a player's of another club than the session's"
        if seat.name != names.get(seat.number):
            yield f"seat {seat.number} is called {seat.name}, the events say {names.get(seat.number)}"


_KINDS: Final = {BANK: (Seat.Kind.BANK, True), HOUSE: (Seat.Kind.HOUSE, True)}
"""What the seats are that no player has, and that they have none."""


def disputed(case: Case) -> Iterator[str]:
    """There is a row for each dispute that was raised, resolved where an event resolved it."""
    said: dict[int, list[int | None]] = {}
    for event in case.events:
        if event.verb == RaiseDispute.verb:
            said[event.n] = [RaiseDispute.read(event.action).number, None]
        elif event.verb == ResolveDispute.verb:
            said.setdefault(ResolveDispute.read(event.action).raised, [None, None])[1] = event.n
    events = {event.pk: event.n for event in case.events}
    stored: dict[int, list[int | None]] = {
        events.get(raised, 0): [deal, resolved and events.get(resolved, 0)]  # 0 stands for another session's event
        for raised, deal, resolved in Dispute.objects.filter(deal__session=case.session).values_list(
            "raised_id", "deal__number", "resolved_id"
        )
    }
    for raised in sorted(said.keys() | stored.keys()):
        if said.get(raised) != stored.get(raised):
            yield f"the dispute of event {raised} is not stored as it was raised and resolved"


def agreed(case: Case) -> Iterator[str]:
    """Each agreement names the head that everybody was shown: that of the last event before it that counts for it."""
    shown: Event | None = None
    for event in case.events:
        if event.verb not in BESIDE_RECORD:
            shown = event
        if event.verb != Agree.verb:
            continue
        agreement = Agree.read(event.action)
        if shown is None or (agreement.event, agreement.head) != (shown.n, shown.hash):
            yield f"event {event.n} (agree): it names another head than the one that everyone was shown"


def whole_file() -> Iterator[Finding]:
    """SQLite finds its file whole. PostgreSQL has tools of its own for that."""
    with snapshot():
        for message in triggers.damages(connection):
            yield Finding("whole_file", "", message)


def constrained() -> Iterator[Finding]:
    """The database refuses what the app's tables are made to refuse."""
    for table, name in schema.unconstrained(connection):
        yield Finding("constrained", "", f"the constraint {name} of {table} is missing")


def referred_to() -> Iterator[Finding]:
    """What a row refers to is there. A page that needs it would fail, and no session says what it was."""
    with snapshot():
        for table, pk, column in schema.dangling():
            yield Finding("referred_to", "", f"row {pk} of {table}: its {column} leads to nothing")


def numbered_sessions() -> Iterator[Finding]:
    """The sessions of each club are numbered without gaps, except for those that were dropped as idle."""
    with snapshot():
        numbers: dict[int, list[int]] = defaultdict(list)
        for pk, number in Session.objects.order_by("number").values_list("club_id", "number"):
            numbers[pk].append(number)
        for club in Club.objects.order_by("pk"):
            found = sorted([*numbers[club.pk], *club.dropped])
            if not _without_gaps(found, club.started):
                message = f"sessions are numbered {_listed(found)}, the club has started {club.started}"
                yield Finding("numbered_sessions", club.public_id, message)


def readable_people() -> Iterator[Finding]:
    """Everybody in a club's list can be read, and is found under their name. Nothing in the ledger depends on it, but
    every page of the club does.
    """
    with snapshot():
        for club in Club.objects.order_by("pk"):
            try:
                for player in Player.objects.filter(club=club).order_by("pk"):
                    if player.folded != fold(player.name):
                        message = f"{player.name} is kept under the name {player.folded}"
                        yield Finding("readable_people", club.public_id, message)
            except Exception as error:  # noqa: BLE001 - the other clubs are still to be looked at
                yield Finding("readable_people", club.public_id, _unreadable(error))
                end_snapshot()


def paid_on_tabs() -> Iterator[Finding]:
    """The payments of each club's tab are numbered without gaps, between its people, and taken back as made."""
    with snapshot():
        for club in Club.objects.filter(tab_payments__isnull=False).distinct().order_by("pk"):
            people = {
                BANK,
                HOUSE,
                *Player.objects.filter(club=club).values_list("pk", flat=True),
                *Merged.objects.filter(club=club).values_list("gone", flat=True),
            }
            rows = {row.n: row for row in TabPayment.objects.filter(club=club).order_by("n")}
            if not _without_gaps(list(rows), len(rows)):
                yield Finding("paid_on_tabs", club.public_id, f"payments of the tab are numbered {_listed(rows)}")
            for row in rows.values():
                if type(row.amount) is not int or row.amount <= 0:
                    yield Finding("paid_on_tabs", club.public_id, f"payment {row.n}: its amount is none")
                if not {row.payer, row.payee} <= people:
                    yield Finding("paid_on_tabs", club.public_id, f"payment {row.n}: it is not between its people")
                if row.undoes is not None and not _takes_back(row, rows.get(row.undoes)):
                    message = f"payment {row.n}: it does not pay back what payment {row.undoes} paid"
                    yield Finding("paid_on_tabs", club.public_id, message)


def _takes_back(row: TabPayment, paid: TabPayment | None) -> bool:
    return (
        paid is not None
        and paid.undoes is None
        and (
            (row.payer, row.payee, row.amount, row.currency, row.minor_digits)
            == (paid.payee, paid.payer, paid.amount, paid.currency, paid.minor_digits)
        )
    )


def _without_gaps(numbers: Sequence[int], last: int) -> bool:
    """Whether these are the numbers from 1 to ``last``, which somebody may have set to a billion."""
    return len(numbers) == last and all(number == place for place, number in enumerate(numbers, 1))


def _listed(numbers: Iterable[int | None]) -> str:
    """Numbers with runs shortened: 1-4, 6."""
    runs: list[list[int | None]] = []
    for number in numbers:
        if runs and runs[-1][-1] is not None and number is not None and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs) or "none"


CHECKS: Final[Sequence[Callable[[Case], Iterator[str]]]] = (
    balanced,
    frozen_totals,
    scored,
    settled,
    booked,
    paid,
    handed_in_chips,
    numbered_events,
    numbered_revisions,
    reversed_once,
    own_revision,
    frozen_deals,
    numbered_deals,
    follows,
    replayed,
    current,
    summed,
    chained,
    as_opened,
    seated,
    disputed,
    agreed,
)
DATABASE_CHECKS: Final[Sequence[Callable[[], Iterator[Finding]]]] = (
    whole_file,
    guards,
    constrained,
    referred_to,
    numbered_sessions,
    readable_people,
    paid_on_tabs,
)


def of_session(pk: int) -> Iterator[Finding]:
    """Every breach in one session, from one snapshot of it as it is now; none if there is no such session any more.

    If corrupt rows crash a check, that is a finding, and the other checks still run.
    """
    with snapshot():
        try:
            cases = [Case(session) for session in Session.objects.filter(pk=pk)]
        except Exception as error:  # noqa: BLE001 - the audit continues whatever a row contains
            yield Finding("current", f"row {pk}", _unreadable(error))
            return
        for case, check in product(cases, CHECKS):
            name, public_id = check.__name__, case.session.public_id
            try:
                for message in check(case):
                    yield Finding(name, public_id, message)
            except Exception as error:  # noqa: BLE001 - as above
                yield Finding(name, public_id, _unreadable(error))
                # After a failed statement PostgreSQL rejects everything until the transaction ends.
                end_snapshot()


def _unreadable(error: Exception) -> str:
    return f"this cannot be checked, {type(error).__name__}: {error}"


def of_database() -> Iterator[Finding]:
    """Every breach that is no single session's: in the database's guards, the numbers of sessions, and clubs' tabs."""
    for check in DATABASE_CHECKS:
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001 - as above
            yield Finding(check.__name__, "", _unreadable(error))


def of_everything() -> Iterator[Finding]:
    """Every breach in the database, one session after another."""
    yield from of_database()
    for pk in list(Session.objects.order_by("pk").values_list("pk", flat=True)):
        yield from of_session(pk)
