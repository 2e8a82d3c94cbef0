"""The refusal of an action, with every reason for it."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.rules.errors import Problem


class LedgerError(Exception):
    """The action was refused and nothing was written. ``problems`` holds every reason, each once, and is never empty.

    The ``where`` of a problem is a path of the score document, whose players are in the order of `Table.lineup`
    (``players[1].back``), or of what the action was given: ``names[0]``, ``seats[3]``, ``button``, ``stake``,
    ``pair_stakes``, ``rules.scoring``, ``amount``, ``deals[7]``. ``short`` are the seats that have too few
    chips for it.
    """

    def __init__(self, problems: Iterable[Problem], short: Iterable[int] = ()) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        self.short = tuple(short)
        super().__init__(" ".join(problem.message for problem in self.problems))


def refuse(code: str, where: str, message: str) -> LedgerError:
    """Make a `LedgerError` with one problem."""
    return LedgerError([Problem(code, where, message)])
