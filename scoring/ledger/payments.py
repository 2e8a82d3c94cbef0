"""Records who has paid whom of what is owed, and says what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeVar

from scoring.actions.checks import amount_problems
from scoring.actions.evening import ChooseTab, Close, Reopen
from scoring.actions.payment import Pay, UndoPayment
from scoring.game.balances import Balance, balances
from scoring.game.cashing import still_to_get
from scoring.game.errors import refuse
from scoring.game.lines import Line
from scoring.game.payments import Payment, left, left_over, owed_by, pair_by_pair, payments, squares
from scoring.ledger.load import cash_stands, numbers_of, sums
from scoring.ledger.turn import Signature, Turn, take_turn
from scoring.models import Event, Seat, Session, Transfer
from scoring.rules.phrase import Account, Phrase

T = TypeVar("T")


class Way(StrEnum):
    """The two ways to settle up, between which the first payment chooses."""

    FEWEST = "fewest"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Made:
    """A payment that event number ``n`` recorded; the note says how. ``plan`` and ``rest`` are those of its `Pay`.

    ``coin`` is to what payments were rounded when it was made.
    """

    n: int
    at: datetime
    by: str
    note: str
    payment: Payment
    plan: Sequence[Payment]
    undone: bool
    rest: Mapping[int, int] = field(default_factory=dict)
    coin: int = 0


def payments_made(session: Session) -> list[Made]:
    """Every payment of a session in order, also those that were taken back, in one query."""
    found: list[Made] = []
    events = list(Event.objects.filter(session=session, verb__in=_ABOUT_PAYMENTS).order_by("n"))
    undone = {event.undoes for event in events if event.verb == UndoPayment.verb}
    coin = 0
    for event in events:
        if event.verb == Pay.verb:
            found.append(made_by(event, undone=event.n in undone, coin=coin))
        elif event.verb != UndoPayment.verb:
            coin = event.action.get("coin", 0)
    return found


_ABOUT_PAYMENTS: Final = (Pay.verb, UndoPayment.verb, Close.verb, Reopen.verb, ChooseTab.verb)


def made_by(event: Event, *, undone: bool, coin: int) -> Made:
    """The payment that an event recorded while payments were rounded to this ``coin``."""
    pay = Pay.read(event.action)
    plan = [Payment(*each) for each in pay.plan]
    payment = Payment(pay.payer, pay.payee, pay.amount)
    rest = {each[0]: each[1] for each in pay.rest}
    return Made(event.n, event.at, event.by, event.note, payment, plan, undone, rest, coin)


def promised(made: Sequence[Made]) -> list[Payment] | None:
    """What is left of the plan that was agreed on when the last round of payments began. None if there is no plan.

    A plan whose payments were all taken back is none.
    """
    last = last_plan(made)
    since = [] if last is None else [each.payment for each in made if each.n >= last.n and not each.undone]
    return left(last.plan, since) if last is not None and since else None


def last_plan(made: Sequence[Made]) -> Made | None:
    """The payment that began the last plan, None if there is none."""
    return next((each for each in reversed(made) if each.plan), None)


def standing(made: Sequence[Made], of: Mapping[int, Balance], coin: int) -> list[Payment] | None:
    """What is left of the plan, if it still squares everybody and is rounded as payments are now; if not, None.

    It does not once a deal was settled or corrected since, once another coin was chosen, nor once nobody carries what
    rounding left. ``of`` has each seat's balance.
    """
    plan, last = promised(made), last_plan(made)
    if plan is None or last is None or not squares(plan, of, last.rest):
        return None
    return plan if (last.coin == coin if coin else not last.rest) else None


def due(
    session: Session, made: Sequence[Made], lines: Sequence[Line], of: Mapping[int, Balance], way: Way
) -> list[Payment]:
    """The payments that are still to be made: what is left of the plan if it is `standing`, or new ones.

    ``lines`` are all lines of the session, summed, and ``of`` is each seat's balance.
    """
    coin = session.rounds_to
    plan = standing(made, of, coin)
    if plan is not None:
        return plan
    if way is Way.FEWEST:
        return payments(of, coin)
    return [each.payment for each in pair_by_pair(lines, coin, through_bank=cash_stands(session, lines))]


def have_begun(session: Session, seats: Mapping[int, Seat]) -> bool:
    """Whether payments of a closed session have begun by a plan that still holds. ``seats`` are all, by number."""
    of = balances(sums(session, numbers_of(seats.values())), seats)
    return standing(payments_made(session), of, session.coin) is not None


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
    over: int = 0,
    seen: int | None = None,
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Event:
    """Seat ``payer`` has paid seat ``payee`` all or a part of what it owes.

    The first payment freezes all that are to be made in this ``way``. If the payer gives more than they owe, ``over``
    says by how much, in minor units; the payee then owes that. ``seen`` is what was owed when they saw it, if that is
    known: two phones that record the same part would pay it twice. Raises `LedgerError` if nothing is owed or another
    amount than they saw, if the amount is too much, and while the session is open if both are still at the table.
    """
    request = {"payer": payer, "payee": payee, "amount": amount, "way": way, "over": over}
    with take_turn(session, Pay.verb, request, Signature.of(key, by, link, note), version=version) as turn:
        if turn.fresh:
            turn.problems += amount_problems(amount, "amount", least=1)
            turn.check()
            _check_two(turn, payer, payee)
            _record(turn, Payment(payer, payee, amount), way, over=over, seen=seen)
    return turn.event


def _check_two(turn: Turn, payer: int, payee: int) -> None:
    if payer == payee or not {payer, payee} <= turn.seats.keys():
        raise refuse("unknown-player", "", Phrase("Choose one of the payments that are still open."))
    if turn.session.closed_at is None and all(turn.table.chair(seat) or seat < 0 for seat in (payer, payee)):
        raise refuse("open", "", Phrase("Players at the table settle up once the session is closed."))


def _record(turn: Turn, payment: Payment, way: Way, *, over: int, seen: int | None) -> None:
    lines = sums(turn.session, numbers_of(turn.seats.values()))
    lines = to_settle(lines, balances(lines, turn.seats), handing_in=turn.session.closed_at is None)
    made, of, coin = payments_made(turn.session), balances(lines, turn.seats), turn.session.rounds_to
    plan = due(turn.session, made, lines, of, way)
    payer, payee = (Account(turn.seats[seat].name) for seat in (payment.payer, payment.payee))
    check_owed(
        payment,
        plan,
        over=over,
        seen=seen,
        name=lambda seat: turn.seats[seat].name,
        paid=Phrase("{payer} owes {payee} nothing any more. Nothing was recorded.", payer=payer, payee=payee),
        too_much=Phrase("That is more than {payer} owes {payee}.", payer=payer, payee=payee),
    )
    action = Pay(payment.payer, payment.payee, payment.amount)
    if standing(made, of, coin) is None:
        rest = sorted(left_over(plan, of).items())
        action = replace(action, plan=[(each.payer, each.payee, each.amount) for each in plan], rest=rest)
    turn.record(turn.table, action.as_document(), [action.line()])


def check_owed(
    payment: Payment,
    plan: Iterable[Payment],
    *,
    over: int,
    seen: int | None,
    name: Callable[[int], str],
    paid: Phrase,
    too_much: Phrase,
) -> None:
    """Raises `LedgerError` unless the payment is of something that is to be paid by this plan.

    What is owed has to be what the payer has ``seen``, if that is known. It may be less than they pay only by what they
    say is ``over`` it. The refusal is ``paid`` if nothing is owed and ``too_much`` if less is; ``name`` is called for
    the two only if what they saw has changed.
    """
    owed = owed_by(plan, payment.payer, payment.payee)
    if not owed:
        raise refuse("paid", "", paid)
    if seen not in (None, owed):
        raise refuse("stale", "", changed(name(payment.payer), name(payment.payee)))
    if payment.amount > owed and payment.amount - owed != over:
        raise refuse("too-much", "amount", too_much)


def changed(payer: str, payee: str) -> Phrase:
    """The refusal of a payment whose page showed another amount than is owed now."""
    return Phrase(
        "What {payer} owes {payee} has changed since this page was opened. "
        "If your payment is another one, record it again.",
        payer=Account(payer),
        payee=Account(payee),
    )


def to_take_back(paid: T | None, *, undone: bool) -> T:
    """Returns the payment. Raises `LedgerError` if there is none, or if it is ``undone`` already."""
    if paid is None:
        raise refuse("nothing", "", Phrase("There is no such payment."))
    if undone:
        raise refuse("paid", "", Phrase("That payment has been undone already."))
    return paid


def undo_payment(
    *, session: Session, n: int, version: int | None = None, key: str, by: str, link: int | None = None
) -> Event:
    """Take back the payment that event number ``n`` recorded. Raises `LedgerError` if there is none to take back."""
    with take_turn(session, UndoPayment.verb, {"n": n}, Signature.of(key, by, link), version=version) as turn:
        if turn.fresh:
            made = next((each for each in payments_made(turn.session) if each.n == n), None)
            to_take_back(made, undone=made is not None and made.undone)
            lines = Transfer.objects.filter(session=turn.session, event__n=n)
            turn.record(turn.table, UndoPayment(n).as_document(), undoes=n, takes_back=lines)
    return turn.event
