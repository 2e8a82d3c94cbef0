"""The versions of a hand, in words: what made each of them, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise

from scoring.models import Deal, Revision
from scoring.texts import gettext as _
from scoring.texts import pgettext_lazy
from scoring.wording.figures import time_of_day
from scoring.wording.notes import note_quoted, remark_said

KINDS: Final[Mapping[Revision.Kind, Promise]] = {
    Revision.Kind.SETTLE: pgettext_lazy("version", "Settled"),
    Revision.Kind.CORRECT: pgettext_lazy("version", "Corrected"),
    Revision.Kind.VOID: pgettext_lazy("version", "Voided"),
    Revision.Kind.RESTORE: pgettext_lazy("version", "Restored"),
    Revision.Kind.RESETTLE: pgettext_lazy("version", "Recalculated"),
}


@dataclass(frozen=True, slots=True)
class VersionShown:
    """One version of a hand, in the list of its versions.

    ``because`` says why it was made, or what the app remarks of it; the ``note`` is that of who made it.
    """

    n: int
    what: str
    when: str
    because: str
    note: str
    url: str
    shown: bool


def version_shown(
    revision: Revision, deal: Deal, here: str, late: Mapping[int, int], name: Callable[[int], str], *, shown: bool
) -> VersionShown:
    """One version of the ``deal`` whose page is ``here``.

    ``late`` are the session's `reads.late_buy_ins`, and ``name`` names a seat's player.
    """
    event, because = revision.event, _because(revision, deal.number, late, name)
    return VersionShown(
        n=revision.n,
        what=str(KINDS[Revision.Kind(revision.kind)]),
        when=time_of_day(event.at),
        because=because,
        note=note_quoted(event.note) if event.deal == deal.number and not because else "",
        url=here if revision.n == deal.revision else f"{here}?version={revision.n}",
        shown=shown,
    )


def _because(revision: Revision, number: int, late: Mapping[int, int], name: Callable[[int], str]) -> str:
    """The change that made this version of hand ``number``, or the remark on the first; empty if its note says it."""
    event = revision.event
    if event.deal == number:
        return remark_said(event, name)
    if event.deal is not None:
        return _("after hand {number} was changed").format(number=event.deal)
    if event.undoes is None:
        return _("after a buy-in before hand {number} was added").format(number=late[event.n])
    return _("after a buy-in before hand {number} was undone").format(number=late[event.undoes])
