"""When the newest entries were made, which no clock can be behind."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from scoring.models import Event, TabPayment

LATEST: Final = 1_000
"""So many of the last entries tell when the newest was made; a demo is entered late, with dates of earlier evenings."""


def newest() -> datetime | None:
    """When the newest of the latest entries of all ledgers was made; None if there is none."""
    return max(Event.objects.order_by("-pk").values_list("at", flat=True)[:LATEST], default=None)


def newest_on_tabs() -> datetime | None:
    """When the newest of the latest payments of all tabs was made; None if there is none."""
    return max(TabPayment.objects.order_by("-pk").values_list("at", flat=True)[:LATEST], default=None)
