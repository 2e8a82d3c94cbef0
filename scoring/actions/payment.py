"""Payments of what players owe each other, and taking one back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.actions.base import Action
from scoring.game.lines import Line, LineKind


@dataclass(frozen=True, slots=True)
class Pay(Action):
    """One seat has paid another ``amount`` of what it owes. The event's note says how, such as "cash".

    ``plan`` is empty while an earlier payment's plan holds. If not, it has all payments that were to be made when this
    one was, each as [payer, payee, amount]: what is left of them is what was promised. ``rest`` are [seat, amount] for
    what everybody is still owed after the plan, below 0 what they still owe, where its amounts are rounded to a coin.
    """

    verb: ClassVar[str] = "pay"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    beside_record: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"plan", "rest"})

    payer: int
    payee: int
    amount: int
    plan: Sequence[Sequence[int]] = ()
    rest: Sequence[Sequence[int]] = ()

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the ``plan`` and its ``rest`` only if it has them."""
        parts = {"plan": self.plan, "rest": self.rest}
        document = {"payer": self.payer, "payee": self.payee, "amount": self.amount}
        return document | {name: [list(each) for each in part] for name, part in parts.items() if part}

    def line(self) -> Line:
        """The line that the payment books. It moves no points and no chips."""
        return Line(self.payer, self.payee, 0, self.amount, LineKind.PAYMENT, in_play=False)


@dataclass(frozen=True, slots=True)
class UndoPayment(Action):
    """The payment of event number ``n`` is taken back: it was not made, or not so."""

    verb: ClassVar[str] = "undo-payment"
    takes_back: ClassVar[bool] = True
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    beside_record: ClassVar[bool] = True

    n: int
