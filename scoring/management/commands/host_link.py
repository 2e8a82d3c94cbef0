"""`host_link`: the operator lets somebody run a club: a new one, or one whose host has lost his link."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from scoring import club
from scoring.access import links
from scoring.models import Club


class Command(BaseCommand):
    help = (
        "Make a host's link: to a new club, or to the one whose public id is given. Its path goes to standard output."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", nargs="?", help="public id of a club; a new one if left out")
        parser.add_argument("--name", default=links.FIRST, help="what the link is called (default: %(default)s)")

    def handle(self, *, name: str, **options: Any) -> None:
        wanted: str | None = options["club"]
        found = Club.objects.filter(public_id=wanted).first() if wanted else club.new_club()
        if found is None:
            raise CommandError("There is no such club.")
        _, secret = links.issue(club=found, role=links.Role.HOST, key=links.new_key(), name=name)
        self.stdout.write(reverse("come-in", args=[secret]))
