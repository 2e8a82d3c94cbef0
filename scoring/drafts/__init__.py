"""The deal that is being entered, before it is settled."""

from scoring.drafts.rows import cards, clashes, done, line, readable, rows_of, same, unordered, without_ruling
from scoring.drafts.store import (
    Taken,
    changed,
    give_up,
    hidden,
    keep,
    lay_again,
    of,
    put_away,
    remark,
    stuck,
    unchosen,
    version,
    waiting,
)

__all__ = [
    "Taken",
    "cards",
    "changed",
    "clashes",
    "done",
    "give_up",
    "hidden",
    "keep",
    "lay_again",
    "line",
    "of",
    "put_away",
    "readable",
    "remark",
    "rows_of",
    "same",
    "stuck",
    "unchosen",
    "unordered",
    "version",
    "waiting",
    "without_ruling",
]
