"""The signal that the ledger sends within this process once a change is committed."""

from __future__ import annotations

from typing import Final

from django.dispatch import Signal

session_moved: Final = Signal()
"""A session has a new version; carries ``public_id``, ``version`` and the event's ``verb``. The database tells other
processes of the version."""
