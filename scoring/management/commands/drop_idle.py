"""`drop_idle`, meant for a daily timer, deletes sessions that have been idle for longer than they are kept.

It also deletes exports that nobody downloads any more.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from scoring import club
from scoring.exports import making
from scoring.models import Session

MOST = 36_500
"""The most days that KEEP_IDLE_DAYS takes, too."""


class Command(BaseCommand):
    help = "Delete sessions that have been idle for KEEP_IDLE_DAYS days, and clubs that have no session left."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, help="days without activity (default: KEEP_IDLE_DAYS)")
        parser.add_argument("--dry-run", action="store_true", help="only print how many sessions would be deleted")

    def handle(self, *, days: int | None, dry_run: bool, **options: Any) -> None:
        making.tidy()
        kept = settings.KEEP_IDLE_DAYS if days is None else days
        if kept < 0 or (days == 0) or kept > MOST:
            raise CommandError(f"The number of days must be at least 1, and at most {MOST}.")
        if not kept:
            self.stdout.write("KEEP_IDLE_DAYS is 0: sessions are kept for ever.")
            return
        moment = timezone.now() - timedelta(days=kept)
        count = club.idle_since(moment).count() if dry_run else sum(map(_forget_exports, club.drop_idle(moment)))
        self.stdout.write(f"{count} sessions idle for {kept} days {'would be' if dry_run else 'were'} deleted")


def _forget_exports(session: Session) -> int:
    """Delete the exports of a session that was dropped, and those of its club, which have it, too. Returns 1."""
    for each in (session, session.club):
        making.forget(each.public_id)
    return 1
