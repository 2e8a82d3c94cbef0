"""What people settle of the club's tab when they sit down for the next session."""

from __future__ import annotations

from collections.abc import Collection
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


class Settling:
    """What is open among people with these names, and whether the request settles it.

    The form names what it showed, so that nobody settles what they have not seen. It is to be made before the session
    is started, whose own payments would count.
    """

    def __init__(self, request: Request, of: Club, names: Collection[str], key: str) -> None:
        self._club, self._key, self._by = of, key, request.grant.by
        self._due = club.open_among(of, names)
        self.said = open_among(tabs_shown(of), names)
        chosen = request.POST.get("settle", "")
        self.chosen = chosen != "" and chosen == self.said
        self.stale = chosen not in ("", self.said) and not reads.started(key)
        """Whether something else is open than the form showed. A form that is sent again has started its session."""

    def record(self) -> None:
        """Mark it as paid, if that was chosen."""
        if self.chosen:
            club.pay_tab_among(self._club, self._due, note=SETTLED_AT_START, key=self._key, by=self._by)
