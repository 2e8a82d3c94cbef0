"""The head of a session's chain, and who has agreed to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from scoring.actions.agreement import Agree
from scoring.actions.evening import Close
from scoring.game.cashing import HandedIn
from scoring.ledger.agreements import last_to_agree_to
from scoring.ledger.chain import words_of
from scoring.models import Event, Session, TabPayment
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


@cached_by_version
def handed_in(session: Session) -> list[HandedIn]:
    """The chips that everybody handed in when the session was closed, and what the bank paid.

    Empty while it is open, or if the bank held no money for chips.
    """
    if session.closed_at is None:
        return []
    closed = Event.objects.filter(session=session, verb=Close.verb).latest("n")
    return [HandedIn(*each) for each in Close.read(closed.action).handed_in]


LATEST: Final = 1_000
"""So many of the last entries tell when the newest was made; a demo is entered late, with dates of earlier evenings."""


def newest() -> datetime | None:
    """When the newest of the latest entries of all ledgers was made; None if there is none."""
    return max(Event.objects.order_by("-pk").values_list("at", flat=True)[:LATEST], default=None)


def newest_on_tabs() -> datetime | None:
    """When the newest of the latest payments of all tabs was made; None if there is none."""
    return max(TabPayment.objects.order_by("-pk").values_list("at", flat=True)[:LATEST], default=None)
