"""`export` writes a session's spreadsheet or record, or a whole club, to a file. The server runs it for downloads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.exports import making


class Command(BaseCommand):
    help = "Write a session's spreadsheet or record, or a whole club, to a file; prints how far it is."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=making.MAKERS)
        parser.add_argument("public_id", help="the public id of the session or, for club, of the club")
        parser.add_argument("file", type=Path)
        parser.add_argument("--verifier", default="", help="the address to which the QR code in a spreadsheet leads")

    def handle(self, *, kind: str, public_id: str, file: Path, verifier: str, **options: Any) -> None:
        making.give_way()

        def report(percent: int) -> None:
            self.stdout.write(str(percent))
            self.stdout.flush()

        try:
            making.make(kind, public_id, file, verifier, report)
        except ObjectDoesNotExist as error:
            raise CommandError(f"There is no {public_id}.") from error
