"""What is said of each action: in the history, on the Undo button, in the books, and to the other phones.

Nothing of it is stored. The history tells an event from its action, in the words of today.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.actions import ACTIONS
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.deals import Correct, Restore, Settle, Void
from scoring.actions.disputes import RaiseDispute, ResolveDispute
from scoring.actions.evening import Close, Rename, Reopen
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.start import Start
from scoring.actions.terms import ChangeTerms
from scoring.actions.undo import Undo
from scoring.game.lines import LineKind
from scoring.models import Event, Session
from scoring.wording.figures import counted, listed, money
from scoring.wording.session import played


@dataclass(frozen=True, slots=True)
class Speaker:
    """How one session's seats and amounts are called. ``names`` are those of all who ever sat there, by seat."""

    names: Mapping[int, str]
    digits: int
    currency: str

    @classmethod
    def of(cls, session: Session, names: Mapping[int, str]) -> Speaker:
        """For this session."""
        return cls(names, session.minor_digits, session.currency)

    def name(self, seat: int) -> str:
        """The player's name."""
        return self.names.get(seat, f"Seat {seat}")

    def listed(self, seats: Any) -> str:
        """Several players' names."""
        return listed([self.name(seat) for seat in seats])

    def money(self, minor: int) -> str:
        """An amount with its currency."""
        return f"{money(minor, self.digits)} {self.currency}" if minor else "nothing"


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of one action. ``{deal}`` stands for the hand's number, ``{who}`` for the player it is about."""

    done: str
    """The heading in the history."""
    undoing: str = ""
    """What the Undo button says it takes back; needed where the action can be undone."""
    told: Callable[[Any, Speaker], str] | None = None
    """A sentence in the history, from the action; needed where the action changes the table."""
    news: str = ""
    """What became of a hand, for somebody who is typing on another phone; empty where the table changed."""


def _part_by_part(action: Any, say: Speaker) -> str:
    """Nothing: the history shows each part of the table that changed under the heading."""
    return ""


WORDS: Final[Mapping[type, Words]] = {
    Start: Words(
        "Session started",
        told=lambda start, say: (
            f"{listed([name for _, name in start.seats])}, {say.money(start.stake)} a point, {played(start.rules)}."
        ),
    ),
    Settle: Words("Hand {deal} settled", "hand {deal} settled", news="settled"),
    Correct: Words("Hand {deal} corrected", "hand {deal} corrected", news="corrected"),
    Void: Words("Hand {deal} voided", "hand {deal} voided", news="voided"),
    Restore: Words("Hand {deal} counts again", "hand {deal} restored", news="restored"),
    SetNext: Words("Button or Fantasyland set", "button or Fantasyland set", told=_part_by_part),
    ChangeTerms: Words("Terms changed", "terms changed", told=_part_by_part),
    Penalty: Words(
        "Penalty",
        "penalty booked",
        lambda penalty, say: (
            f"{say.name(penalty.seat)}, {counted(penalty.points, 'point')} to {say.listed(penalty.to)}."
        ),
    ),
    SideBet: Words(
        "Side bet",
        "side bet booked",
        lambda bet, say: f"{say.name(bet.payer)} pays {say.name(bet.payee)} {say.money(bet.amount)}.",
    ),
    Fee: Words("Fee", "fee booked", lambda fee, say: f"{say.money(fee.amount)} from {say.listed(fee.seats)}."),
    BuyIn: Words(
        "Buy-in",
        "{who} bought chips",
        lambda bought, say: (
            f"{say.name(bought.seat)}, {say.money(bought.amount)}"
            + (f", forgotten before hand {bought.before}." if bought.before else ".")
        ),
    ),
    CashOut: Words(
        "Cash-out",
        "{who} cashed out chips",
        lambda cashed, say: f"{say.name(cashed.seat)}, {say.money(cashed.amount)}.",
    ),
    Join: Words("Joined", "{who} joined", lambda join, _: f"{join.name}."),
    Leave: Words(
        "Left",
        "{who} left",
        lambda leave, say: (
            say.name(leave.seat) + (f", cashing out {say.money(leave.cash_out)}." if leave.cash_out else ".")
        ),
    ),
    SitOut: Words("Sits out", "{who} sits out", lambda sitting, say: f"{say.name(sitting.seat)}."),
    SitIn: Words("Dealt in again", "{who} is back", lambda sitting, say: f"{say.name(sitting.seat)}."),
    Swap: Words("Seats swapped", "seats swapped", lambda swap, say: f"{say.listed([swap.first, swap.second])}."),
    RaiseDispute: Words("Hand {deal} disputed"),
    ResolveDispute: Words("Dispute of hand {deal} resolved"),
    Rename: Words("Evening named"),
    Close: Words("Session closed"),
    Reopen: Words("Session opened again"),
    Undo: Words("Undone"),
}

LINE_LABELS: Final[Mapping[LineKind, str]] = {
    LineKind.DEAL: "Hand",
    LineKind.PENALTY: "Penalty",
    LineKind.SIDE_BET: "Side bet",
    LineKind.FEE: "Fee",
    LineKind.BUY_IN: "Buy-in",
    LineKind.CASH_OUT: "Cash-out",
}
"""What a line of the books is called."""


def words_for(verb: str) -> Words:
    """What is said of events of this verb."""
    return WORDS[ACTIONS[verb]]


def done(event: Event, verb: str = "") -> str:
    """The event's heading in the history; with a ``verb``, as if the event had been of that one."""
    return words_for(verb or event.verb).done.format(deal=event.deal)


def undoing(event: Event, speaker: Speaker) -> str:
    """What undoing this event would take back."""
    return words_for(event.verb).undoing.format(deal=event.deal, who=speaker.names.get(event.action.get("seat", 0), ""))


def sentence(event: Event, speaker: Speaker) -> str:
    """What the event did, in a sentence; empty where there is nothing to say beside its heading."""
    action = ACTIONS[event.verb].read(event.action)
    if isinstance(action, Undo):
        undone = done(event, action.undone)
        return f"Number {action.n}: {undone[0].lower()}{undone[1:]}."
    told = words_for(event.verb).told
    return told(action, speaker) if told else ""
