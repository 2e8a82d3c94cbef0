"""The rights that links grant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from scoring.models import Event, Link


class Right(IntEnum):
    """A right in a session. Each right includes the ones before it."""

    READ = 1
    SEAT = 2
    """Enter the rows of the one seat that the link is tied to."""
    ENTER = 3
    """Enter the rows of any seat and settle deals."""
    RUN = 4
    """Everything else: seats, terms, corrections, money, links."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A link that admitted this browser, and what it allows."""

    link: Link

    @property
    def right(self) -> Right:
        """The strongest right that the link grants."""
        if self.link.role == Link.Role.SCORER:
            return Right.ENTER if self.link.seat_id is None else Right.SEAT
        return Right.RUN if self.link.role == Link.Role.HOST else Right.READ

    @property
    def by(self) -> str:
        """The name that the history shows: that of the seat that the link is tied to, or else the link's own."""
        return self.link.seat.name if self.link.seat else self.link.name

    @property
    def seat(self) -> int | None:
        """The number of the seat that the link is tied to, or None."""
        return self.link.seat.number if self.link.seat else None

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
        return self.runs or (self.enters and (event.verb, event.link) == ("settle", self.link.pk))
