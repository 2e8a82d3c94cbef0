"""The rights that links grant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from scoring.actions.deals import Settle
from scoring.models import DEMO, Event, Link


class Right(IntEnum):
    """A right in a session. Each right includes the ones before it."""

    READ = 1
    """Read it, and nothing else: everybody may do so in the demo."""
    DISPUTE = 2
    """Dispute a deal."""
    SEAT = 3
    """Enter the rows of the one seat that the link is tied to."""
    ENTER = 4
    """Enter the rows of any seat and settle deals."""
    RUN = 5
    """Everything else: seats, terms, corrections, money, links."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What admitted this browser: a link, or None because it is the demo, which everybody may read."""

    link: Link | None

    @property
    def right(self) -> Right:
        """The strongest right that it grants."""
        if self.link is None:
            return Right.READ
        if self.link.role == Link.Role.SCORER:
            return Right.ENTER if self.link.seat_id is None else Right.SEAT
        return Right.RUN if self.link.role == Link.Role.HOST else Right.DISPUTE

    @property
    def demo(self) -> bool:
        """Whether the page is the demo's, seen as everybody sees it."""
        return self.link is None

    @property
    def opener(self) -> str:
        """The public id of what admitted the browser, for the token of a stream."""
        return self.link.public_id if self.link else DEMO

    @property
    def link_pk(self) -> int | None:
        """The primary key of the link, if there is one."""
        return self.link.pk if self.link else None

    @property
    def by(self) -> str:
        """The name that the history shows: that of the seat that the link is tied to, or else the link's own."""
        if self.link is None:
            return ""  # the demo's readers do nothing that a history could show
        return self.link.seat.name if self.link.seat else self.link.name

    @property
    def seat(self) -> int | None:
        """The number of the seat that the link is tied to, or None."""
        return self.link.seat.number if self.link and self.link.seat else None

    @property
    def disputes(self) -> bool:
        """Whether the link lets its holder dispute a deal."""
        return self.right >= Right.DISPUTE

    @property
    def enters(self) -> bool:
        """Whether the link lets its holder enter the rows of any seat and settle deals."""
        return self.right >= Right.ENTER

    @property
    def runs(self) -> bool:
        """Whether the link is a host's."""
        return self.right == Right.RUN

    @property
    def enters_some(self) -> bool:
        """Whether the link lets its holder enter any rows at all."""
        return self.right >= Right.SEAT

    def enters_seat(self, number: int) -> bool:
        """Whether the link lets its holder enter the rows of this seat."""
        return self.enters or self.seat == number

    def may_undo(self, event: Event) -> bool:
        """Whether the link lets its holder undo ``event``: a host anything, a scorer only a deal settled by this link.

        Two links may have one name. Events of earlier releases do not say which link it was, so they are for hosts.
        """
        return self.runs or (self.enters and (event.verb, event.link) == (Settle.verb, self.link_pk))
