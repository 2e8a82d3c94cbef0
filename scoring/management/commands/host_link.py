"""`host_link` makes a host's link, so that someone can start a club or run one whose host has lost their link."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from scoring import club
from scoring.access import links
from scoring.models import Club


class Command(BaseCommand):
    help = "Make a host's link to an existing club, or to a new one, and print its path."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", nargs="?", help="public id of the club (default: make a new club)")
        parser.add_argument("--name", default=links.FIRST, help="name of the link (default: %(default)s)")

    def handle(self, *, name: str, **options: Any) -> None:
        wanted: str | None = options["club"]
        found = Club.objects.filter(public_id=wanted).first() if wanted else club.new_club()
        if found is None:
            raise CommandError(f"No club has the public id {wanted}.")
        _, secret = links.issue(club=found, role=links.Role.HOST, key=links.new_link_key(), name=name, limited=False)
        self.stdout.write(reverse("come-in", args=[secret]))
