"""A refusal with every reason."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.rules.errors import Problem


class LedgerError(Exception):
    """Refused; nothing was written. ``problems`` names every reason at once and is never empty.

    ``where`` is a path of the score document (``players[1].back``, players in the order of `Table.lineup`), or of
    what the verb was given: ``names[0]``, ``seats[3]``, ``button``, ``stake``, ``pair_stakes``, ``rules.scoring``,
    ``amount``, ``deals[7]``.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))


def refuse(code: str, where: str, message: str) -> LedgerError:
    """A `LedgerError` of one problem."""
    return LedgerError([Problem(code, where, message)])
