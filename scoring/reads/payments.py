"""The payments of a session: those that were made, and those that are still to be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.actions.evening import Close
from scoring.game.balances import Balance, balances
from scoring.game.cashing import HandedIn, for_chips
from scoring.game.lines import Category
from scoring.game.payments import PairPayment, Payment, are_fewest, left_over, pair_by_pair, payments
from scoring.ledger.payments import Made, last_plan, payments_made, promised, standing, to_settle
from scoring.models import Event, Session
from scoring.reads.cache import cached_by_version
from scoring.reads.state import state


@dataclass(frozen=True, slots=True)
class OpenPayments:
    """How a session is settled up. ``made`` are all payments in order, also those that were undone.

    ``open`` are the payments to be made, ``proven`` says whether no fewer would do. If ``promised``, they are what is
    left of the plan by which the first was made; if not, they are the fewest. ``rest`` is what each seat is still owed
    after them, below 0 what it still owes, where they are rounded. ``pairs`` are the payments pair by pair: as they
    were played if there is a plan, whatever has been paid since, and as they are open if there is none.

    ``moved`` is by how much each seat's result changed after payments had begun, in minor units, where it did.
    ``of`` are the balances that are settled up. While the session is open and the bank holds money for chips, they are
    as if those had been handed in, and ``handing_in`` says so.
    """

    made: Sequence[Made]
    open: Sequence[Payment]
    proven: bool
    promised: bool
    rest: Mapping[int, int]
    pairs: Sequence[PairPayment]
    moved: Mapping[int, int]
    of: Mapping[int, Balance]
    handing_in: bool

    def is_change(self, payer: int, payee: int) -> bool:
        """Whether this is no payment of the plan that people follow, but goes back because too much was paid by it."""
        last = last_plan(self.made) if self.promised else None
        return last is not None and (payer, payee) not in {(each.payer, each.payee) for each in last.plan}


@cached_by_version
def open_payments(session: Session) -> OpenPayments:
    """The session's `OpenPayments`, in one query beyond those of its state, and only if there are payments."""
    now = state(session)
    handing_in = session.closed_at is None and for_chips(now.balances) > 0
    lines = to_settle(now.lines, now.balances, handing_in=handing_in)
    of = balances(lines, now.balances) if handing_in else now.balances
    paid = any(line.kind.category is Category.PAYMENT for line in now.lines)
    made = payments_made(session) if paid else []
    coin = session.rounds_to
    plan = standing(made, of, coin)
    if plan is not None:
        played = [line for line in lines if line.kind.category is not Category.PAYMENT]
        return OpenPayments(
            made=made,
            open=plan,
            proven=False,
            promised=True,
            rest=left_over(plan, of),
            pairs=pair_by_pair(played, through_bank=now.for_cash),
            moved={},
            of=of,
            handing_in=handing_in,
        )
    few = payments(of, coin)
    return OpenPayments(
        made=made,
        open=few,
        proven=are_fewest(few, of, coin),
        promised=False,
        rest=left_over(few, of),
        pairs=pair_by_pair(lines, coin, through_bank=now.for_cash),
        moved=_moved(made, of),
        of=of,
        handing_in=handing_in,
    )


def _moved(made: Sequence[Made], of: Mapping[int, Balance]) -> dict[int, int]:
    """By how much more each seat is owed now than a plan that does not hold any more, and its rest, would give it."""
    plan, last = promised(made), last_plan(made)
    if plan is None or last is None:
        return {}
    still = left_over(plan, of)
    moved = {seat: still.get(seat, 0) - last.rest.get(seat, 0) for seat in of if seat > 0}
    return {seat: amount for seat, amount in moved.items() if amount}


@cached_by_version
def handed_in(session: Session) -> list[HandedIn]:
    """The chips that everybody handed in when the session was closed, and what the bank paid.

    Empty while it is open, or if the bank held no money for chips.
    """
    if session.closed_at is None:
        return []
    closed = Event.objects.filter(session=session, verb=Close.verb).latest("n")
    return [HandedIn(*each) for each in Close.read(closed.action).handed_in]
