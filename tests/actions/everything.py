"""An evening with every action in it, examples of each action for it, and an evening for cash."""

from __future__ import annotations

from typing import Any

from scoring import ledger, reads
from scoring.actions.base import TableAction
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.deals import Remark
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry
from scoring.game.payments import payments
from scoring.models import Session
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle, start

EXAMPLES: list[tuple[type[TableAction], dict[str, Any]]] = [
    (SetNext, {"button": 3, "note": "Cat drew the high card"}),
    (BuyIn, {"seat": 1, "amount": 50_000}),
    (BuyIn, {"seat": 2, "amount": 50_000}),
    (BuyIn, {"seat": 3, "amount": 50_000}),
    (BuyInAll, {"amount": 2_000}),
    (CashOut, {"seat": 1, "amount": 100}),
    (Penalty, {"seat": 1, "points": 1, "note": "clock"}),
    (SideBet, {"payer": 1, "payee": 2, "amount": 100, "note": "red"}),
    (Fee, {"amount": 10, "note": "room"}),
    (Join, {"name": "Dan", "after": 1}),
    (Swap, {"first": 1, "second": 2}),
    (SitOut, {"seat": 3}),
    (SitIn, {"seat": 3}),
    (Leave, {"seat": 4}),
    (ChangeTerms, {"stake": 200, "pair_stakes": [(1, 2, 500)], "rules": "cardplayer", "note": "late"}),
]
"""Every action that changes the table, in an order in which all can be done: its class and its arguments."""


def for_cash() -> Session:
    """A closed session with chips for cash and on credit, a cash buy-in that was undone, and a count that differs.

    A part of one payment was made, and the rest is on the tab.
    """
    session = start(buy_in=5_000, cash=True)
    settle(session)
    act(BuyIn, session, seat=2, amount=3_000)
    act(CashOut, session, seat=1, amount=700, cash=True)
    act(BuyInAll, session, amount=1_000, cash=True)
    act(ledger.undo, session)
    act(SideBet, session, payer=3, payee=2, amount=400, note="red")
    act(Leave, session, seat=3)
    settle(session, entry(s1=WEAK, s2=PLAIN))
    act(SideBet, session, payer=2, payee=1, amount=9_000, note="blue")
    act(Join, session, name="Cat")
    stacks = reads.state(session).table.stacks
    assert stacks is not None
    counts = {**stacks, 1: stacks[1] - 100}
    act(ledger.close_session, session, counts=counts, note="a chip is missing", tab=True)
    payment = payments(reads.state(session).balances)[0]
    act(ledger.pay, session, payer=payment.payer, payee=payment.payee, amount=1)
    session.refresh_from_db()
    return session


def everything() -> Session:
    """An open session with every action in its history, one disputed hand, and one void hand."""
    session = start()
    settle(session)
    for action, given in EXAMPLES:
        act(action, session, **given)
    settle(session)
    remark = Remark(changed=[(1, "AhAdKc//")], other_cards=[(2, 2)])
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK), remark=remark)
    act(SetNext, session, fantasyland={}, note="waived")
    settle(session, Entry(points=((1, 2, 3), (1, 3, -2), (2, 3, 1))))
    act(ledger.void_deal, session, number=2, note="misdeal")
    act(ledger.restore_deal, session, number=2, note="it stood")
    act(
        ledger.correct_deal,
        session,
        number=2,
        entry=entry(s1=WEAK, s2=PLAIN, s3=STRONG),
        note="rows",
    )
    act(BuyIn, session, seat=2, amount=1_000, before=3, note="forgotten")
    act(ledger.void_deal, session, number=4)
    dispute = act(ledger.dispute, session, number=1, note="was that a foul?")
    act(ledger.resolve_dispute, session, raised=dispute.raised.n, note="it was")
    act(ledger.dispute, session, number=3, note="count again")
    act(Penalty, session, seat=2, points=2, note="by mistake")
    act(ledger.undo, session)
    act(ledger.rename_session, session, name="Everything")
    act(ledger.close_session, session, note="late")
    act(ledger.agree, session, seat=1, head=session.head)
    payment = payments(reads.state(session).balances)[0]
    paid = {"payer": payment.payer, "payee": payment.payee, "amount": payment.amount - 1, "note": "cash"}
    act(ledger.undo_payment, session, n=act(ledger.pay, session, **paid).n)
    act(ledger.pay, session, **paid)
    act(ledger.choose_tab, session, on=True)
    act(ledger.reopen_session, session)
    session.refresh_from_db()
    return session
