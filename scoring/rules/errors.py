"""Problems, and the error that carries them. A foul is neither: it is a result with a score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason for a refusal.

    ``code`` is one of the stable codes of the score document, ``where`` the path of the offending value
    (``players[1].back``), ``message`` a sentence for people.
    """

    code: str
    where: str
    message: str

    def as_document(self) -> dict[str, str]:
        """The problem as an error document shows it."""
        return {"code": self.code, "where": self.where, "message": self.message}


class RulesError(Exception):
    """The input cannot be scored. ``problems`` holds every reason at once and is never empty."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.message for problem in self.problems))
