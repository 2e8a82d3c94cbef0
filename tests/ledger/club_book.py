"""A second book of a club, as simple as possible: what everybody won, less what they paid, added up for each question.

It follows the rules alone: each evening is a `tests.ledger.model.Model`, and it shares no code with `scoring`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.ledger.model import Model

BANK, HOUSE = "Bank", "House"


class Paid(NamedTuple):
    """A payment as it was recorded, also one that takes another back. ``evening`` is None on the tab."""

    when: int
    evening: int | None
    currency: str
    payer: str
    payee: str
    amount: int


class Line(NamedTuple):
    """A line of somebody's account: what they were owed more by it, whether it counts, and the balance after it."""

    amount: int
    counts: bool
    balance: int


@dataclass
class Evening:
    """One evening. ``people`` are who sits in each seat; without ``closed`` nothing of it is on the tab."""

    when: int
    model: Model
    currency: str
    people: dict[int, str] = field(default_factory=dict)
    on_tab: bool = False
    closed: bool = False

    def who(self, seat: int) -> str:
        return {-1: BANK, -2: HOUSE}.get(seat) or self.people[seat]

    def owed(self) -> dict[str, int]:
        """What the evening left everybody, without what was paid of it since."""
        state = self.model.closed()
        found = {self.who(seat): state.money[seat] - state.fees[seat] + state.till.get(seat, 0) for seat in state.money}
        found[HOUSE] = sum(state.fees.values()) + state.till.get(-2, 0)
        found[BANK] = state.kept - sum(state.till.values())
        return found


@dataclass
class ClubBook:
    """The evenings of a club and everything that was paid, in order."""

    evenings: list[Evening] = field(default_factory=list)
    paid: list[Paid] = field(default_factory=list)
    clock: int = 0

    def tick(self) -> int:
        """The next moment."""
        self.clock += 1
        return self.clock

    def evening(self, model: Model, currency: str) -> Evening:
        """Begin an evening."""
        self.evenings.append(Evening(self.tick(), model, currency))
        return self.evenings[-1]

    def pay(self, currency: str, payer: str, payee: str, amount: int, evening: Evening | None = None) -> Paid:
        """Somebody has paid somebody."""
        number = None if evening is None else self.evenings.index(evening)
        self.paid.append(Paid(self.tick(), number, currency, payer, payee, amount))
        return self.paid[-1]

    def merge(self, gone: str, into: str) -> None:
        """Two people are one."""
        for evening in self.evenings:
            evening.people = {seat: into if name == gone else name for seat, name in evening.people.items()}
        self.paid = [
            each._replace(
                payer=into if each.payer == gone else each.payer, payee=into if each.payee == gone else each.payee
            )
            for each in self.paid
        ]

    def tabs(self) -> dict[str, dict[str, int]]:
        """What everybody is owed, below 0 what they owe, in each currency; those who are even are missing."""
        found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for evening in self.evenings:
            if evening.closed and evening.on_tab:
                for name, amount in evening.owed().items():
                    found[evening.currency][name] += amount
        for paid in self.paid:
            if self._counts(paid):
                found[paid.currency][paid.payer] += paid.amount
                found[paid.currency][paid.payee] -= paid.amount
        return {currency: even_left_out(owed) for currency, owed in found.items()}

    def _counts(self, paid: Paid) -> bool:
        if paid.evening is None:
            return True
        evening = self.evenings[paid.evening]
        return evening.closed and evening.on_tab

    def account(self, name: str) -> dict[str, list[Line]]:
        """Somebody's account in each currency, in order of time, without lines that are nothing."""
        moves = [
            (evening.when, evening.currency, evening.owed().get(name, 0), evening.on_tab)
            for evening in self.evenings
            if evening.closed
        ]
        for paid in self.paid:
            if paid.evening is None or self.evenings[paid.evening].closed:
                amount = paid.amount * ((paid.payer == name) - (paid.payee == name))
                moves.append((paid.when, paid.currency, amount, self._counts(paid)))
        found: dict[str, list[Line]] = defaultdict(list)
        for _, currency, amount, counts in sorted(moves):
            if amount:
                before = found[currency][-1].balance if found[currency] else 0
                found[currency].append(Line(amount, counts, before + amount * counts))
        return dict(found)

    def won(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Points, money and fees of everybody in each currency, where they are not all nothing."""
        found: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        for evening in self.evenings:
            state = evening.model.closed()
            for seat, name in evening.people.items():
                for at, of in enumerate((state.points, state.money, state.fees)):
                    found[name, evening.currency][at] += of[seat]
        return {who: (points, money, fees) for who, (points, money, fees) in found.items() if points or money or fees}


def even_left_out(owed: dict[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in owed.items() if amount}
