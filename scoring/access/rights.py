"""What a link lets its holder do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from scoring.models import Link


class Right(IntEnum):
    """What may be done in a session; each includes those before it."""

    READ = 1
    SEAT = 2
    """Enter the rows of one's own seat."""
    ENTER = 3
    """Enter anybody's rows and settle hands."""
    RUN = 4
    """All the rest: seats, terms, corrections, money, links."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a link lets its holder do here."""

    link: Link

    @property
    def right(self) -> Right:
        """The most that it allows."""
        if self.link.role == Link.Role.SCORER:
            return Right.ENTER if self.link.seat_id is None else Right.SEAT
        return Right.RUN if self.link.role == Link.Role.HOST else Right.READ

    @property
    def by(self) -> str:
        """Who asks, for the history: the seat that the link is tied to, else what the link is called."""
        return self.link.seat.name if self.link.seat else self.link.name

    @property
    def seat(self) -> int | None:
        """The number of the only seat that it may enter; None if it is tied to none."""
        return self.link.seat.number if self.link.seat else None

    @property
    def enters(self) -> bool:
        """It may enter anybody's rows and settle."""
        return self.right >= Right.ENTER

    @property
    def runs(self) -> bool:
        """It may do everything."""
        return self.right == Right.RUN

    def enters_seat(self, number: int) -> bool:
        """It may enter the rows of this seat."""
        return self.enters or self.seat == number
