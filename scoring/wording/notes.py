"""What the app itself notes of an event, in the reader's language.

Reasons that the app proposes are notes, which are stored in English. A `Remark` is stored as data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import groupby
from operator import itemgetter
from typing import Final

from django.utils.functional import Promise

from scoring.actions.deals import Settle
from scoring.ledger.replay import AS_DEALT
from scoring.models import Event
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
# Earlier releases stored a remark as a note, in these words; still earlier ones wrote that a player "had" those rows.
_OLD_REMARK: Final = re.compile(
    r"(?:Changed after Fantasyland was shown: (.+?)\.?)??"
    r"(?: ?Other cards than in hand (\d+), which was undone: (.+?)\.?)?",
    re.DOTALL,
)
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
    return note


def note_quoted(note: str) -> str:
    """A note in quotation marks, so that nobody takes it for a remark of the app. What the app wrote has none."""
    said = note_said(note)
    return said if not note or _AS_DEALT.fullmatch(note) else gettext("“{note}”").format(note=said)


def remark_said(event: Event, name: Callable[[int], str]) -> str:
    """Says whose cards changed before a deal was settled; "" for any other event. ``name`` names a seat's player."""
    if event.verb != Settle.verb:
        return ""
    if event.note:
        return _of_an_earlier_release(event.note)
    changed, other_cards = Settle.read(event.action).remark
    others = groupby(sorted(other_cards, key=itemgetter(1)), itemgetter(1))
    return sentences(
        _changed([_before(name(seat), rows) for seat, rows in changed]),
        *(_other_cards(number, [name(seat) for seat, _deal in those]) for number, those in others),
    )


def _of_an_earlier_release(note: str) -> str:
    """A remark that was stored as a note. If it was cut at 300 characters, its last player is incomplete."""
    found = _OLD_REMARK.fullmatch(note)
    if not found:
        return note
    parts, at = [], 0
    for each in _BEFORE.finditer(found[1] or ""):
        player, rows = filter(None, each.groups())
        parts.append(_before(player, "//" if rows == "nothing" else rows))
        at = each.end()
    changed = [*parts, *filter(None, [(found[1] or "")[at:]])]
    return sentences(_changed(changed), _other_cards(int(found[2]), found[3].split("; ")) if found[2] else "")


def _changed(players: Sequence[str]) -> str:
    said = gettext("Changed after Fantasyland was shown: {who}.")
    return said.format(who=_one_after_the_other(players)) if players else ""


def _before(player: str, rows: str) -> str:
    """A player and the rows from before, which are `//` if there were none."""
    said = gettext("{player} (before: {rows})") if rows.strip("/") else gettext("{player} (before: nothing)")
    return said.format(player=player, rows=rows)


def _other_cards(number: int, players: Sequence[str]) -> str:
    said = gettext("Other cards than in hand {number}, which was undone: {who}.")
    return said.format(number=number, who=_one_after_the_other(players))


def _one_after_the_other(parts: Sequence[str]) -> str:
    both = pgettext("parts of a note", "{first}; {then}")
    return reduce(lambda first, then: both.format(first=first, then=then), parts)
