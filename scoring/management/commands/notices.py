"""`notices` lets all processes learn of changes in the way that the settings of this environment name."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ofcscore import valkey
from scoring import live


class Command(BaseCommand):
    help = "Make all processes on this database use the NOTICES_URL of this environment, or none if it has none."

    def handle(self, **options: Any) -> None:
        if settings.ON_SQLITE:
            raise CommandError("A SQLite file has one server, which tells itself. Several processes need PostgreSQL.")
        if settings.NOTICES_URL and not valkey.answers():
            raise CommandError(
                "The server of NOTICES_URL does not answer, so nothing was changed. Look at it, and at NOTICES_URL."
            )
        live.decide()
        way = "the server of NOTICES_URL" if settings.NOTICES_URL else "PostgreSQL"
        self.stdout.write(f"From now on processes tell each other of changes by {way}. Start all of them again.")
