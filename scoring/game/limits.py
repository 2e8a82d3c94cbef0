"""How large things may be, and the two seats that are not players."""

from __future__ import annotations

from typing import Final

MAX_AMOUNT: Final = 10**16 - 1
"""The largest amount of money anywhere: sixteen digits of minor units."""


MAX_POINTS: Final = 10**9
"""Far beyond what six digits of house rules can add up to on one line."""


NAME_LENGTH: Final = 40


ROW_LENGTH: Final = 100


NOTE_LENGTH: Final = 300


SESSION_NAME_LENGTH: Final = 80


KEY_LENGTH: Final = 80


BANK: Final = -1
"""The number of the seat that chips are bought from."""


HOUSE: Final = -2
"""The number of the seat that fees go to."""


MOST_SEATS: Final = 24
"""At one table at once, those who sit out included."""
