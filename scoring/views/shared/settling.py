"""What people settle of the club's tab when they sit down for the next session."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from scoring import club, reads
from scoring.models import Club
from scoring.request import Request
from scoring.wording.notes import SETTLED_AT_START
from scoring.wording.phrases import later as _
from scoring.wording.tab import open_among, tabs_shown

CHANGED: Final = _(
    "What is open on the tab among these players is not what the page said. Look at it, and choose again."
)


def offer(of: Club, names: Collection[str]) -> dict[str, str]:
    """Context for ``club/_settle_at_start.html``: what is ``open`` in words, and as the form has it, ``open_value``."""
    return {"open": open_among(tabs_shown(of), names), "open_value": _as_value(club.open_among(of, names))}


def _as_value(due: Iterable[club.Due]) -> str:
    """These payments as the value of a field, the same in every language; nothing if there are none."""
    return ",".join(
        f"{payment.payer}-{payment.payee}-{payment.amount}-{currency}-{digits}" for (currency, digits), payment in due
    )


NOTHING_OPEN: Final = _(
    "Nothing is open on the tab among these players any more, so nothing was recorded. Another host may have started "
    "the session already."
)


def changed(now: str) -> str:
    """What a page says on which something else was open than is ``now``, as the form has it."""
    return CHANGED if now else NOTHING_OPEN


class Settling:
    """What is open among people with these names, and whether the request settles it.

    The form names what it showed, so that nobody settles what they have not seen. Create it before the session
    starts, or that session's own payments count, too.
    """

    def __init__(self, request: Request, of: Club, names: Collection[str], key: str) -> None:
        self._club, self._key, self._by = of, key, request.grant.by
        self._due = club.open_among(of, names)
        now, chosen = _as_value(self._due), request.POST.get("settle", "")
        self.chosen = chosen != "" and chosen == now
        self.stale = chosen not in ("", now) and not reads.started(key)
        """Whether something else is open than the form showed. A form that is sent again has started its session."""
        self.changed = changed(now)
        """What a page says whose form was stale."""

    def record(self) -> None:
        """Mark it as paid, if that was chosen."""
        if self.chosen:
            club.pay_tab_among(self._club, self._due, note=SETTLED_AT_START, key=self._key, by=self._by)
