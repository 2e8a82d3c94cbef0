"""What surrounds every page of a session: its title, its tabs, its stakes, its head."""

from __future__ import annotations

from typing import Any

from scoring import reads
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.texts import pgettext
from scoring.wording.session import terms, title


def frame(session: Session, current: str) -> dict[str, Any]:
    """Context for ``shared/session.html``; ``current`` is the URL name of the current tab."""
    return {
        "session": session,
        "tab": current,
        "session_title": title(session),
        "session_terms": terms(session),
        "head": reads.head(session),
        "tabs": (
            ("table", _("Table")),
            ("enter", _("Hand {number}").format(number=session.next_number)),
            ("ledger", _("Ledger")),
            ("session-rules", _("Rules")),
            ("more", pgettext("tab", "More")),
        ),
        "closed": session.closed_at is not None,
        "paid_on_tab": reads.paid_on_tab(session),
    }
