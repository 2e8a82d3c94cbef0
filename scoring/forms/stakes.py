"""What a point is worth from the next hand on: for all, and for single pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from scoring.forms.typed import TypedForm
from scoring.game.entry import pair
from scoring.game.table import Table
from scoring.wording.figures import typed_amount


@dataclass(frozen=True, slots=True)
class PairField:
    """The stake of one pair as typed; empty for the stake of all."""

    name: str
    called: str
    value: str
    wrong: list[str]


class StakesForm(TypedForm):
    """The stakes as the table has them, or as they were sent; ``stake`` and ``pair_stakes`` are what the ledger takes.

    Pairs with somebody who has left keep what they had, in case he comes back.
    """

    def __init__(self, data: Mapping[str, str], table: Table, digits: int) -> None:
        super().__init__(data)
        self.digits = digits
        self.table = table
        self.stake = table.stake
        self.pair_stakes = dict(table.pair_stakes)
        self.pairs = {_name(key): key for key in (pair(a.number, b.number) for a, b in combinations(table.chairs, 2))}
        self.FIELDS = frozenset({"stake", "note", *self.pairs})
        self.sent = "stake" in data

    def read(self) -> None:
        """Read it as a form that was sent. What is typed for a pair and is the stake of all is no stake of its own."""
        self.stake = self.amount("stake", self.digits)
        for name, key in self.pairs.items():
            self.pair_stakes.pop(key, None)
            if self.text(name) and (own := self.amount(name, self.digits)) != self.stake:
                self.pair_stakes[key] = own

    @property
    def stake_text(self) -> str:
        """The stake of all."""
        return self.text("stake") if self.sent else typed_amount(self.table.stake, self.digits)

    @property
    def pair_fields(self) -> list[PairField]:
        """Every pair at the table."""
        return [
            PairField(
                name, f"{self.table.name(a)} and {self.table.name(b)}", self._value(name, (a, b)), self._wrong(name)
            )
            for name, (a, b) in self.pairs.items()
        ]

    def _value(self, name: str, key: tuple[int, int]) -> str:
        if self.sent:
            return self.text(name)
        own = self.table.pair_stakes.get(key)
        return "" if own is None else typed_amount(own, self.digits)

    def _wrong(self, name: str) -> list[str]:
        return self.errors.get(name, [])


def _name(key: tuple[int, int]) -> str:
    return f"pair-{key[0]}-{key[1]}"
