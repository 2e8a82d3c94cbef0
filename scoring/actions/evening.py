"""The actions on the session as a whole: rename, close, reopen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from scoring.actions.base import Action
from scoring.actions.checks import amount_problems
from scoring.game.cashing import cashed_out, count_lines, counted_more
from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Rename(Action):
    """The session gets a name. If ``name`` is empty, pages call the session by its date."""

    verb: ClassVar[str] = "rename"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"was"})

    name: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Close(Action):
    """The session is closed. Until it is reopened, people may only name it, agree, pay, and choose about the tab.

    ``counts`` are [seat, chips] for each stack as it lay there in the end. ``differences`` are [seat, chips] for how
    many more those were than the ledger had, below 0 how many fewer. They are facts of the close, which stay what they
    were if a deal is corrected later. ``handed_in`` are [seat, chips, cash] for everybody who handed in their chips,
    if the bank held money for chips: it paid ``cash`` for them. With ``tab`` what is open is carried to the club's tab,
    and what rounding all payments to a ``coin``, in minor units, leaves; without, people settle it on the spot.
    """

    verb: ClassVar[str] = "close"
    decided: ClassVar[frozenset[str]] = frozenset({"differences", "handed_in"})

    counts: Sequence[Sequence[int]] = ()
    differences: Sequence[Sequence[int]] = ()
    handed_in: Sequence[Sequence[int]] = ()
    tab: bool = False
    coin: int = 0

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with nothing that is empty or not set, as in events of earlier releases."""
        parts = {"counts": self.counts, "differences": self.differences, "handed_in": self.handed_in}
        document: dict[str, Any] = {name: [list(each) for each in part] for name, part in parts.items() if part}
        return document | ({"tab": True} if self.tab else {}) | ({"coin": self.coin} if self.coin else {})

    def problems(self, table: Table) -> Iterator[Problem]:
        """Checks that the stacks that were counted are those of players at the table, and their amounts."""
        counted = [seat for seat, _ in self.counts]
        if counted and table.stacks is None:
            yield Problem("bad-value", "", Phrase("There are no chips to count."))
        if len(set(counted)) < len(counted):
            yield Problem("bad-value", "", Phrase("Each stack is counted once."))
        for seat, chips in self.counts:
            if table.chair(seat) is None:
                yield Problem("unknown-player", "", Phrase("{name} is not at the table.", name=table.name(seat)))
            yield from amount_problems(chips, f"stack-{seat}")
        yield from amount_problems(self.coin, "coin")

    def compared(self, table: Table) -> Self:
        """Returns the action with what differs from the stacks on the table."""
        counts = {each[0]: each[1] for each in self.counts}
        return replace(self, differences=list(counted_more(counts, table.stacks).items()))

    def count_lines(self) -> list[Line]:
        """Returns the lines that make the stacks those that were counted."""
        return count_lines({each[0]: each[1] for each in self.differences})

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Books what differs from the count, and takes the chips that were handed in off the table."""
        lines = self.count_lines()
        for seat, chips, cash in self.handed_in:
            lines += cashed_out(seat, chips, cash)
        return table.with_transfers(lines), lines


@dataclass(frozen=True, slots=True)
class ChooseTab(Action):
    """What is open of a closed session is carried to the club's tab from now on, or kept out of it.

    With a ``coin``, in minor units, payments are rounded to it, and the tab has what that leaves.
    """

    verb: ClassVar[str] = "tab"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    beside_record: ClassVar[bool] = True

    on: bool
    coin: int = 0

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the ``coin`` only if payments are rounded."""
        return {"on": self.on} | ({"coin": self.coin} if self.coin else {})


@dataclass(frozen=True, slots=True)
class Reopen(Action):
    """A closed session is opened again. Chips that were handed in at its close lie in front of their players again."""

    verb: ClassVar[str] = "reopen"
    takes_back: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
