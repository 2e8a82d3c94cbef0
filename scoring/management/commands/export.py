"""`export` writes what of a session or a club takes long to a file. The server runs it for downloads and what-ifs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.exports import making
from scoring.texts import spoken
from scoring.transactions import is_disk_full


class Command(BaseCommand):
    help = "Makes one export of a session or a club as a file, and prints how far it is."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=making.MAKERS)
        parser.add_argument("public_id", help="the public id of the session or the club")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--given",
            default="",
            help="a further argument that this export takes, such as the address in a spreadsheet",
        )
        parser.add_argument(
            "--language",
            default=settings.LANGUAGE_CODE,
            help="the tag of the language of a spreadsheet or paper, such as fi",
        )

    def handle(self, *, kind: str, public_id: str, file: Path, given: str, language: str, **options: Any) -> None:
        making.give_way()

        def report(percent: int) -> None:
            self.stdout.write(str(percent))
            self.stdout.flush()

        try:
            with spoken(language):
                making.make(kind, public_id, file, given, report)
        except ObjectDoesNotExist as error:
            raise CommandError(f"There is no {public_id}.") from error
        except Exception as error:
            if not is_disk_full(error):
                raise
            raise CommandError("The disk is full.", returncode=making.NO_ROOM) from error
        # Who deletes it deletes its files afterwards, so that one of the two sees the other.
        if making.is_gone(kind, public_id):
            making.forget(public_id)
            raise CommandError(f"There is no {public_id} any more.")
