"""Finds out what an action changes before its turn, so that others wait only while it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from scoring.actions.base import Action
from scoring.game.errors import LedgerError
from scoring.ledger.load import changed_since, recorded
from scoring.models import Session
from scoring.transactions import snapshot

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Foreseen(Generic[T]):
    """What ``look`` found out about the session at ``version``: the change, or why it is refused.

    Both are None if nobody needed to know.
    """

    version: int
    look: Callable[[Session], T]
    change: T | None
    refusal: LedgerError | None

    @classmethod
    def of(cls, session: Session, key: str, action: type[Action], look: Callable[[Session], T]) -> Self:
        """Look at the session in one snapshot. ``look`` raises `LedgerError` to refuse the action.

        Nobody looks for a form that is sent again, or after the close, for its turn does not ask.
        """
        change = refusal = None
        with snapshot():
            if (action.on_closed or session.closed_at is None) and recorded(session, key) is None:
                try:
                    change = look(session)
                except LedgerError as error:
                    # Its traceback leads back to here, and so would keep every deal of the session in memory.
                    error.__context__ = error.__cause__ = None
                    refusal = error.with_traceback(None)
        return cls(session.version, look, change, refusal)

    def at_turn(self, session: Session) -> T:
        """The change to the locked session. Looks again if the table has changed since; raises the `LedgerError`."""
        if not changed_since(session, self.version):
            if self.refusal is not None:
                raise self.refusal
            if self.change is not None:
                return self.change
        return self.look(session)
