"""The deal that is being entered, before it is settled."""

from scoring.drafts.rows import NOTHING, cards, clashes, done, readable, rows_of, whole
from scoring.drafts.store import Taken, hidden, keep, of, version

__all__ = [
    "NOTHING",
    "Taken",
    "cards",
    "clashes",
    "done",
    "hidden",
    "keep",
    "of",
    "readable",
    "rows_of",
    "version",
    "whole",
]
