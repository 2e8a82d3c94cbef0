"""`score` reads score documents from standard input and writes the results to standard output."""

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
from scoring.wording.languages import LANGUAGES


class Command(BaseCommand):
    help = (
        "Score a document from standard input, or one on each line with --jsonl, and print the result. "
        "Exits with status 2 if any document cannot be scored."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Adds ``--jsonl``, which streams: it answers line by line and uses constant memory."""
        parser.add_argument("--jsonl", action="store_true", help="one document on each line, one result on each line")

    def handle(self, *args: Any, jsonl: bool, **options: Any) -> None:
        """Scores the input. It reads and writes bytes, so that the terminal's encoding never matters."""
        source, out = sys.stdin.buffer, sys.stdout.buffer
        bodies = _lines(source) if jsonl else iter([source.read(MAX_BYTES + 1)])
        all_ok = True
        # The bar appears only where standard error is a terminal.
        with tqdm(total=_size(source), unit="B", unit_scale=True, disable=None if jsonl else True) as bar:
            for body in bodies:
                document, ok = score_bytes(body, LANGUAGES)
                all_ok &= ok
                out.write(dumps(document) + b"\n")
                out.flush()  # the sender may wait for this result before sending the next line
                bar.update(len(body))
        if not all_ok:
            sys.exit(2)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Yields each line without its newline. Cuts an oversized line so that it is still refused, in bounded memory."""
    while line := source.readline(MAX_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := source.readline(MAX_BYTES)):
            line = line[: MAX_BYTES + 2]
        yield line.rstrip(b"\r\n") if len(line) <= MAX_BYTES + 1 or line.endswith(b"\n") else line


def _size(source: BinaryIO) -> int | None:
    """The input's size in bytes if it is a regular file, or None."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
