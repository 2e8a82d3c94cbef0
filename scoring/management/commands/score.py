"""``manage.py score``: the score document on standard input, its answer on standard output."""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand
from tqdm import tqdm

from scoring.exports.json_text import dumps
from scoring.rules.document import MAX_BYTES, score_bytes


class Command(BaseCommand):
    help = (
        "Score one document from standard input, or with --jsonl one a line; the answer goes to standard output. "
        "Exit status 2 if anything could not be scored."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--jsonl``: many documents, one a line, answered line by line in order and in constant memory."""
        parser.add_argument("--jsonl", action="store_true", help="one document a line in, one a line out, in order")

    def handle(self, *args: Any, jsonl: bool, **options: Any) -> None:
        """Read, score, write; bytes all the way, so that the terminal's encoding never matters."""
        source, out = sys.stdin.buffer, sys.stdout.buffer
        bodies = _lines(source) if jsonl else iter([source.read(MAX_BYTES + 1)])
        all_ok = True
        # The bar appears only where standard error is a terminal.
        with tqdm(total=_size(source), unit="B", unit_scale=True, disable=None if jsonl else True) as bar:
            for body in bodies:
                document, ok = score_bytes(body)
                all_ok &= ok
                out.write(dumps(document) + b"\n")
                out.flush()  # whoever sent a line may be waiting for its answer before sending the next
                bar.update(len(body))
        if not all_ok:
            sys.exit(2)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Each line without its end; of one that is too long only enough to be refused, so that memory stays constant."""
    while line := source.readline(MAX_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := source.readline(MAX_BYTES)):
            line = line[: MAX_BYTES + 2]
        yield line.rstrip(b"\r\n") if len(line) <= MAX_BYTES + 1 or line.endswith(b"\n") else line


def _size(source: BinaryIO) -> int | None:
    """How much there is to read, if that can be known."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
