"""Notes that the app wrote itself: they are stored in English, and said in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from django.utils.functional import Promise

from scoring.drafts.store import CHANGED, MENDED, NO_ROWS
from scoring.ledger.replay import AS_DEALT
from scoring.texts import gettext, gettext_lazy, pgettext
from scoring.wording.figures import sentences

REASONS: Final[Mapping[str, Promise]] = {
    "Misread card": gettext_lazy("Misread card"),
    "Wrong row": gettext_lazy("Wrong row"),
    "Dead hand": gettext_lazy("Dead hand"),
}
"""The usual reasons for a correction, each of them one tap, as the note has them and as they are said."""

SETTLED_AT_START: Final = "settled as the next session began"
"""How the tab says that people settled it when they sat down."""

MISSED: Final = "{player} was due Fantasyland after hand {number} and did not get it."
"""Why a player is given the Fantasyland that a corrected hand would have given them."""

_WITH_WORDS: Final = re.compile(rf"({'|'.join(REASONS)}): (.+)", re.DOTALL)
_MISSED: Final = re.compile(MISSED.format(player="(.+)", number=r"(\d+)").rstrip(".") + r"\.")
_AS_DEALT: Final = re.compile(re.escape(AS_DEALT).replace(re.escape("{}"), r"(\d+)"))
_WHO: Final = "(.+?)"
_CHANGED_ALONE: Final = CHANGED.format(who=_WHO).rstrip(".") + r"\.?"
_MENDED: Final = MENDED.format(number=r"(\d+)", who=_WHO).rstrip(".") + r"\.?"
_CHANGED: Final = re.compile(rf"(?:{_CHANGED_ALONE})??(?: ?{_MENDED})?", re.DOTALL)
# Earlier releases wrote of a player that they "had" those rows, which may have been another phone's.
_BEFORE: Final = re.compile(r"(.+?)(?: \(before: (\S+?)\)|, who had (\S+?))(?:; |$)")


def note_said(note: str) -> str:
    """A note: one that people typed as it is, but for the reason that they tapped before it."""
    if note in REASONS:
        return str(REASONS[note])
    if note == SETTLED_AT_START:
        return pgettext("payment", "settled as the next session began")
    if found := _WITH_WORDS.fullmatch(note):
        return gettext("{reason}: {words}").format(reason=REASONS[found[1]], words=found[2])
    if found := _AS_DEALT.fullmatch(note):
        return gettext("As it was dealt, before hand {number} was changed.").format(number=found[1])
    if found := _MISSED.fullmatch(note):
        said = gettext("{player} was due Fantasyland after hand {number} and did not get it.")
        return said.format(player=found[1], number=found[2])
    if note and (found := _CHANGED.fullmatch(note)):
        return _changed(*found.groups())
    return note


def _changed(changed: str | None, undone: str | None, mended: str | None) -> str:
    """Whose cards were changed after Fantasyland was shown, and whose are others than in the hand that was undone."""
    told = []
    if changed:
        told.append(gettext("Changed after Fantasyland was shown: {who}.").format(who=_before(changed)))
    if mended:
        said = gettext("Other cards than in hand {number}, which was undone: {who}.")
        told.append(said.format(number=undone, who=_one_after_the_other(mended.split("; "))))
    return sentences(*told)


def _before(told: str) -> str:
    """Whose rows were others, in the reader's language; a note that was too long ends within the last of them."""
    parts, at = [], 0
    for each in _BEFORE.finditer(told):
        player, rows = filter(None, each.groups())
        said = gettext("{player} (before: nothing)") if rows == NO_ROWS else gettext("{player} (before: {rows})")
        parts.append(said.format(player=player, rows=rows))
        at = each.end()
    return _one_after_the_other([*parts, *filter(None, [told[at:]])])


def _one_after_the_other(parts: Sequence[str]) -> str:
    both = pgettext("parts of a note", "{first}; {then}")
    return reduce(lambda first, then: both.format(first=first, then=then), parts)
