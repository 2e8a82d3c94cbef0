"""The evenings of the demo: three that are finished, and the one that goes on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scoring import ledger, reads
from scoring.actions.base import TableAction
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.demo.deals import EVENINGS, deals_of
from scoring.game.entry import Entry, Rows
from scoring.models import Club, Session

CLUB: Final = "The demo club"
TONIGHT: Final = "Tonight"


@dataclass(frozen=True, slots=True)
class Evening:
    """A session of the demo and its host, who does everything in it through the ledger."""

    name: str
    session: Session
    host: str

    @classmethod
    def start(cls, name: str, club: Club, *, title: str, host: str, **terms: Any) -> Evening:
        """Opens the session."""
        given = {"currency": "EUR", "rules": EVENINGS[name].rules, **terms}
        return cls(name, ledger.start_session(club=club, name=title, key=_key(), by=host, **given), host)

    def do(self, what: Callable[..., Any], *, by: str = "", **given: Any) -> Any:
        """Calls a function of the ledger."""
        return what(session=self.session, key=_key(), by=by or self.host, **given)

    def act(self, action: TableAction, note: str = "") -> None:
        """Does something at the table between two deals."""
        self.do(ledger.record, action=action, note=note)

    def settle(self, number: int, entered: Mapping[int, Rows] | None = None) -> None:
        """Settles a deal as it was played, or first as it was ``entered``."""
        self.do(ledger.settle_deal, entry=Entry(entered or self.boards(number)), number=number)

    def boards(self, number: int) -> dict[int, Rows]:
        """The boards of this deal."""
        return deals_of(self.name)[number - 1]

    def settle_up(self, *, but_last: bool = False, note: str) -> None:
        """Everybody pays what they owe; with ``but_last``, one payment stays open."""
        for each in [*reads.open_payments(self.session).open][: -1 if but_last else None]:
            self.do(ledger.pay, payer=each.payer, payee=each.payee, amount=each.amount, note=note)


def _key() -> str:
    return secrets.token_urlsafe(16)


def for_points(club: Club) -> None:
    """Three at Pineapple for points alone, with a Fantasyland in which somebody stays. All agree to the record."""
    names = ("Anna", "Ben", "Chloe")
    at = Evening.start("points", club, title="Pineapple for points", host="Anna", names=names, button=3, stake=0)
    for number in range(1, EVENINGS["points"].deals + 1):
        at.settle(number)
    at.do(ledger.close_session)
    head = at.session.head
    for seat, name in enumerate(names, start=1):
        at.do(ledger.agree, seat=seat, head=head, by=name)


def for_money(club: Club) -> None:
    """Four for money, two of them for more: a correction, a dispute, a penalty and a side bet, and payments."""
    at = Evening.start(
        "money",
        club,
        title="Friday at Chloe’s",
        host="Chloe",
        names=("Anna", "Ben", "Chloe", "David"),
        button=4,
        stake=50,
        pair_stakes=[(1, 4, 200)],
    )
    for number in range(1, EVENINGS["money"].deals + 1):
        if number == MISREAD:
            played = at.boards(number)
            at.settle(number, {**played, 2: _two_exchanged(played[2])})
        else:
            at.settle(number)
        if number == MISREAD + 1:
            entry = Entry(at.boards(MISREAD))
            note = "Two of Ben’s cards were in the wrong row"
            at.do(ledger.correct_deal, number=MISREAD, entry=entry, note=note)
        if number == DISPUTED:
            raised = at.do(ledger.dispute, number=number, note="Is that really a foul?", by="Anna").raised.n
            at.do(ledger.resolve_dispute, raised=raised, note="It is: we compared the rows once more")
        if number == 8:
            at.act(Penalty(seat=2, points=2), note="Looked at the next card")
        if number == 11:
            at.act(SideBet(payer=3, payee=1, amount=200), note="Red or black")
    at.do(ledger.close_session, tab=True, coin=50)
    at.settle_up(but_last=True, note="cash")


MISREAD: Final = 4
DISPUTED: Final = 6


def _two_exchanged(rows: Rows) -> Rows:
    """The board with the last cards of middle and back in each other's place."""
    middle, back = rows.middle, rows.back
    return replace(rows, middle=middle[:-2] + back[-2:], back=back[:-2] + middle[-2:])


def for_cash(club: Club) -> None:
    """Chips for cash: one runs out and buys more, a fourth comes late, another leaves early; the room costs a fee."""
    at = Evening.start(
        "cash",
        club,
        title="Chips for cash",
        host="Emi",
        names=("Ben", "Chloe", "Emi"),
        button=1,
        stake=20,
        buy_in=3_000,
        cash=True,
    )
    for number in range(1, EVENINGS["cash"].deals + 1):
        if number == 5:
            at.act(Join("Anna"))
            at.act(BuyIn(seat=4, amount=3_000, cash=True))
            at.act(Fee(amount=200), note="The room")
        if number == 11:
            at.act(BuyIn(seat=3, amount=2_000, cash=True))
            at.act(Leave(seat=2))
        at.settle(number)
    at.do(ledger.close_session)
    at.settle_up(note="from the bank")


FINISHED: Final = (for_points, for_money, for_cash)
"""The evenings that are finished, in the order in which they were played."""


def tonight(club: Club) -> Session:
    """Opens the evening that goes on."""
    names = ("Anna", "David", "Emi")
    return Evening.start("tonight", club, title=TONIGHT, host="Anna", names=names, stake=50).session
