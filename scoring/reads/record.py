"""The head of a session's chain, and who has agreed to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scoring.actions.agreement import Agree
from scoring.ledger.agreements import last_to_agree_to
from scoring.ledger.chain import words_of
from scoring.models import Event, Session
from scoring.reads.cache import cached_by_version


@dataclass(frozen=True, slots=True)
class Head:
    """The hash that people compare: of event ``event``, in hexadecimal and as six words."""

    event: int
    hash: str
    words: str

    def address(self, verifier: str) -> str:
        """The address of the page that checks a record, with this head for comparison, which is sent to no server."""
        return f"{verifier}#{self.event}-{self.hash}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """That the player of a seat agreed, to which head, and when; ``by`` is who recorded it."""

    seat: int
    at: datetime
    by: str
    to: Head


@cached_by_version
def head(session: Session) -> Head:
    """The head that people are shown, that of the last event which is no agreement, payment or choice of the tab."""
    last = last_to_agree_to(session)
    return Head(last.n, last.hash, words_of(last.hash))


@cached_by_version
def agreements(session: Session) -> list[Agreement]:
    """Every agreement of a session, in order; those to an earlier head are among them."""
    found = []
    # No deal is agreed to, and the index by deal leads past the thousands of events that are about one.
    for event in Event.objects.filter(session=session, deal=None, verb=Agree.verb).order_by("n"):
        agreed = Agree.read(event.action)
        found.append(Agreement(agreed.seat, event.at, event.by, Head(agreed.event, agreed.head, words_of(agreed.head))))
    return found
