"""`restore` fills an empty database from a backup, and proves that every total is what it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ofcscore import starting
from scoring import backup


class Command(BaseCommand):
    help = "Fill an empty database from a backup, of this release or an earlier one, and check all of it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` has made")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            with starting.alone():
                archive = backup.restore(file)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        of = archive.manifest
        sums = of.members["totals"].rows
        self.stdout.write(
            f"Restored what {of.version} kept at {of.made_at}: the audit is clean, {sums:,} totals agree."
        )
