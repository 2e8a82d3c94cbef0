"""A log filter that lets what repeats through once a minute."""

from __future__ import annotations

import logging
import re
import time
from threading import Lock
from typing import Final

SECONDS: Final = 60.0
KINDS: Final = 1_000
"""The most kinds of records that are remembered; beyond that the filter forgets all and begins anew."""
LONGEST: Final = 300
"""The most characters of a message that are logged or remembered; clients send whole pages as the name of a host."""

MessageKind = tuple[str, int, str]


class Repeats:
    """Drops a record like one of the last minute, and says at the next one how many were dropped.

    Records are alike if they come from the same logger with the same level, and from the same place in the code. Where
    they have no traceback to tell the place, the first line of the message does, whatever its arguments.
    """

    def __init__(self) -> None:
        self._since: dict[MessageKind, float] = {}
        self._dropped: dict[MessageKind, int] = {}
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
        text = record.getMessage()
        if dropped or len(text) > LONGEST:
            more = f" (and {dropped:,} more like it)" if dropped else ""
            record.msg, record.args = _cut(text) + more, ()
        return True


def _kind(record: logging.LogRecord) -> MessageKind:
    return record.name, record.levelno, _place(record)


def _place(record: logging.LogRecord) -> str:
    if record.exc_info and (trace := record.exc_info[2]) is not None:
        while trace.tb_next is not None:
            trace = trace.tb_next
        return f"{record.exc_info[0]} {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    if record.name.startswith("django.security."):  # Django puts what the client sent into the message itself
        return ""
    return str(record.msg).partition("\n")[0][:LONGEST]  # asyncio adds lines about objects, each with its address


def _cut(text: str) -> str:
    """Cuts a long text at the end of a word, since nobody would recognize the beginning of a secret."""
    return text if len(text) <= LONGEST else re.sub(r"[\w-]*\Z", "", text[:LONGEST]) + "... (cut)"
