"""The largest sizes and amounts allowed, and the two seats that are not players."""

from __future__ import annotations

from typing import Final

MAX_AMOUNT: Final = 10**16 - 1
"""The largest amount of money anywhere, in minor units: sixteen digits."""


MAX_SUM: Final = 2**62
"""The largest sum of one pair's lines of one kind, within a 64-bit column."""


MAX_POINTS: Final = 10**9
"""The most points on one line, far beyond what house rules of at most six digits can add up to."""


NAME_LENGTH: Final = 40


FOLDED_LENGTH: Final = 4 * NAME_LENGTH
"""The longest name as it is folded for comparison: one character may become several."""


ROW_LENGTH: Final = 100


NOTE_LENGTH: Final = 300


SESSION_NAME_LENGTH: Final = 80


CLUB_NAME_LENGTH: Final = 80


KEY_LENGTH: Final = 80


PAY_ADDRESS_LENGTH: Final = 200


BANK: Final = -1
"""The number of the seat that sells chips and takes them back."""


HOUSE: Final = -2
"""The number of the seat that receives fees."""


MOST_SEATS: Final = 24
"""The most seats at one table at once, including players who sit out."""
