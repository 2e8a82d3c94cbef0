"""Django's `flush`, with permission to delete from the append-only tables, since it empties the database on purpose."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import connections, transaction

from scoring.ledger.append_only import erasing


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        # One transaction confines the permission to delete to this command.
        using = options["database"]
        with transaction.atomic(using=using), erasing(connections[using]):
            super().handle(**options)
