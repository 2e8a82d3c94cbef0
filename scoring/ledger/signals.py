"""What the ledger says once a change is committed, to anybody in this process who listens."""

from __future__ import annotations

from typing import Final

from django.dispatch import Signal

session_moved: Final = Signal()
"""A session is at another version: ``public_id`` and ``version``. Other processes hear it from the database."""
