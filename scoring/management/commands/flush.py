"""`flush` as Django has it, which empties the whole database on purpose: the append-only tables let it."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import connections, transaction

from scoring.ledger.append_only import erasing


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        # In one transaction, so that the permission to delete is nobody else's meanwhile and ends with it.
        using = options["database"]
        with transaction.atomic(using=using), erasing(connections[using]):
            super().handle(**options)
