"""`drop_idle`, for a daily timer: deletes sessions in which nothing has happened for as long as they are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from scoring import club


class Command(BaseCommand):
    help = "Delete sessions in which nothing has happened for KEEP_IDLE_DAYS days, and clubs that are left with none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, help="instead of KEEP_IDLE_DAYS")
        parser.add_argument("--dry-run", action="store_true", help="only say how many there are")

    def handle(self, *, days: int | None, dry_run: bool, **options: Any) -> None:
        kept = settings.KEEP_IDLE_DAYS if days is None else days
        if kept < 0 or (days == 0):
            raise CommandError("Sessions are kept for at least one day.")
        if not kept:
            self.stdout.write("KEEP_IDLE_DAYS is 0: sessions are kept for ever.")
            return
        moment = timezone.now() - timedelta(days=kept)
        count = club.idle_since(moment).count() if dry_run else sum(1 for _ in club.drop_idle(moment))
        self.stdout.write(f"{count} sessions idle for {kept} days {'would be' if dry_run else 'were'} deleted")
