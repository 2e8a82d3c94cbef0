"""Told by the write path."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction

from scoring.live.hub import Hub
from scoring.live.postgres import CHANNEL, listen

local_hub: Final = Hub(listener=None if settings.ON_SQLITE else listen)
"""This process's."""


def on_session_moved(sender: object, *, public_id: str, version: int, **_: object) -> None:
    """Tell this process's streams of what has been committed: the receiver of the ledger's `session_moved`."""
    local_hub.hear({"session": public_id, "version": version})


def moved(public_id: str, version: int) -> None:
    """Say within a transaction that it takes the session to this version.

    To this process: the others hear it from the database, where the session's row has that version or is gone.
    """
    _hear_on_commit({"session": public_id, "version": version})


def entered(public_id: str, drafts: str) -> None:
    """Say within a transaction that rows of the hand that is being entered were sent.

    ``drafts`` is their version, so that the page that sent them knows its own and need not ask for it.
    """
    _notify({"session": public_id, "drafts": drafts})


def end(link: str) -> None:
    """Say within a transaction that this link opens nothing any more: the streams of its pages end, in every session.

    Their pages come back, ask the gate, and are refused there; what they open with the tokens that they still have is
    over as it begins.
    """
    _notify({"link": link})


def _notify(message: dict[str, Any]) -> None:
    if not settings.ON_SQLITE:
        with connection.cursor() as cursor:  # in the transaction: sent if it commits, and then for certain
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(message)])
    _hear_on_commit(message)


def _hear_on_commit(message: dict[str, Any]) -> None:
    transaction.on_commit(partial(local_hub.hear, message), robust=True)
