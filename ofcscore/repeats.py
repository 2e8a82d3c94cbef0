"""A log filter that lets what repeats through once a minute."""

from __future__ import annotations

import logging
import time
from threading import Lock
from typing import Final

SECONDS: Final = 60.0
KINDS: Final = 1_000
"""The most kinds of records that are remembered; beyond that the filter forgets all and begins anew."""

Kind = tuple[str, int, str, str]


class Repeats:
    """Drops a record like one of the last minute, and says at the next one how many were dropped.

    Records are alike if they come from the same logger with the same level and message, whatever its arguments, and
    from the same place in the code if they have a traceback.
    """

    def __init__(self) -> None:
        self._since: dict[Kind, float] = {}
        self._dropped: dict[Kind, int] = {}
        self._lock = Lock()

    def __call__(self, record: logging.LogRecord) -> bool:
        """Whether to log the record."""
        kind, now = _kind(record), time.monotonic()
        with self._lock:
            if now - self._since.get(kind, -SECONDS) < SECONDS:
                self._dropped[kind] = self._dropped.get(kind, 0) + 1
                return False
            if len(self._since) >= KINDS:
                self._since.clear()
                self._dropped.clear()
            self._since[kind] = now
            dropped = self._dropped.pop(kind, 0)
        if dropped:
            record.msg, record.args = f"{record.getMessage()} (and {dropped:,} more like it)", ()
        return True


def _kind(record: logging.LogRecord) -> Kind:
    place = ""
    if record.exc_info and (trace := record.exc_info[2]) is not None:
        while trace.tb_next is not None:
            trace = trace.tb_next
        place = f"{record.exc_info[0]} {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return record.name, record.levelno, str(record.msg), place
