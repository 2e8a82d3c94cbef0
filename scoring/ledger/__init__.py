"""The only writer of sessions: each of its functions is atomic.

A function that writes locks the session's row first, so that requests from two phones run one after the other. ``key``
is the random text of the form that was sent: a request that arrives twice is done once and gets the same answer. ``by``
is the name of the requester. ``note`` is the reason that the history shows.

Most of them take a ``version``, the session's version that the requester saw, and raise `Conflict` if the table has
changed since then; None skips the check for a stale page. Actions that are ``idle``, such as a dispute or a payment,
change no table. A function that refuses
its input raises `LedgerError` with every problem. Neither exception leaves anything written.

`Seat.number` names a seat. Money is in minor units.
"""

from scoring.ledger.agreements import agree
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
    check_started,
    choose_tab,
    close_session,
    rename_session,
    reopen_session,
    start_session,
)
from scoring.ledger.load import changed_since
from scoring.ledger.payments import Way, pay, undo_payment
from scoring.ledger.record import preview_late, record
from scoring.ledger.replay import Change, Correction, Dealt, Departure, ImpossibleError
from scoring.ledger.turn import Conflict, check_open

__all__ = [
    "Change",
    "Conflict",
    "Correction",
    "Dealt",
    "Departure",
    "ImpossibleError",
    "Preview",
    "Way",
    "agree",
    "changed_since",
    "check_open",
    "check_started",
    "choose_tab",
    "close_session",
    "correct_deal",
    "dispute",
    "last_undoable",
    "pay",
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
    "undo_payment",
    "void_deal",
]
