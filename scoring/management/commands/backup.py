"""`backup` writes everything into one file, while the server runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ofcscore import __version__
from scoring import backup


class Command(BaseCommand):
    help = "Write a backup of everything into one new file. The server may run meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to make, such as ofc-2026-11-24.zip")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            manifest = backup.write(file, __version__)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        backup.note("backup")
        rows = sum(member.rows - 1 for name, member in manifest.members.items() if name != "totals")
        self.stdout.write(f"{file} has {rows:,} rows, {file.stat().st_size:,} bytes.")
