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
