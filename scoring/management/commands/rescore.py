"""`rescore` compares every settled deal with what the rules engine would compute today. It changes nothing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from scoring.ledger import audit
from scoring.ledger.load import deals_of, numbers_of, seats_of
from scoring.models import Deal, Session
from scoring.transactions import snapshot


class Command(BaseCommand):
    help = "Run the rules engine on every stored deal again, and print each that it would settle differently."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="exit with status 1 if any deal differs")

    def handle(self, *, check: bool, **options: Any) -> None:
        count = Deal.objects.count()
        differing = 0
        # The bar appears only where standard error is a terminal.
        with tqdm(total=count, unit=" deals", disable=None, leave=False) as bar:
            for session in Session.objects.order_by("pk").iterator():
                with snapshot():
                    deals = deals_of(session, numbers_of(seats_of(session)), pairs=True)
                for number, deal in deals.items():
                    if not deal.revision.voided and (differs := audit.rescored(deal)):
                        differing += 1
                        self.stdout.write(f"{session.public_id} deal {number}: {differs}")
                    bar.update()
        self.stdout.write(f"{count} deals: {differing or 'no'} differences")
        if check and differing:
            raise SystemExit(1)
