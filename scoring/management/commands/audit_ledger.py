"""`audit_ledger` checks the ledger's promises. It prints a line for each breach, and exits with status 1 if any."""

from __future__ import annotations

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from scoring.ledger import audit
from scoring.models import Session


class Command(BaseCommand):
    help = "Check every promise of the ledger for all sessions, or for one. Exits with status 1 if any is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", nargs="?", help="public id of the only session to check (default: all sessions)")

    def handle(self, *, session: str | None, **options: Any) -> None:
        sessions = Session.objects.order_by("pk").values_list("pk", flat=True)
        if session:
            sessions = sessions.filter(public_id=session)
        keys = list(sessions)  # of a damaged file none may be read later
        count = len(keys)
        if session and not count:
            raise CommandError(f"There is no session {session}. An address has it after /s/.")
        # The bar appears only where standard error is a terminal.
        bar = tqdm(keys, unit=" sessions", disable=None, leave=False)
        found = 0
        for finding in chain(audit.of_database(), chain.from_iterable(map(audit.of_session, bar))):
            found += 1
            self.stdout.write(str(finding))
            self.stdout.flush()  # a pipe would hold it back, and lose it if the audit is ended
        names = len(audit.CHECKS) + len(audit.DATABASE_CHECKS)
        self.stdout.write(f"{names} checks over {count} sessions: {found or 'no'} breaches")
        if found:
            raise SystemExit(1)
