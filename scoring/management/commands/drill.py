"""`drill` makes a backup, restores it beside, checks it, and removes both: it shows that a backup can be restored."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ofcscore import __version__
from scoring import backup


class Command(BaseCommand):
    help = "Back up, restore into a second database, audit, compare every total, and remove it all again."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        backup.remove_given_up(settings.DATA_DIR, "drill-????????")
        with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix="drill-") as folder:
            file = Path(folder) / "backup.zip"
            try:
                backup.write(file, __version__)
            except backup.BackupError as error:
                raise CommandError(str(error)) from error
            url = f"sqlite:///{quote(str(Path(folder) / 'restored.sqlite3'))}"
            restored = subprocess.run(  # noqa: S603 - no shell reads it
                [sys.executable, "-m", "ofcscore.command", "restore", str(file)],
                env={**_without_servers(), "DATABASE_URL": url},
                cwd=settings.BASE_DIR, capture_output=True, text=True, check=False,
            )  # fmt: skip
        if restored.returncode:
            raise CommandError(f"The backup could not be restored. {restored.stderr.strip()}")
        backup.note("drill", self.stderr.write)
        self.stdout.write(f"{restored.stdout.strip()} Everything of the drill has been removed.")


def _without_servers() -> dict[str, str]:
    """The environment without what only PostgreSQL can have."""
    return {name: value for name, value in os.environ.items() if name not in {"DIRECT_DATABASE_URL", "NOTICES_URL"}}
