"""What the write path calls to tell open pages of a change."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction

from scoring.live import postgres, sqlite
from scoring.live.hub import Hub
from scoring.live.postgres import CHANNEL

local_hub: Final = Hub(listener=sqlite.listen if settings.ON_SQLITE else postgres.listen)
"""The hub of this process."""


def on_session_moved(sender: object, *, public_id: str, version: int, **_: object) -> None:
    """Receives the ledger's `session_moved` signal after a commit, and tells the streams of this process."""
    local_hub.hear({"session": public_id, "version": version})


def entered(public_id: str, drafts: str) -> None:
    """Announces, on commit of the current transaction, that drafts of the deal being entered have changed.

    ``drafts`` is their version. The page that sent them knows it already, and need not request them.
    """
    _notify({"session": public_id, "drafts": drafts})


def end(link: str) -> None:
    """Announces, on commit of the current transaction, that a link was revoked; the streams it opened end everywhere.

    Their pages request themselves again, and the gate refuses them. A stream that they open with a token they still
    have ends at once.
    """
    _notify({"link": link})


def gone(public_id: str) -> None:
    """Announces, on commit of the current transaction, that a session was deleted; its streams end everywhere.

    As with `end`, a stream that a page opens with a token it still has ends at once.
    """
    _notify({"session": public_id, "gone": True})


def _notify(message: dict[str, Any]) -> None:
    if not settings.ON_SQLITE:
        with connection.cursor() as cursor:  # PostgreSQL sends it if, and only if, the transaction commits
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(message)])
    transaction.on_commit(partial(local_hub.hear, message), robust=True)
