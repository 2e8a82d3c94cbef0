"""The stakes and the house rules from the next deal on."""

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
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class ChangeTerms(TableAction):
    """Stakes or house rules change from the next deal on. None leaves them as they are; earlier deals do not change.

    ``pair_stakes`` replaces all stakes of pairs: a pair that it does not name plays for the session's stake. ``rules``
    is a preset's name, or an object as in the score document.
    """

    verb: ClassVar[str] = "terms"

    stake: int | None = None
    pair_stakes: PairStakes | None = None
    rules: Any = None

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, with the lower seat of each pair first and with complete rules."""
        pairs = None if self.pair_stakes is None else pair_stakes_as_list(pair_stakes_from_list(self.pair_stakes))
        rules = None if self.rules is None else resolve(self.rules).as_document()
        return {"stake": self.stake, "pair_stakes": pairs, "rules": rules}

    def request(self) -> dict[str, Any]:
        """Returns what was requested. Rules stay unresolved, so that invalid ones can be compared, too."""
        pairs = None if self.pair_stakes is None else [list(each) for each in self.pair_stakes]
        return {"stake": self.stake, "pair_stakes": pairs, "rules": self.rules}

    def problems(self, table: Table, seats: Collection[int]) -> Iterator[Problem]:
        """Checks that the stakes and the rules are valid, and that something changes."""
        found: list[Problem] = []
        if self.stake is not None:
            found += amount_problems(self.stake, "stake")
        if self.pair_stakes is not None:
            found += pair_stake_problems(self.pair_stakes, seats)
        if self.rules is not None:
            found += read_rules(self.rules)[1]
        yield from found
        if not found and self.apply(table, "")[0] == table:
            yield Problem("missing", "stake", Phrase("This is how it is already. Change something first."))

    def apply(self, table: Table, note: str) -> tuple[Table, list[Line]]:
        """Replaces the terms."""
        if self.stake is not None:
            table = replace(table, stake=self.stake)
        if self.pair_stakes is not None:
            table = replace(table, pair_stakes=pair_stakes_from_list(self.pair_stakes))
        if self.rules is not None:
            table = replace(table, rules=resolve(self.rules))
        return table, []
