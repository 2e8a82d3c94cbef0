"""The only writer of sessions: each verb happens whole or not at all.

Every verb locks the session's row first, so that two phones follow each other. It takes a ``key``, a random text of the
form that was sent, so that a request which comes twice is done once and answered the same; and ``by``, who asks. Most
verbs take a ``version``, the version of the session that the asker saw: `Conflict` says that the table has changed
since then (a flag or a name changes nothing). None skips that check. A verb that refuses its input raises `LedgerError`
with every problem. After either of them nothing has been written. ``note`` is the reason that the history shows.

`Seat.number` names a seat. Money is in minor units.
"""

from scoring.ledger.deals import (
    Preview,
    correct_deal,
    last_undoable,
    preview,
    preview_correction,
    restore_deal,
    settle_deal,
    undo,
    void_deal,
)
from scoring.ledger.disputes import dispute, resolve_dispute
from scoring.ledger.evening import (
    close_session,
    preview_late,
    record,
    rename_session,
    reopen_session,
    start_session,
)
from scoring.ledger.replay import Change, Correction, ImpossibleError, Later
from scoring.ledger.turn import Conflict

__all__ = [
    "Change",
    "Conflict",
    "Correction",
    "ImpossibleError",
    "Later",
    "Preview",
    "close_session",
    "correct_deal",
    "dispute",
    "last_undoable",
    "preview",
    "preview_correction",
    "preview_late",
    "record",
    "rename_session",
    "reopen_session",
    "resolve_dispute",
    "restore_deal",
    "settle_deal",
    "start_session",
    "undo",
    "void_deal",
]
