"""Records who has paid whom of what is owed, and says what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scoring.actions.checks import amount_problems
from scoring.actions.payment import Pay, UndoPayment
from scoring.game.balances import Balance, balances
from scoring.game.cashing import still_to_get
from scoring.game.errors import refuse
from scoring.game.lines import Line
from scoring.game.payments import Payment, left, pair_by_pair, payments, squares
from scoring.ledger.load import numbers_of, sums
from scoring.ledger.turn import Turn, take_turn
from scoring.models import Event, Session, Transfer


class Way(StrEnum):
    """The two ways to settle up, between which the first payment chooses."""

    FEWEST = "fewest"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Made:
    """A payment that event number ``n`` recorded, with the note that says how. ``plan`` is that of its `Pay`."""

    n: int
    at: datetime
    by: str
    note: str
    payment: Payment
    plan: Sequence[Payment]
    undone: bool


def payments_made(session: Session) -> list[Made]:
    """Every payment of a session in order, also those that were taken back, in one query."""
    found = list(Event.objects.filter(session=session, verb__in=(Pay.verb, UndoPayment.verb)).order_by("n"))
    undone = {event.undoes for event in found}
    return [made_by(event, undone=event.n in undone) for event in found if event.verb == Pay.verb]


def made_by(event: Event, *, undone: bool) -> Made:
    """The payment that an event recorded."""
    pay = Pay.read(event.action)
    plan = [Payment(*each) for each in pay.plan]
    return Made(event.n, event.at, event.by, event.note, Payment(pay.payer, pay.payee, pay.amount), plan, undone)


def promised(made: Sequence[Made]) -> list[Payment] | None:
    """What is left of the plan that was agreed on when the last round of payments began. None if there is no plan.

    A plan whose payments were all taken back is none.
    """
    first = max((at for at, each in enumerate(made) if each.plan), default=None)
    since = [] if first is None else [each.payment for each in made[first:] if not each.undone]
    return left(made[first].plan, since) if first is not None and since else None


def due(made: Sequence[Made], lines: Sequence[Line], of: Mapping[int, Balance], way: Way) -> list[Payment]:
    """The payments that are still to be made: what is left of the plan, or new ones if it does not square everybody.

    It does not once a hand was settled or corrected since. ``lines`` are all lines of the session, summed, and ``of``
    each seat's balance.
    """
    plan = promised(made)
    if plan is not None and squares(plan, of):
        return plan
    return payments(of) if way is Way.FEWEST else [each.payment for each in pair_by_pair(lines)]


def to_settle(lines: Sequence[Line], of: Mapping[int, Balance], *, handing_in: bool) -> list[Line]:
    """All lines that are settled up, summed: if people are still ``handing_in`` chips, with the money that they get.

    They are while a session is open; they get what the bank holds for chips.
    """
    return [*lines, *(still_to_get(of) if handing_in else ())]


def pay(
    *,
    session: Session,
    payer: int,
    payee: int,
    amount: int,
    way: Way = Way.FEWEST,
    more: bool = False,
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Event:
    """Seat ``payer`` has paid seat ``payee`` all or a part of what it owes.

    The first payment freezes all that are to be made in this ``way``. Paying ``more`` than is owed leaves the payee
    owing the difference. Raises `LedgerError` if nothing is owed, if it is too much, and while the session is open if
    both are still at the table.
    """
    request = {"payer": payer, "payee": payee, "amount": amount, "way": way, "more": more}
    with take_turn(session, Pay.verb, request, key=key, by=by, link=link, note=note, version=version) as turn:
        if turn.fresh:
            turn.problems += amount_problems(amount, "amount", least=1)
            turn.check()
            _check_two(turn, payer, payee)
            _record(turn, Payment(payer, payee, amount), way, more=more)
    return turn.event


def _check_two(turn: Turn, payer: int, payee: int) -> None:
    if payer == payee or not {payer, payee} <= turn.seats.keys():
        raise refuse("unknown-player", "", "Choose one of the payments that are still open.")
    if turn.session.closed_at is None and all(turn.table.chair(seat) or seat < 0 for seat in (payer, payee)):
        raise refuse("open", "", "Players at the table settle up once the session is closed.")


def _record(turn: Turn, payment: Payment, way: Way, *, more: bool) -> None:
    lines = sums(turn.session, numbers_of(turn.seats.values()))
    lines = to_settle(lines, balances(lines, turn.seats), handing_in=turn.session.closed_at is None)
    made, of = payments_made(turn.session), balances(lines, turn.seats)
    plan = due(made, lines, of, way)
    owed = next((each.amount for each in plan if (each.payer, each.payee) == (payment.payer, payment.payee)), 0)
    names = {seat: turn.seats[seat].name for seat in (payment.payer, payment.payee)}
    if not owed:
        message = f"{names[payment.payer]} owes {names[payment.payee]} nothing any more. Nothing was recorded."
        raise refuse("paid", "", message)
    if payment.amount > owed and not more:
        message = f"That is more than {names[payment.payer]} owes {names[payment.payee]}."
        raise refuse("too-much", "amount", message)
    stands = plan == promised(made)
    stored = () if stands else [(each.payer, each.payee, each.amount) for each in plan]
    action = Pay(payment.payer, payment.payee, payment.amount, stored)
    turn.record(turn.table, action.as_document(), [action.line()])


def undo_payment(
    *, session: Session, n: int, version: int | None = None, key: str, by: str, link: int | None = None
) -> Event:
    """Take back the payment that event number ``n`` recorded. Raises `LedgerError` if there is none to take back."""
    with take_turn(session, UndoPayment.verb, {"n": n}, key=key, by=by, link=link, version=version) as turn:
        if turn.fresh:
            made = next((each for each in payments_made(turn.session) if each.n == n), None)
            if made is None:
                raise refuse("nothing", "", "There is no such payment.")
            if made.undone:
                raise refuse("nothing", "", "That payment has been undone already.")
            lines = Transfer.objects.filter(session=turn.session, event__n=n)
            turn.record(turn.table, UndoPayment(n).as_document(), undoes=n, takes_back=lines)
    return turn.event
