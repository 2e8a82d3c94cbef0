"""What the audit promises of lines, sums and payments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from scoring.actions.evening import ChooseTab, Close, Reopen
from scoring.actions.payment import Pay, UndoPayment
from scoring.game.balances import Balance, balances
from scoring.game.cashing import handed_in, still_to_get
from scoring.game.lines import Line, LineKind
from scoring.game.payments import squares
from scoring.ledger.audit.case import Case
from scoring.ledger.load import tab_of, totals_of
from scoring.ledger.payments import Made, last_plan, made_by, promised
from scoring.models import LineSum, Total, Transfer


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
