"""`backup` writes everything into one file, while the server runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ofcscore import __version__
from scoring import backup


class Command(BaseCommand):
    help = "Write a backup of everything into one new file. The server may run meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            help="the file to make, such as table.zip; with a slash at its end a directory: it is named by the time",
        )
        parser.add_argument("--keep", type=int, metavar="N", help="in a directory: remove all of them but the last N")

    def handle(self, *, file: str, keep: int | None, **options: Any) -> None:
        if keep is not None and (keep < 1 or not file.endswith("/")):
            raise CommandError(
                "--keep needs a directory, with a slash at its end, and the number of backups to keep, at least 1."
            )
        if not file.endswith("/"):
            self._make(Path(file))
            return
        folder = Path(file)
        folder.mkdir(parents=True, exist_ok=True)
        backup.remove_given_up(folder, ".ofc-*.zip.*.unfinished")
        made = folder / f"ofc-{timezone.now():%Y%m%d-%H%M%S}.zip"
        self._make(made)
        # By its name it is the newest, unless somebody has set the clock back.
        others = sorted(set(folder.glob("ofc-[0-9]*-[0-9]*.zip")) - {made})
        for old in [*others, made][:-keep] if keep else []:
            old.unlink()

    def _make(self, file: Path) -> None:
        try:
            manifest = backup.write(file, __version__)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        backup.note("backup", self.stderr.write)
        rows = sum(member.rows - 1 for name, member in manifest.members.items() if name != "totals")
        self.stdout.write(f"{file} has {rows:,} rows, {file.stat().st_size:,} bytes.")
