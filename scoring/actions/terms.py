"""What the next deal is played for, and by which rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.actions.base import TableAction
from scoring.actions.checks import PairStakes, amount_problems, pair_stake_problems, read_rules
from scoring.game.entry import pair_stakes_as_list, pair_stakes_from_list
from scoring.game.lines import Line
from scoring.game.table import Table
from scoring.rules.errors import Problem
from scoring.rules.houserules import resolve


@dataclass(frozen=True, slots=True)
class ChangeTerms(TableAction):
    """New stakes or house rules from the next deal; None leaves them as they are, and the past is untouched.

    ``pair_stakes`` are all of them: a pair that is not named plays for the session's stake. ``rules`` are a preset's
    name or an object as in the score document.
    """

    verb: ClassVar[str] = "terms"

    stake: int | None = None
    pair_stakes: PairStakes | None = None
    rules: Any = None

    def as_document(self) -> dict[str, Any]:
        """Each pair's lower seat first, the rules whole."""
        pairs = None if self.pair_stakes is None else pair_stakes_as_list(pair_stakes_from_list(self.pair_stakes))
        rules = None if self.rules is None else resolve(self.rules).as_document()
        return {"stake": self.stake, "pair_stakes": pairs, "rules": rules}

    def request(self) -> dict[str, Any]:
        """As it was asked for: what cannot be resolved is still the same request when it comes again."""
        pairs = None if self.pair_stakes is None else [list(each) for each in self.pair_stakes]
        return {"stake": self.stake, "pair_stakes": pairs, "rules": self.rules}

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """There is something to change, and it can be played."""
        if self.stake is not None:
            yield from amount_problems(self.stake, "stake")
        if self.pair_stakes is not None:
            yield from pair_stake_problems(self.pair_stakes, seats)
        if self.rules is not None:
            yield from read_rules(self.rules)[1]
        if self.stake is None and self.pair_stakes is None and self.rules is None:
            yield Problem("missing", "stake", "There is nothing to change.")

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Only the terms differ."""
        if self.stake is not None:
            table = replace(table, stake=self.stake)
        if self.pair_stakes is not None:
            table = replace(table, pair_stakes=pair_stakes_from_list(self.pair_stakes))
        if self.rules is not None:
            table = replace(table, rules=resolve(self.rules))
        return table, []
