"""What the write path calls to tell open pages of a change."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction

from ofcscore import valkey
from scoring.live import postgres, pubsub, sqlite
from scoring.live.hub import Hub
from scoring.live.postgres import CHANNEL


def _listener() -> Callable[[Hub], Coroutine[Any, Any, None]]:
    if settings.ON_SQLITE:
        return sqlite.listen
    return pubsub.listen if settings.NOTICES_URL else postgres.listen


local_hub: Final = Hub(listener=_listener())
"""The hub of this process."""


def on_session_moved(sender: object, *, public_id: str, version: int, **_: object) -> None:
    """Receives the ledger's `session_moved` signal after a commit, and tells the streams of this process.

    Those of other processes hear it from the database's trigger, unless there is another server for that.
    """
    message = {"session": public_id, "version": version}
    local_hub.hear(message)
    if settings.NOTICES_URL:
        pubsub.sender.send(message)


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
    if settings.NOTICES_URL:
        transaction.on_commit(lambda: pubsub.sender.send(message), robust=True)
    elif not settings.ON_SQLITE:
        with connection.cursor() as cursor:  # PostgreSQL sends it if, and only if, the transaction commits
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(message)])
    transaction.on_commit(lambda: local_hub.hear(message), robust=True)


def agrees() -> bool:
    """Whether this process tells others of a change in the way that the database has kept for all processes."""
    return settings.ON_SQLITE or postgres.way() == _way()


def by_a_server() -> bool:
    """Whether the database has kept that a server of Redis tells all processes of changes, whichever that is."""
    return not settings.ON_SQLITE and bool(postgres.way())


def decide() -> None:
    """Stores how this process tells of changes, for all processes to use. Those that differ are no longer ready."""
    if not settings.ON_SQLITE:
        postgres.keep_way(_way())


def _way() -> str:
    return valkey.fingerprint() if settings.NOTICES_URL else ""
