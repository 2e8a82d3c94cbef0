"""The words for each action: in the history, on the Undo button, in the ledger and on the other phones.

None of these words are stored. The history describes an event from its action, so old events follow today's wording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.actions import ACTIONS
from scoring.actions.agreement import Agree
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.deals import Correct, Restore, Settle, Void
from scoring.actions.disputes import RaiseDispute, ResolveDispute
from scoring.actions.evening import ChooseTab, Close, Rename, Reopen
from scoring.actions.fee import Fee
from scoring.actions.payment import Pay, UndoPayment
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.start import Start
from scoring.actions.terms import ChangeTerms
from scoring.actions.undo import Undo
from scoring.game.lines import LineKind
from scoring.ledger.chain import words_of
from scoring.models import Event, Session
from scoring.wording.figures import counted, listed, money
from scoring.wording.session import played


@dataclass(frozen=True, slots=True)
class Speaker:
    """Names one session's seats and amounts. ``names`` holds every player who ever sat there, by seat number.

    ``for_cash`` is whether any chips were paid for on the spot: then it is said of the others that they are on credit.
    """

    names: Mapping[int, str]
    digits: int
    currency: str
    for_cash: bool = False

    @classmethod
    def of(cls, session: Session, names: Mapping[int, str], *, for_cash: bool = False) -> Speaker:
        """Make the speaker of this session."""
        return cls(names, session.minor_digits, session.currency, for_cash)

    def name(self, seat: int) -> str:
        """The name of a seat's player."""
        return self.names.get(seat, f"Seat {seat}")

    def listed(self, seats: Any) -> str:
        """The names of several seats' players, as a list in a sentence."""
        return listed([self.name(seat) for seat in seats])

    def each(self, seats: Any) -> str:
        """The names of those who each pay or get the same, so that nobody takes it for the sum."""
        return f"{'each of ' if len(seats) > 1 else ''}{self.listed(seats)}"

    def money(self, minor: int) -> str:
        """An amount of minor units with its currency; ``nothing`` for 0."""
        return f"{money(minor, self.digits)} {self.currency}" if minor else "nothing"


@dataclass(frozen=True, slots=True)
class Words:
    """The words for one action. ``{deal}`` stands for the deal's number, ``{who}`` for the player it concerns."""

    done: str
    """The heading in the history."""
    undoing: str = ""
    """What the Undo button says; every action that can be undone needs it."""
    sentence: Callable[[Any, Speaker], str] | None = None
    """Makes the history's sentence from the action; every action that changes the table needs it."""
    news: str = ""
    """What happened to the deal, for a scorer typing on another phone; empty if the action changed the table."""


def _part_by_part(action: Any, speaker: Speaker) -> str:
    """Return an empty sentence, because the history lists each changed part of the table under the heading."""
    return ""


def _stakes(start: Start, speaker: Speaker) -> str:
    pairs = (
        f", {speaker.money(stake)} between {speaker.listed([one, other])}" for one, other, stake in start.pair_stakes
    )
    return f"{speaker.money(start.stake)} a point{''.join(pairs)}"


def _outside(action: SideBet | Penalty | Fee, speaker: Speaker) -> str:
    """Say why a payment moves no chips; empty if it moves those that there are."""
    return f", outside the chips, because {speaker.listed(action.away)} had left" if action.away else ""


def _paid(action: BuyIn | BuyInAll, speaker: Speaker) -> str:
    """How chips were bought."""
    return " in cash" if action.cash else " on credit" if speaker.for_cash else ""


def _chips(action: Join | Leave, speaker: Speaker) -> str:
    """An amount that was cashed out, and how much of it in cash."""
    said = speaker.money(action.cash_out)
    if action.in_cash == action.cash_out:
        return f"{said} in cash"
    return f"{said}, {speaker.money(action.in_cash)} of it in cash," if action.in_cash else said


def _handed_in(close: Close, speaker: Speaker) -> Iterator[str]:
    """Say what was counted, and what each handed in and got."""
    if close.counts:
        yield f"Counted: {listed([f'{speaker.name(seat)} {speaker.money(chips)}' for seat, chips in close.counts])}."
    for seat, chips, cash in close.handed_in:
        yield f"{speaker.name(seat)} handed in {speaker.money(chips)} and got {speaker.money(cash)}."


def _carried(coin: int, speaker: Speaker) -> str:
    rounded = f" Payments are rounded to {speaker.money(coin)}." if coin else ""
    return f"What is open is carried to the club’s tab.{rounded}"


WORDS: Final[Mapping[type, Words]] = {
    Start: Words(
        "Session started",
        sentence=lambda start, speaker: (
            f"{listed([name for _, name in start.seats])}, {_stakes(start, speaker)}, {played(start.rules)}."
        ),
    ),
    Settle: Words("Hand {deal} settled", "Undo hand {deal}", news="settled"),
    Correct: Words("Hand {deal} corrected", "Undo: hand {deal} corrected", news="corrected"),
    Void: Words("Hand {deal} voided", "Undo: hand {deal} voided", news="voided"),
    Restore: Words("Hand {deal} restored", "Undo: hand {deal} restored", news="restored"),
    SetNext: Words("Button or Fantasyland set", "Undo: button or Fantasyland set", sentence=_part_by_part),
    ChangeTerms: Words("Stakes or rules changed", "Undo: stakes or rules changed", sentence=_part_by_part),
    Penalty: Words(
        "Penalty",
        "Undo: penalty recorded",
        lambda penalty, speaker: (
            f"{speaker.name(penalty.seat)}, {counted(penalty.points, 'point')} to {speaker.each(penalty.to)}"
            f"{_outside(penalty, speaker)}."
        ),
    ),
    SideBet: Words(
        "Side bet",
        "Undo: side bet recorded",
        lambda bet, speaker: (
            f"{speaker.name(bet.payer)} pays {speaker.name(bet.payee)} {speaker.money(bet.amount)}"
            f"{_outside(bet, speaker)}."
        ),
    ),
    Fee: Words(
        "Fee",
        "Undo: fee recorded",
        lambda fee, speaker: f"{speaker.money(fee.amount)} from {speaker.each(fee.seats)}{_outside(fee, speaker)}.",
    ),
    BuyIn: Words(
        "Buy-in",
        "Undo: {who} bought chips",
        lambda bought, speaker: (
            f"{speaker.name(bought.seat)} bought in for {speaker.money(bought.amount)}{_paid(bought, speaker)}"
            + (f", missed before hand {bought.before}." if bought.before else ".")
        ),
    ),
    BuyInAll: Words(
        "Buy-in",
        "Undo: everyone’s buy-in",
        lambda bought, speaker: (
            f"{speaker.listed(bought.seats)} bought in for {speaker.money(bought.amount)} each{_paid(bought, speaker)}."
        ),
    ),
    CashOut: Words(
        "Cash-out",
        "Undo: {who} cashed out chips",
        lambda cashed, speaker: (
            f"{speaker.name(cashed.seat)} cashed out {speaker.money(cashed.amount)}{' in cash' if cashed.cash else ''}."
        ),
    ),
    Join: Words(
        "Joined",
        "Undo: {who} joined",
        lambda join, speaker: (
            f"{join.name}."
            + (f" The bank paid {_chips(join, speaker)} that it still owed them." if join.cash_out else "")
        ),
    ),
    Leave: Words(
        "Left",
        "Undo: {who} left",
        lambda leave, speaker: (
            speaker.name(leave.seat) + (f", cashing out {_chips(leave, speaker)}." if leave.cash_out else ".")
        ),
    ),
    SitOut: Words("Sits out", "Undo: {who} sits out", lambda sitting, speaker: f"{speaker.name(sitting.seat)}."),
    SitIn: Words("Back in", "Undo: {who} is back", lambda sitting, speaker: f"{speaker.name(sitting.seat)}."),
    Swap: Words(
        "Seats swapped", "Undo: seats swapped", lambda swap, speaker: f"{speaker.listed([swap.first, swap.second])}."
    ),
    RaiseDispute: Words("Hand {deal} disputed"),
    ResolveDispute: Words("Hand {deal} dispute resolved"),
    Rename: Words("Session renamed"),
    Close: Words(
        "Session closed",
        sentence=lambda close, speaker: " ".join(
            [*_handed_in(close, speaker), *([_carried(close.coin, speaker)] if close.tab else [])]
        ),
    ),
    ChooseTab: Words(
        "Club’s tab",
        sentence=lambda chosen, speaker: _carried(chosen.coin, speaker) if chosen.on else "Kept out of the club’s tab.",
    ),
    Reopen: Words("Session reopened"),
    Agree: Words(
        "Agreed to the record",
        sentence=lambda agreed, speaker: (
            f"{speaker.name(agreed.seat)}, to everything up to number {agreed.event}: {words_of(agreed.head)}."
        ),
    ),
    Pay: Words(
        "Payment",
        sentence=lambda pay, speaker: (
            f"{speaker.name(pay.payer)} pays {speaker.name(pay.payee)} {speaker.money(pay.amount)}."
        ),
    ),
    UndoPayment: Words("Payment undone", sentence=lambda undone, _: f"Number {undone.n}."),
    Undo: Words("Undone"),
}

LINE_LABELS: Final[Mapping[LineKind, str]] = {
    LineKind.DEAL: "Hand",
    LineKind.PENALTY: "Penalty",
    LineKind.SIDE_BET: "Side bet",
    LineKind.FEE: "Fee",
    LineKind.BUY_IN: "Buy-in",
    LineKind.CASH_OUT: "Cash-out",
    LineKind.PAYMENT: "Payment",
    LineKind.CASH: "Cash",
    LineKind.COUNT: "Final count",
}
"""The name of each kind of line in the ledger."""

SUM_LABELS: Final[Mapping[LineKind, str]] = {
    LineKind.DEAL: "Hands",
    LineKind.PENALTY: "Penalties",
    LineKind.SIDE_BET: "Side bets",
    LineKind.FEE: "Fees",
    LineKind.PAYMENT: "Paid already",
    LineKind.CASH: "Cash for chips",
    LineKind.COUNT: "Final count",
}
"""The name of all lines of a kind between two, of those that are settled up at the end."""


def words_for(verb: str) -> Words:
    """The words for events of this verb."""
    return WORDS[ACTIONS[verb]]


def done(event: Event, verb: str = "") -> str:
    """The event's heading in the history; if ``verb`` is given, the heading that it would have under that verb."""
    return words_for(verb or event.verb).done.format(deal=event.deal)


def undoing(event: Event, speaker: Speaker) -> str:
    """What the button says that would undo this event."""
    return words_for(event.verb).undoing.format(deal=event.deal, who=speaker.names.get(event.action.get("seat", 0), ""))


def sentence(event: Event, speaker: Speaker) -> str:
    """What the event did, in a sentence; empty if its heading says everything."""
    action = ACTIONS[event.verb].read(event.action)
    if isinstance(action, Undo):
        undone = done(event, action.undone)
        return f"Number {action.n}: {undone[0].lower()}{undone[1:]}."
    make = words_for(event.verb).sentence
    return make(action, speaker) if make else ""
