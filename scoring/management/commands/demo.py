"""`demo` makes the club that everybody may look at, or deletes it where the operator wants none."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring import demo
from scoring.game.errors import LedgerError

STEPS = 20
"""After so many a few hands of the session that goes on are settled."""


class Command(BaseCommand):
    help = "Make the demo at /demo/, unless it is there; with DEMO=0, delete it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--anew", action="store_true", help="delete it first, and everything that was played in it")
        parser.add_argument("--steps", type=int, help="then move its last session on by so many steps")

    def handle(self, *, anew: bool, steps: int | None, verbosity: int, **options: Any) -> None:
        said, first = self._made(anew=anew) if settings.DEMO else (self._removed(), 0)
        if verbosity:
            self.stdout.write(said)
        for _ in range((first if steps is None else steps) if settings.DEMO else 0):
            demo.move_on()

    def _made(self, *, anew: bool) -> tuple[str, int]:
        """The message, and by how many steps a new evening goes on, so that the first visitor has something to see."""
        if anew:
            demo.remove()
        try:
            made = demo.make()
        except LedgerError as refusal:
            raise CommandError(f"The demo was not made: {refusal}") from None
        return ("The demo was made: /demo/", STEPS) if made else ("The demo is there: /demo/", 0)

    def _removed(self) -> str:
        return "DEMO=0: the demo was deleted." if demo.remove() else "DEMO=0: there is no demo."
