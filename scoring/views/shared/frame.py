"""What every page of one session has around it: its name, its tabs, what is played for."""

from __future__ import annotations

from typing import Any

from scoring.models import Session
from scoring.wording.session import terms, title


def frame(session: Session, current: str) -> dict[str, Any]:
    """Context for ``_session.html``; ``current`` is the name of the tab's address."""
    return {
        "session": session,
        "tab": current,
        "session_title": title(session),
        "session_terms": terms(session),
        "tabs": (
            ("table", "Table"),
            ("enter", f"Hand {session.next_number}"),
            ("ledger", "Ledger"),
            ("session-rules", "Rules"),
            ("more", "More"),
        ),
        "closed": session.closed_at is not None,
    }
